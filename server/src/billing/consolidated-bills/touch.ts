import type { Context } from '../../context.ts'
import { invalid } from '../../core/refusal.ts'
import { sql } from '../../db/sql.ts'
import { recordEach } from '../../events/record.ts'
import type { Bill } from '../bills/model.ts'
import { eventsOf } from '../changes.ts'
import { type Status, touch } from '../lifecycle.ts'
import type { ConsolidatedBill } from './model.ts'
import { readConsolidatedBill, saveConsolidatedBill, sumsAreExact } from './store.ts'

const sums = ['sub_total_amount', 'tax_amount', 'total_amount'] as const

/**
 * A bill of the statement has changed, and the statement shows its bills: its revision rises, and where the bill's content changed after
 * sending, the statement is edited too. The caller holds the statement's lock.
 */
export async function touchStatement(ctx: Context, [before, after]: [Bill, Bill], { contentChanged }: { contentChanged: boolean }): Promise<void> {
  const statement = await readExact(ctx, before.consolidated_bill_id as string)
  await saveConsolidatedBill(ctx, { ...statement, ...(contentChanged && touch(statement, 'statement')) }, null)
  const were = sums.map((field) => [field, Number(BigInt(statement[field]) - BigInt(after[field]) + BigInt(before[field]))])
  await recordStatement(ctx, { ...statement, ...Object.fromEntries(were) })
}

export async function statusOf(ctx: Context, id: string): Promise<Status> {
  return (await readConsolidatedBill(ctx, id)).status_id
}

/** Sums are made when they are read, so what they may become is checked whenever the bills have changed. */
export async function readExact(ctx: Context, id: string): Promise<ConsolidatedBill> {
  if (!(await sumsAreExact(ctx, id)))
    throw invalid(
      'total_amount',
      'amount_too_large',
      'The sums of the statement would be beyond ±9007199254740991, the largest amount that can be kept exactly.',
    )
  return readConsolidatedBill(ctx, id)
}

const ofEveryChange = new Set(['revision', 'updated_at', 'available_actions'])

/** What the statement has become, and what it was before, goes into its history. */
export async function recordStatement(ctx: Context, before: ConsolidatedBill, reason?: string): Promise<void> {
  const now = await readExact(ctx, before.id)
  const changed = Object.entries(before).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(now[field as keyof ConsolidatedBill]) && !ofEveryChange.has(field),
  )
  const events = eventsOf('consolidated_bill', { id: now.id, from: before.status_id, to: now.status_id, previous: Object.fromEntries(changed), reason })
  await recordEach(ctx, 'consolidated_bill', events, sql`select id, revision, json from consolidated_bills_wire where org_id = ${ctx.org} and id = ${now.id}`)
}
