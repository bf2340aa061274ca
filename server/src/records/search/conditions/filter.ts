import { invalid, quote, type Refusal } from '../../../platform/core/refusal.ts'
import { parseDate, toWire } from '../../../platform/core/values/dates.ts'
import type { Definition } from '../../kinds/kind.ts'
import { isRecord } from '../../model/check.ts'
import type { Scalar } from '../../model/object.ts'
import { type Condition, type Op, type Order, ops } from './condition.ts'
import { withDefault } from './default-values.ts'
import { type OtherPlace, type Place, type PlaceOptions, placeOf } from './fields.ts'
import { scalar, wrongOperand } from './operands.ts'

const deepest = 8
/** The SQL of an `and` repeats its parts several times, so nested ones multiply; beyond this a search would take longer to plan than to run. */
const heaviest = 5_000
const most = 100
const mostValues = 500
/** An index holds no more of a text, so longer ones have no order. */
const longest = 190

/** Reads a filter on objects of a kind; what is wrong is refused with its path in the filter. */
export function readFilter(definition: Definition, filter: unknown, options: PlaceOptions): Condition {
  let count = 0
  const condition = read(filter, 'filter', 0)
  if (weightOf(condition) > heaviest)
    throw invalid(
      'filter',
      'too_complex',
      '"filter" has too many conditions within each other. Nest them less, or ask for parts of it one by one.',
    )
  return condition

  function read(node: unknown, at: string, depth: number): Condition {
    if (++count > most) throw invalid(at, 'too_many', `A filter can have at most ${most} conditions.`)
    if (depth > deepest) throw invalid(at, 'too_deep', `A filter can be nested at most ${deepest} deep.`)
    const shape = isRecord(node) ? Object.keys(node).filter((key) => ['and', 'or', 'not', 'field'].includes(key)) : []
    if (!isRecord(node) || shape.length !== 1) throw malformed(at, node)
    if (shape[0] === 'field') return compare(definition, node, at, options)
    if (shape[0] === 'not') return { is: 'not', part: read(node.not, `${at}.not`, depth + 1) }
    const is = shape[0] as 'and' | 'or'
    const parts = node[is]
    if (!Array.isArray(parts) || parts.length === 0)
      throw invalid(`${at}.${is}`, 'wrong_type', `"${at}.${is}" must be a list of at least one condition.`)
    const conditions = parts.map((part, index) => read(part, `${at}.${is}[${index}]`, depth + 1))
    return is === 'and' ? joinRanges(conditions) : { is, parts: conditions }
  }
}

/** Two bounds of one value are a range, which is one index scan. In a list they may be met by different items, so there they stay apart. */
function joinRanges(parts: Condition[]): Condition {
  const ranges = new Map<string, Extract<Condition, { is: 'between' }>>()
  const rest: Condition[] = []
  for (const part of parts.flatMap((part) => (part.is === 'and' ? part.parts : [part]))) {
    const one = part.is === 'between' && singleKey(part.place)
    if (part.is !== 'between' || !one) rest.push(part)
    else ranges.set(one, { ...part, bounds: [...(ranges.get(one)?.bounds ?? []), ...part.bounds] })
  }
  const all = [...ranges.values(), ...rest]
  return all.length === 1 ? (all[0] as Condition) : { is: 'and', parts: all }
}

function weightOf(condition: Condition): number {
  switch (condition.is) {
    case 'and':
      return 4 * sumOf(condition.parts)
    case 'or':
      return sumOf(condition.parts)
    case 'not':
      return weightOf(condition.part)
    case 'contains':
      return 12
    default:
      return condition.place.in === 'parts' ? 3 : 1
  }
}

function sumOf(parts: readonly Condition[]): number {
  return parts.reduce((sum, part) => sum + weightOf(part), 0)
}

/** A key for each place that has at most one value; with its sort, because a field can have the name of a column. */
function singleKey(place: Place): string | undefined {
  if (place.in === 'column') return `column ${place.column}`
  if (place.in === 'external') return `external ${place.field.key}`
  return place.in === 'values' && !place.many ? `values ${place.path}` : undefined
}

function compare(
  definition: Definition,
  { field, op, value }: Record<string, unknown>,
  at: string,
  options: PlaceOptions,
): Condition {
  const place = placeOf(definition, field, `${at}.field`, options)
  const allowed = place.in === 'other' ? ops : opsOf(place)
  if (typeof op !== 'string' || !allowed.includes(op as Op)) {
    const type = place.in === 'other' ? '' : `, which is of type ${place.type}`
    throw invalid(
      `${at}.op`,
      'unknown_op',
      `"${at}.op" cannot be ${quote(op)} for ${quote(field)}${type}; allowed: ${allowed.join(', ')}.`,
      allowed,
    )
  }
  if (place.in === 'other') return otherCondition(place, op as Op, value, `${at}.value`)
  const condition = conditionOf(place, op as Op, value, `${at}.value`)
  return place.in === 'values' && place.defaultValue !== undefined
    ? withDefault(condition, place.defaultValue)
    : condition
}

