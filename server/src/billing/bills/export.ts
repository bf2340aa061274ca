import type { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { type Cell, csvLine } from '../../core/csv.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { columns } from './columns.ts'
import type { Bill } from './model.ts'
import { type BillSearch, filterOf, sortOf } from './search.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

type Row = { json: string; lines: string }

/** Every bill that matches, in order, one line each, from one snapshot. */
export function exportBills(ctx: Context, search: BillSearch, format: Format): Promise<Readable> {
  const head = format === 'csv' ? csvLine(columns.map(({ name }) => name)) : ''
  const line = format === 'csv' ? csvOf : jsonOf
  // The order is settled on ids alone; each bill is made when its turn comes, so that the first are there at once and none is held.
  const statement = sql`
    select w.json, coalesce(i.lines, '') as lines
    from (select b.org_id, b.id from bills b where ${filterOf(ctx.org, search)} order by ${orderBy(search)} offset 0) found
    cross join lateral (select json from bills_wire where org_id = found.org_id and id = found.id offset 0) w
    left join lateral (
      select string_agg(json, ',' order by position) as lines from bill_items_wire where org_id = found.org_id and bill_id = found.id offset 0) i on true`
  return ctx.stream<Row>(statement, (rows) => rows.map(line).join(''), head)
}

function jsonOf({ json, lines }: Row): string {
  return `${json.slice(0, -1)},"bill_items":[${lines}]}\n`
}

function csvOf({ json, lines }: Row): string {
  const bill: Bill = JSON.parse(json)
  return csvLine(columns.map(({ write }) => write(bill, lines) as Cell))
}

/** Where there is always a value, the index is in this order already. */
function orderBy({ sort }: BillSearch): Statement {
  const { of, nullable, descending } = sortOf(sort)
  const nulls = nullable ? sql`nulls last` : sql``
  return descending ? sql`${of} desc ${nulls}, b.id desc` : sql`${of} asc ${nulls}, b.id asc`
}
