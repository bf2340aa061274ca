import type { KindScope } from '../../platform/access/kind-scopes.ts'
/** The types a field can have. */
export const fieldTypes = [
  'text',
  'number',
  'integer',
  'boolean',
  'date',
  'date-time',
  'money',
  'email',
  'select',
  'multi-select',
  'address',
  'reference',
  'list',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** What the entries of a list are: values of a type, or records with fields of their own. */
export type Item =
  | {
      readonly type: Exclude<FieldType, 'list' | 'multi-select'>
      readonly options?: readonly string[]
      readonly objectKey?: string
    }
  | {
      readonly fields: readonly Field[]
      /** The field of an entry that says of which kind the marker of its address is; without it that is the path of the address. */
      readonly markerKind?: string
    }

export type Field = {
  readonly key: string
  readonly name: string
  readonly type: FieldType
  readonly description?: string
  readonly required?: boolean
  readonly unique?: boolean
  /** Of a select or multi-select: the values it can have. */
  readonly options?: readonly string[]
  /** Of a reference: the kind it points to. */
  readonly objectKey?: string
  /** Of a list: what its entries are. */
  readonly items?: Item
  /**
   * A text that is the lower-case code of a currency, the name of a time zone, or, within a list of records, the UUID of an entry, made by the server where
   * none is sent.
   */
  readonly format?: 'currency' | 'id' | 'time-zone'
  readonly example?: unknown
}

export type Widget = { readonly key: string; readonly name: string; readonly version: number }

/** A kind of object, as data. */
export type Kind = {
  readonly objectKey: string
  readonly name: string
  readonly plural: string
  readonly prefix: string
  readonly description: string
  /** The scope that a token needs for objects of this kind. */
  readonly scope: KindScope
  readonly statuses: readonly string[]
  readonly widgets: readonly Widget[]
  /** The field that names an object which was given no `name`. */
  readonly title?: string
  readonly fields: readonly Field[]
  /** Fields that the server shows in every object of this kind and no client can set; null where there is no value. */
  readonly readOnlyFields?: readonly Field[]
}

/** A kind as an organization has it: with the fields that the organization added, and those that it removed apart. */
export type Definition = Kind & {
  readonly builtIn: boolean
  readonly revision: number
  /** The keys of the fields that the organization added. */
  readonly added: readonly string[]
  readonly hidden: readonly Field[]
}

export const defaultStatuses = ['active', 'inactive'] as const

export const defaultWidgets: readonly Widget[] = [
  { key: 'details', name: 'Details', version: 1 },
  { key: 'history', name: 'History', version: 1 },
]

/** All parts of an address are optional. Addresses without coordinates get no marker. */
export const addressParts = [
  'companyName',
  'contactName',
  'address1',
  'address2',
  'city',
  'state',
  'postal',
  'country',
] as const
export const coordinates = ['latitude', 'longitude'] as const
export const addressKeys: ReadonlySet<string> = new Set([...addressParts, ...coordinates])
