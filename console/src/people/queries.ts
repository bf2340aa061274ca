import type { Schemas } from '@lading/sdk'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { pageSize } from '../parts/page-number.ts'

export type User = Schemas['User']
export type Role = User['role']
export type NewPerson = { email: string; name: string; role: Role }

const path = ({ id: userID }: User) => ({ params: { path: { userID } } })
const ifUnchanged = ({ revision }: User) => ({ headers: { 'if-match': `"${revision}"` } })

export const peopleQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', page],
    queryFn: () => answered(lading.GET('/api/v1/users', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } })),
  })

export function useInvite() {
  return useChange((person: NewPerson) => answered(lading.POST('/api/v1/users', { body: person })))
}

export function useInviteAgain() {
  return useChange((user: User) => answered(lading.POST('/api/v1/users/{userID}/invite', path(user))))
}

export function useChangeRole() {
  return useChange(({ user, role }: { user: User; role: Role }) =>
    answered(lading.PUT('/api/v1/users/{userID}', { ...path(user), ...ifUnchanged(user), body: { role } })),
  )
}

export function useDisable() {
  return useChange((user: User) => answered(lading.POST('/api/v1/users/{userID}/disable', { ...path(user), ...ifUnchanged(user) })))
}

export function useEnable() {
  return useChange((user: User) => answered(lading.POST('/api/v1/users/{userID}/enable', { ...path(user), ...ifUnchanged(user) })))
}

/** Whatever became of it, the list and who we are come from the server again: someone may have changed themselves. */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['people'] })
      await queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
}
