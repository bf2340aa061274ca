import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { answered } from './problem.ts'
import { lading, noteTokenAccepted } from './session.ts'

/** Who is signed in, in which organization, and with which role. The router loads it before any page. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await answered(lading.GET('/api/v1/me'))
    noteTokenAccepted()
    return me
  },
  staleTime: 60_000,
})

export type Right = 'read' | 'enter' | 'approve' | 'pay' | 'see_bank_details' | 'administer'

export function useMe() {
  const { user, organization, rights } = useSuspenseQuery(meQuery).data
  return { user, organization, isAdmin: user?.role === 'admin', may: (right: Right) => rights.includes(right) }
}
