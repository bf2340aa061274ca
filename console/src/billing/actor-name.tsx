import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMe } from '../api/me.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'

const userQuery = (userID: string) =>
  queryOptions({
    queryKey: ['people', 'one', userID],
    queryFn: async () => (await answered(lading.GET('/api/v1/users/{userID}', { params: { path: { userID } } }))).user,
    staleTime: 600_000,
  })

/** Who did it. Only admins may read who the others are; to members a colleague is the end of an id, the same one each time. */
export function ActorName({ actor: { type, id } }: { actor: { type: string; id: string } }) {
  const { user, isAdmin } = useMe()
  const isMe = user?.id === id
  const { data } = useQuery({ ...userQuery(id), enabled: type === 'user' && isAdmin && !isMe })
  if (isMe) return 'you'
  if (type !== 'user') return `the application ${id.slice(0, 8)}…`
  return data?.name ?? `a colleague (…${id.slice(-4)})`
}
