import { invalid, quote } from '../../platform/core/refusal.ts'
import type { Cell, CellValue } from '../../platform/core/tables/csv.ts'
import type { Columns, ColumnType } from '../../platform/core/tables/csv-table.ts'
import { currencyCell, decimalCell, type MinorUnits } from '../../platform/core/tables/decimals.ts'
import { requireExact } from '../../platform/core/values/json-text.ts'
import { addressKeys, type Definition, type Field } from '../kinds/kind.ts'
import { sharedFields } from '../kinds/shared-fields.ts'
import { isEmpty, isRecord, ownValue } from '../model/check.ts'
import type { Fields } from '../model/object.ts'
import { otherFields } from '../model/other-fields.ts'

/** An object as an export reads it. */
export type ExportedObject = {
  id: string
  externalId: string | null
  fullId: string
  status: string
  source: string
  version: number
  createdAt: string
  createdBy: string
  updatedAt: string
  updatedBy: string
  json: Fields
  /** The read-only fields of its kind. */
  readOnly: Fields | null
}

type Value = Cell | number | boolean
/** A column without a type is exported, and ignored by an import. */
type Column = {
  name: string
  type: ColumnType | 'number' | null
  write(object: ExportedObject, units: MinorUnits): CellValue
}

const places = [...addressKeys]

/** The columns of a kind, in order: an address has one for each of its parts, a list is JSON. */
export function columnsOf(definition: Definition): Column[] {
  const writable = (...names: ('id' | 'externalId' | 'status')[]): Column[] =>
    names.map((name) => ({ name, type: 'text', write: (object) => object[name] }))
  const readOnly = (...names: Exclude<keyof ExportedObject, 'json' | 'readOnly'>[]): Column[] =>
    names.map((name) => ({ name, type: null, write: (object) => object[name] }))
  return [
    ...writable('id', 'externalId'),
    ...readOnly('fullId'),
    ...writable('status'),
    ...fieldsIn(definition).flatMap(columnsFor),
    { name: otherFields, type: 'json', write: ({ json }) => textOf(otherFieldsIn(definition, json)) },
    ...(definition.readOnlyFields ?? []).map(
      ({ key }): Column => ({ name: key, type: null, write: ({ readOnly }) => cellOf(readOnly?.[key]) }),
    ),
    ...readOnly('source', 'version', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'),
    ...decimalColumns(definition),
  ]
}

/** Every amount of money with its decimals, and the code of its currency in capitals, as all CSV files have them. An import reads the fields themselves. */
function decimalColumns(definition: Definition): Column[] {
  const fields = fieldsIn(definition)
  const amounts = fields.filter(({ type }) => type === 'money')
  if (amounts.length === 0 || !fields.some(({ key }) => key === 'currency')) return []
  return [
    { name: 'currency.code', type: null, write: ({ json }) => currencyCell(json.currency) },
    ...amounts.map(
      ({ key }): Column => ({
        name: `${key}.decimal`,
        type: null,
        write: ({ json }, units) => decimalCell(ownValue(json as Record<string, unknown>, key), json.currency, units),
      }),
    ),
  ]
}

/** The columns that an import reads. Numbers are read as texts and parsed below, so that the check of the row reports what is not a number. */
export function importedOf(definition: Definition): Columns {
  const columns = columnsOf(definition)
  const read = columns.flatMap(({ name, type }) =>
    type === null ? [] : [[name, type === 'number' ? ('text' as const) : type] as const],
  )
  return {
    read: Object.fromEntries(read),
    ignored: [...columns.filter(({ type }) => type === null).map(({ name }) => name), 'objectKey', 'orgId'],
  }
}

/** The name first, then the fields of the kind, then shared fields that the kind does not define itself. */
function fieldsIn({ fields }: Definition): Field[] {
  const all = [...sharedFields.filter(({ key }) => !fields.some((field) => field.key === key)), ...fields]
  return [
    ...all.filter(({ key }) => key === 'name'),
    ...fields.filter(({ key }) => key !== 'name'),
    ...all.filter((field) => field.key !== 'name' && !fields.includes(field)),
  ]
}

function columnsFor({ key, type }: Field): Column[] {
  if (type !== 'address')
    return [
      {
        name: key,
        type: cellTypes[type] ?? 'text',
        write: ({ json }) => cellOf(ownValue(json as Record<string, unknown>, key)),
      },
    ]
  return places.map((part) => ({
    name: `${key}.${part}`,
    type: part === 'latitude' || part === 'longitude' ? 'number' : 'text',
    write: ({ json }) => {
      const address = ownValue(json as Record<string, unknown>, key)
      return isRecord(address) ? cellOf(ownValue(address, part)) : null
    },
  }))
}

const cellTypes: Partial<Record<Field['type'], ColumnType | 'number'>> = {
  number: 'number',
  integer: 'integer',
  money: 'integer',
  boolean: 'boolean',
  list: 'json',
  'multi-select': 'json',
}

function cellOf(value: unknown): Value {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value)
}

