import type { Cursor } from '../../../platform/core/schema/cursors.ts'
import { type Page, pageOf } from '../../../platform/core/schema/pages.ts'
import { parseDate } from '../../../platform/core/values/dates.ts'
import {
  asked,
  countedTotal,
  countIn,
  pageInOrderOf,
  pageOfTally,
  type Slice,
} from '../../../platform/db/counts/tally-pages.ts'
import { beyond, keyOf, listAndNext, typed } from '../../../platform/db/sql/keyset.ts'
import { nothing, plannedOnce, type Statement, sliceOf, sql, when } from '../../../platform/db/sql/sql.ts'
import { type Status, statuses } from '../model/fields/lifecycle.ts'
import type { Kind } from '../model/kind/kind.ts'
import { filterOf, newest, type Search, type Sort, sortOf } from './search-sql.ts'
import { tablesOf } from './tables-sql.ts'
import { tallies } from './tallies-sql.ts'

export function pageAsked(kind: Kind, search: Search): Page {
  return pageOf(kind.plural, { ...search, sort: search.sort ?? newest }, [sortOf(kind, search.sort).type, 'id'])
}

/** The search as one statement that answers `total`, `list` and `next`. */
export function searchStatement(
  kind: Kind,
  org: string,
  search: Search,
  { limit, ...asked }: Page = pageAsked(kind, search),
): Statement {
  const page = { ...asked, limit: limit + 1 }
  const sort = sortOf(kind, search.sort)
  const { documents, documentsWire } = tablesOf(kind)
  const key = keyOf({ keys: [{ value: sql`page.value`, type: sort.type }, pageId] })
  const listed = (page: Statement) => sql`
    (select ${listAndNext(limit, sql`w.json`, key)} from (select id, value, row_number() over () as place from (${page}) ordered(id, value)) page
      join ${documentsWire} w on w.org_id = ${org} and w.id = page.id) listed`
  const slice = sliceOfTally(kind, org, search, sort, page)
  if (search.search_term?.trim()) {
    return sql`
      with found as materialized (select b.id, ${sort.column} as value from ${documents} b where ${filterOf(kind, org, search)})
      select (select count(*)::int from found) as total, listed.list, listed.next from ${listed(pageOfFound(sort, page))}`
  }
  if (!slice) {
    const total = sql`(select count(*)::int from ${documents} b where ${filterOf(kind, org, search)})`
    return sql`select ${total} as total, listed.list, listed.next from ${listed(plainPage(kind, org, search, sort, page))}`
  }
  const tallied = talliedPage(kind, slice, sort)
  const counted = (page: Statement) =>
    sql`with ${countIn(slice)} select ${countedTotal} as total, listed.list, listed.next from ${listed(page)}`
  return tallied ? plannedOnce(counted(tallied)) : counted(plainPage(kind, org, search, sort, page))
}

const pageId = { value: sql`page.id`, type: 'id' } as const

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
function sliceOfTally(
  kind: Kind,
  org: string,
  search: Search,
  { name, descending }: Sort,
  page: Page,
): Slice | undefined {
  const {
    status_ids,
    unpaid,
    created_start_at,
    created_end_at,
    update_start_at,
    updated_start_at,
    updated_end_at,
    include_voided,
    sort: _,
    offset: __,
    limit: ___,
    after: ____,
    ...rest
  } = search
  if (include_voided || Object.values(rest).some((value) => value !== undefined)) return undefined
  const created = { since: latest(created_start_at), before: endOf(created_end_at) }
  const updated = { since: latest(update_start_at, updated_start_at), before: endOf(updated_end_at) }
  const [byCreated, byUpdated] = [created, updated].map(
    ({ since, before }) => since !== undefined || before !== undefined,
  )
  if (byCreated && byUpdated) return undefined
  const time = byUpdated || (!byCreated && name === 'updated_at') ? 'updated_at' : 'created_at'
  const range = time === 'updated_at' ? updated : created
  const [at, id] = page.after ?? []
  const after =
    page.after && (name === 'created_at' || name === 'updated_at') ? { at: at as string, id: id as string } : undefined
  return {
    org,
    tally: tallies(kind)[time],
    labels: labelsOf(status_ids, unpaid),
    ...range,
    descending,
    offset: page.offset,
    limit: page.limit,
    after,
  }
}

function labelsOf(status_ids: readonly Status[] | undefined, unpaid: boolean | undefined): Status[] | undefined {
  if (status_ids === undefined && unpaid === undefined) return undefined
  return statuses.filter(
    (status) => (status_ids?.includes(status) ?? true) && (unpaid === undefined || (status !== 'paid') === unpaid),
  )
}

