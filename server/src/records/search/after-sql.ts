import type { Context } from '../../platform/context.ts'
import type { Cursor, KeyValue } from '../../platform/core/schema/cursors.ts'
import { beyond, typed } from '../../platform/db/sql/keyset.ts'
import { nothing, type Statement, sliceOf, sql, when } from '../../platform/db/sql/sql.ts'
import { fewEnough } from './conditions/candidates-sql.ts'
import { byValue, groupOf, idOf, rowsOf, scanned } from './index-scan-sql.ts'
import type { Selection } from './selection-sql.ts'
import { columns, joined, orderBy, type Term } from './sort-terms-sql.ts'

/** Whether an object comes behind the last one of the page before: its id is compared where all keys are equal. */
export function isBehind(
  terms: readonly Term[],
  [value, ...others]: Cursor,
  id: Statement,
  descending: boolean,
): Statement {
  const [term, ...rest] = terms
  if (!term) return descending ? sql`${id} < ${value}::uuid` : sql`${id} > ${value}::uuid`
  const same = value === null ? sql`${term.value} is null` : sql`${term.value} = ${typed(term.type, value as KeyValue)}`
  return sql`(${isLater(term, value as KeyValue)} or (${same} and ${isBehind(rest, others, id, descending)}))`
}

/** Objects without a value come last in both directions, so nothing comes later than those. */
function isLater({ value, type, descending, nullable }: Term, last: KeyValue): Statement {
  if (last === null) return sql`false`
  const later = descending ? sql`${value} < ${typed(type, last)}` : sql`${value} > ${typed(type, last)}`
  return nullable ? sql`(${later} or ${value} is null)` : later
}

type After = { terms: readonly Term[]; descending: boolean; limit: number; cursor: Cursor }

/** The objects behind a cursor as `id` and `place`, read in the order of an index from there on; `scanned` reads the page that begins with the first. */
export function scannedAfter(ctx: Context, selection: Selection, after: After): Statement {
  const { terms, cursor } = after
  const [first, ...otherKeys] = terms as [Term, ...Term[]]
  if (otherKeys.length > 0)
    return first.repeats ? byGroups(ctx, selection, after) : byTerms(boundedBy(first, selection.rows, after), after)
  if (first.values)
    return cursor[0] === null ? withoutValue(first, selection, after) : valuesAfter(ctx, first, selection, after)
  return first.join || first.nullable ? byTerms(selection.rows, after) : byColumn(first, selection, after)
}

function byTerms(rows: Statement, { terms, descending, limit, cursor }: After): Statement {
  const order = orderBy(terms, sql`o.id`, descending)
  return sql`
    select o.id, row_number() over (order by ${order}) as place from (select o.* from ${rows}) as o ${joined(terms)}
    where ${isBehind(terms, cursor, sql`o.id`, descending)} order by ${order} ${sliceOf({ offset: 0, limit })}`
}

/** The value and the id are compared as one row, so the index is read from the cursor on, however many objects have the same value. */
function byColumn({ value, type }: Term, { rows }: Selection, { descending, limit, cursor }: After): Statement {
  const id = { value: sql`o.id`, type: 'id' } as const
  const isById = value === columns.id || value === columns.created
  const keys = isById ? [id] : [{ value, type }, id]
  const behind = beyond({ keys, descending }, isById ? cursor.slice(-1) : cursor)
  const order = sql`${when(!isById, sql`${value} ${directionOf(descending)},`)} o.id ${directionOf(descending)}`
  return sql`select o.id, row_number() over (order by ${order}) as place from ${rows}${behind} order by ${order} ${sliceOf({ offset: 0, limit })}`
}

function valuesAfter(ctx: Context, first: Term, selection: Selection, { descending, limit, cursor }: After): Statement {
  const values = first.values as NonNullable<Term['values']>
  const keys = [
    { value: first.value, type: first.type },
    { value: sql`${values.row}.object_id`, type: 'id' as const },
  ]
  const bounded = { ...first, values: { ...values, all: sql`${values.all}${beyond({ keys, descending }, cursor)}` } }
  return byValue(ctx, [bounded], descending, selection, { offset: 0, limit })
}

/** The objects that have no value of the first key, which come last, in the order of their ids. */
function withoutValue({ values }: Term, { rows }: Selection, { descending, limit, cursor }: After): Statement {
  const { row, of } = values as NonNullable<Term['values']>
  const behind = beyond({ keys: [{ value: sql`o.id`, type: 'id' }], descending }, cursor.slice(-1))
  const order = sql`o.id ${directionOf(descending)}`
  return sql`
    select o.id, row_number() over (order by ${order}) as place from ${rows}${behind} and not exists (select from object_values ${row} where ${of(sql`o.id`)} offset 0)
    order by ${order} ${sliceOf({ offset: 0, limit })}`
}

