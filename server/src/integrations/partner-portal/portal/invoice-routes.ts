import Type from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { envelopeOf, Id } from '../../../platform/core/schema/schema.ts'
import { created, ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import type { FileLimits } from '../../../settings.ts'
import { sendInvoice } from './doing.ts'
import { InvoicePage, NewPortalInvoice, PortalInvoice } from './model.ts'
import { listOwn } from './own/own-store.ts'
import { asPartner, base, config, requireOwn, tags } from './paths.ts'

const all = `${base}/carrier_invoices`
const one = `${all}/:carrierInvoiceID`
const params = Type.Object({ carrierInvoiceID: named('CarrierInvoiceUuid', Id('The invoice.')) })
const One = Type.Object({ carrier_invoice: Type.Ref('PortalInvoice') })

/** What a carrier asks for. */
export const portalInvoices = (limits: FileLimits) => async (app: App) => {
  app.addSchema(PortalInvoice)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPortalInvoices',
        summary: 'The carrier’s invoices',
        description:
          'Lists what the carrier has invoiced, newest first, with the exact total. A signed link sees what was sent with it.',
        querystring: InvoicePage,
        response: answers({ 200: envelopeOf('carrier_invoices', Type.Ref('PortalInvoice')) }),
      },
    },
    asPartner(async (partner, { query }) => ok(await listOwn(partner, 'carrier_invoices', query as object))),
  )

  app.post(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'createPortalInvoice',
        summary: 'Send an invoice',
        description:
          'Sends an invoice of the carrier to the inbox of carrier invoices, where it is matched and audited as every other. Its document is sent afterwards, by `POST …/{carrierInvoiceID}/documents`. A number that the carrier has sent before is answered 409. With a signed link, invoices and files together are as many as the link can send.',
        body: NewPortalInvoice,
        response: answers({ 201: One }),
      },
    },
    asPartner(async (partner, request) => {
      const { id, json } = await sendInvoice(partner, request.body as NewPortalInvoice, limits)
      return created(ok(`{"carrier_invoice":${json}}`), `/api/v1${all}/${id}`)
    }),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPortalInvoice',
        summary: 'One of the carrier’s invoices',
        description: 'Answers an invoice of the carrier.',
        params,
        response: answers({ 200: One }),
        ...neverNotModified,
      },
    },
    asPartner(async (partner, { params }) => {
      const { json } = await requireOwn(
        partner,
        'carrier_invoices',
        (params as { carrierInvoiceID: string }).carrierInvoiceID,
      )
      return ok(`{"carrier_invoice":${json}}`)
    }),
  )
}
