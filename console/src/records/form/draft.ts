import { browserZone, momentTyped, typedTimeIn } from '../../app/values/dates.ts'
import { readAmount, typedAmountOf } from '../../app/values/money.ts'
import { type NumberReading, readNumber, readQuantity, typedNumberOf } from '../../app/values/numbers.ts'
import { addressParts, type Field, type Fields, isRecord, type Shape } from '../kinds/kind.ts'
import { zoneIn } from '../kinds/zone.ts'

/** A value as the inputs have it: texts, and lists and records of texts. */
export type Draft = string | readonly Draft[] | { readonly [part: string]: Draft }
export type DraftFields = Readonly<Record<string, Draft>>

/** Parts of an address or an entry that have no input are kept as JSON under this name, so that saving does not lose them. */
const withoutInput = ''

/** Times are typed by the clock of the record's own time zone, where it has one, and of the browser elsewhere. */
export function draftsOf(
  fields: readonly Field[],
  object: Fields,
  digits: number,
  zoneOf: (key: string) => string | undefined = () => undefined,
): DraftFields {
  const zone = zoneIn(fields, object)
  return Object.fromEntries(
    fields.map((field) => [field.key, draftOf(field, object[field.key], digits, zoneOf(field.key) ?? zone)]),
  )
}

export function draftOf(shape: Shape, value: unknown, digits: number, zone = browserZone()): Draft {
  const { type, items } = shape
  if (type === 'multi-select') return Array.isArray(value) ? value.map(String) : []
  if (type === 'address') return recordDraft(addressParts, value, digits)
  if (type === 'list' && items) {
    const entries = Array.isArray(value) ? value : []
    return entries.map((entry) =>
      'fields' in items ? recordDraft(items.fields, entry, digits) : draftOf(items, entry, digits),
    )
  }
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' && (type === 'money' || type === 'number' || type === 'integer'))
    return typedOf(type, value, digits)
  if (type === 'date-time' && typeof value === 'string') return typedTimeIn(value, zone)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function blankEntry(items: NonNullable<Shape['items']>): Draft {
  return 'fields' in items ? recordDraft(items.fields, {}, 0) : draftOf(items, null, 0)
}

function recordDraft(fields: readonly Field[], value: unknown, digits: number): Draft {
  const record = isRecord(value) ? value : {}
  const rest = Object.entries(record).filter(([key]) => !fields.some((field) => field.key === key))
  return {
    ...draftsOf(fields, record, digits),
    ...(rest.length > 0 && { [withoutInput]: JSON.stringify(Object.fromEntries(rest)) }),
  }
}

export type Faults = Record<string, string>

/** The value of a draft; what cannot be read is noted under its path. */
export function valueIn(
  shape: Shape,
  draft: Draft | undefined,
  path: string,
  digits: number,
  faults: Faults,
  zone = browserZone(),
): unknown {
  const { type, items } = shape
  if (type === 'multi-select') return (draft as readonly string[]).length > 0 ? draft : null
  if (type === 'address') return recordValue(addressParts, draft as DraftFields, path, digits, faults)
  if (type === 'list' && items) {
    const entries = (draft as readonly Draft[]).map((entry, index) => {
      const at = `${path}.${index}`
      return 'fields' in items
        ? (recordValue(items.fields, entry as DraftFields, at, digits, faults) ?? {})
        : valueIn(items, entry, at, digits, faults)
    })
    const filled = entries.filter((entry) => entry !== null)
    return filled.length > 0 ? filled : null
  }
  const text = String(draft ?? '').trim()
  if (type === 'date-time' && text !== '') return momentTyped(text, zone) ?? text
  return scalarOf(shape, text, path, digits, faults)
}

function scalarOf({ type }: Shape, text: string, path: string, digits: number, faults: Faults): unknown {
  if (text === '') return null
  if (type === 'boolean') return text === 'true'
  const read = readNumberOf(type, text, digits)
  if (!read) return text
  if ('amount' in read) return read.amount
  faults[path] = read.problem
  return null
}

/** A number as a person typed it into the input of a field; null if fields of the type are no numbers. */
export function readNumberOf(type: Shape['type'], text: string, digits: number): NumberReading | null {
  if (type === 'number') return readNumber(text)
  if (type === 'integer') return readQuantity(text)
  return type === 'money' ? readAmount(text, { minor_units: digits }) : null
}

/** The same number as the input shows it. */
export function typedOf(type: Shape['type'], value: number, digits: number): string {
  return type === 'money' ? typedAmountOf(value, digits) : typedNumberOf(value)
}

function recordValue(
  fields: readonly Field[],
  { [withoutInput]: rest, ...drafts }: DraftFields,
  path: string,
  digits: number,
  faults: Faults,
): Fields | null {
  const zone = zoneIn(fields, drafts)
  const values = fields.map(
    (field) => [field.key, valueIn(field, drafts[field.key], `${path}.${field.key}`, digits, faults, zone)] as const,
  )
  const filled = {
    ...(typeof rest === 'string' && JSON.parse(rest)),
    ...Object.fromEntries(values.filter(([, value]) => value !== null)),
  }
  return Object.keys(filled).length > 0 ? filled : null
}

export function isSame(a: Draft | undefined, b: Draft | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export function hasMoney({ type, items }: Shape): boolean {
  return (
    type === 'money' ||
    (items !== undefined && ('fields' in items ? items.fields.some(hasMoney) : items.type === 'money'))
  )
}
