import Type from 'typebox'
import { envelopeOf, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { removeInvoice, updateInvoice } from './actions.ts'
import { all, config, invoiceIn, One, one, params, readInvoice, sentIn, tags } from './paths.ts'
import { createInvoice } from './received/creating.ts'
import {
  CarrierInvoice,
  CarrierInvoiceEdit,
  CarrierInvoiceSearch,
  type CarrierInvoiceEdit as Edit,
  Finding,
  type NewCarrierInvoice as New,
  NewCarrierInvoice,
} from './received/model.ts'
import { findInvoice, listInvoices } from './received/store.ts'

export async function carrierInvoices(app: App): Promise<void> {
  for (const schema of [Finding, CarrierInvoice]) app.addSchema(schema)

  app.get(
    all,
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: 'searchCarrierInvoices',
        summary: 'Search carrier invoices',
        description: 'Lists the carrier invoices that match every filter given, newest first, with the exact total.',
        querystring: CarrierInvoiceSearch,
        response: answers({ 200: envelopeOf('carrier_invoices', Type.Ref('CarrierInvoice')) }),
      },
    },
    async ({ ctx, query }) => ok(await listInvoices(ctx, query)),
  )

  app.post(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'createCarrierInvoice',
        summary: 'Create a carrier invoice',
        description:
          'Keeps what a carrier asks for, as it came. It is `received`, or `matched` where it comes with its manifests. Audit it next. With a `source_key`, a second arrival of the same message is a 409.',
        body: NewCarrierInvoice,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createInvoice(ctx, body as New)
      return created(record('carrier_invoice', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        ...neverNotModified,
        operationId: 'getCarrierInvoice',
        summary: 'Get a carrier invoice',
        description:
          'Answers the carrier invoice with its lines, the findings of its last audit, and what was decided.',
        params,
        response: answers({ 200: One }),
      },
    },
    // Documents are attached and removed without a change of the invoice.
    async ({ ctx, params }) => ({ ...record('carrier_invoice', await readInvoice(ctx, params)), shifting: true }),
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap('carrier_invoice'),
      schema: {
        tags,
        operationId: 'updateCarrierInvoice',
        summary: 'Update a carrier invoice',
        description:
          'Only the fields that are sent apply; null clears; `lines` are replaced as a whole. What was found before is cleared: audit it again. Once it is approved, rejected or billed it stays as it is, which is a 409.',
        params,
        body: CarrierInvoiceEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(CarrierInvoiceEdit, request.body)
      return record(
        'carrier_invoice',
        await updateInvoice(request.ctx, invoiceIn(request.params), input as Edit, expectedIn(request)),
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
        operationId: 'deleteCarrierInvoice',
        summary: 'Delete a carrier invoice',
        description: 'Deletes what is open or rejected; what is approved or billed is a 409.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeInvoice(request.ctx, invoiceIn(request.params), expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'CarrierInvoice', one: 'a carrier invoice', note: deletedToo },
    recordIn: ({ ctx, params }) =>
      recordedBy(invoiceIn(params), {
        ...{ type: 'carrier_invoice', what: 'carrier invoice', sent: sentIn(params) },
        find: async (reference) => (await findInvoice(ctx, reference))?.id,
      }),
  })
}
