import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import { listWriteOffs } from './write-offs-store.ts'

/** What was written off is no money of the customer: its credit settles its invoice for as long as it stands, and nothing else. */
export async function requireNoWriteOff(ctx: Context, credits: readonly string[]): Promise<void> {
  if (credits.length === 0) return
  const [found] = await listWriteOffs(ctx, credits)
  if (!found) return
  const undo = `POST /api/v1/invoices/${found.invoice_id}/write_offs/${found.credit_id}/void`
  throw conflict(
    'is_write_off',
    `The credit ${found.credit_id} writes off the invoice ${found.invoice_id} and does nothing else. Take back the write-off instead: ${undo}.`,
  )
}
