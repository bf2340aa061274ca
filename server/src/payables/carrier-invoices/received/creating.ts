import { requireCurrencies } from '../../../books/currencies/known.ts'
import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, invalid, invalidAll, quote, Refusal } from '../../../platform/core/refusal.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { requireDocument, updateDocument } from '../../../platform/files/actions.ts'
import type { Attachment, Document } from '../../../platform/files/model.ts'
import type { ArrivedInvoice, CarrierInvoiceEdit, InvoiceLine, NewCarrierInvoice } from './model.ts'
import { findInvoice, insertInvoices, listArrived, listByIds, listKnownManifests, recordInvoices } from './store.ts'

export function createInvoice(
  ctx: Context,
  { document_ids = [], ...input }: NewCarrierInvoice,
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const [id] = await createInvoices(ctx, [input], (ctx, [id]) =>
      attachDocuments(ctx, document_ids, { type: 'carrier_invoice', id: id as string }),
    )
    return readBack(ctx, id as string)
  })
}

/** Keeps invoices that have come together, all of them or none. `attach` gives them their documents, which the event shows too. Answers their ids. */
export function createInvoices(
  ctx: Context,
  inputs: readonly ArrivedInvoice[],
  attach: (ctx: Context, ids: readonly string[]) => Promise<void> = async () => {},
): Promise<string[]> {
  return transaction(ctx, async (ctx) => {
    const invoices = []
    for (const input of inputs) invoices.push(await newInvoice(ctx, input))
    await insertInvoices(ctx, invoices)
    const ids = invoices.map(({ id }) => id)
    await attach(ctx, ids)
    await recordInvoices(
      ctx,
      ids.map((id) => ({ type: 'carrier_invoice.created', id })),
    )
    return ids
  })
}

/** The JSON of invoices that were just made, in the order of their ids given. */
export async function listCreated(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const found = new Map((await listByIds(ctx, ids)).map(({ id, json }) => [id, json]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/**
 * The ids of the invoices that these messages have become before: of all of them, or of none. Where only some have arrived, somebody has to look why,
 * because the rest would be lost or the first ones paid twice.
 */
export async function findArrived(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const arrived = await listArrived(ctx, keys)
  if (arrived.length > 0 && arrived.length < keys.length)
    throw conflict(
      'arrived_in_part',
      `${arrived.length} of the ${keys.length} invoices of this message have arrived before: ${arrived.map(({ id }) => id).join(', ')}. Nothing of it was kept.`,
    )
  return arrived.map(({ id }) => id)
}

/** As it is kept, with what was left out. Currencies are known to the process, so many inputs cost no queries. */
async function newInvoice(ctx: Context, input: ArrivedInvoice) {
  await requireCurrencies(ctx, [input.currency_id], 'currency_id')
  const manifest_ids = await knownManifests(ctx, input.manifest_ids ?? [])
  const { lines = [] } = input
  const total_amount = input.total_amount ?? sumOf(lines)
  return {
    ...{
      id: newId(),
      external_id: input.external_id ?? null,
      created_by: await actorId(ctx),
      source: input.source ?? 'api',
      source_key: input.source_key ?? null,
    },
    ...contentOf(input),
    total_amount,
    is_total_computed: input.total_amount === undefined,
    missing_fields: input.missing_fields ?? [],
    manifest_ids,
    state: manifest_ids.length > 0 ? ('matched' as const) : ('received' as const),
  }
}

/** Documents that were uploaded before. What they are attached to already they stay attached to. */
async function attachDocuments(ctx: Context, ids: readonly string[], record: Attachment): Promise<void> {
  for (const id of new Set(ids)) {
    const { attached_to } = JSON.parse((await known(ctx, id)).json) as Document
    await updateDocument(ctx, id, { attached_to: [...attached_to, record] }, null)
  }
}

function known(ctx: Context, id: string) {
  return requireDocument(ctx, id).catch((error) => {
    const isGone = error instanceof Refusal && error.kind === 'not_found'
    throw isGone
      ? invalid(
          'document_ids',
          'unknown_record',
          `There is no document ${quote(id)} in this organization. Upload it first.`,
        )
      : error
  })
}

/** What the lines come to. */
export function sumOf(lines: readonly InvoiceLine[]): number {
  const sum = lines.reduce((sum, { amount }) => sum + amount, 0)
  if (!Number.isSafeInteger(sum))
    throw invalid('lines', 'amount_too_large', 'The lines come to more than JSON can carry exactly. Split the invoice.')
  return sum
}

/** What an invoice says, with what was left out. */
export function contentOf({
  partner_carrier_id,
  invoice_number,
  invoice_date,
  currency_id,
  reference_number,
  lines,
  notes,
}: CarrierInvoiceEdit & { invoice_number: string }) {
  return {
    partner_carrier_id: partner_carrier_id?.toLowerCase() ?? null,
    invoice_number,
    invoice_date: invoice_date ?? null,
    currency_id: (currency_id as string).toLowerCase(),
    reference_number: reference_number ?? null,
    lines: lines ?? [],
    notes: notes ?? null,
  }
}

/** The manifests of these ids, each once; refuses one that is not there. */
export async function knownManifests(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const known = wanted.length > 0 ? await listKnownManifests(ctx, wanted) : []
  const missing = wanted.filter((id) => !known.includes(id))
  if (missing.length > 0)
    throw invalidAll(
      missing.map((id) => ({
        field: 'manifest_ids',
        code: 'unknown_manifest',
        message: `There is no manifest "${id}" in this organization.`,
      })),
    )
  return wanted
}

/** The invoice, which was just written. */
export async function readBack(ctx: Context, id: string): Promise<WireRecord & { id: string }> {
  const found = await findInvoice(ctx, { by: 'id', id })
  if (!found) throw new Error(`carrier invoice ${id} is missing within its own transaction`)
  return found
}
