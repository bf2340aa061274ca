import type { Context } from '../../context.ts'
import { sum } from '../../core/money.ts'
import { sql } from '../../db/sql.ts'
import { record } from '../../events/record.ts'
import { type Lifecycle, type Status, touch } from '../lifecycle.ts'

/**
 * A bill of the statement has changed, and with it the statement's sums: its revision rises, and once sent it is edited. The caller holds the
 * statement's lock.
 */
export async function touchStatement(ctx: Context, id: string): Promise<void> {
  const [before] = await ctx.run<Lifecycle>(
    sql`select status_id, null as sent_at, null as paid_at from consolidated_bills where org_id = ${ctx.org} and id = ${id}`,
  )
  if (!before) return
  const { status_id } = touch(before, 'statement')
  await requireExactSums(ctx, id)
  await ctx.run(
    sql`update consolidated_bills set revision = revision + 1, updated_at = clock_timestamp(), status_id = ${status_id} where org_id = ${ctx.org} and id = ${id}`,
  )
  const [now] = await ctx.run<{ revision: number; json: string }>(
    sql`select revision, json from consolidated_bills_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  const previous = status_id === before.status_id ? {} : { status_id: before.status_id }
  if (now)
    await record(ctx, { type: 'consolidated_bill.updated', subject: { type: 'consolidated_bill', id }, revision: now.revision, data: now.json, previous })
}

export async function statusOf(ctx: Context, id: string): Promise<Status | undefined> {
  const [row] = await ctx.run<{ status_id: Status }>(sql`select status_id from consolidated_bills where org_id = ${ctx.org} and id = ${id}`)
  return row?.status_id
}

/** Sums are made when they are read, so what they may become is checked when a bill changes. */
export async function requireExactSums(ctx: Context, id: string): Promise<void> {
  const rows = await ctx.run<{ total_amount: string }>(sql`select total_amount::text from bills where org_id = ${ctx.org} and consolidated_bill_id = ${id}`)
  sum(
    rows.map(({ total_amount }) => Number(total_amount)),
    'total_amount',
  )
}
