import { parseDate, toWire } from '../core/dates.ts'
import { isId } from '../core/ids.ts'
import { invalid, quote, type Refusal } from '../core/refusal.ts'
import { isRecord } from './check.ts'
import type { Definition, FieldType } from './definitions/kind.ts'
import { type Place, type PlaceOptions, placeOf } from './fields.ts'

/** A condition on objects as a caller writes it: all of, one of, not, or a field compared with a value. */
export type Filter = { and: Filter[] } | { or: Filter[] } | { not: Filter } | { field: string; op: Op; value?: unknown }

export const ops = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'exists'] as const
export type Op = (typeof ops)[number]

type Scalar = string | number | boolean
type Order = 'lt' | 'lte' | 'gt' | 'gte'

/** The same, read and found right: what is left is plain. */
export type Condition =
  | { is: 'and' | 'or'; parts: Condition[] }
  | { is: 'not'; part: Condition }
  | { is: 'among'; place: Place; values: readonly Scalar[] }
  | { is: 'between'; place: Place; bounds: readonly { op: Order; value: Scalar }[] }
  | { is: 'contains' | 'startsWith'; place: Place; text: string }
  | { is: 'exists'; place: Place }

const deepest = 8
const most = 100
const mostValues = 500
/** Nobody compares the order of longer texts, and an index holds no more of them. */
const longest = 190

/** Reads a filter in the terms of a kind; whatever is wrong is refused with the spot where it stands. */
export function readFilter(definition: Definition, filter: unknown, options: PlaceOptions = {}): Condition {
  let count = 0
  return read(filter, 'filter', 0)

  function read(node: unknown, at: string, depth: number): Condition {
    if (++count > most) throw invalid(at, 'too_many', `A filter can have at most ${most} conditions.`)
    if (depth > deepest) throw invalid(at, 'too_deep', `A filter can be nested at most ${deepest} deep.`)
    const shape = isRecord(node) ? Object.keys(node).filter((key) => ['and', 'or', 'not', 'field'].includes(key)) : []
    if (!isRecord(node) || shape.length !== 1) throw malformed(at, node)
    if (shape[0] === 'field') return compare(definition, node, at, options)
    if (shape[0] === 'not') return { is: 'not', part: read(node.not, `${at}.not`, depth + 1) }
    const is = shape[0] as 'and' | 'or'
    const parts = node[is]
    if (!Array.isArray(parts) || parts.length === 0) throw invalid(`${at}.${is}`, 'wrong_type', `"${at}.${is}" must be a list of at least one condition.`)
    const conditions = parts.map((part, index) => read(part, `${at}.${is}[${index}]`, depth + 1))
    return is === 'and' ? together(conditions) : { is, parts: conditions }
  }
}

/** Two bounds of one value are a range, which is looked up as one. Of a list they may be met by different entries, and stay apart. */
function together(parts: Condition[]): Condition {
  const ranges = new Map<string, Extract<Condition, { is: 'between' }>>()
  const others: Condition[] = []
  for (const part of parts.flatMap((part) => (part.is === 'and' ? part.parts : [part]))) {
    const one = part.is === 'between' && oneOf(part.place)
    if (part.is !== 'between' || !one) others.push(part)
    else ranges.set(one, { ...part, bounds: [...(ranges.get(one)?.bounds ?? []), ...part.bounds] })
  }
  const all = [...ranges.values(), ...others]
  return all.length === 1 ? (all[0] as Condition) : { is: 'and', parts: all }
}

/** What tells a place that has one value from all others: a field can be called like a column. */
function oneOf(place: Place): string | undefined {
  if (place.in === 'column') return `column ${place.column}`
  return place.in === 'values' && !place.many ? `values ${place.path}` : undefined
}

function compare(definition: Definition, { field, op, value }: Record<string, unknown>, at: string, options: PlaceOptions): Condition {
  const place = placeOf(definition, field, `${at}.field`, options)
  const allowed = opsOf(place)
  if (typeof op !== 'string' || !allowed.includes(op as Op)) {
    throw invalid(
      `${at}.op`,
      'unknown_op',
      `"${at}.op" cannot be ${quote(op)} for ${quote(field)}, which is of type ${place.type}; allowed: ${allowed.join(', ')}.`,
      allowed,
    )
  }
  return conditionOf(place, op as Op, value, `${at}.value`)
}

