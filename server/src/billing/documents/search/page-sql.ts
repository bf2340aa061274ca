import { parseDate } from '../../../core/dates.ts'
import { type Page, pageOf } from '../../../core/pages.ts'
import { named, type Statement, sliceOf, sql, when } from '../../../db/sql.ts'
import { asked, askedOrg, pageInOrderOf, pageOfTally, reckon, reckonedTotal, type Slice } from '../../../db/tally-pages.ts'
import { type Kind, onceFor } from '../model/kind.ts'
import { type Status, statuses } from '../model/lifecycle.ts'
import { filterOf, type Search, type Sort, sortOf } from './search-sql.ts'
import { tallies } from './tallies-sql.ts'

const pieces = onceFor(({ plural }) => ({
  rows: named`from ${plural} b where `,
  wire: named`join ${`${plural}_wire`} w`,
}))

/** The search as one statement that answers `total` and `list`. */
export function searchStatement(kind: Kind, org: string, search: Search): Statement {
  const page = pageOf(search)
  const sort = sortOf(kind, search.sort)
  const { rows, wire } = pieces(kind)
  const list = (whose: Statement, page: Statement) => sql`
    (select '[' || coalesce(string_agg(w.json, ',' order by place), '') || ']' from (select id, row_number() over () as place from (${page}) ordered) page
      ${wire} on w.org_id = ${whose} and w.id = page.id) as list`
  const slice = sliceOfTally(kind, org, search, sort, page)
  if (search.search_term?.trim()) {
    return sql`
      with found as materialized (select b.id, ${sort.column} as value ${rows}${filterOf(kind, org, search)})
      select (select count(*)::int from found) as total, ${list(sql`${org}`, pageOfFound(sort, page))}`
  }
  if (!slice) {
    const total = sql`(select count(*)::int ${rows}${filterOf(kind, org, search)})`
    return sql`select ${total} as total, ${list(sql`${org}`, plainPage(kind, org, search, sort, page))}`
  }
  const tallied = talliedPage(kind, slice, sort) ?? plainPage(kind, org, search, sort, page)
  return sql`with ${reckon(slice)} select ${reckonedTotal} as total, ${list(askedOrg, tallied)}`
}

/** By the tally in its own order, or across it in that of the other time. A document is never changed before it is created, which bounds the one by the other. */
function talliedPage(kind: Kind, slice: Slice, { name }: Sort): Statement | undefined {
  if (name !== 'created_at' && name !== 'updated_at') return undefined
  const tally = tallies(kind)[name]
  if (slice.tally === tally) return pageOfTally(slice)
  const { at } = tally
  if (name === 'created_at') return pageInOrderOf(slice, at, when(slice.before, sql` and ${at} < ${asked.before}`))
  return pageInOrderOf(slice, at, when(slice.since, sql` and ${at} >= ${asked.since}`))
}

/** What the tallies can answer: states, and a range of one of the two times. Undefined where any other filter is given. */
function sliceOfTally(kind: Kind, org: string, search: Search, { name, descending }: Sort, page: Page): Slice | undefined {
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
    ...rest
  } = search
  if (Object.values(rest).some((value) => value !== undefined)) return undefined
  const created = { since: latest(created_start_at), before: endOf(created_end_at) }
  const updated = { since: latest(update_start_at, updated_start_at), before: endOf(updated_end_at) }
  const [byCreated, byUpdated] = [created, updated].map(({ since, before }) => since !== undefined || before !== undefined)
  if (byCreated && byUpdated) return undefined
  const time = byUpdated || (!byCreated && name === 'updated_at') ? 'updated_at' : 'created_at'
  const range = time === 'updated_at' ? updated : created
  return { org, tally: tallies(kind)[time], labels: labelsOf(status_ids, unpaid), ...range, descending, ...page }
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
function plainPage(kind: Kind, org: string, search: Search, sort: Sort, page: Page): Statement {
  const filter = filterOf(kind, org, search)
  const { rows } = pieces(kind)
  const { column, nullable, descending } = sort
  const direction = descending ? sql`desc` : sql`asc`
  const reach = page.offset > 0 ? sql`limit ${page.offset + page.limit}` : sliceOf({ offset: 0, limit: page.limit })
  if (nullable) {
    // What has no value comes last in both directions, and an index can be read so only if the two are read apart.
    return sql`
      select id from (
        (select b.id, 0 as part, ${column} as value ${rows}${filter} and ${column} is not null order by ${column} ${direction}, b.id ${direction} ${reach})
        union all (select b.id, 1, null ${rows}${filter} and ${column} is null order by b.id ${direction} ${reach})) parts
      order by part, value ${direction}, id ${direction} ${sliceOf(page)}`
  }
  const ordered = (and: Statement, slice: Statement) =>
    sql`select b.id, ${column} as value ${rows}${filter}${and} order by ${column} ${direction}, b.id ${direction} ${slice}`
  if (!search.status_ids || search.status_ids.length < 2) return ordered(sql``, sliceOf(page))
  return sql`
    select found.id from unnest(${[...new Set(search.status_ids)]}::text[]) as wanted(status_id)
    cross join lateral (${ordered(sql` and b.status_id = wanted.status_id`, reach)}) found
    order by value ${direction}, id ${direction} ${sliceOf(page)}`
}

/** A text is looked for in every document of the organization, so it is done once for the total and the page. */
function pageOfFound({ descending }: Sort, page: Page): Statement {
  const direction = descending ? sql`desc` : sql`asc`
  return sql`select id from found order by value ${direction} nulls last, id ${direction} ${sliceOf(page)}`
}

/** Every match in order, by ids alone. Where there is always a value, the index is in this order already. */
export function everyMatch(kind: Kind, org: string, search: Search): Statement {
  const { column, nullable, descending } = sortOf(kind, search.sort)
  const nulls = nullable ? sql`nulls last` : sql``
  const order = descending ? sql`${column} desc ${nulls}, b.id desc` : sql`${column} asc ${nulls}, b.id asc`
  return sql`select b.org_id, b.id ${pieces(kind).rows}${filterOf(kind, org, search)} order by ${order} offset 0`
}
