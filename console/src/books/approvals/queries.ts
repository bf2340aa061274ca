import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

type Bill = Schemas['Bill']
export type Rule = Schemas['ApprovalRule']
export type RuleContent = Omit<Rule, 'id' | 'revision' | 'created_at' | 'updated_at'>
export type Delegation = Schemas['ApprovalDelegation']

/** A decision changes the bill, its history and the lists of bills. */
const decided = { touches: ['bills', 'approvals'], evenIfRefused: true }
const changed = { touches: ['approval-rules', 'approval-delegations', 'bills', 'approvals'] }
const pathOf = (billID: string) => ({ params: { path: { billID } } })
const pathOfRule = (approvalRuleID: string) => ({ params: { path: { approvalRuleID } } })

export const approvalsQuery = ({ id, revision }: Pick<Bill, 'id' | 'revision'>) =>
  queryOptions({
    queryKey: ['bills', id, 'approvals', revision],
    queryFn: async () => (await answered(lading.GET('/api/v1/bills/{billID}/approvals', pathOf(id)))).bill_approvals,
  })

/** How many bills wait for the person who is signed in. */
export const awaitingQuery = queryOptions({
  queryKey: ['bills', 'awaiting'],
  queryFn: async () =>
    (await answered(lading.GET('/api/v1/bills', { params: { query: { awaiting: 'me', limit: 0 } } }))).total,
})

export function useDecide({ id, revision }: Pick<Bill, 'id' | 'revision'>) {
  return useChange(
    ({ decision, text }: { decision: 'approve' | 'reject'; text: string }) =>
      decision === 'approve'
        ? answered(
            lading.POST('/api/v1/bills/{billID}/approve', {
              ...pathOf(id),
              ...ifUnchanged(revision),
              body: text ? { note: text } : {},
            }),
          )
        : answered(
            lading.POST('/api/v1/bills/{billID}/reject', {
              ...pathOf(id),
              ...ifUnchanged(revision),
              body: { reason: text },
            }),
          ),
    decided,
  )
}

export function useApproveMany() {
  return useChange(
    ({ ids, note }: { ids: string[]; note: string }) =>
      answered(lading.POST('/api/v1/bills/approve', { body: { bill_ids: ids, ...(note && { note }) } })),
    decided,
  )
}

export const rulesQuery = queryOptions({
  queryKey: ['approval-rules'],
  queryFn: () =>
    everyRow('approval_rules', (query) => answered(lading.GET('/api/v1/approval_rules', { params: { query } }))),
})

export const ruleQuery = (id: string) =>
  queryOptions({
    queryKey: ['approval-rules', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/approval_rules/{approvalRuleID}', pathOfRule(id)))).approval_rule,
  })

export function useSaveRule(rule: Rule | null) {
  return useChange(
    ({ content, revision }: { content: RuleContent; revision: number }) =>
      rule
        ? answered(
            lading.PUT('/api/v1/approval_rules/{approvalRuleID}', {
              ...pathOfRule(rule.id),
              ...ifUnchanged(revision),
              body: content,
            }),
          )
        : answered(lading.POST('/api/v1/approval_rules', { body: content })),
    changed,
  )
}

export function useDeleteRule({ id, revision }: Rule) {
  return useChange(
    () =>
      answered(
        lading.DELETE('/api/v1/approval_rules/{approvalRuleID}', { ...pathOfRule(id), ...ifUnchanged(revision) }),
      ),
    changed,
  )
}

export const delegationsQuery = queryOptions({
  queryKey: ['approval-delegations'],
  queryFn: () =>
    everyRow('approval_delegations', (paging) =>
      answered(lading.GET('/api/v1/approval_delegations', { params: { query: { ...paging, current: true } } })),
    ),
})

/** To whom approvals can be delegated. */
export const approversQuery = queryOptions({
  queryKey: ['people', 'approvers'],
  queryFn: () => everyRow('approvers', (query) => answered(lading.GET('/api/v1/approvers', { params: { query } }))),
})

/** One’s own approvals, unless `from_user_id` names somebody else. */
export function useDelegate() {
  return useChange(
    (body: { from_user_id?: string; to_user_id: string; starts_at?: string; ends_at: string }) =>
      answered(lading.POST('/api/v1/approval_delegations', { body })),
    changed,
  )
}

export function useEndDelegation({ id }: Delegation) {
  return useChange(
    () =>
      answered(
        lading.DELETE('/api/v1/approval_delegations/{approvalDelegationID}', {
          params: { path: { approvalDelegationID: id } },
        }),
      ),
    changed,
  )
}
