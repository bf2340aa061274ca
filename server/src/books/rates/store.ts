import type { Context } from '../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, type Order, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import { type EventOf, recordEach } from '../../platform/events/record.ts'
import { type Content, type ExchangeRate, type ExchangeRateSearch, ratesOverlap } from './model.ts'

const byStart = (descending: boolean): Order => ({
  keys: [
    { value: sql`starts_on::text`, type: 'text' },
    { value: sql`id`, type: 'id' },
  ],
  descending,
})

const orders = { '-created_at': newestFirst, '-starts_on': byStart(true), starts_on: byStart(false) } as const

export async function listRates(ctx: Context, search: ExchangeRateSearch): Promise<string> {
  const { from_currency_ids, to_currency_ids, on, sort = '-created_at' } = search
  const order = orders[sort]
  const page = pageOf('exchange_rates', search, keyTypesOf(order))
  const lower = (codes: readonly string[] | undefined) => codes?.map((code) => code.toLowerCase())
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'exchange_rates', search)}
    ${when(from_currency_ids, sql`and from_currency_id = any(${lower(from_currency_ids)}::text[])`)}
    ${when(to_currency_ids, sql`and to_currency_id = any(${lower(to_currency_ids)}::text[])`)}
    ${when(on, sql`and starts_on <= ${on}::date and coalesce(ends_on, 'infinity') >= ${on}::date`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from exchange_rates where ${filter})`,
      rows: sql`from exchange_rates_wire where ${filter}`,
      order,
      page,
    }),
  )
  return envelope('exchange_rates', found ?? nothingFound, page)
}

export async function findRate(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from exchange_rates_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockRate(ctx: Context, id: string): Promise<ExchangeRate | undefined> {
  const locked = await ctx.run(sql`select id from exchange_rates where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findRate(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

export type Range = Pick<ExchangeRate, 'id' | 'rate' | 'starts_on' | 'ends_on'>

/** The rates of the pair that hold on some of these days, the first of them first, without this one. */
export async function lockOverlapping(
  ctx: Context,
  { from_currency_id, to_currency_id, starts_on, ends_on }: Content,
  without?: string,
): Promise<Range[]> {
  return ctx.run<Range>(sql`
    select id, trim_scale(rate)::text as rate, starts_on::text as starts_on, ends_on::text as ends_on from exchange_rates
    where org_id = ${ctx.org} and from_currency_id = ${from_currency_id} and to_currency_id = ${to_currency_id} and id is distinct from ${without ?? null}::uuid
      and daterange(starts_on, ends_on, '[]') && daterange(${starts_on}::date, ${ends_on}::date, '[]')
    order by starts_on for update`)
}

export async function insertRate(ctx: Context, id: string, content: Content): Promise<void> {
  const { from_currency_id, to_currency_id, rate, starts_on, ends_on, source } = content
  await ctx
    .run(
      sql`insert into exchange_rates (org_id, id, from_currency_id, to_currency_id, rate, starts_on, ends_on, source)
        values (${ctx.org}, ${id}, ${from_currency_id}, ${to_currency_id}, ${rate}, ${starts_on}, ${ends_on}, ${source})`,
    )
    .catch(refusing(content))
}

export async function saveRate(ctx: Context, id: string, content: Content): Promise<void> {
  const { rate, starts_on, ends_on, source } = content
  await ctx
    .run(
      sql`update exchange_rates set rate = ${rate}, starts_on = ${starts_on}, ends_on = ${ends_on}, source = ${source}, revision = revision + 1,
        updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`,
    )
    .catch(refusing(content))
}

export async function endRate(ctx: Context, id: string, ends_on: string | null): Promise<void> {
  await ctx.run(sql`
    update exchange_rates set ends_on = ${ends_on}, revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteRate(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from exchange_rates where org_id = ${ctx.org} and id = ${id}`)
}

/** Records events of rates, each with the rate as it is now. */
export function recordRates(ctx: Context, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  return recordEach(
    ctx,
    'exchange_rate',
    events,
    sql`select id, revision, json from exchange_rates_wire where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}

function refusing(content: Content) {
  return (error: unknown): never => {
    throw isOverlap(error) ? ratesOverlap(content) : error
  }
}

/** Also two of one pair that start on the same day. */
export function isOverlap(error: unknown): boolean {
  return ['exchange_rates_do_not_overlap', 'exchange_rates_of_a_day'].includes(violatedConstraint(error) ?? '')
}