function textOf(fields: Fields): string | null {
  return Object.keys(fields).length === 0 ? null : JSON.stringify(fields)
}

/** The fields without a column: those that the definition does not name, and unknown parts of addresses. */
function otherFieldsIn(definition: Definition, json: Fields): Fields {
  const fields = new Map(fieldsIn(definition).map((field) => [field.key, field]))
  const hidden = new Set(definition.hidden.map(({ key }) => key))
  const entries = Object.entries(json).flatMap(([key, value]) => {
    if (hidden.has(key)) return []
    const field = fields.get(key)
    if (!field) return [[key, value]]
    const rest =
      field.type === 'address' && isRecord(value)
        ? Object.entries(value).filter(([part]) => !addressKeys.has(part))
        : []
    return rest.length === 0 ? [] : [[key, Object.fromEntries(rest)]]
  })
  return Object.fromEntries(entries)
}

/**
 * The fields of an object from a row of the table. An empty cell clears a value, and is ignored where there is none; parts of an address without a
 * column stay as they are.
 */
export function fieldsFrom(values: Fields, definition: Definition, before: Fields | null): Fields {
  const old = (before ?? {}) as Record<string, unknown>
  const columns = new Map(columnsOf(definition).map((column) => [column.name, column]))
  const read = (name: string) => typed(name, columns.get(name)?.type, values[name])
  const unnamed = otherFieldsFrom(values[otherFields])
  const fields: Record<string, unknown> = { ...unnamed }
  for (const { key, type } of fieldsIn(definition)) {
    const value =
      type === 'address'
        ? addressFrom(key, read, values, { old: ownValue(old, key), extra: ownValue(unnamed, key) })
        : read(key)
    delete fields[key]
    if (value === undefined || (value === null && isEmpty(ownValue(old, key)))) continue
    fields[key] = value
  }
  for (const key of ['status', 'externalId']) if (!isEmpty(values[key])) fields[key] = values[key]
  return fields
}

function addressFrom(
  key: string,
  read: (name: string) => unknown,
  values: Fields,
  { old, extra }: { old: unknown; extra: unknown },
): unknown {
  const sent = places.filter((part) => Object.hasOwn(values, `${key}.${part}`))
  if (sent.length === 0 && !isRecord(extra)) return undefined
  const before = isRecord(old) ? old : {}
  const address: Record<string, unknown> = { ...before, ...(isRecord(extra) && extra) }
  for (const part of sent) {
    const value = read(`${key}.${part}`)
    if (value !== null || !isEmpty(ownValue(before, part))) address[part] = value
  }
  const left = Object.values(address).some((value) => value !== null)
  return left || (isRecord(old) && Object.keys(old).length === 0) ? address : null
}

function otherFieldsFrom(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  if (isEmpty(value)) return {}
  throw invalid(otherFields, 'wrong_type', `"${otherFields}" must be a JSON object of fields, not ${quote(value)}.`)
}

/** A text that is not a number stays as it is, and is refused by the check of the row. */
function typed(name: string, type: Column['type'] | undefined, value: unknown): unknown {
  if (type !== 'number' || typeof value !== 'string') return value
  const [, sign, whole, fraction, exponent = ''] =
    /^\s*([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(e[+-]?\d+)?\s*$/i.exec(value) ?? []
  if (sign === undefined) return value
  requireExact(`${sign === '-' ? '-' : ''}${whole || '0'}.${fraction || '0'}${exponent}`, () => name)
  return Number(value)
}
