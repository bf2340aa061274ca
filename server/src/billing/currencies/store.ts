import type { Context } from '../../context.ts'
import { envelope, nothingFound, type Page } from '../../core/pages.ts'
import { sliceOf, sql, when } from '../../db/sql.ts'

export async function listCurrencies(ctx: Context, term: string | undefined, page: Page): Promise<string> {
  const filter = sql`true ${when(term, sql`and position(lower(${term}) in lower(c.name || ' ' || c.id)) > 0`)}`
  const [row] = await ctx.run<{ list: string; total: number }>(sql`
    select (select count(*)::int from currencies c where ${filter}) as total,
      (select '[' || coalesce(string_agg(json, ',' order by id), '') || ']' from (
        select w.json, c.id from currencies c join currencies_wire w on w.id = c.id where ${filter} order by c.id ${sliceOf(page)}) as page) as list`)
  return envelope('currencies', row ?? nothingFound, page)
}

export async function findCurrency(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ json: string }>(sql`select json from currencies_wire where id = lower(${id})`)
  return row?.json
}

export async function listCurrencyIds(ctx: Context): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(sql`select id from currencies`)
  return rows.map(({ id }) => id)
}