/** A field without a definition has no type: that of the operand decides which index is used. */
function otherCondition({ path }: OtherPlace, op: Op, value: unknown, at: string): Condition {
  if (op === 'ne') return { is: 'not', part: otherCondition({ in: 'other', path }, 'eq', value, at) }
  if (op === 'exists' || value === null) return conditionOf({ in: 'parts', path, type: 'list' }, op, value, at)
  if (op !== 'in') return conditionOf(otherPlaceOf(path, op, value, at), op, value, at)
  requireValues(value, at)
  const places = new Map(value.map((item, index) => [typeof item, otherPlaceOf(path, op, item, `${at}[${index}]`)]))
  const parts = [...places].map(([type, place]) =>
    among(
      place,
      value.filter((item) => typeof item === type),
      at,
    ),
  )
  return parts.length === 1 ? (parts[0] as Condition) : { is: 'or', parts }
}

const placeByType = {
  string: { column: 'text_value', type: 'text', searched: true },
  number: { column: 'number_value', type: 'number', searched: false },
  boolean: { column: 'flag_value', type: 'boolean', searched: false },
} as const

/** Any such field may be a list. */
function otherPlaceOf(path: string, op: Op, value: unknown, at: string): Place {
  const type = typeof value
  if (type !== 'string' && type !== 'number' && (type !== 'boolean' || (op !== 'eq' && op !== 'in')))
    throw wrongOperand(at, value, op === 'eq' || op === 'in' ? 'a text, a number, true or false' : 'a text or a number')
  return { in: 'values', path, ...placeByType[type as keyof typeof placeByType], many: true }
}

function conditionOf(place: Place, op: Op, value: unknown, at: string): Condition {
  switch (op) {
    case 'exists':
      if (value !== undefined && typeof value !== 'boolean')
        throw invalid(at, 'wrong_type', `"${at}" must be true or false, not ${quote(value)}.`)
      return value === false ? { is: 'not', part: { is: 'exists', place } } : { is: 'exists', place }
    case 'ne':
      return { is: 'not', part: conditionOf(place, 'eq', value, at) }
    case 'eq':
      return value === null ? { is: 'not', part: { is: 'exists', place } } : equal(place, value, at)
    case 'in':
      return among(place, value, at)
    case 'contains':
    case 'startsWith':
      if (typeof value !== 'string' || value === '')
        throw invalid(at, 'wrong_type', `"${at}" must be a text that is not empty, not ${quote(value)}.`)
      return { is: op, place, text: value }
    default:
      return { is: 'between', place, bounds: [bound(place, op, value, at)] }
  }
}

function equal(place: Place, value: unknown, at: string): Condition {
  const isTime = place.type === 'date-time'
  if (!isTime) return { is: 'among', place, values: [scalar(place, value, at)] }
  // A date means the whole day, and a date-time the whole millisecond.
  return { is: 'between', place, bounds: [bound(place, 'gte', value, at), bound(place, 'lte', value, at)] }
}

function among(place: Place, value: unknown, at: string): Condition {
  requireValues(value, at)
  if (place.type === 'date-time')
    return { is: 'or', parts: value.map((item, index) => equal(place, item, `${at}[${index}]`)) }
  return { is: 'among', place, values: value.map((item, index) => scalar(place, item, `${at}[${index}]`)) }
}

function requireValues(value: unknown, at: string): asserts value is unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostValues)
    throw invalid(at, 'wrong_type', `"${at}" must be a list of 1 to ${mostValues} values, not ${quote(value)}.`)
}

function bound(place: Place, op: Order, value: unknown, at: string): { op: Order; value: Scalar } {
  if (place.type === 'date-time') {
    const time = typeof value === 'string' ? parseDate(value, op === 'gt' || op === 'lte' ? 'end' : 'start') : null
    if (!time) throw wrongOperand(at, value, 'a date, or a date-time such as 2026-11-15T09:30:00Z')
    return { op, value: toWire(time) }
  }
  const compared = scalar(place, value, at)
  if (typeof compared === 'string' && compared.length > longest)
    throw invalid(at, 'too_long', `"${at}" can have at most ${longest} characters here.`)
  return { op, value: compared }
}

const equality: readonly Op[] = ['eq', 'ne', 'in', 'exists']
const ordered: readonly Op[] = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'exists']

function opsOf(place: Place): readonly Op[] {
  if (place.in === 'parts') return ['exists']
  if (place.in === 'values' ? place.searched : place.in === 'external' && place.field.hasText) return ops
  return place.type === 'boolean' || place.type === 'reference' || place.type === 'select' ? equality : ordered
}

function malformed(at: string, node: unknown): Refusal {
  return invalid(
    at,
    'malformed_filter',
    `"${at}" must be one of { "and": […] }, { "or": […] }, { "not": … } or { "field", "op", "value" }, not ${quote(node)}.`,
  )
}
