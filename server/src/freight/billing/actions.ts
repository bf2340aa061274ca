import { type Context, transaction } from '../../platform/context.ts'
import { conflict, type Refusal } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { record } from '../../platform/events/record.ts'
import type { Fields, ObjectReference } from '../../records/model/object.ts'
import { lock, readBack } from '../../records/single/actions.ts'
import { lockBills, makeBill, makeInvoice, type NewBill, type NewInvoice, readBill } from './billing.ts'
import { billOfManifest, invoiceOfOrder, type Link } from './links.ts'
import { billFor, invoiceFor, itemsOf } from './model.ts'
import {
  findCircumstances,
  insertLink,
  insertLinks,
  type LinkedDocument,
  listDocuments,
  lockObjects,
  recordLinked,
  saveLink,
  saveLinks,
} from './store.ts'

export type BillingResult = WireRecord & { id: string; created: boolean }
type Permit = (objectKey: string) => void

/** Creates the carrier's bill, once: later calls answer that bill. `extra` is what the bill has that the manifest does not know. */
export function billManifest(
  ctx: Context,
  reference: ObjectReference,
  expected: ExpectedRevision,
  permit: Permit,
  extra: NewBill = {},
): Promise<BillingResult> {
  return transaction(ctx, async (ctx) => {
    const { id, json, known } = await lockFor(ctx, billOfManifest, reference, expected, permit)
    if (known && !known.voided)
      return { id: known.document_id, created: false, ...(await readBill(ctx, known.document_id)) }
    const types = itemsOf(json, 'paymentItems').map(({ type }) => type)
    const circumstances = await findCircumstances(ctx, { party: json.partnerId, payTerm: json.payTerm }, types)
    const bill = await makeBill(ctx, { ...billFor(id, json, circumstances), ...extra })
    await keep(ctx, billOfManifest, id, bill.id, known)
    return { id: bill.id, created: true, revision: bill.revision, json: bill.json }
  })
}

/** Creates the customer's invoice, once: later calls are refused and name that invoice. `extra` is what the invoice has that the order does not know. */
export function invoiceOrder(
  ctx: Context,
  reference: ObjectReference,
  expected: ExpectedRevision,
  permit: Permit,
  extra: NewInvoice = {},
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const { id, json, known } = await lockFor(ctx, invoiceOfOrder, reference, expected, permit)
    if (known && !known.voided) throw invoicedAlready(known)
    const types = itemsOf(json, 'charges').map(({ type }) => type)
    const circumstances = await findCircumstances(ctx, { party: json.customerId, payTerm: null }, types)
    const invoice = await makeInvoice(ctx, { ...invoiceFor(id, json, circumstances), ...extra })
    await keep(ctx, invoiceOfOrder, id, invoice.id, known)
    return { id: invoice.id, revision: invoice.revision, json: invoice.json }
  })
}

type Held = { id: string; json: Fields; known: LinkedDocument | undefined }

/** The object, locked, in the revision that the caller expects, and the document that was made from it before. */
async function lockFor(
  ctx: Context,
  link: Link,
  reference: ObjectReference,
  expected: ExpectedRevision,
  permit: Permit,
): Promise<Held> {
  const { locked } = await lock(ctx, reference, { permit })
  requireExpected(expected, locked.version)
  const [known] = await listDocuments(ctx, link, [locked.id])
  return { id: locked.id, json: locked.content.json, known }
}

/** Keeps which document was made from the object, and records that it was. */
async function keep(
  ctx: Context,
  link: Link,
  id: string,
  document: string,
  known: LinkedDocument | undefined,
): Promise<void> {
  await (known ? saveLink : insertLink)(ctx, link, id, document)
  const { json, revision } = await readBack(ctx, id)
  await record(ctx, {
    type: `${link.objectKey}.${link.verb}`,
    subject: { type: link.objectKey, id },
    revision,
    data: json,
  })
}

function invoicedAlready({ document_id, number }: LinkedDocument): Refusal {
  const message = `The invoice ${number ?? 'without a number yet'} (${document_id}) charges for this order already. Change that invoice, or delete it while it is a draft.`
  return conflict('invoiced', message, [{ field: 'invoice_id', code: 'invoiced', message, allowed: [document_id] }])
}

/** Keeps which bills pay for these manifests, which the caller has locked and of which no bill stands. A bill may pay for several manifests. */
export async function linkBills(ctx: Context, made: readonly { manifest: string; bill: string }[]): Promise<void> {
  if (made.length === 0) return
  const known = await listDocuments(
    ctx,
    billOfManifest,
    made.map(({ manifest }) => manifest),
  )
  const isKnown = ({ manifest }: { manifest: string }) => known.some(({ object_id }) => object_id === manifest)
  const pairs = (some: typeof made) => some.map(({ manifest, bill }) => ({ from: manifest, made: bill }))
  await insertLinks(ctx, billOfManifest, pairs(made.filter((one) => !isKnown(one))))
  await saveLinks(ctx, billOfManifest, pairs(made.filter(isKnown)))
  await recordLinked(
    ctx,
    billOfManifest,
    made.map(({ manifest }) => manifest),
  )
}

/** A bill that is not voided. One without a number is a draft that was never saved. */
export type StandingBill = { id: string; number: string | null }

/**
 * Of each of these manifests that is there, the bill that pays for it, or null. Until the transaction ends nobody else bills these manifests, as
 * billing one locks it too, and what is a draft here stays one.
 */
export async function lockBillsOf(
  ctx: Context,
  manifests: readonly string[],
): Promise<ReadonlyMap<string, StandingBill | null>> {
  const locked = await lockObjects(ctx, billOfManifest, manifests)
  const standing = (await listDocuments(ctx, billOfManifest, locked)).filter(({ voided }) => !voided)
  const drafts = standing.filter(({ number }) => number === null).map(({ document_id }) => document_id)
  // A draft may have been saved, deleted or even voided before its lock was ours.
  const now = new Map((drafts.length > 0 ? await lockBills(ctx, drafts) : []).map((bill) => [bill.id, bill]))
  const bills = standing.map(
    ({ object_id, document_id: id, number }) =>
      [object_id, number === null ? (now.get(id) ?? null) : { id, number }] as const,
  )
  return new Map([...locked.map((id) => [id, null] as const), ...bills])
}
