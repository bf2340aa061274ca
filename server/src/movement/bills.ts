import { createBill, type NewBill, present } from '../billing/bills/actions.ts'
import { BillFound } from '../billing/bills/model.ts'
import type { Context } from '../context.ts'
import type { Revised } from '../core/revisions.ts'

// All that movement/ uses of billing/.

export type { NewBill }

/** The answer that shows a bill. */
export const BillAnswer = BillFound

export function makeBill(ctx: Context, bill: NewBill): Promise<Revised & { id: string }> {
  return createBill(ctx, bill)
}

export function readBill(ctx: Context, id: string): Promise<Revised> {
  return present(ctx, id)
}