function conditionOf(place: Place, op: Op, value: unknown, at: string): Condition {
  switch (op) {
    case 'exists':
      if (value !== undefined && typeof value !== 'boolean') throw invalid(at, 'wrong_type', `"${at}" must be true or false, not ${quote(value)}.`)
      return value === false ? { is: 'not', part: { is: 'exists', place } } : { is: 'exists', place }
    case 'ne':
      return { is: 'not', part: conditionOf(place, 'eq', value, at) }
    case 'eq':
      return value === null ? { is: 'not', part: { is: 'exists', place } } : equal(place, value, at)
    case 'in':
      return among(place, value, at)
    case 'contains':
    case 'startsWith':
      if (typeof value !== 'string' || value === '') throw invalid(at, 'wrong_type', `"${at}" must be a text that is not empty, not ${quote(value)}.`)
      return { is: op, place, text: value }
    default:
      return { is: 'between', place, bounds: [bound(place, op, value, at)] }
  }
}

function equal(place: Place, value: unknown, at: string): Condition {
  const isTime = place.type === 'date-time'
  if (!isTime) return { is: 'among', place, values: [scalar(place, value, at)] }
  // A bare date means the whole day, and even a full one a whole millisecond.
  return { is: 'between', place, bounds: [bound(place, 'gte', value, at), bound(place, 'lte', value, at)] }
}

function among(place: Place, value: unknown, at: string): Condition {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostValues) {
    throw invalid(at, 'wrong_type', `"${at}" must be a list of 1 to ${mostValues} values, not ${quote(value)}.`)
  }
  if (place.type === 'date-time') return { is: 'or', parts: value.map((item, index) => equal(place, item, `${at}[${index}]`)) }
  return { is: 'among', place, values: value.map((item, index) => scalar(place, item, `${at}[${index}]`)) }
}

function bound(place: Place, op: Order, value: unknown, at: string): { op: Order; value: Scalar } {
  if (place.type === 'date-time') {
    const time = typeof value === 'string' ? parseDate(value, op === 'gt' || op === 'lte' ? 'end' : 'start') : null
    if (!time) throw wrong(at, value, 'a date, or a date-time such as 2026-11-15T09:30:00Z')
    return { op, value: toWire(time) }
  }
  const compared = scalar(place, value, at)
  if (typeof compared === 'string' && compared.length > longest) throw invalid(at, 'too_long', `"${at}" can have at most ${longest} characters here.`)
  return { op, value: compared }
}

/** A value of the field's own type, in the form in which it is kept. */
function scalar({ type, ...place }: Place, value: unknown, at: string): Scalar {
  const options = 'options' in place ? place.options : undefined
  if (options && !options.includes(value as string)) {
    throw invalid(at, 'unknown_value', `"${at}" cannot be ${quote(value)}; allowed: ${options.join(', ')}.`, options)
  }
  const expected = typesOf[type] ?? text
  if (!expected.fits(value)) throw wrong(at, value, expected.what)
  return type === 'reference' ? (value as string).toLowerCase() : (value as Scalar)
}

type Expected = { fits(value: unknown): boolean; what: string }
const text: Expected = { fits: (value) => typeof value === 'string', what: 'a text' }
const number: Expected = { fits: (value) => typeof value === 'number' && Number.isFinite(value), what: 'a number' }
const typesOf: Partial<Record<FieldType, Expected>> = {
  number,
  integer: number,
  money: number,
  boolean: { fits: (value) => typeof value === 'boolean', what: 'true or false' },
  date: {
    fits: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && parseDate(value) !== null,
    what: 'a date such as 2026-11-15',
  },
  reference: { fits: (value) => typeof value === 'string' && isId(value), what: 'a UUID' },
}

const equality: readonly Op[] = ['eq', 'ne', 'in', 'exists']
const ordered: readonly Op[] = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'exists']

function opsOf(place: Place): readonly Op[] {
  if (place.in === 'parts') return ['exists']
  if (place.in === 'values' && place.searched) return ops
  return place.type === 'boolean' || place.type === 'reference' || place.type === 'select' ? equality : ordered
}

function malformed(at: string, node: unknown): Refusal {
  return invalid(
    at,
    'malformed_filter',
    `"${at}" must be one of { "and": […] }, { "or": […] }, { "not": … } or { "field", "op", "value" }, not ${quote(node)}.`,
  )
}

function wrong(at: string, value: unknown, what: string): Refusal {
  return invalid(at, 'wrong_type', `"${at}" must be ${what}, not ${quote(value)}.`)
}
