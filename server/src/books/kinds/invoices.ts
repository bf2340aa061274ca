import type { Context } from '../../platform/context.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import type { Move, MoveInput } from '../documents/model/fields/lifecycle.ts'
import { createDocument, moveDocument, type UpdateResult, updateDocument } from '../documents/writing/actions.ts'
import type { InvoiceEdit, NewInvoice } from '../invoices/kind.ts'
import { invoices } from './kinds.ts'

export function createInvoice(ctx: Context, input: NewInvoice): Promise<UpdateResult & { id: string }> {
  return createDocument(ctx, invoices, input)
}

export function updateInvoice(
  ctx: Context,
  reference: Reference,
  input: InvoiceEdit,
  expected: ExpectedRevision,
): Promise<UpdateResult> {
  return updateDocument(ctx, invoices, reference, input, expected)
}

export function moveInvoice(
  ctx: Context,
  reference: Reference,
  move: Move,
  input: MoveInput,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return moveDocument(ctx, invoices, reference, move, input, expected)
}