/** For a first key of which few objects share a value: the rows from that value on, by its index. */
function boundedBy(first: Term, rows: Statement, { limit, cursor }: After): Statement {
  if (first.value === columns.created_at) return createdUpToPage(rows, first, limit, cursor.at(-1) as string)
  if (first.join || first.nullable) return rows
  const last = typed(first.type, cursor[0] as KeyValue)
  return first.descending ? sql`${rows} and ${first.value} <= ${last}` : sql`${rows} and ${first.value} >= ${last}`
}

/** From the millisecond in which the last object was created to the one in which the page ends, both found by ids, which begin with the time. */
function createdUpToPage(rows: Statement, { descending }: Term, limit: number, id: string): Statement {
  const time = id.slice(0, 13)
  const [first, last] = [`${time}-0000-0000-000000000000`, `${time}-ffff-ffff-ffffffffffff`]
  const end = (behind: Statement) =>
    sql`(select left(o.id::text, 13) from ${rows} and ${behind} order by o.id ${directionOf(descending)} ${sliceOf({ offset: Math.max(0, limit - 1), limit: 1 })})`
  return descending
    ? sql`${rows} and o.id <= ${last}::uuid and o.id >= coalesce(${end(sql`o.id < ${first}::uuid`)} || '-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000')::uuid`
    : sql`${rows} and o.id >= ${first}::uuid and o.id <= coalesce(${end(sql`o.id > ${last}::uuid`)} || '-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`
}

/**
 * First the rest of the group of objects that are equal to the last one in the first key, then the groups behind it. A small group is sorted; a very
 * large one is read in the order of the index of the next key, as pages by groups are.
 */
function byGroups(ctx: Context, selection: Selection, { terms, descending, limit, cursor }: After): Statement {
  const [first, ...otherKeys] = terms as [Term, ...Term[]]
  const [value, ...others] = cursor as [KeyValue, ...KeyValue[]]
  // With three keys this statement is nested in itself, so each level needs names of its own.
  const [large, rest] =
    terms.length === 3 ? [sql`alike_of_three`, sql`rest_of_three`] : [sql`alike_of_two`, sql`rest_of_two`]
  const isLarge = sql`(select is_large from ${large})`
  const last = value === null ? null : typed(first.type, value)
  const alike =
    last === null
      ? sql`${selection.rows} and ${hasNone(first)}`
      : sql`${rowsOf(first, selection)} and ${first.value} = ${last}`
  const id = last === null ? sql`o.id` : idOf(first)
  const order = orderBy(otherKeys, sql`o.id`, descending)
  const group = groupOf(ctx, first, last, selection, isLarge)
  const page = sliceOf({ offset: 0, limit })
  // The groups behind are read only if the rest of the group does not fill the page.
  const later =
    last &&
    sql`union all (select id, 3, place from (${laterGroups(ctx, selection, terms, descending, limit, last)}) as later where (select count(*) from ${rest}) < ${limit})`
  return sql`
    select id, row_number() over (order by part, nth) as place from (
      with ${large} as materialized (select count(*) > ${fewEnough} as is_large from (select from ${alike} ${sliceOf({ offset: 0, limit: fewEnough + 1 })}) as alike),
      ${rest} as materialized (
        select id, part, nth from (
          (select o.id, 1 as part, row_number() over (order by ${order}) as nth from (select ${id} as id from ${alike} and not ${isLarge}) as alike
            cross join lateral (select o.* from objects o where o.org_id = ${ctx.org} and o.id = alike.id offset 0) as o ${joined(otherKeys)}
            where ${isBehind(otherKeys, others, sql`o.id`, descending)})
          union all (select id, 2, place from (${scannedAfter(ctx, group, { terms: otherKeys, descending, limit, cursor: others })}) as alike where ${isLarge})) as alike
        order by part, nth ${page})
      select id, part, nth from ${rest} ${later ?? nothing}) as parts
    order by part, nth ${page}`
}

function hasNone({ values }: Term): Statement {
  const { row, of } = values as NonNullable<Term['values']>
  return sql`not exists (select from object_values ${row} where ${of(sql`o.id`)} offset 0)`
}

function laterGroups(
  ctx: Context,
  selection: Selection,
  terms: readonly Term[],
  descending: boolean,
  limit: number,
  last: Statement,
): Statement {
  const [first, ...otherKeys] = terms as [Term, ...Term[]]
  const later = first.descending ? sql`${first.value} < ${last}` : sql`${first.value} > ${last}`
  const page = { offset: 0, limit }
  if (!first.values)
    return scanned(ctx, terms, descending, { ...selection, rows: sql`${selection.rows} and ${later}` }, page)
  const bounded = { ...first, values: { ...first.values, all: sql`${first.values.all} and ${later}` } }
  return scanned(ctx, [bounded, ...otherKeys], descending, selection, page)
}

function directionOf(descending: boolean): Statement {
  return descending ? sql`desc` : sql`asc`
}
