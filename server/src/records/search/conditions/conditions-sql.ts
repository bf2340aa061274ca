import { join, nothing, type Statement, sql, when } from '../../../platform/db/sql/sql.ts'
import { cut, longestKey } from '../../index/text.ts'
import { candidatesOf, someBest } from './candidates-sql.ts'
import { type Column, columnMeets, comparisons } from './column-conditions-sql.ts'
import type { Condition, Test } from './condition.ts'
import { containsText, idsContaining } from './contains-sql.ts'
import { externalIds, externalMeets } from './external-sql.ts'
import type { Place } from './fields.ts'
import { begins, ofKind, type Scope } from './kind-sql.ts'

/** The ids of the objects that meet a condition, each once. */
export function idsMeeting(scope: Scope, condition: Condition): Statement {
  if (condition.is === 'and') return idsMeetingAll(scope, condition.parts)
  if (condition.is === 'or') {
    const sets = condition.parts.map((part) => sql`(${idsMeeting(scope, part)})`)
    return sql`select distinct found.id from (${join(sets, sql` union all `)}) as found`
  }
  const values = valuesMeeting(scope, condition)
  if (!values) return sql`select o.id from objects o where ${ofKind(scope)} and ${meets(scope, condition)}`
  const once =
    'place' in condition && condition.place.in === 'values' && !condition.place.many && condition.is !== 'contains'
  return once ? values : sql`select distinct found.id from (${values}) as found`
}

/**
 * If few objects meet one of the conditions, the others are checked for those few. Otherwise the sets of ids are intersected, which takes time in
 * proportion to their sizes.
 */
function idsMeetingAll(scope: Scope, parts: readonly Condition[]): Statement {
  const sets = parts.filter(({ is }) => is !== 'not')
  if (sets.length === 0)
    return sql`select o.id from objects o where ${ofKind(scope)} and ${meets(scope, { is: 'and', parts: [...parts] })}`
  const intersected = parts
    .filter(({ is }) => is === 'not')
    .reduce(
      (ids, part) => sql`${ids} except (${idsMeeting(scope, (part as Extract<Condition, { is: 'not' }>).part)})`,
      join(
        sets.map((part) => sql`(select id from (${idsMeeting(scope, part)}) as part where not ${someBest})`),
        sql` intersect `,
      ),
    )
  const probes = join(
    parts.map((part) => probe(scope, part)),
    sql` and `,
  )
  return sql`
    select id from (
      with ${candidatesOf(sets.map((part) => someMeeting(scope, part)))}
      select o.id from candidates c cross join lateral (
        select o.id from objects o where ${ofKind(scope)} and o.id = c.id and ${probes} offset 0) as o
      union all (${intersected})) as met`
}

/** The same with duplicates: the first few are there before all of them are known. */
function someMeeting(scope: Scope, condition: Condition): Statement {
  if (condition.is !== 'or') return valuesMeeting(scope, condition) ?? idsMeeting(scope, condition)
  return join(
    condition.parts.map((part) => sql`(${someMeeting(scope, part)})`),
    sql` union all `,
  )
}

/** A condition on `o`. */
export function meets(scope: Scope, condition: Condition): Statement {
  switch (condition.is) {
    case 'and':
      return sql`(${join(
        condition.parts.map((part) => meets(scope, part)),
        sql` and `,
      )})`
    case 'or':
      // As one set of ids: a plain `or` of subqueries would read every object of the kind.
      return sql`o.id in (${idsMeeting(scope, condition)})`
    case 'not':
      return sql`not ${meets(scope, condition.part)}`
    default: {
      const { place } = condition
      if (place.in === 'column') return columnMeets(place, condition)
      return sql`o.id in (${valuesMeeting(scope, condition) as Statement})`
    }
  }
}

/** The same for a single object. `offset 0` makes PostgreSQL look up the entries of that object; otherwise it could collect all that meet the condition. */
function probe(scope: Scope, condition: Condition): Statement {
  switch (condition.is) {
    case 'and':
    case 'or':
      return sql`(${join(
        condition.parts.map((part) => probe(scope, part)),
        condition.is === 'and' ? sql` and ` : sql` or `,
      )})`
    case 'not':
      return sql`not ${probe(scope, condition.part)}`
    default: {
      const { place } = condition
      if (place.in === 'column') return columnMeets(place, condition)
      if (place.in === 'external') return externalMeets(scope.org, place, condition)
      return sql`exists (select from object_values v where v.org_id = ${scope.org} and v.object_id = o.id and ${testOf(place, condition)} offset 0)`
    }
  }
}

