import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { answered } from './problem.ts'
import { arrived, lading } from './session.ts'

/** Who is signed in, where, and what they may do. Everything below the shell can rely on it being there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await answered(lading.GET('/api/v1/me'))
    arrived()
    return me
  },
  staleTime: 60_000,
})

export function useMe() {
  const { user, organization } = useSuspenseQuery(meQuery).data
  return { user, organization, isAdmin: user?.role === 'admin' }
}