function latest(...times: (string | undefined)[]): Date | undefined {
  const given = times
    .flatMap((text) => (text === undefined ? [] : [parseDate(text, 'start')?.getTime() ?? Number.NaN]))
    .filter((time) => !Number.isNaN(time))
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
  const { documents } = tablesOf(kind)
  const { column, nullable, descending, type } = sort
  const direction = descending ? sql`desc` : sql`asc`
  const [value, id] = page.after ?? []
  const behind = beyond({ keys: [{ value: column, type }, rowId], descending }, page.after)
  const reach = page.offset > 0 ? sql`limit ${page.offset + page.limit}` : sliceOf({ offset: 0, limit: page.limit })
  if (nullable) {
    // What has no value comes last in both directions, and an index can be read so only if the two are read apart.
    const without = (and: Statement, slice: Statement) =>
      sql`select b.id, ${typed(type, null)} as value, 1 as part from ${documents} b where ${filter} and ${column} is null${and} order by b.id ${direction} ${slice}`
    if (value === null)
      return sql`select id, value from (${without(beyond({ keys: [rowId], descending }, [id as string]), sliceOf(page))}) parts`
    return sql`
      select id, value from (
        (select b.id, ${column} as value, 0 as part from ${documents} b where ${filter} and ${column} is not null${behind} order by ${column} ${direction}, b.id ${direction} ${reach})
        union all (${without(nothing, reach)})) parts
      order by part, value ${direction}, id ${direction} ${sliceOf(page)}`
  }
  const ordered = (and: Statement, slice: Statement) =>
    sql`select b.id, ${column} as value from ${documents} b where ${filter}${behind}${and} order by ${column} ${direction}, b.id ${direction} ${slice}`
  if (!search.status_ids || search.status_ids.length < 2) return ordered(sql``, sliceOf(page))
  return sql`
    select found.id, found.value from unnest(${[...new Set(search.status_ids)]}::text[]) as wanted(status_id)
    cross join lateral (${ordered(sql` and b.status_id = wanted.status_id`, reach)}) found
    order by value ${direction}, id ${direction} ${sliceOf(page)}`
}

const rowId = { value: sql`b.id`, type: 'id' } as const

/** A text is looked for in every document of the organization, so it is done once for the total and the page. */
function pageOfFound({ type, descending }: Sort, page: Page): Statement {
  const direction = descending ? sql`desc` : sql`asc`
  const [value, id] = page.after ?? []
  const behind = () =>
    value === null
      ? sql`where value is null${beyond({ keys: [foundId], descending }, [id as string])}`
      : sql`where value is null or (true${beyond({ keys: [{ value: sql`value`, type }, foundId], descending }, page.after)})`
  return sql`select id, value from found ${page.after ? behind() : nothing} order by value ${direction} nulls last, id ${direction} ${sliceOf(page)}`
}

const foundId = { value: sql`id`, type: 'id' } as const

/** Every match in order, by ids alone. Where there is always a value, the index is in this order already. */
export function everyMatch(kind: Kind, org: string, search: Search): Statement {
  const { column, nullable, descending } = sortOf(kind, search.sort)
  const nulls = nullable ? sql`nulls last` : sql``
  const order = descending ? sql`${column} desc ${nulls}, b.id desc` : sql`${column} asc ${nulls}, b.id asc`
  return sql`select b.org_id, b.id from ${tablesOf(kind).documents} b where ${filterOf(kind, org, search)} order by ${order} offset 0`
}

/** Matches in any order, no more than this many. */
export function someMatches(kind: Kind, org: string, search: Search, most: number): Statement {
  return sql`select b.id from ${tablesOf(kind).documents} b where ${filterOf(kind, org, search)} limit ${most}`
}

/** The matches behind a cursor, in order, as `id` and `value`; and the values of a cursor behind one of them, which is called `found`. */
export function matchesAfter(
  kind: Kind,
  org: string,
  search: Search,
  { after, limit }: { after: Cursor | undefined; limit: number },
): { matches: Statement; key: Statement } {
  const sort = sortOf(kind, search.sort)
  const key = keyOf({
    keys: [
      { value: sql`found.value`, type: sort.type },
      { value: sql`found.id`, type: 'id' },
    ],
  })
  return { matches: plainPage(kind, org, search, sort, { offset: 0, limit, after, search: '' }), key }
}
