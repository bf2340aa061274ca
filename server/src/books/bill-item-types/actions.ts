import { type Context, transaction } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, type Revised, requireExpected } from '../../platform/core/schema/revisions.ts'
import { newId, type PlainReference, sentAs } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { type BillItemType, type BillItemTypeEdit, edit, type NewBillItemType } from './model.ts'
import {
  deleteBillItemType,
  findBillItemType,
  insertBillItemType,
  lockBillItemType,
  saveBillItemType,
} from './store.ts'

export function createBillItemType(ctx: Context, input: NewBillItemType): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertBillItemType(ctx, id, { external_id: null, qb_external_id: null, class: null, ...input })
    const created = await present(ctx, id)
    await record(ctx, {
      type: 'bill_item_type.created',
      subject: { type: 'bill_item_type', id },
      revision: created.revision,
      data: created.json,
    })
    return { id, ...created }
  })
}

export function updateBillItemType(
  ctx: Context,
  reference: PlainReference,
  input: BillItemTypeEdit,
  expected: ExpectedRevision,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    const { changes, previous } = edit(current, input)
    if (Object.keys(changes).length === 0) return present(ctx, current.id)
    await saveBillItemType(ctx, { ...current, ...changes })
    const updated = await present(ctx, current.id)
    await record(ctx, {
      type: 'bill_item_type.updated',
      subject: { type: 'bill_item_type', id: current.id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    return updated
  })
}

export function removeBillItemType(ctx: Context, reference: PlainReference, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    await deleteBillItemType(ctx, current.id)
    await record(ctx, {
      type: 'bill_item_type.deleted',
      subject: { type: 'bill_item_type', id: current.id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
  })
}

async function lock(ctx: Context, reference: PlainReference, expected: ExpectedRevision): Promise<BillItemType> {
  const current = await lockBillItemType(ctx, reference)
  if (!current) throw notFound('bill item type', sentAs(reference))
  requireExpected(expected, current.revision)
  return current
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findBillItemType(ctx, { by: 'id', id })
  if (!found) throw new Error(`bill item type ${id} is gone within its own transaction`)
  return found
}
