import { join, nothing, type Statement, sql, when } from '../db/sql.ts'
import { containing } from './contains.ts'
import type { Place } from './fields.ts'
import type { Condition } from './filter.ts'
import { cut, longestKey, wordsOf } from './leaves.ts'

export type Scope = { org: string; objectKey: string }

/** Live objects of the kind, as `o`. */
export function ofKind({ org, objectKey }: Scope): Statement {
  return sql`o.org_id = ${org} and o.object_key = ${objectKey} and o.deleted_at is null`
}

/** The ids of the objects that meet a condition, each once. */
export function idsMeeting(scope: Scope, condition: Condition): Statement {
  const values = valuesMeeting(scope, condition)
  return values
    ? sql`select distinct found.id from (${values}) as found`
    : sql`select o.id from objects o where ${ofKind(scope)} and ${meets(scope, condition)}`
}

/** Words of a search: each is the beginning of a word somewhere in the object. */
export function hasWords(scope: Scope, q: string): Statement {
  const words = [...new Set(wordsOf(q))].slice(0, 20)
  const each = words.map(
    (word) =>
      sql`o.id in (select w.object_id from object_words w where w.org_id = ${scope.org} and w.object_key = ${scope.objectKey} and ${begins(sql`w.word`, word)})`,
  )
  // What has no word in it is found nowhere.
  return each.length > 0 ? join(each, sql` and `) : sql`false`
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
      // As one set of ids: a plain `or` of sets would walk through every object of the kind.
      return sql`o.id in (${join(
        condition.parts.map((part) => sql`(${idsMeeting(scope, part)})`),
        sql` union all `,
      )})`
    case 'not':
      return sql`not ${meets(scope, condition.part)}`
    default: {
      const { place } = condition
      if (place.in === 'column') return columnMeets(place, condition)
      return sql`o.id in (${valuesMeeting(scope, condition) as Statement})`
    }
  }
}

/** A condition on the deleted object `o`, which has nothing but its row. */
export function meetsDeleted(condition: Condition): Statement {
  switch (condition.is) {
    case 'and':
    case 'or':
      return sql`(${join(condition.parts.map(meetsDeleted), condition.is === 'and' ? sql` and ` : sql` or `)})`
    case 'not':
      // What is not there is not the same: coalesced, because of null neither a condition nor its opposite would hold.
      return sql`not coalesce(${meetsDeleted(condition.part)}, false)`
    default:
      return columnMeets(condition.place as Column, condition)
  }
}

/** The ids straight from the index of values, where one condition on them is all there is; an id can come more than once. */
function valuesMeeting(scope: Scope, condition: Condition): Statement | null {
  if (!('place' in condition) || condition.place.in === 'column') return null
  const { place } = condition
  const rows = (test: Statement) =>
    sql`select v.object_id as id from object_values v where v.org_id = ${scope.org} and v.object_key = ${scope.objectKey} and ${test}`
  if (place.in === 'parts') return rows(sql`v.field >= ${`${place.path}.`} and v.field < ${`${place.path}/`}`)
  const field = sql`v.field = ${place.path}`
  switch (condition.is) {
    case 'exists':
      return rows(sql`${field} and ${columnOf(place)} is not null`)
    case 'among':
      return rows(sql`${field} and ${isAmong(place, condition.values)}`)
    case 'between':
      return rows(
        sql`${field} and ${join(
          condition.bounds.map(({ op, value }) => sql`${columnOf(place)} ${orders[op]} ${typed(place, value)}`),
          sql` and `,
        )}`,
      )
    case 'startsWith':
      return rows(
        sql`${field} and ${begins(sql`v.text_value`, cut(condition.text))} ${when(condition.text.length > longestKey, sql`and starts_with(v.long_text, ${condition.text})`)}`,
      )
    case 'contains':
      return containing(scope, place.path, condition.text)
    default:
      return null
  }
}

type Values = Extract<Place, { in: 'values' }>

function columnOf({ column }: Values): Statement {
  return column === 'text_value' ? sql`v.text_value` : column === 'number_value' ? sql`v.number_value` : sql`v.flag_value`
}

