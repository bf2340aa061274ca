import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'

export type Rule = Schemas['DocumentRule']
export type Content = Pick<Rule, 'before' | 'document_types' | 'partner_carrier_id'>

const path = (documentRuleID: string) => ({ params: { path: { documentRuleID } } })
const changed = { touches: ['document-rules'] }

export const rulesQuery = (page: number) => {
  const query = { limit: pageSize, offset: (page - 1) * pageSize }
  return queryOptions({
    queryKey: ['document-rules', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/document_rules', { params: { query } })),
  })
}

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['document-rules', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/document_rules/{documentRuleID}/history', {
          params: { path: { documentRuleID: id }, query: { limit } },
        }),
      ),
  })

export function useCreateRule() {
  return useChange((body: Content) => answered(lading.POST('/api/v1/document_rules', { body })), changed)
}

export function useUpdateRule({ id, revision }: Rule) {
  return useChange(
    (body: Content) =>
      answered(lading.PUT('/api/v1/document_rules/{documentRuleID}', { ...path(id), ...ifUnchanged(revision), body })),
    {
      ...changed,
      evenIfRefused: true,
    },
  )
}

export function useDeleteRule({ id, revision }: Rule) {
  return useChange(
    () => answered(lading.DELETE('/api/v1/document_rules/{documentRuleID}', { ...path(id), ...ifUnchanged(revision) })),
    changed,
  )
}
