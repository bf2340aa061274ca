import { parseDate } from '../../core/dates.ts'
import { isId } from '../../core/ids.ts'
import { invalid, quote, type Refusal } from '../../core/refusal.ts'
import type { FieldType } from '../kinds/kind.ts'
import type { Scalar } from '../model/other-fields.ts'
import type { Place } from './fields.ts'

/** A value of the field's own type, in the form in which it is kept. */
export function scalar({ type, ...place }: Place, value: unknown, at: string): Scalar {
  const options = 'options' in place ? place.options : undefined
  if (options && !options.includes(value as string)) {
    throw invalid(at, 'unknown_value', `"${at}" cannot be ${quote(value)}; allowed: ${options.join(', ')}.`, options)
  }
  if (place.in === 'bill' && place.column === 'number') return billNumber(value, at)
  const expected = typesOf[type] ?? text
  if (!expected.fits(value)) throw wrong(at, value, expected.what)
  return type === 'reference' ? (value as string).toLowerCase() : (value as Scalar)
}

/** `BILL-000123` → 123: so they are kept, and so they are in order. */
function billNumber(value: unknown, at: string): number {
  const [, digits] = (typeof value === 'string' && /^BILL-0*(\d{1,9})$/i.exec(value)) || []
  if (digits === undefined) throw wrong(at, value, 'the number of a bill such as "BILL-000123"')
  return Number(digits)
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

export function wrong(at: string, value: unknown, what: string): Refusal {
  return invalid(at, 'wrong_type', `"${at}" must be ${what}, not ${quote(value)}.`)
}
