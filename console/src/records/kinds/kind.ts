import type { Schemas } from '@lading/sdk'

export type FieldType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'money'
  | 'email'
  | 'select'
  | 'multi-select'
  | 'address'
  | 'reference'
  | 'list'

export type Item = Pick<Field, 'type' | 'options' | 'objectKey'> | { fields: readonly Field[] }

export type Field = {
  key: string
  name: string
  type: FieldType
  description?: string
  required?: boolean
  unique?: boolean
  options?: readonly string[]
  objectKey?: string
  items?: Item
  format?: 'currency' | 'id' | 'time-zone'
}

/** The type of a value, of a field or of an entry. */
export type Shape = Pick<Field, 'type' | 'options' | 'objectKey' | 'items' | 'format'>

/** A kind of object, by its definition. */
export type Kind = Omit<Schemas['Definition'], 'fields' | 'removedFields' | 'readOnlyFields'> & {
  fields: readonly Field[]
  removedFields: readonly Field[]
  readOnlyFields: readonly Field[]
}

export type Fields = Readonly<Record<string, unknown>>
export type PlatformObject = Fields & {
  id: string
  objectKey: string
  fullId: string
  name: string
  status: string
  version: number
  updatedAt: string
}

/** A field by its path, with its label. */
export type Place = { path: string; label: string; shape: Shape }

export const addressParts: readonly Field[] = [
  { key: 'companyName', name: 'Company', type: 'text' },
  { key: 'contactName', name: 'Contact', type: 'text' },
  { key: 'address1', name: 'Address', type: 'text' },
  { key: 'address2', name: 'Second line', type: 'text' },
  { key: 'city', name: 'City', type: 'text' },
  { key: 'state', name: 'State or province', type: 'text' },
  { key: 'postal', name: 'Postal code', type: 'text' },
  { key: 'country', name: 'Country', type: 'text' },
  { key: 'latitude', name: 'Latitude', type: 'number' },
  { key: 'longitude', name: 'Longitude', type: 'number' },
]

/** What people may change of every object, whatever its kind. */
export function sharedFields({ statuses, fields, title }: Kind): Field[] {
  const known = fields.find(({ key }) => key === title)?.name.toLowerCase()
  const name: Field = {
    key: 'name',
    name: 'Name',
    type: 'text',
    description: `If empty, the ${known ? `${known} or the ` : ''}id is shown.`,
  }
  return [
    ...(fields.some(({ key }) => key === 'name') ? [] : [name]),
    { key: 'status', name: 'Status', type: 'select', options: statuses, required: true },
    {
      key: 'externalId',
      name: 'External id',
      type: 'text',
      description: 'The id in another system. It must be unique within the kind.',
    },
    { key: 'etaDelayNotifyEnabled', name: 'Notify about delays', type: 'boolean' },
  ]
}

const setByServer: readonly Place[] = [
  { path: 'fullId', label: 'Id', shape: { type: 'text' } },
  { path: 'source', label: 'Source', shape: { type: 'select', options: ['api', 'manual', 'import', 'system'] } },
  { path: 'createdAt', label: 'Created', shape: { type: 'date-time' } },
  { path: 'updatedAt', label: 'Changed', shape: { type: 'date-time' } },
]

/** All fields of an object: those that every object has, and those of its kind. */
export function placesOf(kind: Kind): Place[] {
  const readOnly = kind.readOnlyFields.filter(({ format }) => format !== 'id')
  const defined = [...kind.fields, ...readOnly, ...sharedFields(kind)].map((field) => ({
    path: field.key,
    label: field.name,
    shape: field,
  }))
  const rank = ({ path }: Place) => (path === 'fullId' ? 0 : path === 'name' ? 1 : 2)
  return withUniqueLabels([...defined, ...setByServer].toSorted((a, b) => rank(a) - rank(b)))
}

/** The same, with the parts of addresses and records: only the parts can be compared. */
export function comparablePlaces(kind: Kind): Place[] {
  return placesOf(kind).flatMap((place) => [place, ...partsOf(place)])
}

function partsOf({ path, label, shape }: Place): Place[] {
  const inner =
    shape.type === 'address' ? addressParts : shape.items && 'fields' in shape.items ? shape.items.fields : []
  return inner
    .filter(({ format }) => format !== 'id')
    .map((field) => ({ path: `${path}.${field.key}`, label: `${label} › ${field.name}`, shape: field }))
}

/** Two fields with the same name get their keys added. */
function withUniqueLabels(places: readonly Place[]): Place[] {
  return places.map((place) =>
    places.some((other) => other !== place && other.label === place.label)
      ? { ...place, label: `${place.label} (${place.path})` }
      : place,
  )
}

/** The kind that a field, or its entries, refers to. */
export function targetOf({ type, objectKey, items }: Shape): string | undefined {
  if (type === 'reference') return objectKey
  return items && 'type' in items && items.type === 'reference' ? items.objectKey : undefined
}

/** The name under which a search answers the object that a reference points to. */
export function aliasOf(key: string): string {
  return key.replace(/(?<=.)Ids$/, 's').replace(/(?<=.)Id$/, '')
}

export function currencyField({ fields }: Pick<Kind, 'fields'>): Field | undefined {
  return fields.find(({ format }) => format === 'currency')
}

/** `in_transit` → `In transit`; units such as `kg` stay as they are written. */
export function wordsOf(option: string): string {
  const words = option.replaceAll('_', ' ')
  if (words.length < 4) return words
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
