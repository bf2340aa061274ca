import { join, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Order, Test } from './condition.ts'
import type { Place } from './fields.ts'

export const comparisons: Record<Order, Statement> = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` }

export type Column = Extract<Place, { in: 'column' }>

export function columnMeets({ column }: Column, condition: Test): Statement {
  if (condition.is === 'exists') return column === 'external_id' ? sql`o.external_id is not null` : sql`true`
  if (condition.is === 'among') return isColumnAmong(column, condition.values)
  if (condition.is !== 'between') throw new Error('what a column contains is searched in the index entries')
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
    case 'object_key':
      return sql`${textColumns[column]} = any (${values}::text[])`
    case 'version':
      return sql`o.version = any (${(values as readonly number[]).filter((value) => Number.isInteger(value) && Math.abs(value) <= mostVersions)}::int[])`
    default:
      return sql`${uuidColumns[column as 'id']} = any (${values}::uuid[])`
  }
}

function compared(column: Column['column'], op: Order, value: unknown): Statement {
  switch (column) {
    case 'updated_at':
      return sql`o.updated_at ${comparisons[op]} ${new Date(value as string)}`
    case 'deleted_at':
      return sql`o.deleted_at ${comparisons[op]} ${new Date(value as string)}`
    case 'version':
      return sql`o.version ${comparisons[op]} ${wholeFor(op, value as number)}::int`
    case 'name':
    case 'external_id':
    case 'full_id':
    case 'object_key':
      return sql`${textColumns[column]} ${comparisons[op]} ${value}`
    default:
      return createdIs(op, new Date(value as string))
  }
}

const uuidColumns = {
  id: sql`o.id`,
  org_id: sql`o.org_id`,
  created_by: sql`o.created_by`,
  updated_by: sql`o.updated_by`,
}
const textColumns = {
  name: sql`o.name collate "C"`,
  external_id: sql`o.external_id collate "C"`,
  full_id: sql`o.full_id collate "C"`,
  object_key: sql`o.object_key collate "C"`,
}

const mostVersions = 2 ** 31 - 1

/** The whole number for which the comparison holds for the same whole numbers. */
function wholeFor(op: Order, value: number): number {
  const whole = op === 'lt' || op === 'gte' ? Math.ceil(value) : Math.floor(value)
  return Math.min(Math.max(whole, -mostVersions), mostVersions)
}

/** An id begins with the time of its creation, so times of creation are compared as ids, which have an index. */
function createdIs(op: Order, time: Date): Statement {
  const first = firstIdAt(op === 'gt' || op === 'lte' ? time.getTime() + 1 : time.getTime())
  return op === 'lt' || op === 'lte' ? sql`o.id < ${first}::uuid` : sql`o.id >= ${first}::uuid`
}

function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
