import { comparablePlaces, isRecord, type Kind, type Place, type Shape } from './kind.ts'

export type Op = 'eq' | 'ne' | 'in' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains' | 'startsWith' | 'exists'
export type Condition = { field: string; op: Op; value?: unknown }
export type Filter = Condition | { and: readonly Filter[] } | { or: readonly Filter[] } | { not: Filter }

/** A row of the filter dialog, with its value as typed. */
export type Row = { field: string; choice: Choice; value: string | string[] }
export type Rows = { match: 'and' | 'or'; rows: readonly Row[] }

/** An operator of the dialog; `empty` and `filled` take no value. */
export type Choice = Exclude<Op, 'exists'> | 'empty' | 'filled'

export const choiceWords: Record<Choice, string> = {
  contains: 'contains',
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  startsWith: 'begins with',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  filled: 'has a value',
  empty: 'has no value',
}

const timeWords: Partial<Record<Choice, string>> = {
  eq: 'is on',
  ne: 'is not on',
  lt: 'is before',
  lte: 'is not after',
  gt: 'is after',
  gte: 'is not before',
}

export function wordsFor(choice: Choice, { type }: Shape): string {
  return (type.startsWith('date') && timeWords[choice]) || choiceWords[choice]
}

export const takesNoValue = (choice: Choice) => choice === 'empty' || choice === 'filled'

/** The operators that a type can have, the most useful first. */
export function choicesFor(shape: Shape): readonly Choice[] {
  const { type } = comparedShape(shape)
  if (type === 'address' || type === 'list') return ['filled', 'empty']
  if (type === 'text' || type === 'email') return ['contains', 'eq', 'ne', 'startsWith', 'filled', 'empty']
  if (type === 'select' || type === 'multi-select') return ['eq', 'ne', 'in', 'filled', 'empty']
  if (type === 'boolean' || type === 'reference') return ['eq', 'ne', 'filled', 'empty']
  return ['eq', 'gte', 'lte', 'gt', 'lt', 'ne', 'filled', 'empty']
}

/** A list matches if one of its entries does. */
export function comparedShape(shape: Shape): Shape {
  return shape.type === 'list' && shape.items && 'type' in shape.items ? shape.items : shape
}

/** The filter of the rows; a row without a value is ignored. */
export function filterOf({ match, rows }: Rows, kind: Kind): Filter | undefined {
  const places = comparablePlaces(kind)
  const conditions = rows.flatMap((row) => conditionOf(row, places))
  if (conditions.length < 2) return conditions[0]
  return match === 'and' ? { and: conditions } : { or: conditions }
}

function conditionOf({ field, choice, value }: Row, places: readonly Place[]): Condition[] {
  const place = places.find(({ path }) => path === field)
  if (!place) return []
  if (takesNoValue(choice)) return [{ field, op: 'exists', value: choice === 'filled' }]
  if (value.length === 0 || (typeof value === 'string' && value.trim() === '')) return []
  const { type } = comparedShape(place.shape)
  const op = choice as Op
  if (Array.isArray(value)) return [{ field, op, value }]
  if (type === 'boolean') return [{ field, op, value: value === 'true' }]
  if (type === 'number' || type === 'integer' || type === 'money')
    return Number.isFinite(Number(value)) ? [{ field, op, value: Number(value) }] : []
  return [{ field, op, value }]
}

/** The rows of a filter; null if it is too complex for rows. */
export function rowsOf(filter: Filter | undefined, kind: Kind): Rows | null {
  if (!filter) return { match: 'and', rows: [] }
  const match = 'or' in filter ? 'or' : 'and'
  const conditions = 'or' in filter ? filter.or : 'and' in filter ? filter.and : [filter]
  const places = comparablePlaces(kind)
  const rows = conditions.map((condition) => rowOf(condition, places))
  return rows.every((row) => row !== null) ? { match, rows } : null
}

function rowOf(condition: Filter, places: readonly Place[]): Row | null {
  if (!('field' in condition)) return null
  const { field, op, value } = condition
  const place = places.find(({ path }) => path === field)
  if (!place) return null
  if (op === 'exists') return { field, choice: value === false ? 'empty' : 'filled', value: '' }
  const plain = ['string', 'number', 'boolean'].includes(typeof value)
  if (!choicesFor(place.shape).includes(op) || !(op === 'in' ? Array.isArray(value) : plain)) return null
  return { field, choice: op, value: Array.isArray(value) ? value.map(String) : String(value) }
}

/** Whether a value from the address has the form of a filter; whether it fits the kind, the server checks. */
export function isFilter(value: unknown): value is Filter {
  if (!isRecord(value)) return false
  const { and, or, not, field } = value
  if (Array.isArray(and)) return and.every(isFilter)
  if (Array.isArray(or)) return or.every(isFilter)
  return not === undefined ? typeof field === 'string' : isFilter(not)
}
