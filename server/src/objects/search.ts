import type { Context } from '../context.ts'
import { envelope, type Page, pageOf } from '../core/pages.ts'
import { invalid, quote, unavailable } from '../core/refusal.ts'
import { nothing, type Statement, sliceOf, sql, when } from '../db/sql.ts'
import { hasWords, idsMeeting, meets, ofKind } from './conditions.ts'
import type { Definition } from './definitions/kind.ts'
import { type Define, revisionNow, withDefinitions } from './definitions/read.ts'
import { placeOf } from './fields.ts'
import { type Condition, type Filter, readFilter } from './filter.ts'
import { chosen, readPaths } from './paths.ts'
import { totalOf } from './totals.ts'

export type Search = {
  filter?: Filter | undefined
  /** Words, each of which must begin a word in one of the text fields. */
  q?: string | undefined
  /** A field, with - in front for descending; newest first unless said. */
  sort?: string | undefined
  offset?: number | undefined
  limit?: number | undefined
  paths?: readonly string[] | undefined
}

export type SearchOptions = {
  /** The name of the list in the envelope. */
  name?: string
  /** Called with every kind whose objects are shown: throws if the caller may not see them. */
  permit?: (objectKey: string) => void
  /** The JSON text of one object, from its wire row `w`; as v2 has it unless said. */
  present?: Statement
}

/** A page of objects of a kind as JSON text, in the envelope `{ <name>, offset, limit, total }`: one round trip while definitions stand still. */
export async function searchObjects(ctx: Context, objectKey: string, search: Search, options: SearchOptions = {}): Promise<string> {
  options.permit?.(objectKey)
  const answer = await withDefinitions(ctx, (define) => attempt(ctx, objectKey, search, options, define))
  if (answer === undefined) throw unavailable('The definition of this kind is being changed at this moment. Try again.')
  return answer
}

/** Refuses what a search with these would refuse, without looking for anything. */
export async function requireSearch(ctx: Context, objectKey: string, search: Search, define: Define): Promise<void> {
  const definition = await define(objectKey)
  if (search.paths) await readPaths(definition, search.paths, define)
  pageIn(ctx, definition, search.sort ?? '-createdAt', select(ctx, definition, search), { offset: 0, limit: 1 })
}

/** Everything that a search finds, in its order: the items of a `with`, and `select id … from …` for as long as it is read. */
export function everything(ctx: Context, definition: Definition, search: Search): { found: Statement; ids: Statement } {
  const selection = select(ctx, definition, search)
  return { found: selection.found, ids: pageIn(ctx, definition, search.sort ?? '-createdAt', selection, { offset: 0, limit: 2 ** 40 }) }
}

/** Nothing where the definition that the search was read with holds no more. */
async function attempt(
  ctx: Context,
  objectKey: string,
  search: Search,
  { name = 'objects', permit, present }: SearchOptions,
  define: Define,
): Promise<string | undefined> {
  const definition = await define(objectKey)
  const page = pageOf({ ...(search.offset !== undefined && { offset: search.offset }), ...(search.limit !== undefined && { limit: search.limit }) })
  const lookup = (key: string) => {
    permit?.(key)
    return define(key)
  }
  const shown = search.paths?.length ? sql`(${chosen(ctx.org, await readPaths(definition, search.paths, lookup))})::text` : (present ?? sql`w.json`)
  const selection = select(ctx, definition, search)
  const [row] = await ctx.run<{ list: string; total: number; revision: number }>(sql`
    ${selection.found} select ${revisionNow(ctx, definition.objectKey)} as revision, ${selection.total} as total,
      (select '[' || coalesce(string_agg(${shown}, ',' order by page.place), '') || ']'
        from (${pageIn(ctx, definition, search.sort ?? '-createdAt', selection, page)}) as page join objects_wire w on w.org_id = ${ctx.org} and w.id = page.id) as list`)
  if (row?.revision !== definition.revision) return undefined
  return envelope(name, row, page)
}

/** What is asked for: the items of a `with`, the exact total, and the rows as `objects o where …`. */
type Selection = {
  found: Statement
  total: Statement
  rows: Statement
  /** Few are left out, or none: then the order of an index leads through the page. Otherwise what was found is put in order. */
  walk: boolean
  whole: boolean
}

