import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, separateIgnored } from '../../platform/core/schema/schema.ts'
import type { PlainReference } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { changeRoutes } from './change-routes.ts'
import { all, config, One, one, params, response, tags } from './paths.ts'
import { createPayee, removePayee, updatePayee } from './recorded/actions.ts'
import { type PayeeEdit as Edit, NewPayee, Payee, PayeeChange, PayeeEdit, PayeeSearch } from './recorded/model.ts'
import { findPayee, listPayees } from './recorded/store.ts'
import { revealRoute } from './reveal-routes.ts'

export const payees = (vault: Vault) => async (app: App) => {
  app.addSchema(Payee)
  app.addSchema(PayeeChange)
  noteVisits(app)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPayees',
        summary: 'Search payees',
        description:
          'Lists the payees that match every filter given, newest first, with the exact total. Bank details are masked.',
        querystring: PayeeSearch,
        response: answers({ 200: envelopeOf('payees', Type.Ref('Payee')) }),
      },
    },
    async ({ ctx, query }) => ok(await listPayees(ctx, query)),
  )

  app.post(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'createPayee',
        summary: 'Create a payee',
        description:
          'Makes the payee of a carrier, of which each has one, or without `partner_carrier_id` that of a factoring company. It waits for a second person: until somebody else has approved it, payments to it are a 409 `payee_change_waiting`.',
        body: NewPayee,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createPayee(ctx, vault, body)
      return created(record('payee', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPayee',
        summary: 'Get a payee',
        description: 'Answers the payee, its bank details masked.',
        params,
        response,
      },
    },
    async ({ ctx, params: { payeeID } }) => {
      const found = await findPayee(ctx, referenceIn(payeeID, 'payeeID'))
      if (!found) throw notFound('payee', payeeID)
      return record('payee', found)
    },
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap('payee'),
      schema: {
        tags,
        operationId: 'updatePayee',
        summary: 'Update a payee',
        description:
          'Only the fields that are sent apply; null clears. What says where money goes (`name`, `method`, `bank_details`, `address`, `factor_payee_id` and its notice) becomes a change that waits for a second person, shown in `waiting_change`, and payments to the payee wait with it; the rest applies at once. A change of a payee that was never approved has all that becomes active with it. One change waits at a time: another is a 409.',
        params,
        body: PayeeEdit,
        response,
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(PayeeEdit, request.body)
      const reference = referenceIn(request.params.payeeID, 'payeeID')
      return record(
        'payee',
        await updatePayee(request.ctx, vault, reference, input as Edit, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deletePayee',
        summary: 'Delete a payee',
        description:
          'Deletes the payee. It is refused with 409 while a change of it waits, where a payment run has paid it, or where carriers have assigned what they are owed to it.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removePayee(request.ctx, referenceIn(request.params.payeeID, 'payeeID'), expectedIn(request))
      return noContent
    },
  )

  revealRoute(app, vault)
  changeRoutes(app)

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'Payee', one: 'a payee', note: deletedToo },
    recordIn({ ctx, params }) {
      const { payeeID: sent } = params as { payeeID: string }
      const find = async (reference: PlainReference) => (await findPayee(ctx, reference))?.id
      return recordedBy(referenceIn(sent, 'payeeID'), { type: 'payee', what: 'payee', sent, find })
    },
  })
}
