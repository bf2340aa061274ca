import { parseDate } from '../../core/dates.ts'
import { type Page, pageOf } from '../../core/pages.ts'
import { type Statement, sliceOf, sql, when } from '../../db/sql.ts'
import { asked, askedOrg, pageInOrderOf, pageOfTally, reckon, reckonedTotal, type Slice } from '../../db/tally-pages.ts'
import { type Status, statuses } from '../lifecycle.ts'
import { billTallies } from './counted.ts'
import { type BillSearch, filterOf, type Sort, sortOf } from './search.ts'

/** The search as one statement that answers `total` and `list`. */
export function searchStatement(org: string, search: BillSearch): Statement {
  const page = pageOf(search)
  const sort = sortOf(search.sort)
  const list = (whose: Statement, rows: Statement) => sql`
    (select '[' || coalesce(string_agg(w.json, ',' order by place), '') || ']' from (select id, row_number() over () as place from (${rows}) ordered) page
      join bills_wire w on w.org_id = ${whose} and w.id = page.id) as list`
  const slice = sliceOfTally(org, search, sort, page)
  if (!slice) {
    const total = sql`(select count(*)::int from bills b where ${filterOf(org, search)})`
    return sql`select ${total} as total, ${list(sql`${org}`, plainPage(org, search, sort, page))}`
  }
  return sql`with ${reckon(slice)} select ${reckonedTotal} as total, ${list(askedOrg, talliedPage(slice, sort) ?? plainPage(org, search, sort, page))}`
}

/** By the tally in its own order, or across it in that of the other time. A bill is never changed before it is made, which bounds the one by the other. */
function talliedPage(slice: Slice, { column }: Sort): Statement | undefined {
  if (column !== 'created_at' && column !== 'updated_at') return undefined
  if (slice.tally === billTallies[column]) return pageOfTally(slice)
  const { at } = billTallies[column]
  if (column === 'created_at') return pageInOrderOf(slice, at, when(slice.before, sql` and ${at} < ${asked.before}`))
  return pageInOrderOf(slice, at, when(slice.since, sql` and ${at} >= ${asked.since}`))
}

/** What the tallies can answer: states, and a range of one of the two times. Undefined where anything else is asked. */
function sliceOfTally(org: string, search: BillSearch, { column, descending }: Sort, page: Page): Slice | undefined {
  const {
    status_ids,
    unpaid,
    created_start_at,
    created_end_at,
    update_start_at,
    updated_start_at,
    updated_end_at,
    sort: _,
    offset: __,
    limit: ___,
    ...others
  } = search
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const created = { since: latest(created_start_at), before: endOf(created_end_at) }
  const updated = { since: latest(update_start_at, updated_start_at), before: endOf(updated_end_at) }
  const [byCreated, byUpdated] = [created, updated].map(({ since, before }) => since !== undefined || before !== undefined)
  if (byCreated && byUpdated) return undefined
  const time = byUpdated || (!byCreated && column === 'updated_at') ? 'updated_at' : 'created_at'
  const range = time === 'updated_at' ? updated : created
  return { org, tally: billTallies[time], labels: labelsOf(status_ids, unpaid), ...range, descending, ...page }
}

function labelsOf(status_ids: readonly Status[] | undefined, unpaid: boolean | undefined): Status[] | undefined {
  if (status_ids === undefined && unpaid === undefined) return undefined
  return statuses.filter((status) => (status_ids?.includes(status) ?? true) && (unpaid === undefined || (status !== 'paid') === unpaid))
}

function latest(...times: (string | undefined)[]): Date | undefined {
  const given = times.flatMap((text) => (text === undefined ? [] : [parseDate(text, 'start')?.getTime() ?? Number.NaN])).filter((time) => !Number.isNaN(time))
  return given.length > 0 ? new Date(Math.max(...given)) : undefined
}

/** The first millisecond after an inclusive end; none where nothing can come after it. */
function endOf(text: string | undefined): Date | undefined {
  const last = text === undefined ? null : parseDate(text, 'end')
  const after = last && new Date(last.getTime() + 1)
  return after && after.getUTCFullYear() <= 9999 ? after : undefined
}

/** One page of any search, in any order, by the rows themselves. */
function plainPage(org: string, search: BillSearch, sort: Sort, page: Page): Statement {
  const filter = filterOf(org, search)
  const { of, nullable, descending } = sort
  const direction = descending ? sql`desc` : sql`asc`
  const reach = page.offset > 0 ? sql`limit ${page.offset + page.limit}` : sliceOf({ offset: 0, limit: page.limit })
  if (nullable) {
    // What has no value comes last in both directions, and an index can be read so only if the two are read apart.
    return sql`
      select id from (
        (select b.id, 0 as part, ${of} as value from bills b where ${filter} and ${of} is not null order by ${of} ${direction}, b.id ${direction} ${reach})
        union all (select b.id, 1, null from bills b where ${filter} and ${of} is null order by b.id ${direction} ${reach})) parts
      order by part, value ${direction}, id ${direction} ${sliceOf(page)}`
  }
  const rows = (and: Statement, slice: Statement) =>
    sql`select b.id, ${of} as value from bills b where ${filter}${and} order by ${of} ${direction}, b.id ${direction} ${slice}`
  if (!search.status_ids || search.status_ids.length < 2) return rows(sql``, sliceOf(page))
  return sql`
    select found.id from unnest(${[...new Set(search.status_ids)]}::text[]) as wanted(status_id)
    cross join lateral (${rows(sql` and b.status_id = wanted.status_id`, reach)}) found
    order by value ${direction}, id ${direction} ${sliceOf(page)}`
}
