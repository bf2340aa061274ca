import { upsertDocuments } from '../../../books/documents/writing/bulk.ts'
import { bills } from '../../../books/kinds/kinds.ts'
import { linkBills, lockBillsOf, type StandingBill } from '../../../freight/billing/actions.ts'
import { type Context, together } from '../../../platform/context.ts'
import { conflict, type Refusal } from '../../../platform/core/refusal.ts'
import { type CarrierTerms, listCarrierTerms, listMadeFromInvoices, listTypes } from './bills-store.ts'
import { type CarrierInvoice, type InvoiceLine, taxIn } from './model.ts'
import { type MadeDecision, recordInvoices, saveDecided } from './store.ts'

/** `decided` is the decision of a person, where one approved it. */
export type ApprovedInvoice = { invoice: CarrierInvoice; amount: number; decided: readonly MadeDecision[] }
export type MadeBill = { bill_id: string | null; refusal: Refusal | null }

/**
 * Makes the bills of approved invoices, which the caller has locked, and notes them: a draft that was made from a manifest becomes that bill, else it is
 * a new one. Each is saved, so it has a number and stays, and pays for all manifests of its invoice. What a bill is refused for leaves its invoice as it is.
 */
export async function makeBills(ctx: Context, approved: readonly ApprovedInvoice[]): Promise<MadeBill[]> {
  if (approved.length === 0) return []
  const manifests = approved.flatMap(({ invoice }) => invoice.manifest_ids)
  const carriers = approved.flatMap(({ invoice }) => invoice.partner_carrier_id ?? [])
  const standing = await withoutTaken(ctx, await lockBillsOf(ctx, manifests))
  const [types, terms] = await together(listTypes(ctx), listCarrierTerms(ctx, carriers))
  const typeIds = new Map(types.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]))
  const rows = approved.map((one) => {
    const [draft] = draftsOf(one.invoice, standing)
    return (
      obstacleTo(one.invoice, standing) ?? {
        ...(draft && { id: draft }),
        ...billOf(one, typeIds, terms.get(one.invoice.partner_carrier_id ?? '')),
      }
    )
  })
  const { outcomes } = await upsertDocuments(ctx, bills, rows, { mode: 'best_effort' })
  const made = outcomes.map(
    ({ id, refusal }): MadeBill => (refusal ? { bill_id: null, refusal } : { bill_id: id, refusal: null }),
  )
  const billed = approved.flatMap((one, index) => {
    const bill_id = made[index]?.bill_id
    return bill_id ? [{ ...one, bill_id }] : []
  })
  await linkBills(
    ctx,
    billed.flatMap(({ invoice, bill_id: bill }) =>
      invoice.manifest_ids
        .filter((manifest) => standing.get(manifest) === null)
        .map((manifest) => ({ manifest, bill })),
    ),
  )
  await note(ctx, billed)
  return made
}

type Standing = ReadonlyMap<string, StandingBill | null>

/** A draft that corrects the bill of another invoice stands for that one, and is none for this one to take. It has no number: its id says which it is. */
async function withoutTaken(ctx: Context, standing: Standing): Promise<Standing> {
  const drafts = [...standing.values()].flatMap((bill) => (bill?.number === null ? [bill.id] : []))
  const taken = await listMadeFromInvoices(ctx, drafts)
  return new Map(
    [...standing].map(([manifest, bill]) => [
      manifest,
      bill && taken.has(bill.id) ? { id: bill.id, number: bill.id } : bill,
    ]),
  )
}

function draftsOf({ manifest_ids }: CarrierInvoice, standing: Standing): string[] {
  return [
    ...new Set(
      manifest_ids.flatMap((manifest) =>
        standing.get(manifest)?.number === null ? (standing.get(manifest)?.id ?? []) : [],
      ),
    ),
  ]
}

