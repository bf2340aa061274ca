import { statuses } from '../billing/documents/model/lifecycle.ts'
import { type Detail, invalid, quote, type Refusal } from '../core/refusal.ts'
import { addressParts, coordinates, type Definition, type Field, type FieldType } from './definitions/kind.ts'
import { isSearched } from './leaves.ts'
import { shared } from './of-every-kind.ts'
import { isSpokenFor, keysOf, longestPath, otherFields, type Scalar } from './others.ts'
import { unsaid } from './unsaid.ts'

/**
 * `created` is the id, which begins with that moment; `created_at` the moment itself, where something else follows in an order. `name`, `external_id`
 * and `full_id` are looked at only where there are no values: in deleted objects.
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

/** Where the values of a field are: in a column of the object itself, among its values, or in the bill that pays for it. */
export type Place =
  | { in: 'column'; column: ColumnName; type: FieldType; options?: readonly string[] }
  | {
      in: 'values'
      path: string
      column: 'text_value' | 'number_value' | 'flag_value'
      type: FieldType
      searched: boolean
      /** There can be several: a list, or something within one. */
      many: boolean
      options?: readonly string[]
      /** What an object says that has none. */
      otherwise?: Scalar
    }
  | { in: 'bill'; column: 'id' | 'status_id' | 'number'; type: FieldType; options?: readonly string[] }
  /** An address or a list of records: it can be there or not, its parts can be compared. */
  | { in: 'parts'; path: string; type: FieldType }

/** What no definition names: of which type it is only the value says that it is compared with. */
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

/** What the row of a deleted object still says beyond those. */
const columnsOfDeleted: Record<string, Place> = {
  deletedAt: { in: 'column', column: 'deleted_at', type: 'date-time' },
  name: { in: 'column', column: 'name', type: 'text' },
  fullId: { in: 'column', column: 'full_id', type: 'text' },
  externalId: { in: 'column', column: 'external_id', type: 'text' },
}

export type PlaceOptions = { deleted?: boolean }

const everyKind = ['name', 'fullId', 'externalId']

const bill: Record<string, Place> = {
  billId: { in: 'bill', column: 'id', type: 'reference' },
  billStatusId: { in: 'bill', column: 'status_id', type: 'select', options: statuses },
  billNumber: { in: 'bill', column: 'number', type: 'text' },
}

/** What goes before the path of a field that no definition names, so that a slip in the name of another is not taken for one. */
const others = `${otherFields}.`

/** Finds a field by its path, such as `name`, `pickup.city` or `paymentItems.type`; refuses one that nothing is kept under. */
export function placeOf(definition: Definition, path: unknown, at: string, { deleted = false }: PlaceOptions = {}): Place | OtherPlace {
  if (typeof path !== 'string') throw invalid(at, 'wrong_type', `"${at}" must be the name of a field, not ${quote(path)}.`)
  const known = path.startsWith(others) ? path.slice(others.length) : path
  const column = columnOf(definition, known, deleted)
  if (column) return column
  if (deleted) throw notOfDeleted(path, at)
  const place = namedPlace(definition, known)
  if (place) return place
  if (known === path || isSpokenFor(definition, keysOf(known)[0] as string)) throw unknownField(definition, path, at)
  if (!/^(?:[^\\]|\\[\\.])*$/s.test(known))
    throw invalid(at, 'bad_path', `"${at}" cannot be ${quote(path)}: in a path a backslash stands before a dot or a backslash that is part of a key.`)
  if (Buffer.byteLength(known) > longestPath) throw invalid(at, 'too_long', `"${at}" can have at most ${longestPath} bytes after "${others}".`)
  return { in: 'other', path: known }
}

function columnOf({ statuses }: Definition, path: string, deleted: boolean): Place | undefined {
  if (Object.hasOwn(columns, path)) return columns[path]
  if (path === 'status') return { in: 'column', column: 'status', type: 'select', options: statuses }
  return deleted && Object.hasOwn(columnsOfDeleted, path) ? columnsOfDeleted[path] : undefined
}

function namedPlace({ fields, told = [] }: Definition, path: string): Place | undefined {
  if (everyKind.includes(path)) return { in: 'values', path, column: 'text_value', type: 'text', searched: true, many: false }
  if (told.some(({ key }) => key === path)) return bill[path]
  const [key, ...rest] = path.split('.')
  const field = [...fields, ...shared].find((field) => field.key === key)
  return field && placeWithin(field, rest, path, false)
}

function placeWithin(field: Omit<Field, 'key' | 'name'>, rest: readonly string[], path: string, many: boolean): Place | undefined {
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
  if (path === 'boardId') return { in: 'values', path, column: 'text_value', type: 'reference', searched: false, many: false }
  const column = type === 'boolean' ? 'flag_value' : type === 'number' || type === 'integer' || type === 'money' ? 'number_value' : 'text_value'
  const otherwise = Object.hasOwn(unsaid, path) && { otherwise: unsaid[path] as Scalar }
  const searched = type === 'multi-select' || isSearched(type, path)
  return { in: 'values', path, column, type, searched, many: many || type === 'multi-select', ...(field.options && { options: field.options }), ...otherwise }
}

function partOf(part: string, path: string, many: boolean): Place | undefined {
  if ((coordinates as readonly string[]).includes(part)) return { in: 'values', path, column: 'number_value', type: 'number', searched: false, many }
  const known = (addressParts as readonly string[]).includes(part)
  return known ? { in: 'values', path, column: 'text_value', type: 'text', searched: true, many } : undefined
}

function notOfDeleted(path: string, at: string): Refusal {
  const allowed = ['status', ...Object.keys(columns), ...Object.keys(columnsOfDeleted)]
  return invalid(at, 'not_for_deleted', `"${at}" cannot be ${quote(path)}: deleted objects are found by ${allowed.join(', ')} alone.`, allowed)
}

function unknownField(definition: Definition, path: string, at: string): Refusal {
  const all = [...shared, ...(definition.told ?? []), ...definition.fields]
  const allowed = ['name', 'fullId', 'externalId', 'status', ...Object.keys(columns), ...all.map(({ key }) => key)]
  const isOther = !path.startsWith(others) && !isSpokenFor(definition, keysOf(path)[0] as string)
  const hint = isOther ? ` One that objects have without it is compared as ${quote(others + path)}.` : ''
  const detail: Detail = {
    field: at,
    code: 'unknown_field',
    message: `"${at}": the definition of the kind ${definition.objectKey} names no field ${quote(path)}.${hint}`,
    allowed: [...new Set(allowed)],
  }
  return invalid(detail.field, detail.code, detail.message, detail.allowed)
}
