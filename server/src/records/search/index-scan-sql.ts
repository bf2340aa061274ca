import type { Context } from '../../platform/context.ts'
import type { Slice } from '../../platform/core/schema/pages.ts'
import { nothing, type Statement, sliceOf, sql, when } from '../../platform/db/sql/sql.ts'
import { fewEnough } from './conditions/candidates-sql.ts'
import type { Selection } from './selection-sql.ts'
import { columns, joined, orderBy, type Term } from './sort-terms-sql.ts'

/** Pages up to this offset are read group by group: objects that are equal in the first key are a group. Further on, a sort costs no more. */
const mostGrouped = 1000

/** One page as `id` and `place`, read in the order of an index; objects equal in all keys are in the order of their ids, which may descend. */
export function scanned(
  ctx: Context,
  terms: readonly Term[],
  descending: boolean,
  selection: Selection,
  page: Slice,
): Statement {
  const [first, ...otherKeys] = terms as [Term, ...Term[]]
  const isGrouped = otherKeys.length > 0 && first.repeats && page.offset + page.limit <= mostGrouped
  return isGrouped
    ? byGroups(ctx, terms, descending, selection, page)
    : byFirstKey(ctx, terms, descending, selection, page)
}

/** Scans the index of the first key; objects that are equal in it are sorted by the other keys. */
function byFirstKey(
  ctx: Context,
  terms: readonly Term[],
  descending: boolean,
  selection: Selection,
  page: Slice,
): Statement {
  if (terms[0]?.values) return byValue(ctx, terms, descending, selection, page)
  const order = orderBy(terms, sql`o.id`, descending)
  const rows = terms[0]?.value === columns.created_at ? upToPage(selection.rows, terms[0], page) : selection.rows
  return sql`select o.id, row_number() over (order by ${order}) as place from (select o.* from ${rows}) as o ${joined(terms)} order by ${order} ${sliceOf(page)}`
}

/** The rows up to the millisecond in which the page ends, found by their ids: only these need to be sorted. */
function upToPage(rows: Statement, time: Term, { offset, limit }: Slice): Statement {
  const last = sql`(select left(o.id::text, 13) from ${rows} order by o.id ${directionOf(time)} ${sliceOf({ offset: Math.max(0, offset + limit - 1), limit: 1 })})`
  return time.descending
    ? sql`${rows} and o.id >= coalesce(${last} || '-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000')::uuid`
    : sql`${rows} and o.id <= coalesce(${last} || '-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid`
}

/**
 * If a page ends in a group of very many objects that are equal in the first key, sorting the whole group would take seconds. The objects before that
 * group are few, and sorted; those of the group are read in the order of the index of the next key, which meets the first of them soon.
 */
function byGroups(
  ctx: Context,
  terms: readonly Term[],
  descending: boolean,
  selection: Selection,
  page: Slice,
): Statement {
  const [first, ...otherKeys] = terms as [Term, ...Term[]]
  // With three keys this statement is nested in itself, so each level needs names of its own.
  const [last, large] =
    terms.length === 3 ? [sql`last_of_three`, sql`large_of_three`] : [sql`last_of_two`, sql`large_of_two`]
  const lastValue = sql`(select value from ${last})`
  const isLarge = sql`(select is_large from ${large})`
  const upTo = { offset: 0, limit: page.offset + page.limit }
  const rows = rowsOf(first, selection)
  const group = groupOf(ctx, first, lastValue, selection, isLarge)
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
      union all (select id, 2, place from (${scanned(ctx, otherKeys, descending, group, upTo)}) as alike where ${isLarge})
      union all (select id, 3, place from (${byFirstKey(ctx, terms, descending, selection, upTo)}) as sorted where not ${isLarge})) as parts
    order by part, nth ${sliceOf(page)}`
}

/** Those of what was selected that have this value of the first key, or none at all where it is null; nothing unless the group is large. */
export function groupOf(
  ctx: Context,
  first: Term,
  value: Statement | null,
  selection: Selection,
  isLarge: Statement,
): Selection {
  const { rows, whole, member } = selection
  const isAlike = (id: Statement) => valueIs(ctx, first, value, id)
  return {
    ...selection,
    rows: sql`${rows} and ${first.values || value === null ? isAlike(sql`o.id`) : sql`${first.value} = ${value}`} and ${isLarge}`,
    whole: false,
    ...((member || whole) && {
      member: (id: Statement) => sql`${member ? sql`${member(id)} and ` : nothing}${isAlike(id)} and ${isLarge}`,
    }),
  }
}

/** What was selected, as rows that have the first key. */
export function rowsOf({ values }: Term, { rows, whole, member }: Selection): Statement {
  if (!values) return rows
  const id = sql`${values.row}.object_id`
  const chosen = whole
    ? nothing
    : sql`and ${member?.(id) ?? sql`exists (select from ${rows} and o.id = ${id} offset 0)`}`
  return sql`object_values ${values.row} where ${values.all} ${chosen}`
}

export function idOf({ values }: Term): Statement {
  return values ? sql`${values.row}.object_id` : sql`o.id`
}

/** Whether the object with this id has this value of a key; where it is null, whether it has none in the index. */
function valueIs({ org }: Context, { value, values }: Term, wanted: Statement | null, id: Statement): Statement {
  if (values && wanted === null)
    return sql`not exists (select from object_values ${values.row} where ${values.of(id)} offset 0)`
  return values
    ? sql`exists (select from object_values ${values.row} where ${values.of(id)} and ${value} = ${wanted} offset 0)`
    : sql`exists (select from objects o where o.org_id = ${org} and o.id = ${id} and ${value} = ${wanted} offset 0)`
}

function directionOf({ descending }: Term): Statement {
  return descending ? sql`desc` : sql`asc`
}

/**
 * By a value of the index: first the objects that have one, in its order, then those without. A whole kind is read by the index of that value; the
 * objects without a value are read only if the page reaches them.
 */
export function byValue(
  { org }: Context,
  [first, ...otherKeys]: readonly Term[],
  descending: boolean,
  { rows, whole, member }: Selection,
  page: Slice,
): Statement {
  const { value, values } = first as Term & { values: NonNullable<Term['values']> }
  const { row, all, of } = values
  const upTo = page.offset + page.limit
  // All rows have a value here; `nulls last` would keep PostgreSQL from using the order of the index.
  const order = sql`${value} ${directionOf(first as Term)}, ${orderBy(otherKeys, sql`${row}.object_id`, descending)}`
  const rest = orderBy(otherKeys, sql`o.id`, descending)
  const object = when(
    otherKeys.some((term) => !term.values),
    sql`join objects o on o.org_id = ${org} and o.id = ${row}.object_id`,
  )
  return sql`
    select id, row_number() over (order by part, nth) as place from (
      with valued as materialized (
        select ${row}.object_id as id, row_number() over (order by ${order}) as nth from object_values ${row} ${object} ${joined(otherKeys, sql`${row}.object_id`)}
        where ${all} ${when(!whole, sql`and ${member?.(sql`${row}.object_id`) ?? sql`exists (select from ${rows} and o.id = ${row}.object_id offset 0)`}`)} order by ${order} limit ${upTo})
      select id, 1 as part, nth from valued
      union all (select o.id, 2, row_number() over (order by ${rest})
        from (select o.* from ${rows} and not exists (select from object_values ${row} where ${of(sql`o.id`)} offset 0)) as o ${joined(otherKeys)}
        order by ${rest} limit greatest(0, ${upTo}::bigint - (select count(*) from valued)))) as parts
    order by part, nth ${sliceOf(page)}`
}
