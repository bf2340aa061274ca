import { normalTimeZone } from '../../platform/core/places/time-zones.ts'
import { type Detail, quote } from '../../platform/core/refusal.ts'
import { hasOffset, isForDatabase, parseDate } from '../../platform/core/values/dates.ts'
import { isId } from '../../platform/core/values/ids.ts'
import { addressParts, type Field, type Item } from '../kinds/kind.ts'
import { nameIn } from './name.ts'

/** The most entries of a list. */
export const mostEntries = 1000

/** Null, undefined and a text of nothing but space count as no value. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** What is wrong with a value of a field. A missing value or null is right unless the field is required. */
export function checkField(field: Field, value: unknown, path: string, currencies: ReadonlySet<string>): Detail[] {
  if (field.required && isEmpty(value)) return [{ field: path, code: 'required', message: `"${path}" is required.` }]
  return value === undefined || value === null ? [] : checkValue(field, value, path, currencies)
}

type Shape = Pick<Field, 'type' | 'options' | 'objectKey' | 'items' | 'format'>

function checkValue(shape: Shape, value: unknown, path: string, currencies: ReadonlySet<string>): Detail[] {
  if (shape.type === 'list') return checkList(shape.items as Item, value, path, currencies)
  if (shape.type === 'address') return checkAddress(value, path)
  if (shape.type === 'multi-select') return checkChoices(shape.options ?? [], value, path)
  if (shape.type === 'select')
    return shape.options?.includes(value as string) ? [] : [notAllowed(path, value, shape.options ?? [])]
  if (shape.format === 'id')
    return isText(value) && isId(value as string)
      ? []
      : [{ field: path, code: 'bad_uuid', message: `"${path}" must be a UUID, not ${quote(value)}.` }]
  if (shape.format === 'currency') return currencies.has(value as string) ? [] : [notCurrency(path, value)]
  if (shape.format === 'time-zone')
    return isText(value) && normalTimeZone(value as string) !== null ? [] : [notTimeZone(path, value)]
  if (shape.type === 'reference' && typeof value === 'string' && nameIn(shape.objectKey as string, value))
    return [notThere(path, value, shape.objectKey as string)]
  const { fits, what, code } = scalars[shape.type]
  return fits(value) ? [] : [{ field: path, code, message: `"${path}" must be ${what}, not ${quote(value)}.` }]
}

type Scalar = { fits(value: unknown): boolean; what: string; code: string }

const wrongType = 'wrong_type'
const email =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

const scalars: Record<Exclude<Shape['type'], 'list' | 'address' | 'multi-select' | 'select'>, Scalar> = {
  text: { fits: (value) => typeof value === 'string', what: 'a text', code: wrongType },
  number: { fits: (value) => typeof value === 'number' && Number.isFinite(value), what: 'a number', code: wrongType },
  integer: { fits: Number.isSafeInteger, what: 'a whole number within ±(2^53−1)', code: wrongType },
  money: { fits: Number.isSafeInteger, what: 'a whole number of the currency’s minor unit', code: wrongType },
  boolean: { fits: (value) => typeof value === 'boolean', what: 'true or false', code: wrongType },
  date: {
    fits: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && parseDate(value) !== null,
    what: 'a date such as 2026-11-15',
    code: 'bad_date',
  },
  'date-time': {
    // It is kept and shown as it was sent, so it needs its offset, and the database must be able to read it.
    fits: (value) => typeof value === 'string' && hasOffset(value) && isForDatabase(value),
    what: 'an ISO 8601 date-time with its offset of less than 16 hours, such as 2026-11-15T09:30:00Z',
    code: 'bad_date_time',
  },
  email: {
    fits: (value) => typeof value === 'string' && value.length <= 254 && email.test(value),
    what: 'an e-mail address',
    code: 'bad_email',
  },
  reference: {
    fits: (value) => typeof value === 'string' && isId(value),
    what: 'an object by its id (a UUID), its fullId, or ext: and its externalId',
    code: 'bad_uuid',
  },
}

