import { notFound } from '../../platform/core/refusal.ts'
import { errorOf } from '../../platform/core/schema/rows.ts'
import { apart, envelopeOf, Id } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { type Answer, created, noContent, ok, record, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { idIn, pathsOf } from '../documents/routes/paths.ts'
import { bills } from '../settling/bills.ts'
import { approverRoutes } from './approver-routes.ts'
import { approvalsOf, approveBills, type Decided, decideBill } from './decisions.ts'
import {
  Approval,
  ApprovalDelegation,
  ApprovalDelegationSearch,
  ApprovalRule,
  ApprovalRuleEdit,
  ApprovalRuleSearch,
  BillApprovals,
  ManyApprovals,
  ManyResults,
  NewApprovalDelegation,
  NewApprovalRule,
  Rejection,
} from './rules/model.ts'
import { findDelegation, findRule, listDelegations, listRules } from './rules/rules-store.ts'
import { createDelegation, createRule, removeDelegation, removeRule, updateRule } from './rules.ts'

const kind = bills as unknown as Kind

export async function approvals(app: App): Promise<void> {
  for (const schema of [ApprovalRule, ApprovalDelegation, BillApprovals]) app.addSchema(schema)
  decisionRoutes(app)
  ruleRoutes(app)
  delegationRoutes(app)
  approverRoutes(app)
}

function decisionRoutes(app: App): void {
  const { all, one, tags, params, referenceIn } = pathsOf(kind)
  const config = { scope: 'bills', right: 'approve' } as const
  const response = answers({ 200: kind.schemas.Found })

  app.get(
    `${one}/approvals`,
    {
      config: { scope: 'bills' },
      schema: {
        tags,
        operationId: 'getBillApprovals',
        summary: 'The approvals of a bill',
        description:
          'Answers what the bill needs to be approved, what was decided about it, and whether the caller may decide.',
        params,
        response: answers({ 200: Type.Object({ bill_approvals: Type.Ref('BillApprovals') }) }),
      },
    },
    async ({ ctx, params }) =>
      ok(`{"bill_approvals":${await approvalsOf(ctx, await idIn(ctx, kind, params))}}`) as never,
  )

  app.post(
    `${one}/approve`,
    {
      config,
      schema: {
        tags,
        operationId: 'approveBill',
        summary: 'Approve a bill',
        description:
          'Approves the bill as it is now. It becomes `approved` once every rule about it has the approvals that it needs; until then it stays `pending`. A change of its content asks again.',
        params,
        body: optional(Approval),
        response,
      },
    },
    async (request): Promise<Answer> => {
      const { note = null } = (request.body ?? {}) as { note?: string | null }
      return revised(await decideBill(request.ctx, referenceIn(request.params), 'approve', note, expectedIn(request)))
    },
  )

  app.post(
    `${one}/reject`,
    {
      config,
      schema: {
        tags,
        operationId: 'rejectBill',
        summary: 'Reject a bill',
        description:
          'Rejects the bill as it is now, with a reason. It cannot be paid until its content changes or somebody approves it after all.',
        params,
        body: Rejection,
        response,
      },
    },
    async (request): Promise<Answer> => {
      const { reason } = request.body as { reason: string }
      return revised(await decideBill(request.ctx, referenceIn(request.params), 'reject', reason, expectedIn(request)))
    },
  )

  app.post(
    `${all}/approve`,
    {
      config,
      schema: {
        tags,
        operationId: 'approveBills',
        summary: 'Approve many bills',
        description:
          'Approves those of the bills that the caller may approve, each on its own, and says what came of each.',
        body: ManyApprovals,
        response: answers({ 200: ManyResults }),
      },
    },
    async ({ ctx, body }) =>
      ok(JSON.stringify(resultsOf(await approveBills(ctx, body.bill_ids, body.note ?? null)))) as never,
  )
}

function resultsOf(decided: readonly Decided[]): object {
  const results = decided.map((one) =>
    'refusal' in one
      ? { id: one.id, status: 'failed', revision: null, error: errorOf(one.refusal) }
      : { id: one.id, status: one.approval_status, revision: one.revision },
  )
  const count = (status: string) => results.filter((one) => one.status === status).length
  return { counts: { approved: count('approved'), pending: count('pending'), failed: count('failed') }, results }
}

function ruleRoutes(app: App): void {
  const config = { scope: 'bills', rightToWrite: 'administer' } as const
  const tags = ['Approvals']
  const path = '/approval_rules/:approvalRuleID'
  const params = Type.Object({ approvalRuleID: Id('The rule.') })
  const One = Type.Object({ approval_rule: Type.Ref('ApprovalRule') })

  app.get(
    '/approval_rules',
    {
      config,
      schema: {
        tags,
        operationId: 'searchApprovalRules',
        summary: 'List approval rules',
        description: 'Lists the rules that say who has to approve which bills, newest first.',
        querystring: ApprovalRuleSearch,
        response: answers({ 200: envelopeOf('approval_rules', Type.Ref('ApprovalRule')) }),
      },
    },
    async ({ ctx, query }) => ok(await listRules(ctx, query)),
  )

  app.post(
    '/approval_rules',
    {
      config,
      schema: {
        tags,
        operationId: 'createApprovalRule',
        summary: 'Create an approval rule',
        description:
          'Makes a rule. It counts while `approvals` of the organization is `on`, also for the open bills that are there. It needs the role admin.',
        body: NewApprovalRule,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createRule(ctx, body as NewApprovalRule)
      return created(record('approval_rule', made), `/api/v1/approval_rules/${id}`)
    },
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getApprovalRule',
        summary: 'Get an approval rule',
        description: 'Answers one approval rule.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { approvalRuleID } }) => {
      const found = await findRule(ctx, approvalRuleID)
      if (!found) throw notFound('approval rule', approvalRuleID)
      return record('approval_rule', found)
    },
  )

  app.put(
    path,
    {
      config,
      preValidation: unwrap('approval_rule'),
      schema: {
        tags,
        operationId: 'updateApprovalRule',
        summary: 'Update an approval rule',
        description:
          'Only the fields that are sent apply; null clears. Open bills are looked at again. It needs the role admin.',
        params,
        body: ApprovalRuleEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = apart(ApprovalRuleEdit, request.body)
      return record(
        'approval_rule',
        await updateRule(request.ctx, request.params.approvalRuleID, input as ApprovalRuleEdit, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteApprovalRule',
        summary: 'Delete an approval rule',
        description: 'Deletes the rule. Open bills are looked at again. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeRule(request.ctx, request.params.approvalRuleID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'ApprovalRule', one: 'an approval rule', note: deletedToo },
    recordIn({ ctx, params }) {
      const { approvalRuleID: id } = params as { approvalRuleID: string }
      return {
        type: 'approval_rule',
        id,
        isThere: async () => Boolean(await findRule(ctx, id)),
        unknown: () => notFound('approval rule', id),
      }
    },
  })
}

function delegationRoutes(app: App): void {
  const config = { scope: 'bills', rightToWrite: 'approve' } as const
  const tags = ['Approvals']
  const path = '/approval_delegations/:approvalDelegationID'
  const params = Type.Object({ approvalDelegationID: Id('The delegation.') })
  const One = Type.Object({ approval_delegation: Type.Ref('ApprovalDelegation') })

  app.get(
    '/approval_delegations',
    {
      config,
      schema: {
        tags,
        operationId: 'searchApprovalDelegations',
        summary: 'List delegations of approvals',
        description: 'Lists who approves in whose place, and when, newest first.',
        querystring: ApprovalDelegationSearch,
        response: answers({ 200: envelopeOf('approval_delegations', Type.Ref('ApprovalDelegation')) }),
      },
    },
    async ({ ctx, query }) => ok(await listDelegations(ctx, query)),
  )

  app.post(
    '/approval_delegations',
    {
      config,
      schema: {
        tags,
        operationId: 'createApprovalDelegation',
        summary: 'Delegate approvals',
        description:
          'Lets somebody approve in the place of the caller for a while. An admin can do so for somebody else.',
        body: NewApprovalDelegation,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createDelegation(ctx, body)
      return created(record('approval_delegation', made), `/api/v1/approval_delegations/${id}`)
    },
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getApprovalDelegation',
        summary: 'Get a delegation',
        description: 'Answers one delegation of approvals.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { approvalDelegationID } }) => {
      const found = await findDelegation(ctx, approvalDelegationID)
      if (!found) throw notFound('approval delegation', approvalDelegationID)
      return record('approval_delegation', found)
    },
  )

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteApprovalDelegation',
        summary: 'End a delegation',
        description: 'Ends the delegation. What was approved under it stays approved.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeDelegation(request.ctx, request.params.approvalDelegationID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'ApprovalDelegation', one: 'a delegation', note: deletedToo },
    recordIn({ ctx, params }) {
      const { approvalDelegationID: id } = params as { approvalDelegationID: string }
      return {
        type: 'approval_delegation',
        id,
        isThere: async () => Boolean(await findDelegation(ctx, id)),
        unknown: () => notFound('approval delegation', id),
      }
    },
  })
}
