import type { Context } from '../../platform/context.ts'
import {
  envelope,
  type FoundRecords,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../platform/core/schema/pages.ts'
import { keyTypesOf, type Order, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'

const byCode: Order = { keys: [{ value: sql`c.id`, type: 'text' }], descending: false }

export async function listCurrencies(ctx: Context, search: PageRequest & { search_term?: string }): Promise<string> {
  const page = pageOf('currencies', search, keyTypesOf(byCode))
  const filter = sql`true ${when(search.search_term, sql`and position(lower(${search.search_term}) in lower(c.name || ' ' || c.id)) > 0`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from currencies c where ${filter})`,
      rows: sql`from currencies c join currencies_wire w on w.id = c.id where ${filter}`,
      order: byCode,
      page,
    }),
  )
  return envelope('currencies', found ?? nothingFound, page)
}

export async function findCurrency(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ json: string }>(sql`select json from currencies_wire where id = lower(${id})`)
  return row?.json
}

export async function listMinorUnits(ctx: Context): Promise<{ id: string; minor_units: number }[]> {
  return ctx.run<{ id: string; minor_units: number }>(sql`select id, minor_units from currencies`)
}
