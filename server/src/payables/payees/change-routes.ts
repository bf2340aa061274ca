import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, paging } from '../../platform/core/schema/schema.ts'
import { ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { approveChange, rejectChange } from './changes.ts'
import { config, one, params, response, tags } from './paths.ts'
import { Decision } from './recorded/model.ts'
import { findPayee, listChanges } from './recorded/store.ts'

/** The changes of where the money of a payee goes, which wait for a second person. */
export function changeRoutes(app: App): void {
  const ofChange = Type.Object({ ...params.properties, changeID: Id('The change.') })

  app.get(
    `${one}/changes`,
    {
      config,
      schema: {
        tags,
        operationId: 'listPayeeChanges',
        summary: 'The changes of a payee',
        description:
          'Lists the changes of where the money of the payee goes, newest first: who asked for each, who decided, and when.',
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('payee_changes', Type.Ref('PayeeChange')) }),
      },
    },
    async ({ ctx, params: { payeeID }, query }) => {
      const found = await findPayee(ctx, referenceIn(payeeID, 'payeeID'))
      if (!found) throw notFound('payee', payeeID)
      return ok(await listChanges(ctx, found.id, query))
    },
  )

  app.post(
    `${one}/changes/:changeID/approve`,
    {
      config: { ...config, right: 'approve' },
      schema: {
        tags,
        operationId: 'approvePayeeChange',
        summary: 'Approve a change of a payee',
        description:
          'Lets a change that waits apply. It needs another person than the one who asked for it; only where the organization has a single user, that one may approve, and the change says so. What applies is in `fields` of the change, and nothing else.',
        params: ofChange,
        body: optional(Decision),
        response,
      },
    },
    async (request) => {
      const { payeeID, changeID } = request.params
      return record(
        'payee',
        await approveChange(
          request.ctx,
          referenceIn(payeeID, 'payeeID'),
          changeID,
          request.body ?? {},
          expectedIn(request),
        ),
      )
    },
  )

  app.post(
    `${one}/changes/:changeID/reject`,
    {
      config: { ...config, right: 'approve' },
      schema: {
        tags,
        operationId: 'rejectPayeeChange',
        summary: 'Reject a change of a payee',
        description:
          'Ends a change that waits: the payee stays as it was, and one that is new stays unapproved, so that its next change has all of it again. Who asked for it may take it back in the same way.',
        params: ofChange,
        body: optional(Decision),
        response,
      },
    },
    async (request) => {
      const { payeeID, changeID } = request.params
      return record(
        'payee',
        await rejectChange(
          request.ctx,
          referenceIn(payeeID, 'payeeID'),
          changeID,
          request.body ?? {},
          expectedIn(request),
        ),
      )
    },
  )
}
