import type { Paths, Schemas } from '@lading/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { Content, Policy } from './policy.ts'

export type Replay = Schemas['AuditReplay']
export type TrialPolicy =
  Paths['/api/v1/audit_policies/replay']['post']['requestBody']['content']['application/json']['policy']

const path = (auditPolicyID: string) => ({ params: { path: { auditPolicyID } } })
const changed = { touches: ['audit-policies'] }

export const policiesQuery = queryOptions({
  queryKey: ['audit-policies', 'list'],
  queryFn: () =>
    everyRow('audit_policies', (query) => answered(lading.GET('/api/v1/audit_policies', { params: { query } }))),
})

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit-policies', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/audit_policies/{auditPolicyID}', path(id)))).audit_policy,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['audit-policies', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/audit_policies/{auditPolicyID}/history', {
          params: { path: { auditPolicyID: id }, query: { limit } },
        }),
      ),
  })

/** What a policy would have done to the invoices of the last days. It only reads. */
export const replayQuery = (days: number, policy: TrialPolicy) =>
  queryOptions({
    queryKey: ['audit-policies', 'replay', days, policy],
    queryFn: async () =>
      (await answered(lading.POST('/api/v1/audit_policies/replay', { body: { days, policy } }))).replay,
    placeholderData: keepPreviousData,
  })

export function useSavePolicy(policy: Policy | null) {
  return useChange(
    ({ content, revision }: { content: Content; revision: number }) =>
      policy
        ? answered(
            lading.PUT('/api/v1/audit_policies/{auditPolicyID}', {
              ...path(policy.id),
              ...ifUnchanged(revision),
              body: content,
            }),
          )
        : answered(lading.POST('/api/v1/audit_policies', { body: content })),
    changed,
  )
}

export function useDeletePolicy({ id, revision }: Policy) {
  return useChange(
    () => answered(lading.DELETE('/api/v1/audit_policies/{auditPolicyID}', { ...path(id), ...ifUnchanged(revision) })),
    changed,
  )
}
