import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'

export type Organization = Schemas['Organization']

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: async () => (await answered(lading.GET('/api/v1/organization'))).organization,
})

export const historyQuery = (limit: number) =>
  queryOptions({
    queryKey: ['organization', 'history', limit],
    queryFn: () => answered(lading.GET('/api/v1/organization/history', { params: { query: { limit } } })),
  })

/** The name is shown at the top of every page. */
export function useUpdateOrganization() {
  return useChange(
    ({ body, revision }: { body: object; revision: number }) => answered(lading.PUT('/api/v1/organization', { ...ifUnchanged(revision), body })),
    { touches: ['organization', 'me'] },
  )
}
