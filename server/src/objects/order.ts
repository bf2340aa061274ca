import type { Context } from '../context.ts'
import type { Page } from '../core/pages.ts'
import { invalid, quote } from '../core/refusal.ts'
import { join, type Statement, sliceOf, sql, when } from '../db/sql.ts'
import { fewEnough } from './candidates.ts'
import { deepPage, isDeep } from './deep-pages.ts'
import type { Definition } from './definitions/kind.ts'
import { type Place, type PlaceOptions, placeOf } from './fields.ts'
import type { Selection } from './selection.ts'

type Column = Extract<Place, { in: 'column' }>
type Values = Extract<Place, { in: 'values' }>

/** One thing to order by; the number is that of the fullId. */
export type Key = { place: Column | Values | { in: 'number' }; descending: boolean }

const mostKeys = 3

/** Reads `sort`: fields with commas between them, each with - in front for descending. What is wrong is refused with its spot. */
export function readSort(definition: Definition, sort: string, options: PlaceOptions = {}): Key[] {
  const named = sort.split(',')
  if (named.length > mostKeys) throw invalid('sort', 'too_many', `"sort" can have at most ${mostKeys} fields.`)
  const keys = named.map((text, index): Key => {
    const at = named.length === 1 ? 'sort' : `sort[${index}]`
    const path = text.trim().replace(/^-/, '')
    const place = path === 'fullId' ? ({ in: 'number' } as const) : placeOf(definition, path, at, options)
    if (place.in === 'parts')
      throw invalid(at, 'not_sortable', `"${at}" cannot be ${quote(path)}, which has parts; name one of them, such as ${quote(`${path}.city`)}.`)
    return { place: index < named.length - 1 ? shared(place) : place, descending: text.trim().startsWith('-') }
  })
  // No two are alike in these, so nothing is left to be ordered by the rest.
  const unique = keys.findIndex(({ place }) => place.in === 'number' || isId(place))
  return unique === -1 ? keys : keys.slice(0, unique + 1)
}

/** One page of what was selected, as `id` and `place`. Equal ones come in the order of their ids, in the direction of the first key. */
export function pageIn(ctx: Context, { objectKey }: Definition, keys: readonly Key[], selection: Selection, page: Page): Statement {
  const [first, ...others] = keys as [Key, ...Key[]]
  if (others.length === 0 && isDeep(first, selection, page)) return deepPage(ctx, objectKey, first, selection, page)
  const terms = keys.map((key, index) => termOf(ctx, objectKey, key, index))
  if (selection.walk) return walked(ctx, keys, terms, selection, page)
  const order = orderBy(terms, sql`o.id`, first.descending)
  const sorted = (rows: Statement) => sql`select o.id, row_number() over (order by ${order}) as place from ${rows} ${joined(terms)}`
  if (isId(first.place)) return sql`${sorted(sql`found as o`)} order by ${order} ${sliceOf(page)}`
  const found = sql`found cross join lateral (select o.* from objects o where o.org_id = ${ctx.org} and o.id = found.id offset 0) as o`
  const isMany = sql`(select n > ${fewEnough} from counted)`
  const few = sql`${sorted(found)} where not ${isMany}`
  const many = walked(
    ctx,
    keys,
    terms,
    { ...selection, member: (id) => sql`${isFound(id)} and ${isMany}`, rows: sql`${selection.rows} and ${isFound(sql`o.id`)} and ${isMany}` },
    page,
  )
  return sql`
    select id, place from ((${few} order by ${order} ${sliceOf(page)}) union all (select id, place from (${many}) as many)) as either`
}

/** Asked of each on the way, and not joined: so the order of the index is kept. */
function isFound(id: Statement): Statement {
  return sql`(${id} in (select id from found)) is true`
}

function walked(ctx: Context, keys: readonly Key[], terms: readonly Term[], selection: Selection, page: Page): Statement {
  const [{ place, descending }] = keys as [Key]
  if (place.in === 'values') return byValue(ctx, terms, descending, selection, page)
  const order = orderBy(terms, sql`o.id`, descending)
  const rows = place.in === 'column' && place.column === 'created_at' ? upToPage(selection.rows, descending, page) : selection.rows
  return sql`select o.id, row_number() over (order by ${order}) as place from (select o.* from ${rows}) as o ${joined(terms)} order by ${order} ${sliceOf(page)}`
}

/** Of several made in one moment the next key tells the order, so there it is the moment, and not the id that begins with it. */
function shared(place: Key['place']): Key['place'] {
  return place.in === 'column' && place.column === 'created' ? { ...place, column: 'created_at' } : place
}

