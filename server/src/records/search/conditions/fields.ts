import { type Detail, invalid, quote, type Refusal } from '../../../platform/core/refusal.ts'
import { isSearched } from '../../index/entries.ts'
import type { Extension, ExternalField } from '../../kinds/extension.ts'
import { addressParts, coordinates, type Definition, type Field, type FieldType } from '../../kinds/kind.ts'
import { sharedFields } from '../../kinds/shared-fields.ts'
import { defaultValues } from '../../model/defaults.ts'
import type { Scalar } from '../../model/object.ts'
import { isReserved, keysOf, longestPath, otherFields } from '../../model/other-fields.ts'

/**
 * `created` is the id, which begins with the time of creation; `created_at` the time itself, for an order by several fields. `name`, `external_id` and
 * `full_id` are compared only in deleted objects, which have no index entries.
 */
type ColumnName =
  | 'id'
  | 'created'
  | 'created_at'
  | 'updated_at'
  | 'deleted_at'
  | 'created_by'
  | 'updated_by'
  | 'status'
  | 'source'
  | 'version'
  | 'name'
  | 'external_id'
  | 'full_id'
  | 'object_key'
  | 'org_id'

/** Where the values of a field are read: from a column of the object itself, from its index entries, or from a table of another room. */
export type Place =
  | { in: 'column'; column: ColumnName; type: FieldType; options?: readonly string[] }
  | {
      in: 'values'
      path: string
      column: 'text_value' | 'number_value' | 'flag_value'
      type: FieldType
      searched: boolean
      /** There can be several: a list, or a field within one. */
      many: boolean
      options?: readonly string[]
      /** The value of objects that have none. */
      defaultValue?: Scalar
    }
  | { in: 'external'; field: ExternalField; type: FieldType; options?: readonly string[] }
  /** An address or a list of records: only `exists` applies to it; its parts are compared. */
  | { in: 'parts'; path: string; type: FieldType }

/** A field that the definition does not name; the value it is compared with decides its type. */
export type OtherPlace = { in: 'other'; path: string }

const columns: Record<string, Place> = {
  id: { in: 'column', column: 'id', type: 'reference' },
  createdAt: { in: 'column', column: 'created', type: 'date-time' },
  updatedAt: { in: 'column', column: 'updated_at', type: 'date-time' },
  createdBy: { in: 'column', column: 'created_by', type: 'reference' },
  updatedBy: { in: 'column', column: 'updated_by', type: 'reference' },
  source: { in: 'column', column: 'source', type: 'select', options: ['api', 'manual', 'import', 'system'] },
  version: { in: 'column', column: 'version', type: 'integer' },
  objectKey: { in: 'column', column: 'object_key', type: 'text' },
  orgId: { in: 'column', column: 'org_id', type: 'reference' },
}

/** Further columns by which deleted objects are found. */
const columnsOfDeleted: Record<string, Place> = {
  deletedAt: { in: 'column', column: 'deleted_at', type: 'date-time' },
  name: { in: 'column', column: 'name', type: 'text' },
  fullId: { in: 'column', column: 'full_id', type: 'text' },
  externalId: { in: 'column', column: 'external_id', type: 'text' },
}

export type PlaceOptions = { deleted?: boolean; extensions: readonly Extension[] }

const everyKind = ['name', 'fullId', 'externalId']

/** Stands before the path of a field that the definition does not name, so that a misspelt field is not taken for one. */
const otherPrefix = `${otherFields}.`

/** Finds a field by its path, such as `name`, `pickup.city` or `paymentItems.type`; refuses one that does not exist. */
export function placeOf(
  definition: Definition,
  path: unknown,
  at: string,
  { deleted = false, extensions }: PlaceOptions,
): Place | OtherPlace {
  if (typeof path !== 'string')
    throw invalid(at, 'wrong_type', `"${at}" must be the name of a field, not ${quote(path)}.`)
  const known = path.startsWith(otherPrefix) ? path.slice(otherPrefix.length) : path
  const column = columnOf(definition, known, deleted)
  if (column) return column
  if (deleted) throw notOfDeleted(path, at)
  const place = namedPlace(definition, known, extensions)
  if (place) return place
  if (known === path || isReserved(definition, keysOf(known)[0] as string)) throw unknownField(definition, path, at)
  if (!/^(?:[^\\]|\\[\\.])*$/s.test(known))
    throw invalid(
      at,
      'bad_path',
      `"${at}" cannot be ${quote(path)}: in a path a backslash stands before a dot or a backslash that is part of a key.`,
    )
  if (Buffer.byteLength(known) > longestPath)
    throw invalid(at, 'too_long', `"${at}" can have at most ${longestPath} bytes after "${otherPrefix}".`)
  return { in: 'other', path: known }
}

