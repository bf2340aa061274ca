import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import { nextRevision } from './store.ts'

/** What was paid back of a payment has changed: it is the sum of its refunds. The caller has the payment locked. */
export async function saveRefunded(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`
    update payments set ${nextRevision}, refunded_amount = coalesce((
      select sum(r.amount)::bigint from payments r where r.org_id = ${ctx.org} and r.refund_of_id = ${id} and r.status in ('issued', 'cleared')), 0)
    where org_id = ${ctx.org} and id = ${id}`)
}

/** The refunds of a payment that stand. */
export async function listRefundIds(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select r.id from payments r where r.org_id = ${ctx.org} and r.refund_of_id = ${id} and r.status in ('issued', 'cleared') order by r.id`,
  )
  return rows.map(({ id }) => id)
}

/** The days of these moments, where the organization is. */
export async function daysOf(ctx: Context, moments: readonly string[]): Promise<string[]> {
  const rows = await ctx.run<{ day: string }>(sql`
    select day_of(asked.at, o.time_zone)::text as day
    from organizations o cross join unnest(${moments}::timestamptz[]) with ordinality as asked(at, place)
    where o.org_id = ${ctx.org} order by asked.place`)
  return rows.map(({ day }) => day)
}

export type RefundGain = { id: string; gain_amount: number | null }

/** What rates made of refunds, whose rows the caller has locked. */
export async function saveRefundGains(ctx: Context, gains: readonly RefundGain[]): Promise<void> {
  if (gains.length === 0) return
  await ctx.run(sql`
    update payments p set realized_gain_amount = n.gain from (
      select refund, gain_amount as gain from jsonb_to_recordset(${JSON.stringify(gains.map(({ id, ...gain }) => ({ refund: id, ...gain })))}::text::jsonb)
        as r(refund uuid, gain_amount bigint)) n
    where p.org_id = ${ctx.org} and p.id = n.refund`)
}

/** The numbers of the refunds of a payment that stand. */
export async function listRefunds(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.run<{ number: string }>(sql`
    select 'PAY-' || lpad(r.number::text, greatest(6, length(r.number::text)), '0') as number from payments r
    where r.org_id = ${ctx.org} and r.refund_of_id = ${id} and r.status in ('issued', 'cleared') order by r.number limit 10`)
  return rows.map(({ number }) => number)
}