function select(ctx: Context, definition: Definition, { filter, q }: Search): Selection {
  const scope = { org: ctx.org, objectKey: definition.objectKey }
  const condition = filter === undefined ? null : readFilter(definition, filter)
  const all = sql`objects o where ${ofKind(scope)}`
  const statuses = statusesIn(condition)
  if (!q && (condition === null || statuses)) {
    const total = totalOf(ctx, definition.objectKey, statuses)
    return { found: nothing, total, rows: condition ? sql`${all} and ${meets(scope, condition)}` : all, walk: true, whole: condition === null }
  }
  if (!q && condition?.is === 'not') {
    const found = sql`with found as materialized (${idsMeeting(scope, condition.part)})`
    const total = sql`(${totalOf(ctx, definition.objectKey, undefined)} - (select count(*) from found))`
    return { found, total, rows: sql`${all} and o.id not in (select id from found)`, walk: true, whole: false }
  }
  const ids = q
    ? sql`select o.id from ${all} and ${hasWords(scope, q)} ${condition ? sql`and ${meets(scope, condition)}` : nothing}`
    : idsMeeting(scope, condition as Condition)
  const rows = sql`found join objects o on o.org_id = ${ctx.org} and o.id = found.id where true`
  return { found: sql`with found as materialized (${ids})`, total: sql`(select count(*) from found)`, rows, walk: false, whole: false }
}

/** The states of a condition on the state alone: how many are in each is known without looking. */
function statusesIn(condition: Condition | null): readonly string[] | undefined {
  const isStatus = condition?.is === 'among' && condition.place.in === 'column' && condition.place.column === 'status'
  return isStatus ? (condition.values as readonly string[]) : undefined
}

function pageIn(ctx: Context, definition: Definition, sort: string, selection: Selection, page: Page): Statement {
  const descending = sort.startsWith('-')
  const path = sort.replace(/^-/, '')
  const place = path === 'fullId' ? null : placeOf(definition, path, 'sort')
  if (place?.in === 'parts')
    throw invalid('sort', 'not_sortable', `"sort" cannot be ${quote(path)}, which has parts; name one of them, such as ${quote(`${path}.city`)}.`)
  if (place?.in === 'values') return byValue(ctx, definition, place, { ...selection, descending, page })
  const column = place === null ? sql`o.number` : columns[place.column]
  const order = descending ? sql`${column} desc, o.id desc` : sql`${column} asc, o.id asc`
  return sql`select o.id, row_number() over (order by ${order}) as place from ${selection.rows} order by ${order} ${sliceOf(page)}`
}

const columns = {
  id: sql`o.id`,
  created: sql`o.id`,
  updated_at: sql`o.updated_at`,
  created_by: sql`o.created_by`,
  updated_by: sql`o.updated_by`,
  status: sql`o.status`,
  source: sql`o.source`,
}

type ByValue = Selection & { descending: boolean; page: Page }

/**
 * By a value: those that have one in its order, then the others. A whole kind is walked along the index of that value, and the others are looked
 * for only where the page reaches them.
 */
function byValue(
  ctx: Context,
  { objectKey }: Definition,
  place: { path: string; column: string },
  { rows, descending, walk, whole, page }: ByValue,
): Statement {
  const value = place.column === 'text_value' ? sql`v.text_value` : place.column === 'number_value' ? sql`v.number_value` : sql`v.flag_value`
  const own = sql`v.org_id = ${ctx.org} and v.object_key = ${objectKey} and v.field = ${place.path} and v.position = 0 and ${value} is not null`
  const [up, id] = descending ? [sql`desc`, sql`o.id desc`] : [sql`asc`, sql`o.id asc`]
  if (!walk) {
    const order = sql`${value} ${up} nulls last, ${id}`
    return sql`select o.id, row_number() over (order by ${order}) as place from (select o.* from ${rows}) as o
      left join object_values v on v.object_id = o.id and ${own} order by ${order} ${sliceOf(page)}`
  }
  const upTo = page.offset + page.limit
  const key = descending ? sql`v.object_id desc` : sql`v.object_id asc`
  return sql`
    select id, row_number() over (order by part, nth) as place from (
      with valued as materialized (
        select v.object_id as id, row_number() over (order by ${value} ${up}, ${key}) as nth from object_values v
        where ${own} ${when(!whole, sql`and exists (select from ${rows} and o.id = v.object_id)`)} order by ${value} ${up}, ${key} limit ${upTo})
      select id, 1 as part, nth from valued
      union all (select o.id, 2, row_number() over (order by ${id}) from ${rows} and not exists (select from object_values v where v.object_id = o.id and ${own})
        order by ${id} limit greatest(0, ${upTo}::bigint - (select count(*) from valued)))) as parts
    order by part, nth ${sliceOf(page)}`
}
