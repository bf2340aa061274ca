import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Reference } from '../../core/ids.ts'
import { notFound } from '../../core/refusal.ts'
import { apart, envelopeOf, Id, referenceParam } from '../../core/schema.ts'
import { AsOf, recordAsOf } from '../../events/as-of.ts'
import { deletedToo, historyRoute, recordedBy } from '../../events/history-route.ts'
import { type Answer, created, noContent, ok, record } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { requireScope } from '../../http/authenticate.ts'
import { expectedIn } from '../../http/conditional.ts'
import { answers } from '../../http/openapi.ts'
import { referenceIn } from '../../http/params.ts'
import { naming, unwrap } from '../../http/whole-bodies.ts'
import {
  allocatePayment,
  clearPayment,
  createPayment,
  directionOf,
  issuePayment,
  removeAllocation,
  removePayment,
  updatePayment,
  voidPayment,
} from './actions.ts'
import {
  AllocationBody,
  type AllocationBody as Allocations,
  type Direction,
  DocumentPayment,
  directions,
  type PaymentEdit as Edit,
  type NewPayment as New,
  NewPayment,
  Payment,
  PaymentEdit,
  PaymentSearch,
  VoidBody,
} from './model.ts'
import { scopeOf } from './payables.ts'
import { listPayments } from './search-store.ts'
import { findPayment } from './store.ts'

/** Payments out need the scope of bills, payments in that of invoices: which of them is known once the payment is. */
const config = { scope: ['bills', 'invoices'] } as const
const tags = ['Payments']
const path = '/payments/:paymentID'
const params = referenceParam('paymentID', 'payment')
const One = Type.Object({ payment: Type.Ref('Payment') })
const response = answers({ 200: One })

type Asking = Pick<FastifyRequest, 'ctx' | 'token'> & { params: { paymentID: string } }

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
      const found = await findPayment(request.ctx, paymentIn(request))
      if (!found) throw notFound('payment', request.params.paymentID)
      requireScope(request, scopeOf[JSON.parse(found.json).direction as Direction])
      const { as_of } = request.query
      if (as_of === undefined) return record('payment', found)
      const stood = await recordAsOf(request.ctx, { type: 'payment', id: found.id }, as_of)
      if (!stood) throw notFound('payment', request.params.paymentID)
      return ok(`{"payment":${stood}}`)
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
      const { input, ignored } = apart(PaymentEdit, request.body)
      const reference = await allowed(request)
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
      await removePayment(request.ctx, await allowed(request), expectedIn(request))
      return noContent
    },
  )

  moves(app)
  allocating(app)

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'Payment', one: 'a payment', note: deletedToo },
    async recordIn(asking) {
      const { paymentID: sent } = asking.params as { paymentID: string }
      const find = async (reference: Reference) => {
        const found = await findPayment(asking.ctx, reference)
        if (found) requireScope(asking, scopeOf[JSON.parse(found.json).direction as Direction])
        return found?.id
      }
      const reference = referenceIn(sent, 'paymentID')
      await find(reference)
      return recordedBy(reference, { type: 'payment', what: 'payment', sent, find })
    },
  })
}

function moves(app: App): void {
  app.post(
    `${path}/issue`,
    {
      config,
      schema: {
        tags,
        operationId: 'issuePayment',
        summary: 'Issue a draft payment',
        description: 'Gives a draft its number, and settles the documents that it is meant for. Nothing of it happens where one of them owes less by now.',
        params,
        response,
      },
    },
    async (request): Promise<Answer> => record('payment', await issuePayment(request.ctx, await allowed(request), expectedIn(request))),
  )

  app.post(
    `${path}/clear`,
    {
      config,
      schema: {
        tags,
        operationId: 'clearPayment',
        summary: 'Mark a payment as cleared',
        description: 'Says that the bank has confirmed an issued payment.',
        params,
        response,
      },
    },
    async (request): Promise<Answer> => record('payment', await clearPayment(request.ctx, await allowed(request), expectedIn(request))),
  )

  app.post(
    `${path}/void`,
    {
      config,
      schema: {
        tags,
        operationId: 'voidPayment',
        summary: 'Void a payment',
        description: 'Takes back all that the payment settled: its documents stand where they stood before. Number and content stay. It needs a reason.',
        params,
        body: VoidBody,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record('payment', await voidPayment(request.ctx, await allowed(request), (request.body as { reason: string }).reason, expectedIn(request))),
  )
}

function allocating(app: App): void {
  app.post(
    `${path}/allocations`,
    {
      config,
      schema: {
        tags,
        operationId: 'allocatePayment',
        summary: 'Allocate what is left of a payment',
        description: 'Settles more documents of the same party and currency: those in `allocations`, or with `oldest_first` those that are due longest.',
        params,
        body: AllocationBody,
        response,
      },
    },
    async (request): Promise<Answer> =>
      record('payment', await allocatePayment(request.ctx, await allowed(request), request.body as Allocations, expectedIn(request))),
  )

  app.delete(
    `${path}/allocations/:allocationID`,
    {
      config,
      schema: {
        tags,
        operationId: 'removeAllocation',
        summary: 'Take a document out of a payment',
        description: 'Takes back what the payment settled of one document, and answers the payment, which has that much more left.',
        params: Type.Object({ ...params.properties, allocationID: Id('The allocation.') }),
        response,
      },
    },
    async (request): Promise<Answer> =>
      record('payment', await removeAllocation(request.ctx, await allowed(request), request.params.allocationID, expectedIn(request))),
  )
}

function paymentIn({ params }: Pick<Asking, 'params'>): Reference {
  return referenceIn(params.paymentID, 'paymentID')
}

/** The payment that the path names, where the token has the scope for its direction. */
async function allowed(request: Asking): Promise<Reference> {
  const reference = paymentIn(request)
  requireScope(request, scopeOf[await directionOf(request.ctx, reference)])
  return reference
}
