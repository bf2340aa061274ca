import { requireRight } from '../../platform/access/roles.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { createRecord } from '../../platform/resource/actions.ts'
import { billItemTypes } from '../bill-item-types/record.ts'
import type { NewCredit } from '../credits/kind.ts'
import type { Document } from '../documents/model/fields/standard-fields.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { requireOwed } from '../documents/model/kind/paying.ts'
import { recordOf } from '../documents/store/history.ts'
import { createDocument, moveDocument, readBack } from '../documents/writing/actions.ts'
import { lockExpected } from '../documents/writing/locks.ts'
import { voidDocument } from '../documents/writing/voiding.ts'
import type { Invoice } from '../invoices/kind.ts'
import { credits, invoices } from '../kinds/kinds.ts'
import { applyCredit, removeApplied } from '../payments/crediting.ts'
import { shareByOrder, typeName, type WriteOffBody } from './model.ts'
import { findTypeNamed, findWriteOff, insertWriteOff, lockMaking } from './store.ts'

const [invoiceKind, creditKind] = [invoices, credits] as unknown as [Kind, Kind]

/** Gives up what is due of an invoice, or a part of it: a credit for it is made and applied, all or nothing. */
export function writeOff(
  ctx: Context,
  reference: Reference,
  input: WriteOffBody,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    requireRightToWriteOff(ctx)
    const invoice = (await lockExpected(ctx, invoiceKind, reference, expected)).document as Document & Invoice
    requireDue(invoice)
    const amount = input.amount ?? invoice.amount_due
    requireOwed(invoiceKind, invoice, amount, 'amount')
    const id = await creditFor(ctx, invoice, amount, input)
    const one: Reference = { by: 'id', id }
    // What was never paid has neither gained nor lost by the rates since.
    await moveDocument(ctx, creditKind, one, 'save', {}, null, invoice)
    await applyCredit(ctx, one, { allocations: [{ invoice_id: invoice.id, amount }] }, null)
    await insertWriteOff(ctx, id, invoice.id)
    await recordOf(ctx, invoiceKind, [
      {
        type: 'invoice.written_off',
        id: invoice.id,
        overrides: { credit_id: id, written_off_amount: amount, reason: input.reason },
      },
    ])
    return readBack(ctx, invoiceKind, invoice.id)
  })
}

/** Takes a write-off back: its credit is voided, and the invoice owes that much again. */
export function voidWriteOff(
  ctx: Context,
  reference: Reference,
  credit: string,
  reason: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    requireRightToWriteOff(ctx)
    const { document: invoice } = await lockExpected(ctx, invoiceKind, reference, expected)
    const applied = await findWriteOff(ctx, credit, invoice.id)
    if (!applied) throw notFound('write-off of this invoice', credit)
    const one: Reference = { by: 'id', id: credit }
    for (const allocation of applied) await removeApplied(ctx, one, allocation, null)
    await voidDocument(ctx, creditKind, one, reason, null)
    return readBack(ctx, invoiceKind, invoice.id)
  })
}

/** It makes a credit, and says that so much need not be paid. */
function requireRightToWriteOff(ctx: Context): void {
  requireRight(ctx, 'enter')
  requireRight(ctx, 'pay')
}

function requireDue({ voided_at, status_id, amount_due }: Document): void {
  const why =
    voided_at !== null ? 'is voided' : status_id === 'draft' ? 'is a draft' : amount_due <= 0 ? 'owes nothing' : null
  if (why) throw conflict('nothing_to_write_off', `This invoice ${why}, so nothing of it can be written off.`)
}

async function creditFor(
  ctx: Context,
  invoice: Document & Invoice,
  amount: number,
  { reason, bill_item_type_id }: WriteOffBody,
): Promise<string> {
  const type = bill_item_type_id ?? (await typeOfWriteOffs(ctx))
  const { invoice_items } = JSON.parse((await readBack(ctx, invoiceKind, invoice.id)).json)
  const shares = shareByOrder(invoice_items, amount)
  const credit: NewCredit = {
    direction: 'in',
    customer_id: invoice.customer_id,
    currency_id: invoice.currency_id,
    reference_number: invoice.number,
    notes: reason,
    items: shares.map(({ order_id, amount: unit_price }) => ({
      ...{ bill_item_type_id: type, order_id, unit_price, quantity: 1, description: `Write-off of ${invoice.number}` },
    })) as never,
  }
  const { id } = await createDocument(ctx, credits, credit as never)
  return id
}

async function typeOfWriteOffs(ctx: Context): Promise<string> {
  const known = await findTypeNamed(ctx, typeName)
  if (known) return known
  await lockMaking(ctx)
  return (
    (await findTypeNamed(ctx, typeName)) ??
    (await createRecord(ctx, billItemTypes, { name: typeName, class: 'write-off' })).id
  )
}
