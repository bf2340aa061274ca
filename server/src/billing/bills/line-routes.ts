import Type from 'typebox'
import type { Context } from '../../context.ts'
import { pageOf } from '../../core/pages.ts'
import { notFound } from '../../core/refusal.ts'
import { etagOf } from '../../core/revisions.ts'
import { envelopeOf, Id, paging, referenceParam } from '../../core/schema.ts'
import { type Answer, created, ok } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { expectedIn } from '../../http/conditional.ts'
import { answers } from '../../http/openapi.ts'
import { referenceIn } from '../../http/params.ts'
import { unwrap } from '../whole-bodies.ts'
import { LineEdit, type LineEdit as LineEditInput, LineOrder, NewLine, type NewLine as NewLineInput } from './line-model.ts'
import { findLine, listLines } from './line-store.ts'
import { addLine, changeLine, removeLine, reorderLines, type WithBill } from './lines.ts'
import { findBill } from './store.ts'

const config = { scope: 'bills' } as const
const tags = ['Bill lines']
const bill = referenceParam('billID', 'bill')
const line = Type.Object({ ...bill.properties, itemID: Id('The line.') })
const One = Type.Object({ bill_item: Type.Ref('BillItem') })
const OneWithBill = Type.Object({ bill_item: Type.Ref('BillItem'), bill: Type.Ref('Bill') })
const BillOnly = Type.Object({ bill: Type.Ref('Bill') })
const about = 'The bill’s sums follow in the same transaction; `If-Match` takes the bill’s ETag.'

/** Lines live under their bill: whatever touches one locks the bill. */
export async function billLines(app: App): Promise<void> {
  app.get(
    '/bills/:billID/items',
    {
      config,
      schema: {
        tags,
        operationId: 'listBillItems',
        summary: 'List the lines of a bill',
        description: 'In their order.',
        params: bill,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('bill_items', Type.Ref('BillItem')) }),
      },
    },
    async ({ ctx, params: { billID }, query }) => ok(await listLines(ctx, await idOf(ctx, billID), pageOf(query))),
  )

  app.post(
    '/bills/:billID/items',
    {
      config,
      schema: {
        tags,
        operationId: 'addBillItem',
        summary: 'Add a line',
        description: `Behind the others. ${about}`,
        params: bill,
        body: NewLine,
        response: answers({ 201: OneWithBill }),
      },
    },
    async (request) => {
      const { billID } = request.params
      const added = await addLine(request.ctx, referenceIn(billID, 'billID'), request.body as NewLineInput, expectedIn(request))
      return created(withBill(added), `/api/v1/bills/${encodeURIComponent(billID)}/items/${added.id}`)
    },
  )

  app.put(
    '/bills/:billID/items/order',
    {
      config,
      schema: {
        tags,
        operationId: 'reorderBillItems',
        summary: 'Reorder the lines',
        description: `Takes all lines of the bill in their new order. ${about}`,
        params: bill,
        body: LineOrder,
        response: answers({ 200: BillOnly }),
      },
    },
    async (request) => withBill(await reorderLines(request.ctx, referenceIn(request.params.billID, 'billID'), request.body.item_ids, expectedIn(request))),
  )

  app.get(
    '/bills/:billID/items/:itemID',
    {
      config,
      schema: { tags, operationId: 'getBillItem', summary: 'Get a line', description: 'One line of the bill.', params: line, response: answers({ 200: One }) },
    },
    async ({ ctx, params: { billID, itemID } }) => {
      const found = await findLine(ctx, await idOf(ctx, billID), itemID)
      if (!found) throw notFound('line', itemID)
      return ok(`{"bill_item":${found}}`)
    },
  )

  app.put(
    '/bills/:billID/items/:itemID',
    {
      config,
      preValidation: unwrap('bill_item'),
      schema: {
        tags,
        operationId: 'updateBillItem',
        summary: 'Change a line',
        description: `Only the fields that are sent apply. ${about}`,
        params: line,
        body: LineEdit,
        response: answers({ 200: OneWithBill }),
      },
    },
    async (request) =>
      withBill(
        await changeLine(request.ctx, referenceIn(request.params.billID, 'billID'), request.params.itemID, request.body as LineEditInput, expectedIn(request)),
      ),
  )

  app.delete(
    '/bills/:billID/items/:itemID',
    {
      config,
      schema: { tags, operationId: 'removeBillItem', summary: 'Remove a line', description: about, params: line, response: answers({ 200: BillOnly }) },
    },
    async (request) => withBill(await removeLine(request.ctx, referenceIn(request.params.billID, 'billID'), request.params.itemID, expectedIn(request))),
  )
}

async function idOf(ctx: Context, billID: string): Promise<string> {
  const found = await findBill(ctx, referenceIn(billID, 'billID'))
  if (!found) throw notFound('bill', billID)
  return JSON.parse(found.json).bill.id
}

function withBill({ line, bill, revision }: WithBill): Answer {
  return { status: 200, headers: { etag: etagOf(revision) }, body: line ? `{"bill_item":${line},"bill":${bill}}` : `{"bill":${bill}}` }
}
