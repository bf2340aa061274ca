import { bill, type NewBill } from '../billing/bills/kind.ts'
import { createBill, presentBill } from '../billing/settling/bills.ts'
import type { Context } from '../context.ts'
import type { Revised } from '../core/revisions.ts'

// All that movement/ uses of billing/.

export type { NewBill }

/** The answer that shows a bill. */
export const BillAnswer = bill.schemas.Found

export function makeBill(ctx: Context, bill: NewBill): Promise<Revised & { id: string }> {
  return createBill(ctx, bill)
}

export function readBill(ctx: Context, id: string): Promise<Revised> {
  return presentBill(ctx, id)
}
