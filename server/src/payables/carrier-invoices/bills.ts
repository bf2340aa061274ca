import { upsertDocuments } from '../../billing/documents/bulk.ts'
import { bills } from '../../billing/settling/bills.ts'
import { type Context, together } from '../../context.ts'
import type { Refusal } from '../../core/refusal.ts'
import { billsOf, linkBills } from '../../movement/documents/actions.ts'
import { type CarrierTerms, listCarrierTerms, listTypes } from './bills-store.ts'
import type { CarrierInvoice, InvoiceLine } from './model.ts'
import { type MadeDecision, recordInvoices, saveDecided } from './store.ts'

/** `decided` is the decision of a person, where one approved it. */
export type Approved = { invoice: CarrierInvoice; amount: number; decided: readonly MadeDecision[] }
export type Made = { bill_id: string | null; refusal: Refusal | null }

/**
 * Makes the bills of approved invoices, which the caller has locked, and notes them: a draft that was made from the manifest becomes that bill, else it is
 * a new one. Each is saved, so it has a number and stays. What a bill is refused for leaves its invoice as it is.
 */
export async function makeBills(ctx: Context, approved: readonly Approved[]): Promise<Made[]> {
  if (approved.length === 0) return []
  const manifests = approved.flatMap(({ invoice }) => invoice.manifest_ids)
  const carriers = approved.flatMap(({ invoice }) => invoice.partner_carrier_id ?? [])
  const [standing, types, terms] = await together(billsOf(ctx, manifests), listTypes(ctx), listCarrierTerms(ctx, carriers))
  const typeIds = new Map(types.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]))
  const ofManifest = approved.map(({ invoice }) => (invoice.manifest_ids.length === 1 ? (invoice.manifest_ids[0] as string) : null))
  const rows = approved.map((one, index) => {
    const draft = standing.get(ofManifest[index] ?? '')
    return { ...(draft?.number === null && { id: draft.id }), ...billOf(one, typeIds, terms.get(one.invoice.partner_carrier_id ?? '')) }
  })
  const { outcomes } = await upsertDocuments(ctx, bills, rows, { mode: 'best_effort' })
  const made = outcomes.map(({ id, refusal }): Made => (refusal ? { bill_id: null, refusal } : { bill_id: id, refusal: null }))
  const billed = approved.flatMap((one, index) => {
    const bill_id = made[index]?.bill_id
    return bill_id ? [{ ...one, bill_id, manifest: ofManifest[index] ?? null }] : []
  })
  await linkBills(
    ctx,
    billed.flatMap(({ manifest, bill_id }) => (manifest && !standing.has(manifest) ? [{ manifest, bill: bill_id }] : [])),
  )
  await note(ctx, billed)
  return made
}

async function note(ctx: Context, billed: readonly (Approved & { bill_id: string })[]): Promise<void> {
  if (billed.length === 0) return
  await saveDecided(
    ctx,
    billed.map(({ invoice: { id }, amount, bill_id, decided }) => ({ id, state: 'billed', is_disputed: false, approved_amount: amount, bill_id, decided })),
  )
  await recordInvoices(
    ctx,
    billed.map(({ invoice: { id, state, approved_amount } }) => ({ type: 'carrier_invoice.billed', id, previous: { state, approved_amount, bill_id: null } })),
  )
}

function billOf({ invoice, amount }: Approved, typeIds: ReadonlyMap<string, string>, terms: CarrierTerms | undefined): Record<string, unknown> {
  const { partner_carrier_id, invoice_number, invoice_date, currency_id, manifest_ids, findings, notes } = invoice
  const [manifest = null] = manifest_ids.length === 1 ? manifest_ids : []
  const lines = invoice.lines.map((line) => lineOf(line, manifest, typeIds))
  const rest = amount - invoice.lines.reduce((sum, line) => sum + line.amount, 0)
  const whole = { unit_price: amount, quantity: 1, description: `Invoice ${invoice_number}`, manifest_id: manifest }
  const difference = {
    unit_price: rest,
    quantity: 1,
    description: rest < 0 ? 'Deducted from the invoice' : 'Difference to the total of the invoice',
    manifest_id: manifest,
  }
  return {
    ...{ status_id: 'saved', partner_carrier_id, currency_id, reference_number: invoice_number, notes, master_trip_id: manifest },
    ...(invoice_date && { bill_date: invoice_date }),
    ...(terms && { pay_term_id: terms.pay_term_id, send_to_email: terms.email, remit_to: { company_name: terms.name } }),
    // Whoever approves it has seen that finding.
    ...(findings.some(({ code }) => code === 'duplicate') && { allow_duplicate: true }),
    items: lines.length === 0 ? [whole] : [...lines, ...(rest === 0 ? [] : [difference])],
  }
}

function lineOf({ type, description, quantity, unit_price, amount, manifest_id }: InvoiceLine, manifest: string | null, typeIds: ReadonlyMap<string, string>) {
  const isExact = Number.isSafeInteger(quantity) && unit_price !== null && unit_price !== undefined && (quantity as number) * unit_price === amount
  return {
    ...(isExact ? { unit_price, quantity } : { unit_price: amount, quantity: 1 }),
    description: description ?? type ?? null,
    bill_item_type_id: typeIds.get(type?.toLowerCase() ?? '') ?? null,
    manifest_id: manifest_id ?? manifest,
  }
}
