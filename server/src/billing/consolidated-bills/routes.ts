import Type from 'typebox'
import { notFound } from '../../core/refusal.ts'
import { envelopeOf, Id, referenceParam } from '../../core/schema.ts'
import { type Answer, created, noContent, ok, revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { expectedIn } from '../../http/conditional.ts'
import { bodyIsOptional } from '../../http/json-body.ts'
import { answers } from '../../http/openapi.ts'
import { referenceIn } from '../../http/params.ts'
import type { Circumstances, Named } from '../bills/actions.ts'
import { naming, unwrap } from '../whole-bodies.ts'
import { addBills, advanceConsolidatedBill, createConsolidatedBill, removeBillFrom, removeConsolidatedBill, updateConsolidatedBill } from './actions.ts'
import {
  BillList,
  ConsolidatedBill,
  ConsolidatedBillEdit,
  type ConsolidatedBillEdit as EditInput,
  NewConsolidatedBill,
  type NewConsolidatedBill as NewInput,
} from './model.ts'
import { ConsolidatedBillSearch, findConsolidatedBill, listConsolidatedBills } from './store.ts'

const config = { scope: 'consolidated_bills' } as const
const tags = ['Consolidated bills']
const params = referenceParam('consolidatedBillID', 'consolidated bill')
const field = 'consolidatedBillID'
const path = '/consolidated_bills/:consolidatedBillID'

const BillWithItems = Type.Intersect([Type.Ref('Bill'), Type.Object({ bill_items: Type.Array(Type.Ref('BillItem')) })])
const Found = Type.Object({
  consolidated_bill: Type.Ref('ConsolidatedBill'),
  created_by: Type.String({ description: 'Who created it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
  bills: Type.Array(BillWithItems, { description: 'Its bills, each with its lines.' }),
  pay_term: Type.Union([Type.Ref('PayTerm'), Type.Null()]),
  currency_info: Type.Union([Type.Ref('Currency'), Type.Null()]),
})
const response = answers({ 200: Found })

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] }))
const named: Record<Named, { summary: string; description: string; body: ReturnType<typeof Type.Object> }> = {
  save: { summary: 'Save a statement', description: 'draft → saved: it needs a bill and gets its number.', body: Type.Object({}) },
  send: {
    summary: 'Send a statement',
    description: 'saved or edited → sent, and its bills with it.',
    body: Type.Object({ sent_at: time('When it was sent; now unless said.') }),
  },
  pay: {
    summary: 'Pay a statement',
    description: 'saved, sent or edited → paid, and all its bills with it.',
    body: Type.Object({ paid_at: time('When it was paid; now unless said.') }),
  },
  reopen: {
    summary: 'Reopen a statement',
    description: 'paid → edited, and its bills with it, with a reason.',
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: ['One bill was disputed'] }) }),
  },
}

export async function consolidatedBills(app: App): Promise<void> {
  app.addSchema(ConsolidatedBill)

  app.get(
    '/consolidated_bills',
    {
      config,
      schema: {
        tags,
        operationId: 'searchConsolidatedBills',
        summary: 'Search consolidated bills',
        description: 'Newest first, with the exact total.',
        querystring: ConsolidatedBillSearch,
        response: answers({ 200: envelopeOf('consolidated_bills', Type.Ref('ConsolidatedBill')) }),
      },
    },
    async ({ ctx, query }) => ok(await listConsolidatedBills(ctx, query)),
  )

  app.post(
    '/consolidated_bills',
    {
      config,
      schema: {
        tags,
        operationId: 'createConsolidatedBill',
        summary: 'Create a consolidated bill',
        description:
          'From a list of bills, or from a payee and a period: then every saved, sent or edited bill of the payee dated in the period that is on no statement yet. All bills share one payee and one currency.',
        body: NewConsolidatedBill,
        response: answers({ 201: Found }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createConsolidatedBill(ctx, body as NewInput)
      return created(revised(made), `/api/v1/consolidated_bills/${id}`)
    },
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getConsolidatedBill',
        summary: 'Get a consolidated bill',
        description: 'With its bills and their lines.',
        params,
        response,
      },
    },
    async ({ ctx, params: { consolidatedBillID } }) => {
      const found = await findConsolidatedBill(ctx, referenceIn(consolidatedBillID, field))
      if (!found) throw notFound('consolidated bill', consolidatedBillID)
      return revised(found)
    },
  )

  app.put(
    path,
    {
      config,
      preValidation: unwrap('consolidated_bill'),
      schema: {
        tags,
        operationId: 'updateConsolidatedBill',
        summary: 'Update a consolidated bill',
        description:
          'Only the fields that are sent apply; null clears. What is not the client’s to set is ignored and named in X-Ignored-Fields. A `status_id` moves its bills too.',
        params,
        body: ConsolidatedBillEdit,
        response,
      },
    },
    async (request) => {
      const { ignored, ...updated } = await updateConsolidatedBill(
        request.ctx,
        referenceIn(request.params.consolidatedBillID, field),
        request.body as EditInput,
        expectedIn(request),
      )
      return revised(updated, naming(ignored))
    },
  )

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteConsolidatedBill',
        summary: 'Delete a draft statement',
        description: 'Its bills stay, free for another statement. Drafts only; anything else is a 409.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeConsolidatedBill(request.ctx, referenceIn(request.params.consolidatedBillID, field), expectedIn(request))
      return noContent
    },
  )

  app.post(
    `${path}/bills`,
    {
      config,
      schema: {
        tags,
        operationId: 'addBillsToConsolidatedBill',
        summary: 'Add bills to a statement',
        description: 'Of the same payee and currency, on no other statement.',
        params,
        body: BillList,
        response,
      },
    },
    async (request) => revised(await addBills(request.ctx, referenceIn(request.params.consolidatedBillID, field), request.body.bill_ids, expectedIn(request))),
  )

  app.delete(
    `${path}/bills/:billID`,
    {
      config,
      schema: {
        tags,
        operationId: 'removeBillFromConsolidatedBill',
        summary: 'Take a bill off a statement',
        description: 'The bill stays.',
        params: Type.Object({ ...params.properties, billID: Id('The bill.') }),
        response,
      },
    },
    async (request) =>
      revised(await removeBillFrom(request.ctx, referenceIn(request.params.consolidatedBillID, field), request.params.billID, expectedIn(request))),
  )

  for (const [action, { summary, description, body }] of Object.entries(named) as [Named, (typeof named)[Named]][]) {
    app.post(
      `${path}/${action}`,
      {
        config,
        preValidation: bodyIsOptional,
        schema: { tags, operationId: `${action}ConsolidatedBill`, summary, description, params, body, response },
      },
      async (request): Promise<Answer> => {
        const reference = referenceIn(request.params.consolidatedBillID, field)
        return revised(await advanceConsolidatedBill(request.ctx, reference, action, request.body as Circumstances, expectedIn(request)))
      },
    )
  }
}
