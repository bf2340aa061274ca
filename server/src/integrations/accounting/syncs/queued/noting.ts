import { updateBill } from '../../../../books/kinds/bills.ts'
import { updateInvoice } from '../../../../books/kinds/invoices.ts'
import type { Context } from '../../../../platform/context.ts'
import type { RawDocument } from './documents-store.ts'

type Note = { qb_external_id?: string | null; qb_error_msg: string | null; qb_exported_at?: string }

/**
 * Has the document say what the accounting system made of it. A voided one is not changed any more. Answers the revision that the accounting system has: the
 * note makes one of what was read. Where there are more, somebody has changed the document since it was read, and that is for the next sync.
 */
export async function noteOnDocument(
  ctx: Context,
  { type, id, is_voided, revision }: RawDocument,
  note: Note,
): Promise<number> {
  if (is_voided) return revision
  const reference = { by: 'id', id } as const
  const noted =
    type === 'bill' ? await updateBill(ctx, reference, note, null) : await updateInvoice(ctx, reference, note, null)
  return noted.revision === revision + 1 ? noted.revision : revision
}
