import Type from 'typebox'
import type { Context } from '../../context.ts'
import { notFound } from '../../core/refusal.ts'
import type { Revised } from '../../core/revisions.ts'
import { envelopeOf, nullable, paging, referenceParam, Text } from '../../core/schema.ts'
import { type Answer, created, noContent, ok, revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { expectedIn } from '../../http/conditional.ts'
import { bodyIsOptional } from '../../http/json-body.ts'
import { answers } from '../../http/openapi.ts'
import { referenceIn } from '../../http/params.ts'
import { naming, unwrap } from '../whole-bodies.ts'
import { advanceBill, type Circumstances, createBill, type Named, type NewBill as NewBillInput, removeBill, updateBill } from './actions.ts'
import { BillItem, NewLine } from './line-model.ts'
import { Bill, BillEdit, type BillEdit as BillEditInput, BillFound, BillPut } from './model.ts'
import { BillSearch } from './search.ts'
import { findBill, listBills, listHistory } from './store.ts'

const config = { scope: 'bills' } as const
const tags = ['Bills']
const params = referenceParam('billID', 'bill')

const NewBill = Type.Object({
  ...BillEdit.properties,
  external_id: Type.Optional(nullable(Text('The id it has elsewhere; unique in the organization.', 'TMS-88213'))),
  items: Type.Optional(Type.Array(NewLine, { maxItems: 1000, description: 'Lines to begin with.' })),
})

const named: Record<Named, { summary: string; description: string; body: ReturnType<typeof Type.Object> }> = {
  save: {
    summary: 'Save a bill',
    description: 'draft → saved: it needs a currency and gets its number, and a due date from its pay term where none was set.',
    body: Type.Object({}),
  },
  send: {
    summary: 'Send a bill',
    description: 'saved or edited → sent, stamped with `sent_at`.',
    body: Type.Object({
      sent_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it was sent; now unless said.', examples: ['2026-11-15T09:30:00.000Z'] })),
    }),
  },
  pay: {
    summary: 'Pay a bill',
    description: 'saved, sent or edited → paid, stamped with `paid_at`.',
    body: Type.Object({
      paid_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it was paid; now unless said.', examples: ['2026-11-15T09:30:00.000Z'] })),
    }),
  },
  reopen: {
    summary: 'Reopen a bill',
    description: 'paid → edited, with a reason; `paid_at` is cleared.',
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: ['Carrier sent a corrected invoice'] }) }),
  },
}

const EventWithName = Type.Intersect([
  Type.Ref('Event'),
  Type.Object({
    actor_name: nullable(Type.String({ description: 'What the user or the application is called; null where it is gone.', examples: ['Dana Whitfield'] })),
  }),
])

export async function bills(app: App): Promise<void> {
  app.addSchema(Bill)
  app.addSchema(BillItem)

  app.get(
    '/bills',
    {
      config,
      schema: {
        tags,
        operationId: 'searchBills',
        summary: 'Search bills',
        description: 'All bills of the organization that match every filter given, newest first, with the exact total.',
        querystring: BillSearch,
        response: answers({ 200: envelopeOf('bills', Type.Ref('Bill')) }),
      },
    },
    async ({ ctx, query }) => ok(await listBills(ctx, query)),
  )

  app.post(
    '/bills',
    {
      config,
      schema: {
        tags,
        operationId: 'createBill',
        summary: 'Create a bill',
        description:
          'A draft, with its lines if it comes with some. `external_id` can be set here and never again. What a draft cannot have yet (`status_id`, `sent_at`, `paid_at`) is ignored and named in X-Ignored-Fields.',
        body: NewBill,
        response: answers({ 201: BillFound }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ignored, ...made } = await createBill(ctx, body as NewBillInput)
      return created(revised(made, naming(ignored)), `/api/v1/bills/${id}`)
    },
  )

  app.get(
    '/bills/:billID',
    {
      config,
      schema: {
        tags,
        operationId: 'getBill',
        summary: 'Get a bill',
        description: 'With its lines, pay term and currency.',
        params,
        response: answers({ 200: BillFound }),
      },
    },
    async ({ ctx, params: { billID } }) => revised(await read(ctx, billID)),
  )

  app.put(
    '/bills/:billID',
    {
      config,
      preValidation: unwrap('bill'),
      schema: {
        tags,
        operationId: 'updateBill',
        summary: 'Update a bill',
        description:
          'Only the fields that are sent apply; null clears. A whole bill as it was read can be sent back with one field changed. What is not the client’s to set is ignored and named in the header X-Ignored-Fields. A change of content after sending makes the bill `edited`; a paid bill has to be reopened first. The body’s `revision` locks nothing: use `If-Match`.',
        params,
        body: BillEdit,
        response: answers({ 200: BillPut }),
      },
    },
    async (request) => {
      const { ignored, ...updated } = await updateBill(
        request.ctx,
        referenceIn(request.params.billID, 'billID'),
        request.body as BillEditInput,
        expectedIn(request),
      )
      return revised(updated, naming(ignored))
    },
  )

  app.delete(
    '/bills/:billID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteBill',
        summary: 'Delete a draft',
        description: 'Drafts only; anything else is a 409.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeBill(request.ctx, referenceIn(request.params.billID, 'billID'), expectedIn(request))
      return noContent
    },
  )

  for (const [action, { summary, description, body }] of Object.entries(named) as [Named, (typeof named)[Named]][]) {
    app.post(
      `/bills/:billID/${action}`,
      {
        config,
        preValidation: bodyIsOptional,
        schema: { tags, operationId: `${action}Bill`, summary, description, params, body, response: answers({ 200: BillFound }) },
      },
      async (request): Promise<Answer> => {
        const reference = referenceIn(request.params.billID, 'billID')
        return revised(await advanceBill(request.ctx, reference, action, request.body as Circumstances, expectedIn(request)))
      },
    )
  }

  app.get(
    '/bills/:billID/history',
    {
      config,
      schema: {
        tags,
        operationId: 'getBillHistory',
        summary: 'The history of a bill',
        description: 'Every change, newest first: what, when, by whom, and what was before.',
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('events', EventWithName) }),
      },
    },
    async ({ ctx, params: { billID }, query }) => {
      const { id } = JSON.parse((await read(ctx, billID)).json).bill
      return ok(await listHistory(ctx, id, query))
    },
  )
}

async function read(ctx: Context, billID: string): Promise<Revised> {
  const found = await findBill(ctx, referenceIn(billID, 'billID'))
  if (!found) throw notFound('bill', billID)
  return found
}
