import { type Context, transaction } from '../../platform/context.ts'
import { invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, type Revised, requireExpected } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import {
  edit,
  type NewPayTerm,
  type PayTerm,
  type PayTermEdit,
  requireMatchingKeys,
  requireWholeDiscount,
  vendorTerms,
} from './model.ts'
import { deletePayTerm, findDays, findPayTerm, insertPayTerm, lockPayTerm, savePayTerm } from './store.ts'

export function createPayTerm(
  ctx: Context,
  { name, number_of_days, connector_mappings = {}, discount_days = null, discount_percent = null }: NewPayTerm,
): Promise<Revised & { id: string }> {
  requireMatchingKeys(connector_mappings)
  requireWholeDiscount({ discount_days, discount_percent })
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertPayTerm(ctx, id, {
      name,
      number_of_days,
      connector_mappings: vendorTerms(connector_mappings),
      discount_days,
      discount_percent,
    })
    const created = await present(ctx, id)
    await record(ctx, {
      type: 'pay_term.created',
      subject: { type: 'pay_term', id },
      revision: created.revision,
      data: created.json,
    })
    return { id, ...created }
  })
}

export function updatePayTerm(
  ctx: Context,
  id: string,
  input: PayTermEdit,
  expected: ExpectedRevision,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { next, previous } = edit(current, input)
    if (Object.keys(previous).length === 0) return present(ctx, id)
    await savePayTerm(ctx, id, next)
    const updated = await present(ctx, id)
    await record(ctx, {
      type: 'pay_term.updated',
      subject: { type: 'pay_term', id },
      revision: updated.revision,
      data: updated.json,
      previous,
    })
    return updated
  })
}

/** What the pay term is called by one connector; null takes that away. The mappings of other connectors stay. */
export function mapPayTerm(
  ctx: Context,
  id: string,
  connector_id: string,
  vendor_pay_term_id: string | null,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const { [connector_id]: _before, ...others } = (await lock(ctx, id, null)).connector_mappings
    const connector_mappings =
      vendor_pay_term_id === null ? others : { ...others, [connector_id]: { connector_id, vendor_pay_term_id } }
    return updatePayTerm(ctx, id, { connector_mappings }, null)
  })
}

export function removePayTerm(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    await deletePayTerm(ctx, id)
    await record(ctx, {
      type: 'pay_term.deleted',
      subject: { type: 'pay_term', id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
  })
}

/** The days of the term that a bill or a statement names; null for none. */
export async function daysOf(ctx: Context, pay_term_id: string | null): Promise<number | null> {
  if (pay_term_id === null) return null
  const days = await findDays(ctx, pay_term_id)
  if (days === undefined)
    throw invalid('pay_term_id', 'unknown_pay_term', `There is no pay term ${quote(pay_term_id)} in this organization.`)
  return days
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<PayTerm> {
  const current = await lockPayTerm(ctx, id)
  if (!current) throw notFound('pay term', id)
  requireExpected(expected, current.revision)
  return current
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findPayTerm(ctx, id)
  if (!found) throw new Error(`pay term ${id} is gone within its own transaction`)
  return found
}
