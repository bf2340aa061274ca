import type { Context } from '../../platform/context.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import type { BillEdit, NewBill } from '../bills/kind.ts'
import type { Move, MoveInput } from '../documents/model/fields/lifecycle.ts'
import type { PaymentMeans } from '../documents/model/kind/paying.ts'
import {
  createDocument,
  moveDocument,
  readBack,
  type UpdateResult,
  updateDocument,
} from '../documents/writing/actions.ts'
import { bills } from './kinds.ts'

export function createBill(ctx: Context, input: NewBill): Promise<UpdateResult & { id: string }> {
  return createDocument(ctx, bills, input)
}

export function updateBill(
  ctx: Context,
  reference: Reference,
  input: BillEdit,
  expected: ExpectedRevision,
): Promise<UpdateResult> {
  return updateDocument(ctx, bills, reference, input, expected)
}

export function moveBill(
  ctx: Context,
  reference: Reference,
  move: Move,
  input: MoveInput & PaymentMeans,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return moveDocument(ctx, bills, reference, move, input, expected)
}

export function readBackBill(ctx: Context, id: string): Promise<WireRecord> {
  return readBack(ctx, bills, id)
}
