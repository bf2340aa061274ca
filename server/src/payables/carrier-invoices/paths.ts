import Type from 'typebox'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import type { PlainReference } from '../../platform/core/values/ids.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { findInvoice } from './received/store.ts'

export const config = { scope: 'bills' } as const
export const tags = ['Carrier invoices']
export const all = '/carrier_invoices'
export const one = `${all}/:carrierInvoiceID`
export const params = referenceParam('carrierInvoiceID', 'carrier invoice')
export const One = Type.Object({ carrier_invoice: Type.Ref('CarrierInvoice') })

export function sentIn(params: unknown): string {
  return (params as { carrierInvoiceID: string }).carrierInvoiceID
}

export function invoiceIn(params: unknown): PlainReference {
  return referenceIn(sentIn(params), 'carrierInvoiceID')
}

export async function readInvoice(ctx: Context, params: unknown): Promise<WireRecord & { id: string }> {
  const found = await findInvoice(ctx, invoiceIn(params))
  if (!found) throw notFound('carrier invoice', sentIn(params))
  return found
}
