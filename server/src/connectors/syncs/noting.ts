import { updateInvoice } from '../../billing/invoices/actions.ts'
import { updateBill } from '../../billing/settling/bills.ts'
import type { Context } from '../../context.ts'
import type { RawDocument } from './documents-store.ts'

type Note = { qb_external_id?: string | null; qb_error_msg: string | null; qb_exported_at?: string }

/** Has the document say what the accounting system made of it. A voided one is not changed any more. */
export async function noteOnDocument(ctx: Context, { type, id, is_voided }: Pick<RawDocument, 'type' | 'id' | 'is_voided'>, note: Note): Promise<void> {
  if (is_voided) return
  const reference = { by: 'id', id } as const
  if (type === 'bill') await updateBill(ctx, reference, note, null)
  else await updateInvoice(ctx, reference, note, null)
}
