import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, separateIgnored } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { AsOf, recordAsOf } from '../../platform/events/history/as-of.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createPayment, removePayment, updatePayment } from './actions.ts'
import {
  type Direction,
  DocumentPayment,
  directions,
  type PaymentEdit as Edit,
  type NewPayment as New,
  NewPayment,
  Payment,
  PaymentEdit,
  PaymentSearch,
} from './ledger/model.ts'
import { listPayments } from './ledger/search-store.ts'
import { findPayment } from './ledger/store.ts'
import { allocationRoutes, moveRoutes, repriceRoute } from './move-routes.ts'
import { config, One, params, path, paymentIn, requireAllowedPayment, response, tags } from './paths.ts'
import { scopeOf } from './payables.ts'

export async function payments(app: App): Promise<void> {
  app.addSchema(Payment)
  app.addSchema(DocumentPayment)

  app.get(
    '/payments',
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: 'searchPayments',
        summary: 'Search payments',
        description:
          'Finds the payments that match every filter given, newest first, with the exact total. A token with one of the two scopes sees the payments of that direction alone.',
        querystring: PaymentSearch,
        response: answers({ 200: envelopeOf('payments', Type.Ref('Payment')) }),
      },
    },
    async ({ ctx, token, query }) => {
      const visible = directions.filter((direction) => token.scopes.has(scopeOf[direction]))
      return ok(await listPayments(ctx, query, visible))
    },
  )

  app.post(
    '/payments',
    {
      config,
      schema: {
        tags,
        operationId: 'createPayment',
        summary: 'Create a payment',
        description:
          'Makes a payment, which is issued at once unless its `status` is `draft`, and settles the documents in `allocations`, or with `oldest_first` those that are due longest. What is left over stays with the payment and can be allocated later.',
        body: NewPayment,
        response: answers({ 201: One }),
      },
    },
    async (request) => {
      const input = request.body as New
      requireScope(request, scopeOf[input.direction ?? (input.customer_id ? 'in' : 'out')])
      const { id, ...made } = await createPayment(request.ctx, input)
      return created(record('payment', made), `/api/v1/payments/${id}`)
    },
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getPayment',
        summary: 'Get a payment',
        description: 'Answers the payment with the documents that it settles; with `as_of` as it stood at a moment.',
        params,
        querystring: AsOf,
        response,
      },
    },
    async (request) => {
      const { as_of } = request.query
      const reference = paymentIn(request)
      // By its id also one that was deleted since, which stood then.
      const found =
        as_of === undefined || reference.by !== 'id'
          ? await findPayment(request.ctx, reference)
          : { id: reference.id, revision: 0, json: null }
      const stood =
        found && as_of !== undefined
          ? await recordAsOf(request.ctx, { type: 'payment', id: found.id }, as_of)
          : found?.json
      if (!found || !stood) throw notFound('payment', request.params.paymentID)
      requireScope(request, scopeOf[JSON.parse(stood).direction as Direction])
      return as_of === undefined ? record('payment', { ...found, json: stood }) : ok(`{"payment":${stood}}`)
    },
  )

  app.put(
    path,
    {
      config,
      preValidation: unwrap('payment'),
      schema: {
        tags,
        operationId: 'updatePayment',
        summary: 'Update a payment',
        description:
          'Only the fields that are sent apply; null clears. A draft changes wholly, `allocations` as a whole; of a payment that is issued the method, the reference number and the notes change, and anything else is a 409.',
        params,
        body: PaymentEdit,
        response,
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(PaymentEdit, request.body)
      const reference = await requireAllowedPayment(request)
      const edit = input as Edit
      if (edit.direction) requireScope(request, scopeOf[edit.direction])
      return record('payment', await updatePayment(request.ctx, reference, edit, expectedIn(request)), naming(ignored))
    },
  )

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deletePayment',
        summary: 'Delete a draft payment',
        description: 'Only a draft can be deleted; any other payment is a 409, and can be voided.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removePayment(request.ctx, await requireAllowedPayment(request), expectedIn(request))
      return noContent
    },
  )

  moveRoutes(app)
  repriceRoute(app)
  allocationRoutes(app)

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'Payment', one: 'a payment', note: deletedToo },
    async recordIn(asking) {
      const { paymentID: sent } = asking.params as { paymentID: string }
      const find = async (reference: Reference) => {
        const found = await findPayment(asking.ctx, reference)
        if (found) requireScope(asking, scopeOf[JSON.parse(found.json).direction as Direction])
        return found?.id
      }
      const reference = referenceIn(sent, 'paymentID', 'PAY')
      await find(reference)
      return recordedBy(reference, { type: 'payment', what: 'payment', sent, find })
    },
  })
}