function checkList(items: Item, value: unknown, path: string, currencies: ReadonlySet<string>): Detail[] {
  if (!Array.isArray(value))
    return [{ field: path, code: wrongType, message: `"${path}" must be a list, not ${quote(value)}.` }]
  if (value.length > mostEntries)
    return [{ field: path, code: 'too_many', message: `"${path}" can have at most ${mostEntries} entries.` }]
  return value.flatMap((entry, index) => {
    const at = `${path}.${index}`
    if ('type' in items) return checkValue(items, entry, at, currencies)
    if (!isRecord(entry))
      return [{ field: at, code: wrongType, message: `"${at}" must be an object, not ${quote(entry)}.` }]
    return items.fields.flatMap((field) => [
      ...checkField(field, ownValue(entry, field.key), `${at}.${field.key}`, currencies),
      ...(field.format === 'id' && isTwice(value, index, field.key)
        ? [
            {
              field: `${at}.${field.key}`,
              code: 'taken',
              message: `"${at}.${field.key}" is that of another entry too.`,
            },
          ]
        : []),
    ])
  })
}

function isTwice(entries: readonly unknown[], index: number, key: string): boolean {
  const mine = ownValue(entries[index] as Record<string, unknown>, key)
  return (
    typeof mine === 'string' && entries.findIndex((entry) => isRecord(entry) && ownValue(entry, key) === mine) !== index
  )
}

function checkAddress(value: unknown, path: string): Detail[] {
  if (!isRecord(value))
    return [
      {
        field: path,
        code: wrongType,
        message: `"${path}" must be an address: an object with address1, city, state and so on.`,
      },
    ]
  const texts = addressParts.filter((part) => !isText(ownValue(value, part)))
  const numbers = Object.entries({ latitude: 90, longitude: 180 }).filter(
    ([part, most]) => !isCoordinate(ownValue(value, part), most),
  )
  return [
    ...texts.map((part) => ({
      field: `${path}.${part}`,
      code: wrongType,
      message: `"${path}.${part}" must be a text, not ${quote(ownValue(value, part))}.`,
    })),
    ...numbers.map(([part, most]) => ({
      field: `${path}.${part}`,
      code: wrongType,
      message: `"${path}.${part}" must be a number from −${most} to ${most}.`,
    })),
  ]
}

function checkChoices(options: readonly string[], value: unknown, path: string): Detail[] {
  if (!Array.isArray(value))
    return [{ field: path, code: wrongType, message: `"${path}" must be a list of choices, not ${quote(value)}.` }]
  const wrong = value.findIndex((choice, index) => !options.includes(choice) || value.indexOf(choice) !== index)
  return wrong < 0 ? [] : [notAllowed(`${path}.${wrong}`, value[wrong], options)]
}

function notAllowed(path: string, value: unknown, options: readonly string[]): Detail {
  return {
    field: path,
    code: 'unknown_value',
    message: `"${path}" cannot be ${quote(value)}; allowed, each once: ${options.join(', ')}.`,
    allowed: options,
  }
}

/** References by external id or fullId were replaced by ids before the check, so one that is left was not found. */
function notThere(path: string, value: string, objectKey: string): Detail {
  return {
    field: path,
    code: 'unknown_reference',
    message: `"${path}" refers to the ${objectKey} ${quote(value)}, which is not there.`,
  }
}

function notCurrency(path: string, value: unknown): Detail {
  return {
    field: path,
    code: 'unknown_currency',
    message: `"${path}" must be the ISO 4217 code of a currency, such as "usd", not ${quote(value)}.`,
  }
}

function notTimeZone(path: string, value: unknown): Detail {
  const message = `"${path}" must be the name of a time zone in the IANA database, such as "America/New_York", not ${quote(value)}.`
  return { field: path, code: 'unknown_time_zone', message }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A plain object has inherited properties, such as `constructor`, which are no fields. */
export function ownValue(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

function isCoordinate(value: unknown, most: number): boolean {
  return value === undefined || value === null || (typeof value === 'number' && Math.abs(value) <= most)
}
