import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'

export type User = Schemas['User']
export type Role = User['role']
export type NewPerson = { email: string; name: string; role: Role; password?: string }

const path = ({ id: userID }: User) => ({ params: { path: { userID } } })

/** `me` too: the change may be to the person who is signed in. */
const changed = { touches: ['people', 'me'], evenIfRefused: true }

export const peopleQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', page],
    queryFn: () =>
      answered(lading.GET('/api/v1/users', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } })),
  })

/** For lists that name people. */
export const peopleNamesQuery = queryOptions({
  queryKey: ['people', 'names'],
  queryFn: () => everyRow('users', (query) => answered(lading.GET('/api/v1/users', { params: { query } }))),
})

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['people', id, 'history', limit],
    queryFn: () =>
      answered(lading.GET('/api/v1/users/{userID}/history', { params: { path: { userID: id }, query: { limit } } })),
  })

export function useInvite() {
  return useChange((person: NewPerson) => answered(lading.POST('/api/v1/users', { body: person })), changed)
}

export function useInviteAgain() {
  return useChange((user: User) => answered(lading.POST('/api/v1/users/{userID}/invite', path(user))), changed)
}

export function useChangeRole() {
  return useChange(
    ({ user, role }: { user: User; role: Role }) =>
      answered(lading.PUT('/api/v1/users/{userID}', { ...path(user), ...ifUnchanged(user.revision), body: { role } })),
    changed,
  )
}

export function useDisable(user: User) {
  return useChange(
    () => answered(lading.POST('/api/v1/users/{userID}/disable', { ...path(user), ...ifUnchanged(user.revision) })),
    changed,
  )
}

export function useEnable() {
  return useChange(
    (user: User) =>
      answered(lading.POST('/api/v1/users/{userID}/enable', { ...path(user), ...ifUnchanged(user.revision) })),
    changed,
  )
}
