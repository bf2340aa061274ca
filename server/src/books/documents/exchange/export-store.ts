import type { Readable } from 'node:stream'
import type { Context } from '../../../platform/context.ts'
import type { Cursor } from '../../../platform/core/schema/cursors.ts'
import { type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Kind } from '../model/kind/kind.ts'
import { everyMatch, matchesAfter } from '../search/page-sql.ts'
import type { Search } from '../search/search-sql.ts'
import { tablesOf } from '../search/tables-sql.ts'
import { narrowToCaller } from '../store/access.ts'

/** One document and its lines, as JSON texts. */
export type ExportRow = { json: string; lines: string }

/** Every document that matches, in order, from one snapshot. */
export function streamDocuments(
  ctx: Context,
  kind: Kind,
  search: Search,
  toText: (rows: ExportRow[]) => string,
  head: string,
): Promise<Readable> {
  // The order is settled on ids alone; each document is made when its turn comes, so that the first are there at once and none is kept in memory.
  const statement = sql`
    select w.json, coalesce(i.lines, '') as lines
    from (${everyMatch(kind, ctx.org, narrowToCaller(ctx, kind, search))}) found ${documentsFound(kind, ctx.org)}`
  return ctx.stream<ExportRow>(statement, toText, head)
}

/** So many documents behind a cursor, in order, by one statement; each with the values that a cursor behind it has, as JSON. */
export async function listPage(
  ctx: Context,
  kind: Kind,
  search: Search,
  page: { after: Cursor | undefined; limit: number },
): Promise<(ExportRow & { key: string })[]> {
  const { matches, key } = matchesAfter(kind, ctx.org, narrowToCaller(ctx, kind, search), page)
  return ctx.run<ExportRow & { key: string }>(sql`
    select w.json, coalesce(i.lines, '') as lines, ${key} as key
    from (select page.id, page.value, row_number() over () as place from (${matches}) page) found
      ${documentsFound(kind, ctx.org)}
    order by found.place`)
}

/** The documents `w` that were `found`, each with its lines `i`. */
function documentsFound(kind: Kind, org: string): Statement {
  const { documentsWire, linesWire, parentKey } = tablesOf(kind)
  return sql`
    cross join lateral (select json from ${documentsWire} where org_id = ${org} and id = found.id offset 0) w
    left join lateral (
      select string_agg(json, ',' order by position) as lines from ${linesWire}
      where org_id = ${org} and ${parentKey} = found.id offset 0) i on true`
}
