import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, referenceParam, separateIgnored } from '../../platform/core/schema/schema.ts'
import type { PlainReference } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createBillItemType, removeBillItemType, updateBillItemType } from './actions.ts'
import { BillItemType, BillItemTypeEdit, BillItemTypeSearch, NewBillItemType } from './model.ts'
import { findBillItemType, listBillItemTypes } from './store.ts'

const config = { scope: 'bill_item_types' } as const
const tags = ['Bill item types']
const params = referenceParam('billItemTypeID', 'bill item type', 'LH')
const One = Type.Object({ bill_item_type: Type.Ref('BillItemType') })

export async function billItemTypes(app: App): Promise<void> {
  app.addSchema(BillItemType)

  app.get(
    '/bill_item_types',
    {
      config,
      schema: {
        tags,
        operationId: 'searchBillItemTypes',
        summary: 'Search bill item types',
        description:
          'Finds the bill item types of the organization that match every filter given, newest first, with the exact total.',
        querystring: BillItemTypeSearch,
        response: answers({ 200: envelopeOf('bill_item_types', Type.Ref('BillItemType')) }),
      },
    },
    async ({ ctx, query }) => ok(await listBillItemTypes(ctx, query)),
  )

  app.post(
    '/bill_item_types',
    {
      config,
      schema: {
        tags,
        operationId: 'createBillItemType',
        summary: 'Create a bill item type',
        description:
          'Makes a bill item type. An `external_id` is unique in the organization: a second one with it is a 409.',
        body: NewBillItemType,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createBillItemType(ctx, body)
      return created(record('bill_item_type', made), `/api/v1/bill_item_types/${id}`)
    },
  )

  app.get(
    '/bill_item_types/:billItemTypeID',
    {
      config,
      schema: {
        tags,
        operationId: 'getBillItemType',
        summary: 'Get a bill item type',
        description:
          'Answers a bill item type by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { billItemTypeID } }) => {
      const found = await findBillItemType(ctx, referenceIn(billItemTypeID, 'billItemTypeID'))
      if (!found) throw notFound('bill item type', billItemTypeID)
      return record('bill_item_type', found)
    },
  )

  app.put(
    '/bill_item_types/:billItemTypeID',
    {
      config,
      preValidation: unwrap('bill_item_type'),
      schema: {
        tags,
        operationId: 'updateBillItemType',
        summary: 'Update a bill item type',
        description:
          'Only the fields that are sent apply; null clears. A change that changes nothing leaves `revision` and `updated_at` alone. `If-Match` guards against overwriting another’s change.',
        params,
        body: BillItemTypeEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(BillItemTypeEdit, request.body)
      const reference = referenceIn(request.params.billItemTypeID, 'billItemTypeID')
      return record(
        'bill_item_type',
        await updateBillItemType(request.ctx, reference, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    '/bill_item_types/:billItemTypeID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteBillItemType',
        summary: 'Delete a bill item type',
        description: 'Deletes the bill item type. It is refused with 409 while lines of bills use it.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeBillItemType(
        request.ctx,
        referenceIn(request.params.billItemTypeID, 'billItemTypeID'),
        expectedIn(request),
      )
      return noContent
    },
  )

  historyRoute(app, {
    ...{
      path: '/bill_item_types/:billItemTypeID',
      config,
      tags,
      params,
      name: 'BillItemType',
      one: 'a bill item type',
      note: deletedToo,
    },
    recordIn({ ctx, params }) {
      const { billItemTypeID: sent } = params as { billItemTypeID: string }
      const find = async (reference: PlainReference) => {
        const found = await findBillItemType(ctx, reference)
        return found && JSON.parse(found.json).id
      }
      return recordedBy(referenceIn(sent, 'billItemTypeID'), {
        type: 'bill_item_type',
        what: 'bill item type',
        sent,
        find,
      })
    },
  })
}