function columnOf({ statuses }: Definition, path: string, deleted: boolean): Place | undefined {
  if (Object.hasOwn(columns, path)) return columns[path]
  if (path === 'status') return { in: 'column', column: 'status', type: 'select', options: statuses }
  return deleted && Object.hasOwn(columnsOfDeleted, path) ? columnsOfDeleted[path] : undefined
}

function namedPlace(
  { objectKey, fields, readOnlyFields = [] }: Definition,
  path: string,
  extensions: readonly Extension[],
): Place | undefined {
  if (everyKind.includes(path))
    return { in: 'values', path, column: 'text_value', type: 'text', searched: true, many: false }
  const readOnly = readOnlyFields.find(({ key }) => key === path)
  if (readOnly) return externalPlace(objectKey, readOnly, extensions)
  const [key, ...rest] = path.split('.')
  const field = [...fields, ...sharedFields].find((field) => field.key === key)
  return field && placeWithin(field, rest, path, false)
}

function externalPlace(
  objectKey: string,
  { key, type, format, options }: Field,
  extensions: readonly Extension[],
): Place {
  const field = extensions
    .flatMap((extension) => (extension.objectKey === objectKey ? extension.fields : []))
    .find((field) => field.key === key)
  if (!field) throw new Error(`no extension of the kind ${objectKey} says where "${key}" is read from`)
  return { in: 'external', field, type: format === 'id' ? 'reference' : type, ...(options && { options }) }
}

function placeWithin(
  field: Omit<Field, 'key' | 'name'>,
  rest: readonly string[],
  path: string,
  many: boolean,
): Place | undefined {
  const { type, items } = field
  if (type === 'list' && items) {
    if ('type' in items) return placeWithin(items, rest, path, true)
    if (rest.length === 0) return { in: 'parts', path, type }
    const inner = items.fields.find(({ key }) => key === rest[0])
    return inner && placeWithin(inner, rest.slice(1), path, true)
  }
  if (type === 'address') {
    if (rest.length === 0) return { in: 'parts', path, type }
    return rest.length === 1 ? partOf(rest[0] as string, path, many) : undefined
  }
  if (rest.length > 0) return undefined
  if (path === 'boardId')
    return { in: 'values', path, column: 'text_value', type: 'reference', searched: false, many: false }
  const column =
    type === 'boolean'
      ? 'flag_value'
      : type === 'number' || type === 'integer' || type === 'money'
        ? 'number_value'
        : 'text_value'
  const defaultValue = Object.hasOwn(defaultValues, path) && { defaultValue: defaultValues[path] as Scalar }
  const searched = type === 'multi-select' || isSearched(type, path)
  return {
    in: 'values',
    path,
    column,
    type,
    searched,
    many: many || type === 'multi-select',
    ...(field.options && { options: field.options }),
    ...defaultValue,
  }
}

function partOf(part: string, path: string, many: boolean): Place | undefined {
  if ((coordinates as readonly string[]).includes(part))
    return { in: 'values', path, column: 'number_value', type: 'number', searched: false, many }
  const known = (addressParts as readonly string[]).includes(part)
  return known ? { in: 'values', path, column: 'text_value', type: 'text', searched: true, many } : undefined
}

function notOfDeleted(path: string, at: string): Refusal {
  const allowed = ['status', ...Object.keys(columns), ...Object.keys(columnsOfDeleted)]
  return invalid(
    at,
    'not_for_deleted',
    `"${at}" cannot be ${quote(path)}: deleted objects are found by ${allowed.join(', ')} alone.`,
    allowed,
  )
}

function unknownField(definition: Definition, path: string, at: string): Refusal {
  const all = [...sharedFields, ...(definition.readOnlyFields ?? []), ...definition.fields]
  const allowed = ['name', 'fullId', 'externalId', 'status', ...Object.keys(columns), ...all.map(({ key }) => key)]
  const isOther = !path.startsWith(otherPrefix) && !isReserved(definition, keysOf(path)[0] as string)
  const hint = isOther ? ` One that objects have without it is compared as ${quote(otherPrefix + path)}.` : ''
  const detail: Detail = {
    field: at,
    code: 'unknown_field',
    message: `"${at}": the definition of the kind ${definition.objectKey} names no field ${quote(path)}.${hint}`,
    allowed: [...new Set(allowed)],
  }
  return invalid(detail.field, detail.code, detail.message, detail.allowed)
}
