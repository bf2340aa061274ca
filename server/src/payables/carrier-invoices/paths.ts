import type { Context } from '../../context.ts'
import type { PlainReference } from '../../core/ids.ts'
import { notFound } from '../../core/refusal.ts'
import type { Revised } from '../../core/revisions.ts'
import { referenceParam } from '../../core/schema.ts'
import Type from '../../core/type.ts'
import { referenceIn } from '../../http/params.ts'
import { findInvoice } from './store.ts'

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

export async function readInvoice(ctx: Context, params: unknown): Promise<Revised & { id: string }> {
  const found = await findInvoice(ctx, invoiceIn(params))
  if (!found) throw notFound('carrier invoice', sentIn(params))
  return found
}
