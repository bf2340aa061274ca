import type { Context } from '../../context.ts'
import type { Page } from '../../core/pages.ts'
import { join, nothing, type Statement, sliceOf, sql, when } from '../../db/sql.ts'
import { fewEnough } from './candidates-sql.ts'
import type { OtherPlace, Place } from './fields.ts'
import type { Selection } from './selection-sql.ts'

type Column = Extract<Place, { in: 'column' }>
type Values = Extract<Place, { in: 'values' }>
type Bill = Extract<Place, { in: 'bill' }>

/** One thing to order by; the number is that of the fullId. */
export type Key = { place: Column | Values | Bill | OtherPlace | { in: 'number' }; descending: boolean }

export function isId(place: Key['place']): boolean {
  return place.in === 'column' && (place.column === 'id' || place.column === 'created')
}

/** So far into a list its groups are looked at. No group that ends before can have more than a few. */
const mostGrouped = 1000

/** The page in the order of an index, whose id and whose place in it; equal ones in the order of their ids, which may descend. */
export function walked(ctx: Context, terms: readonly Term[], descending: boolean, selection: Selection, page: Page): Statement {
  const [first, ...others] = terms as [Term, ...Term[]]
  const isGrouped = others.length > 0 && first.repeats && page.offset + page.limit <= mostGrouped
  return isGrouped ? byGroups(ctx, terms, descending, selection, page) : alongFirst(ctx, terms, descending, selection, page)
}

/** Along the index of the first key; those that are alike in it are sorted by the others. */
function alongFirst(ctx: Context, terms: readonly Term[], descending: boolean, selection: Selection, page: Page): Statement {
  if (terms[0]?.values) return byValue(ctx, terms, descending, selection, page)
  const order = orderBy(terms, sql`o.id`, descending)
  const rows = terms[0]?.value === columns.created_at ? upToPage(selection.rows, terms[0], page) : selection.rows
  return sql`select o.id, row_number() over (order by ${order}) as place from (select o.* from ${rows}) as o ${joined(terms)} order by ${order} ${sliceOf(page)}`
}

/** The rows up to the moment in which the page ends, found along the ids: only these need to be sorted. */
function upToPage(rows: Statement, moment: Term, { offset, limit }: Page): Statement {
  const last = sql`(select left(o.id::text, 13) from ${rows} order by o.id ${directionOf(moment)} ${sliceOf({ offset: Math.max(0, offset + limit - 1), limit: 1 })})`
  return moment.descending
    ? sql`${rows} and o.id >= coalesce(${last} || '-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000')::uuid`
    : sql`${rows} and o.id <= coalesce(${last} || '-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`
}

/**
 * Where a page ends among very many that are alike in the first key, to sort them all for a few would take seconds. What comes before them are few, and
 * sorted; of them, those that come first by the next key are met soon on the way along its index.
 */
function byGroups(ctx: Context, terms: readonly Term[], descending: boolean, selection: Selection, page: Page): Statement {
  const [first, ...others] = terms as [Term, ...Term[]]
  // The parts are within each other where there are three keys, and each speaks of its own.
  const [last, large] = terms.length === 3 ? [sql`last_of_three`, sql`large_of_three`] : [sql`last_of_two`, sql`large_of_two`]
  const lastValue = sql`(select value from ${last})`
  const isLarge = sql`(select is_large from ${large})`
  const upTo = { offset: 0, limit: page.offset + page.limit }
  const rows = rowsOf(first, selection)
  const isLast = (id: Statement) => lastIn(ctx, first, lastValue, id)
  const { member } = selection
  const group: Selection = {
    ...selection,
    rows: sql`${selection.rows} and ${first.values ? isLast(sql`o.id`) : sql`${first.value} = ${lastValue}`} and ${isLarge}`,
    whole: false,
    ...((member || selection.whole) && { member: (id: Statement) => sql`${member ? sql`${member(id)} and ` : nothing}${isLast(id)} and ${isLarge}` }),
  }
  const order = orderBy(terms, sql`o.id`, descending)
  return sql`
    select id, row_number() over (order by part, nth) as place from (
      with ${last} as materialized (
        select ${first.value} as value from ${rows} order by ${first.value} ${directionOf(first)}, ${idOf(first)} ${directionOf(first)}
        limit 1 offset ${upTo.limit - 1}),
      ${large} as materialized (
        select count(*) > ${fewEnough} as is_large from (select from ${rows} and ${first.value} = ${lastValue} ${sliceOf({ offset: 0, limit: fewEnough + 1 })}) as alike)
      (select o.id, 1 as part, row_number() over (order by ${order}) as nth
        from (select ${idOf(first)} as id from ${rows} and ${first.value} ${first.descending ? sql`>` : sql`<`} ${lastValue} and ${isLarge}) as before
        cross join lateral (select o.* from objects o where o.org_id = ${ctx.org} and o.id = before.id offset 0) as o ${joined(terms)})
      union all (select id, 2, place from (${walked(ctx, others, descending, group, upTo)}) as alike where ${isLarge})
      union all (select id, 3, place from (${alongFirst(ctx, terms, descending, selection, upTo)}) as sorted where not ${isLarge})) as parts
    order by part, nth ${sliceOf(page)}`
}

/** What was selected, as the rows in which the first key stands. */
function rowsOf({ values }: Term, { rows, whole, member }: Selection): Statement {
  if (!values) return rows
  const id = sql`${values.row}.object_id`
  const chosen = whole ? nothing : sql`and ${member?.(id) ?? sql`exists (select from ${rows} and o.id = ${id} offset 0)`}`
  return sql`object_values ${values.row} where ${values.all} ${chosen}`
}

