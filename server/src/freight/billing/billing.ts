import { bill, type NewBill } from '../../books/bills/kind.ts'
import { lockWithParents } from '../../books/documents/writing/locks.ts'
import type { NewInvoice } from '../../books/invoices/kind.ts'
import { createBill, readBackBill } from '../../books/kinds/bills.ts'
import { createInvoice } from '../../books/kinds/invoices.ts'
import { bills, invoices } from '../../books/kinds/kinds.ts'
import type { Context } from '../../platform/context.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'

// All that freight uses of books, but for the names in links.ts.

export type { NewBill, NewInvoice }

/** The answers that show a bill and an invoice. */
export const BillAnswer = bill.schemas.Found
export const InvoiceAnswer = invoices.schemas.Found

export function makeBill(ctx: Context, bill: NewBill): Promise<WireRecord & { id: string }> {
  return createBill(ctx, bill)
}

export function readBill(ctx: Context, id: string): Promise<WireRecord> {
  return readBackBill(ctx, id)
}

/** Those of these bills that are there and not voided, locked. */
export async function lockBills(
  ctx: Context,
  ids: readonly string[],
): Promise<{ id: string; number: string | null }[]> {
  const locked = await lockWithParents(ctx, bills, ids)
  return locked.flatMap(({ document: { id, number, voided_at } }) => (voided_at === null ? [{ id, number }] : []))
}

export function makeInvoice(ctx: Context, invoice: NewInvoice): Promise<WireRecord & { id: string }> {
  return createInvoice(ctx, invoice)
}
