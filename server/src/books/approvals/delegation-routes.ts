import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createDelegation, removeDelegation } from './delegations.ts'
import { ApprovalDelegationSearch, NewApprovalDelegation } from './rules/model.ts'
import { findDelegation, listDelegations } from './rules/rules-store.ts'

export function delegationRoutes(app: App): void {
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