function idOf({ values }: Term): Statement {
  return values ? sql`${values.row}.object_id` : sql`o.id`
}

/** Whether the object with this id has this value of a key. */
function lastIn({ org }: Context, { value, values }: Term, last: Statement, id: Statement): Statement {
  return values
    ? sql`exists (select from object_values ${values.row} where ${values.of(id)} and ${value} = ${last} offset 0)`
    : sql`exists (select from objects o where o.org_id = ${org} and o.id = ${id} and ${value} = ${last} offset 0)`
}

function directionOf({ descending }: Term): Statement {
  return descending ? sql`desc` : sql`asc`
}

/** A key in SQL: the value, and where it is found unless in the object `o` itself. Where `repeats`, many objects may be alike in it. */
export type Term = {
  value: Statement
  descending: boolean
  repeats: boolean
  /** Joins what has the value to the objects with these ids; some may have none. */
  beside?: { all: (id: Statement) => Statement; each: (id: Statement) => Statement }
  values?: { row: Statement; all: Statement; of: (id: Statement) => Statement }
}

const rows = [sql`v1`, sql`v2`, sql`v3`]

export function termOf({ org }: Context, objectKey: string, { place, descending }: Key, index: number): Term {
  if (place.in === 'number') return { value: sql`o.number`, descending, repeats: false }
  if (place.in === 'column') return { value: columns[place.column], descending, repeats: repeating.has(place.column) }
  const row = rows[index] as Statement
  if (place.in !== 'values' || place.otherwise !== undefined) return { ...beside(org, objectKey, place, row), descending, repeats: false }
  const value = place.column === 'text_value' ? sql`${row}.text_value` : place.column === 'number_value' ? sql`${row}.number_value` : sql`${row}.flag_value`
  const field = sql`${row}.org_id = ${org} and ${row}.field = ${place.path} ${when(place.many, sql`and ${row}.position = 0`)} and ${value} is not null`
  // All are walked along the index of the value, which has the kind; that of one object is found by its key, which has not.
  return {
    value,
    descending,
    repeats: true,
    values: { row, all: sql`${field} and ${row}.object_key = ${objectKey}`, of: (id) => sql`${row}.object_id = ${id} and ${field}` },
  }
}

/**
 * What no index has in order: a value of any type, one that most objects do not have because it goes without saying, or that of a bill. Few objects
 * have one, so these are found, and laid beside all; where few objects are in question, those are asked for theirs.
 */
function beside(org: string, objectKey: string, place: Values | Bill | OtherPlace, row: Statement): Pick<Term, 'value' | 'beside'> {
  if (place.in === 'bill') {
    const bills = sql`select m.manifest_id as object_id, ${billColumns[place.column]} as value from manifest_bills m join bills b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = ${org}`
    return {
      value: sql`${row}.value`,
      beside: {
        all: (id) => sql`left join (${bills}) as ${row} on ${row}.object_id = ${id}`,
        each: (id) => sql`left join lateral (${bills} and m.manifest_id = ${id} offset 0) as ${row} on true`,
      },
    }
  }
  const own = sql`${row}.org_id = ${org} and ${row}.object_key = ${objectKey} and ${row}.field = ${place.path} and ${row}.position = 0`
  const on = (kept: Statement) => ({
    all: (id: Statement) => sql`left join object_values ${row} on ${own} and ${kept} and ${row}.object_id = ${id}`,
    each: (id: Statement) =>
      sql`left join lateral (select ${row}.* from object_values ${row} where ${own} and ${row}.object_id = ${id} offset 0) as ${row} on true`,
  })
  if (place.in === 'other') {
    const kept = sql`(${row}.number_value is not null or ${row}.text_value is not null or ${row}.flag_value is not null)`
    return { value: sql`case when ${row}.object_id is not null then row (${row}.number_value, ${row}.text_value, ${row}.flag_value) end`, beside: on(kept) }
  }
  return place.column === 'flag_value'
    ? { value: sql`coalesce(${row}.flag_value, ${String(place.otherwise)}::text::boolean)`, beside: on(sql`${row}.flag_value is not null`) }
    : { value: sql`coalesce(${row}.text_value, ${place.otherwise}::text) collate "C"`, beside: on(sql`${row}.text_value is not null`) }
}

const billColumns = { id: sql`b.id`, status_id: sql`b.status_id`, number: sql`b.number` }

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
  object_key: sql`o.object_key collate "C"`,
  org_id: sql`o.org_id`,
}

/** Columns with an index in which equal ones stand together. */
const repeating = new Set<Column['column']>(['status', 'source', 'created_by', 'updated_by', 'version'])

export function orderBy(terms: readonly Term[], id: Statement, descending: boolean): Statement {
  const each = terms.map(({ value, descending, values, beside }) =>
    values || beside ? (descending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`) : descending ? sql`${value} desc` : sql`${value} asc`,
  )
  return join([...each, descending ? sql`${id} desc` : sql`${id} asc`], sql`, `)
}

/** What has no value comes along without one. */
export function joined(terms: readonly Term[], id = sql`o.id`, way: 'all' | 'each' = 'all'): Statement {
  return join(
    terms.flatMap(({ values, beside }) => (values ? [sql`left join object_values ${values.row} on ${values.of(id)}`] : beside ? [beside[way](id)] : [])),
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
  const order = sql`${value} ${directionOf(first as Term)}, ${orderBy(others, sql`${row}.object_id`, descending)}`
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