function typed({ column }: Values, value: unknown): Statement {
  return column === 'text_value' ? sql`${value}::text` : column === 'number_value' ? sql`${value}::float8` : sql`${String(value)}::text::boolean`
}

/** Of a text that is longer than an index holds, the beginning finds it and the whole confirms it. */
function isAmong(place: Values, values: readonly unknown[]): Statement {
  if (place.column === 'number_value') return sql`v.number_value = any (${values}::float8[])`
  if (place.column === 'flag_value') return sql`v.flag_value = any (${values.map(String)}::text[]::boolean[])`
  const texts = values as readonly string[]
  if (texts.every(({ length }) => length < longestKey - 1))
    return texts.length === 1 ? sql`v.text_value = ${texts[0]}` : sql`v.text_value = any (${texts}::text[])`
  return sql`v.text_value = any (${texts.map(cut)}::text[]) and coalesce(v.long_text, v.text_value) = any (${texts}::text[])`
}

/** Comparisons, and not `like`: row-level security lets them use the index. */
export function begins(column: Statement, beginning: string): Statement {
  return sql`${column} >= ${beginning} and ${column} < ${`${beginning}\u{10ffff}`}`
}

const orders = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` }

type Column = Extract<Place, { in: 'column' }>
type Test = Exclude<Condition, { is: 'and' | 'or' | 'not' }>

function columnMeets({ column }: Column, condition: Test): Statement {
  if (condition.is === 'exists') return column === 'external_id' ? sql`o.external_id is not null` : sql`true`
  if (condition.is === 'among') return isColumnAmong(column, condition.values)
  if (condition.is !== 'between') return nothing
  const tests = condition.bounds.map(({ op, value }) => compared(column, op, value))
  return sql`(${join(tests, sql` and `)})`
}

function isColumnAmong(column: Column['column'], values: readonly unknown[]): Statement {
  switch (column) {
    case 'status':
      return values.length === 1 ? sql`o.status = ${values[0]}` : sql`o.status = any (${values}::text[])`
    case 'source':
      return values.length === 1 ? sql`o.source = ${values[0]}` : sql`o.source = any (${values}::text[])`
    case 'name':
    case 'external_id':
    case 'full_id':
      return sql`${textColumns[column]} = any (${values}::text[])`
    case 'version':
      return sql`o.version = any (${(values as readonly number[]).filter((value) => Number.isInteger(value) && Math.abs(value) <= mostVersions)}::int[])`
    default:
      return sql`${uuidColumns[column as 'id']} = any (${values}::uuid[])`
  }
}

function compared(column: Column['column'], op: keyof typeof orders, value: unknown): Statement {
  switch (column) {
    case 'updated_at':
      return sql`o.updated_at ${orders[op]} ${new Date(value as string)}`
    case 'deleted_at':
      return sql`o.deleted_at ${orders[op]} ${new Date(value as string)}`
    case 'version':
      return sql`o.version ${orders[op]} ${wholeFor(op, value as number)}::int`
    case 'name':
    case 'external_id':
    case 'full_id':
      return sql`${textColumns[column]} ${orders[op]} ${value}`
    default:
      return createdIs(op, new Date(value as string))
  }
}

const uuidColumns = { id: sql`o.id`, created_by: sql`o.created_by`, updated_by: sql`o.updated_by` }
const textColumns = { name: sql`o.name collate "C"`, external_id: sql`o.external_id collate "C"`, full_id: sql`o.full_id collate "C"` }

const mostVersions = 2 ** 31 - 1

/** The whole number that says the same of whole numbers. */
function wholeFor(op: keyof typeof orders, value: number): number {
  const whole = op === 'lt' || op === 'gte' ? Math.ceil(value) : Math.floor(value)
  return Math.min(Math.max(whole, -mostVersions), mostVersions)
}

/** An id begins with the moment it was made, so times of creation are compared as ids, in the order in which objects lie. */
function createdIs(op: keyof typeof orders, time: Date): Statement {
  const first = firstIdAt(op === 'gt' || op === 'lte' ? time.getTime() + 1 : time.getTime())
  return op === 'lt' || op === 'lte' ? sql`o.id < ${first}::uuid` : sql`o.id >= ${first}::uuid`
}

function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