/** The rows up to the moment in which the page ends, found along the ids: only these need to be sorted. */
function upToPage(rows: Statement, descending: boolean, { offset, limit }: Page): Statement {
  const direction = descending ? sql`desc` : sql`asc`
  const moment = sql`(select left(o.id::text, 13) from ${rows} order by o.id ${direction} ${sliceOf({ offset: Math.max(0, offset + limit - 1), limit: 1 })})`
  return descending
    ? sql`${rows} and o.id >= coalesce(${moment} || '-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000')::uuid`
    : sql`${rows} and o.id <= coalesce(${moment} || '-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`
}

function isId(place: Key['place']): boolean {
  return place.in === 'column' && (place.column === 'id' || place.column === 'created')
}

/** A key in SQL: the value, and where it is found unless in the object `o` itself. */
type Term = { value: Statement; descending: boolean; values?: { row: Statement; all: Statement; of: (id: Statement) => Statement } }

const rows = [sql`v1`, sql`v2`, sql`v3`]

function termOf({ org }: Context, objectKey: string, { place, descending }: Key, index: number): Term {
  if (place.in === 'number') return { value: sql`o.number`, descending }
  if (place.in === 'column') return { value: columns[place.column], descending }
  const row = rows[index] as Statement
  const value = place.column === 'text_value' ? sql`${row}.text_value` : place.column === 'number_value' ? sql`${row}.number_value` : sql`${row}.flag_value`
  const field = sql`${row}.org_id = ${org} and ${row}.field = ${place.path} ${when(place.many, sql`and ${row}.position = 0`)} and ${value} is not null`
  // All are walked along the index of the value, which has the kind; that of one object is found by its key, which has not.
  return { value, descending, values: { row, all: sql`${field} and ${row}.object_key = ${objectKey}`, of: (id) => sql`${row}.object_id = ${id} and ${field}` } }
}

const columns: Record<Column['column'], Statement> = {
  id: sql`o.id`,
  created: sql`o.id`,
  created_at: sql`o.created_at`,
  updated_at: sql`o.updated_at`,
  deleted_at: sql`o.deleted_at`,
  created_by: sql`o.created_by`,
  updated_by: sql`o.updated_by`,
  status: sql`o.status`,
  source: sql`o.source`,
  version: sql`o.version`,
  name: sql`o.name collate "C"`,
  external_id: sql`o.external_id collate "C"`,
  full_id: sql`o.full_id collate "C"`,
}

function orderBy(terms: readonly Term[], id: Statement, descending: boolean): Statement {
  const each = terms.map(({ value, descending, values }) =>
    values ? (descending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`) : descending ? sql`${value} desc` : sql`${value} asc`,
  )
  return join([...each, descending ? sql`${id} desc` : sql`${id} asc`], sql`, `)
}

/** What has no value comes along without one. */
function joined(terms: readonly Term[], id = sql`o.id`): Statement {
  return join(
    terms.flatMap(({ values }) => (values ? [sql`left join object_values ${values.row} on ${values.of(id)}`] : [])),
    sql` `,
  )
}

/**
 * By a value: those that have one in its order, then the others. A whole kind is walked along the index of that value, and the others are looked
 * for only where the page reaches them.
 */
function byValue({ org }: Context, [first, ...others]: readonly Term[], descending: boolean, { rows, whole, member }: Selection, page: Page): Statement {
  const { value, values } = first as Term & { values: NonNullable<Term['values']> }
  const { row, all, of } = values
  const upTo = page.offset + page.limit
  // Where all have a value, `nulls last` would only hide that the index has this order.
  const order = sql`${value} ${descending ? sql`desc` : sql`asc`}, ${orderBy(others, sql`${row}.object_id`, descending)}`
  const rest = orderBy(others, sql`o.id`, descending)
  const object = when(
    others.some((term) => !term.values),
    sql`join objects o on o.org_id = ${org} and o.id = ${row}.object_id`,
  )
  return sql`
    select id, row_number() over (order by part, nth) as place from (
      with valued as materialized (
        select ${row}.object_id as id, row_number() over (order by ${order}) as nth from object_values ${row} ${object} ${joined(others, sql`${row}.object_id`)}
        where ${all} ${when(!whole, sql`and ${member?.(sql`${row}.object_id`) ?? sql`exists (select from ${rows} and o.id = ${row}.object_id offset 0)`}`)} order by ${order} limit ${upTo})
      select id, 1 as part, nth from valued
      union all (select o.id, 2, row_number() over (order by ${rest})
        from (select o.* from ${rows} and not exists (select from object_values ${row} where ${of(sql`o.id`)} offset 0)) as o ${joined(others)}
        order by ${rest} limit greatest(0, ${upTo}::bigint - (select count(*) from valued)))) as parts
    order by part, nth ${sliceOf(page)}`
}