/** A condition on the deleted object `o`, which has no index entries. */
export function meetsDeleted(condition: Condition): Statement {
  switch (condition.is) {
    case 'and':
    case 'or':
      return sql`(${join(condition.parts.map(meetsDeleted), condition.is === 'and' ? sql` and ` : sql` or `)})`
    case 'not':
      // Neither a condition nor its opposite holds for null: coalesced, a missing value counts as different.
      return sql`not coalesce(${meetsDeleted(condition.part)}, false)`
    default:
      return columnMeets(condition.place as Column, condition)
  }
}

/** The ids from the index entries alone, for a condition on one field; null for other conditions. An id can come more than once. */
function valuesMeeting(scope: Scope, condition: Condition): Statement | null {
  if (!('place' in condition) || condition.place.in === 'column') return null
  const { place } = condition
  if (place.in === 'external') return externalIds(scope.org, place, condition)
  if (condition.is === 'contains') return idsContaining(scope, (place as Values).path, condition.text)
  const meeting = (and: Statement) =>
    sql`select v.object_id as id from object_values v where v.org_id = ${scope.org} and v.object_key = ${scope.objectKey} and ${testOf(place, condition)} ${and}`
  if (place.in !== 'parts') return meeting(nothing)
  // The types of the parts are not known, and each type has an index of its own.
  return join(
    [
      meeting(sql`and v.text_value is not null`),
      meeting(sql`and v.number_value is not null`),
      meeting(sql`and v.flag_value is not null`),
    ],
    sql` union all `,
  )
}

/** A condition on the value `v`. */
function testOf(place: Exclude<Place, { in: 'column' | 'external' }>, condition: Test): Statement {
  // The field itself and everything beneath it: `/` is the character after the dot.
  if (place.in === 'parts')
    return sql`v.field >= ${place.path} and v.field < ${`${place.path}/`} and (v.field = ${place.path} or v.field >= ${`${place.path}.`})`
  const field = sql`v.field = ${place.path}`
  switch (condition.is) {
    case 'exists':
      return sql`${field} and ${columnOf(place)} is not null`
    case 'among':
      return sql`${field} and ${isAmong(place, condition.values)}`
    case 'between':
      return sql`${field} and ${join(
        condition.bounds.map(({ op, value }) => sql`${columnOf(place)} ${comparisons[op]} ${typed(place, value)}`),
        sql` and `,
      )}`
    case 'startsWith':
      return sql`${field} and ${begins(sql`v.text_value`, cut(condition.text))} ${when(condition.text.length > longestKey, sql`and starts_with(v.long_text, ${condition.text})`)}`
    default:
      return sql`${field} and ${containsText(condition.text)}`
  }
}

type Values = Extract<Place, { in: 'values' }>

function columnOf({ column }: Values): Statement {
  return column === 'text_value'
    ? sql`v.text_value`
    : column === 'number_value'
      ? sql`v.number_value`
      : sql`v.flag_value`
}

function typed({ column }: Values, value: unknown): Statement {
  return column === 'text_value' ? sql`${value}::text` : sql`${value}::float8`
}

/** A text that is longer than an index holds is found by its beginning, and then compared whole. */
function isAmong(place: Values, values: readonly unknown[]): Statement {
  if (place.column === 'number_value') return sql`v.number_value = any (${values}::float8[])`
  if (place.column === 'flag_value') return sql`v.flag_value = any (${values.map(String)}::text[]::boolean[])`
  const texts = values as readonly string[]
  if (texts.every(({ length }) => length < longestKey - 1))
    return texts.length === 1 ? sql`v.text_value = ${texts[0]}` : sql`v.text_value = any (${texts}::text[])`
  return sql`v.text_value = any (${texts.map(cut)}::text[]) and coalesce(v.long_text, v.text_value) = any (${texts}::text[])`
}
