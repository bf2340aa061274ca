import { invalid, quote, type Refusal } from '../../../platform/core/refusal.ts'
import { parseDate } from '../../../platform/core/values/dates.ts'
import { isId } from '../../../platform/core/values/ids.ts'
import type { FieldType } from '../../kinds/kind.ts'
import type { Scalar } from '../../model/object.ts'
import type { Place } from './fields.ts'

/** A value to compare a field with: of the field's own type, in the form in which it is stored. */
export function scalar({ type, ...place }: Place, value: unknown, at: string): Scalar {
  const options = 'options' in place ? place.options : undefined
  if (options && !options.includes(value as string)) {
    throw invalid(at, 'unknown_value', `"${at}" cannot be ${quote(value)}; allowed: ${options.join(', ')}.`, options)
  }
  if (place.in === 'external' && place.field.readOperand) return place.field.readOperand(value, at)
  const expected = typesOf[type] ?? text
  if (!expected.fits(value)) throw wrongOperand(at, value, expected.what)
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

export function wrongOperand(at: string, value: unknown, what: string): Refusal {
  return invalid(at, 'wrong_type', `"${at}" must be ${what}, not ${quote(value)}.`)
}
