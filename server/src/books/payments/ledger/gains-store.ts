import { type Context, together } from '../../../platform/context.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { HomeCurrencyRate } from '../../rates/conversion.ts'
import type { Target } from './allocations-store.ts'
import type { Direction } from './model.ts'

/** What settles a document, or what a payment settles. */
export type SettlementFilter = { target: Target; document: string } | { payment: string }

/** A part of a document that is settled, with the rates of both sides. */
export type ValuedAllocation = {
  id: string
  payment_id: string | null
  amount: number
  currency_id: string
  gain_amount: number | null
  created_at: string
  direction: Direction
  document: HomeCurrencyRate
  source: HomeCurrencyRate
}

/** The payments that settle a document, in the order of their ids. */
export async function listPaymentsOfStanding(ctx: Context, settling: SettlementFilter): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select distinct a.payment_id as id from allocations a where a.org_id = ${ctx.org} and ${isOf(settling)} and a.payment_id is not null order by 1`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Locked, then read: whoever gives the other side its rate at the same time has written it by then, or waits here and finds ours. The caller has written
 * its own side, and has the payments locked.
 */
export async function lockValued(ctx: Context, settling: SettlementFilter): Promise<ValuedAllocation[]> {
  type Row = Omit<ValuedAllocation, 'amount' | 'gain_amount'> & { amount: string; gain_amount: string | null }
  const [, rows] = await together(
    ctx.run(
      sql`select a.id from allocations a where a.org_id = ${ctx.org} and ${isOf(settling)} order by a.id for update`,
    ),
    ctx.run<Row>(sql`
      select a.id, a.payment_id, a.amount, a.currency_id, a.gain_amount, wire_time(a.created_at) as created_at, coalesce(p.direction, c.direction) as direction,
        json_build_object('exchange_rate', trim_scale(coalesce(b.exchange_rate, i.exchange_rate, t.exchange_rate))::text,
          'home_currency_id', coalesce(b.home_currency_id, i.home_currency_id, t.home_currency_id)) as document,
        json_build_object('exchange_rate', trim_scale(coalesce(p.exchange_rate, c.exchange_rate))::text,
          'home_currency_id', coalesce(p.home_currency_id, c.home_currency_id)) as source
      from allocations a
      left join payments p on p.org_id = a.org_id and p.id = a.payment_id left join credits c on c.org_id = a.org_id and c.id = a.from_credit_id
      left join bills b on b.org_id = a.org_id and b.id = a.bill_id left join invoices i on i.org_id = a.org_id and i.id = a.invoice_id
      left join credits t on t.org_id = a.org_id and t.id = a.to_credit_id
      where a.org_id = ${ctx.org} and ${isOf(settling)} order by a.id`),
  )
  return rows.map((row) => ({
    ...row,
    amount: Number(row.amount),
    gain_amount: row.gain_amount === null ? null : Number(row.gain_amount),
  }))
}

/** A credit is settled by what it is applied to as well. */
function isOf(settling: SettlementFilter): Statement {
  if ('payment' in settling) return sql`a.payment_id = ${settling.payment} and a.ended_at is null`
  const { target, document } = settling
  const own = sql`a.${named(target)} = ${document}`
  return sql`${target === 'to_credit_id' ? sql`(${own} or a.from_credit_id = ${document})` : own} and a.ended_at is null`
}

export type Gain = { id: string; gain_amount: number | null }

/** What rates made of allocations, and of the payments that they are of, whose rows the caller has locked. */
export async function saveGains(ctx: Context, gains: readonly Gain[], payments: readonly string[]): Promise<void> {
  if (gains.length === 0) return
  await together(
    ctx.run(sql`
      update allocations a set gain_amount = n.gain from (
        select allocation, gain_amount as gain from jsonb_to_recordset(${JSON.stringify(gains.map(({ id, ...gain }) => ({ allocation: id, ...gain })))}::text::jsonb)
          as r(allocation uuid, gain_amount bigint)) n
      where a.org_id = ${ctx.org} and a.id = n.allocation`),
    ctx.run(sql`
      update payments p set realized_gain_amount = (
        select sum(a.gain_amount)::bigint from allocations a where a.org_id = ${ctx.org} and a.payment_id = p.id and a.ended_at is null)
      where p.org_id = ${ctx.org} and p.id = ${oneOf(payments)}`),
  )
}

/** Another revision of payments, of which one may have another rate. */
export async function saveRepriced(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.run(
    sql`update payments set revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${oneOf(ids)}`,
  )
}

export async function saveRate(
  ctx: Context,
  id: string,
  { exchange_rate, home_currency_id }: HomeCurrencyRate,
): Promise<void> {
  await ctx.run(
    sql`update payments set exchange_rate = ${exchange_rate}, home_currency_id = ${home_currency_id} where org_id = ${ctx.org} and id = ${id}`,
  )
}
