import Type from 'typebox'
import { errorOf } from '../../platform/core/schema/rows.ts'
import { type Answer, ok, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { idIn, pathsOf } from '../documents/routes/paths.ts'
import { bills } from '../kinds/kinds.ts'
import { approvalsOf, approveBills, type DecisionOutcome, decideBill } from './decisions.ts'
import { Approval, ManyApprovals, ManyResults, Rejection } from './rules/model.ts'

const kind = bills as unknown as Kind

export function decisionRoutes(app: App): void {
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

function resultsOf(decided: readonly DecisionOutcome[]): object {
  const results = decided.map((one) =>
    'refusal' in one
      ? { id: one.id, status: 'failed', revision: null, error: errorOf(one.refusal) }
      : { id: one.id, status: one.approval_status, revision: one.revision },
  )
  const count = (status: string) => results.filter((one) => one.status === status).length
  return { counts: { approved: count('approved'), pending: count('pending'), failed: count('failed') }, results }
}
