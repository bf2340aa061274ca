import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export type RateRow = { id: string; rate: string; is_inverse: boolean }

/** The day that it is in an organization. */
export async function findToday(ctx: Context): Promise<string> {
  const [row] = await ctx.run<{ day: string }>(sql`
    select (statement_timestamp() at time zone time_zone)::date::text as day from organizations where org_id = ${ctx.org}`)
  return row?.day ?? new Date().toISOString().slice(0, 10)
}

/** The rate of a pair on a day: in its own direction, or else in the other. */
export async function findRateOn(ctx: Context, from: string, to: string, on: string): Promise<RateRow | undefined> {
  const [row] = await ctx.run<RateRow>(sql`
    select id, trim_scale(rate)::text as rate, from_currency_id <> ${from} as is_inverse from exchange_rates
    where org_id = ${ctx.org} and (from_currency_id = ${from} and to_currency_id = ${to} or from_currency_id = ${to} and to_currency_id = ${from})
      and starts_on <= ${on}::date and coalesce(ends_on, 'infinity') >= ${on}::date
    order by is_inverse limit 1`)
  return row
}

export type HomeRow = {
  home_currency_id: string | null
  required: boolean
  place: number
  rate: string | null
  is_inverse: boolean | null
}

/** The home currency, and the rate to it of each of these currencies at each of these dates. */
export async function listHomeRates(
  ctx: Context,
  currencies: readonly string[],
  dates: readonly string[],
): Promise<HomeRow[]> {
  return ctx.run<HomeRow>(sql`
    select distinct on (w.place) o.home_currency_id, o.require_exchange_rate as required, w.place::int as place, trim_scale(r.rate)::text as rate,
      r.from_currency_id <> w.currency_id as is_inverse
    from organizations o cross join unnest(${currencies}::text[], ${dates}::timestamptz[]) with ordinality as w(currency_id, at, place)
    left join exchange_rates r on r.org_id = o.org_id
      and (r.from_currency_id = w.currency_id and r.to_currency_id = o.home_currency_id or r.from_currency_id = o.home_currency_id and r.to_currency_id = w.currency_id)
      and r.starts_on <= day_of(w.at, o.time_zone) and coalesce(r.ends_on, 'infinity') >= day_of(w.at, o.time_zone)
    where o.org_id = ${ctx.org} order by w.place, is_inverse`)
}
