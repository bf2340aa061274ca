import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import { addressParts, type Field, type Item, type Kind } from '../kinds/kind.ts'
import { isRecord } from '../model/check.ts'
import { defaultValues } from '../model/defaults.ts'
import { serverOwned } from '../model/object.ts'

/** How a value is shown in v1, and how one that is sent is read. */
export type Codec = { show(value: unknown): unknown; take(value: unknown): unknown }

export type Column = Codec & {
  /** The field in the object model, and in v1. */
  key: string
  name: string
  field: Field
  readOnly: boolean
  /** What is shown of a field that was never set. */
  absent: unknown
}

export type Names = {
  columns: readonly Column[]
  byName: ReadonlyMap<string, Column>
  /** The keys of the columns, and of what v1 does not show. */
  keys: ReadonlySet<string>
  /** The name in v1 of every key of the object model. */
  words: ReadonlyMap<string, string>
}

const id = (key: string, name: string): Field => ({ key, name, type: 'text' })
const first: readonly Field[] = [
  id('id', 'Id'),
  id('externalId', 'External id'),
  id('fullId', 'Full id'),
  id('name', 'Name'),
  id('status', 'Status'),
]
const last: readonly Field[] = [
  id('source', 'Source'),
  id('mapMarkers', 'Places'),
  id('orgId', 'Organization'),
  id('version', 'Revision'),
  id('createdAt', 'Created'),
  id('createdBy', 'Created by'),
  id('updatedAt', 'Updated'),
  id('updatedBy', 'Updated by'),
]

/** Kinds that have another name in v1, also in the names of references to them. */
const called: Record<string, string> = { partner: 'partner_carrier' }

/** Fields that v1 calls otherwise than the object model: as all of v1 calls them. */
const renamed: Record<string, string> = { currency: 'currency_id', version: 'revision' }

/** The fields of a kind in the order in which v1 shows them. */
export function columnsOf(kind: Kind, common: readonly Field[]): Names {
  const { readOnlyFields = [] } = kind
  const own = kind.fields.filter(({ key }) => key !== 'name')
  const named = kind.fields.find(({ key }) => key === 'name')
  const shared = common.filter(({ key }) => key !== 'name')
  const fields = [
    ...first.map((field) => (field.key === 'name' ? (named ?? field) : field)),
    ...own,
    ...readOnlyFields,
    ...shared,
    ...last,
  ]
  const readOnly = new Set<string>([...serverOwned, ...readOnlyFields.map(({ key }) => key)])
  const columns = fields.map((field) => ({
    ...codecOf(field),
    key: field.key,
    name: nameOf(field),
    field,
    readOnly: readOnly.has(field.key),
    absent: defaultValues[field.key] ?? null,
  }))
  const words = new Map([...serverOwned.map((key) => [key, snake(key)] as const), ...fields.flatMap(wordsOf)])
  const keys = new Set<string>([...columns.map(({ key }) => key), ...serverOwned])
  return { columns, byName: new Map(columns.map((column) => [column.name, column])), keys, words }
}

/** `unitPrice` → `unit_price`, `address1` → `address_1`; and `partnerId` → `partner_carrier_id`, as bills call it. */
export function nameOf(field: Pick<Field, 'key' | 'objectKey' | 'items'>): string {
  const target = field.objectKey ?? (field.items && 'type' in field.items ? field.items.objectKey : undefined)
  const own = target && called[target]
  if (Object.hasOwn(renamed, field.key)) return renamed[field.key] as string
  return own && field.key.startsWith(target) ? `${own}${snake(field.key.slice(target.length))}` : snake(field.key)
}

export function codecOf(shape: Pick<Field, 'type' | 'items'>): Codec {
  if (shape.type === 'date-time') return { show: showTime, take: same }
  if (shape.type === 'address') return address
  if (shape.type === 'list') return listCodec(shape.items as Item)
  return { show: same, take: same }
}

const addressNames = {
  companyName: 'Company',
  contactName: 'Person',
  address1: 'Street and number',
  address2: 'Suite, dock, floor',
  city: 'City',
  state: 'State or province',
  postal: 'Postal code',
  country: 'Country',
} as const

export const addressFields: readonly Field[] = [
  ...addressParts.map((key): Field => ({ key, name: addressNames[key], type: 'text' })),
  { key: 'latitude', name: 'Latitude', type: 'number' },
  { key: 'longitude', name: 'Longitude', type: 'number' },
]
const address = recordCodec(addressFields)

function listCodec(items: Item): Codec {
  const entry = 'type' in items ? codecOf(items) : recordCodec(items.fields)
  return {
    show: (value) => (Array.isArray(value) ? value.map((item) => entry.show(item)) : (value ?? null)),
    take: (value) => (Array.isArray(value) ? value.map((item) => entry.take(item)) : value),
  }
}

/** A record is replaced whole, so fields in it that nobody defined are shown too, under their own names, and come back with it. */
function recordCodec(fields: readonly Field[]): Codec {
  const parts = fields.map((field) => ({ ...codecOf(field), key: field.key, name: nameOf(field) }))
  const byName = new Map(parts.map((part) => [part.name, part]))
  const keys = new Set(parts.map(({ key }) => key))
  return {
    show(value) {
      if (!isRecord(value)) return value ?? null
      const shown: Record<string, unknown> = {}
      for (const { key, name, show } of parts) shown[name] = show(value[key])
      for (const key of Object.keys(value)) if (!keys.has(key) && !byName.has(key)) shown[key] = value[key]
      return shown
    },
    take(value) {
      if (!isRecord(value)) return value
      const taken = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
        const part = byName.get(name)
        if (!part) return keys.has(name) ? [] : [[name, inner]]
        return inner === null ? [] : [[part.key, part.take(inner)]]
      })
      return Object.fromEntries(taken)
    },
  }
}

/** A time is stored as it was sent; v1 shows all times in one format. */
function showTime(value: unknown): unknown {
  const time = typeof value === 'string' ? parseDate(value) : null
  return time ? toWire(time) : (value ?? null)
}

function same(value: unknown): unknown {
  return value ?? null
}

function wordsOf(field: Field): [string, string][] {
  const inner =
    field.type === 'address' ? addressFields : field.items && 'fields' in field.items ? field.items.fields : []
  return [[field.key, nameOf(field)], ...inner.flatMap(wordsOf)]
}

function snake(key: string): string {
  return key.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`)
}
