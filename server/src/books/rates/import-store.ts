import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Content } from './model.ts'
import type { Range } from './ranges.ts'

/** A pair of currencies, and the first and last day of the rates that are to be put among its own. */
export type Window = { from: string; to: string; first: string; last: string }
export type RangeOfPair = Range & { id: string; from: string; to: string }

/** The rates of each pair that hold from its first day to its last, and the next one behind it; locked. */
export async function lockAround(ctx: Context, windows: readonly Window[]): Promise<RangeOfPair[]> {
  return ctx.run<RangeOfPair>(sql`
    select r.id, r.from_currency_id as from, r.to_currency_id as to, trim_scale(r.rate)::text as rate, r.source, r.starts_on::text as starts_on, r.ends_on::text as ends_on
    from exchange_rates r join jsonb_to_recordset(${JSON.stringify(windows)}::text::jsonb) as w("from" text, "to" text, first date, last date)
      on r.from_currency_id = w.from and r.to_currency_id = w.to
    where r.org_id = ${ctx.org} and coalesce(r.ends_on, 'infinity') >= w.first and r.starts_on <= coalesce((
      select min(n.starts_on) from exchange_rates n where n.org_id = ${ctx.org} and n.from_currency_id = w.from and n.to_currency_id = w.to and n.starts_on > w.last), w.last)
    order by r.from_currency_id, r.to_currency_id, r.starts_on for update of r`)
}

export async function saveRates(ctx: Context, rates: readonly (Content & { id: string })[]): Promise<void> {
  if (rates.length === 0) return
  await ctx.run(sql`
    update exchange_rates r set rate = n.rate, ends_on = n.ends_on, source = n.source, revision = r.revision + 1, updated_at = statement_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rates)}::text::jsonb) as n(id uuid, rate numeric, ends_on date, source text) where r.org_id = ${ctx.org} and r.id = n.id`)
}

export async function insertRates(ctx: Context, rates: readonly (Content & { id: string })[]): Promise<void> {
  if (rates.length === 0) return
  await ctx.run(sql`
    insert into exchange_rates (org_id, id, from_currency_id, to_currency_id, rate, starts_on, ends_on, source)
    select own.org_id, n.id, n.from_currency_id, n.to_currency_id, n.rate, n.starts_on, n.ends_on, n.source from organizations own
    cross join jsonb_to_recordset(${JSON.stringify(rates)}::text::jsonb)
      as n(id uuid, from_currency_id text, to_currency_id text, rate numeric, starts_on date, ends_on date, source text) where own.org_id = ${ctx.org}`)
}