/** What became of the manifests since the audit. Where that said of as many manifests that they are paid for, whoever accepted the invoice has seen it. */
function obstacleTo(invoice: CarrierInvoice, standing: Standing): Refusal | undefined {
  const paid = invoice.manifest_ids.filter((manifest) => typeof standing.get(manifest)?.number === 'string')
  const [first] = paid.flatMap((manifest) => standing.get(manifest) ?? [])
  if (first && paid.length > invoice.findings.filter(({ code }) => code === 'already_billed').length) {
    const remedy =
      invoice.state === 'approved'
        ? 'reject this invoice, or void that bill'
        : 'audit it again, and decide about what is found'
    const message = `The bill ${first.number} pays for ${manifestsOf(invoice)} already, which the audit of this carrier invoice did not find: ${remedy}.`
    return conflict('already_billed', message, [
      { field: 'bill_id', code: 'already_billed', message, allowed: [first.id] },
    ])
  }
  const drafts = draftsOf(invoice, standing)
  if (drafts.length < 2) return undefined
  const message = `Drafts were made from several manifests of this carrier invoice, and one of them can become its bill. Delete the others: ${drafts.slice(1).join(', ')}.`
  return conflict('several_drafts', message)
}

function manifestsOf({ manifest_ids }: CarrierInvoice): string {
  return manifest_ids.length === 1 ? 'its manifest' : 'one of its manifests'
}

async function note(ctx: Context, billed: readonly (ApprovedInvoice & { bill_id: string })[]): Promise<void> {
  if (billed.length === 0) return
  await saveDecided(
    ctx,
    billed.map(({ invoice: { id }, amount, bill_id, decided }) => ({
      id,
      state: 'billed',
      is_disputed: false,
      approved_amount: amount,
      bill_id,
      decided,
    })),
  )
  await recordInvoices(
    ctx,
    billed.map(({ invoice: { id, state, approved_amount } }) => ({
      type: 'carrier_invoice.billed',
      id,
      previous: { state, approved_amount, bill_id: null },
    })),
  )
}

function billOf(
  { invoice, amount }: ApprovedInvoice,
  typeIds: ReadonlyMap<string, string>,
  terms: CarrierTerms | undefined,
): Record<string, unknown> {
  const { partner_carrier_id, invoice_number, invoice_date, currency_id, manifest_ids, findings, notes } = invoice
  const [manifest = null] = manifest_ids.length === 1 ? manifest_ids : []
  const tax = taxIn(invoice.lines)
  const lines = invoice.lines.filter(({ is_tax }) => !(tax && is_tax)).map((line) => lineOf(line, manifest, typeIds))
  const rest = amount - invoice.lines.reduce((sum, line) => sum + line.amount, 0)
  const whole = { unit_price: amount, quantity: 1, description: `Invoice ${invoice_number}`, manifest_id: manifest }
  const difference = {
    unit_price: rest,
    quantity: 1,
    description: rest < 0 ? 'Deducted from the invoice' : 'Difference to the total of the invoice',
    manifest_id: manifest,
  }
  return {
    ...{
      status_id: 'saved',
      partner_carrier_id,
      currency_id,
      reference_number: invoice_number,
      notes,
      master_trip_id: manifest,
    },
    ...(invoice_date && { bill_date: invoice_date }),
    ...(terms && {
      pay_term_id: terms.pay_term_id,
      send_to_email: terms.email,
      remit_to: { company_name: terms.name },
    }),
    // Whoever approves it has seen that finding.
    ...(findings.some(({ code }) => code === 'duplicate') && { allow_duplicate: true }),
    ...(tax && { is_tax_on: true, tax_amount: tax }),
    items: lines.length === 0 ? [whole] : [...lines, ...(rest === 0 ? [] : [difference])],
  }
}

function lineOf(
  { type, description, quantity, unit_price, amount, manifest_id }: InvoiceLine,
  manifest: string | null,
  typeIds: ReadonlyMap<string, string>,
) {
  const isExact =
    Number.isSafeInteger(quantity) &&
    unit_price !== null &&
    unit_price !== undefined &&
    (quantity as number) * unit_price === amount
  return {
    ...(isExact ? { unit_price, quantity } : { unit_price: amount, quantity: 1 }),
    description: description ?? type ?? null,
    bill_item_type_id: typeIds.get(type?.toLowerCase() ?? '') ?? null,
    manifest_id: manifest_id ?? manifest,
  }
}
