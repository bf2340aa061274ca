import { type Detail, invalid, quote, type Refusal } from '../core/refusal.ts'
import { addressParts, type Definition, type Field, type FieldType } from './definitions/kind.ts'

/**
 * `created` is the id, which begins with that moment; `created_at` the moment itself, where something else follows in an order. The last three are
 * looked at only where there are no values: in deleted objects.
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

/** Where the values of a field are: in a column of the object itself, or among its values. */
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
    }
  /** An address or a list of records: it can be there or not, its parts can be compared. */
  | { in: 'parts'; path: string; type: FieldType }

const columns: Record<string, Place> = {
  id: { in: 'column', column: 'id', type: 'reference' },
  createdAt: { in: 'column', column: 'created', type: 'date-time' },
  updatedAt: { in: 'column', column: 'updated_at', type: 'date-time' },
  createdBy: { in: 'column', column: 'created_by', type: 'reference' },
  updatedBy: { in: 'column', column: 'updated_by', type: 'reference' },
  source: { in: 'column', column: 'source', type: 'select', options: ['api', 'manual', 'import', 'system'] },
  version: { in: 'column', column: 'version', type: 'integer' },
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

/** Finds a field by its path, such as `name`, `pickup.city` or `paymentItems.type`; refuses one that nothing is kept under. */
export function placeOf(definition: Definition, path: unknown, at: string, { deleted = false }: PlaceOptions = {}): Place {
  if (typeof path !== 'string') throw invalid(at, 'wrong_type', `"${at}" must be the name of a field, not ${quote(path)}.`)
  if (Object.hasOwn(columns, path)) return columns[path] as Place
  if (path === 'status') return { in: 'column', column: 'status', type: 'select', options: definition.statuses }
  if (deleted && Object.hasOwn(columnsOfDeleted, path)) return columnsOfDeleted[path] as Place
  if (deleted) throw notOfDeleted(path, at)
  if (everyKind.includes(path)) return { in: 'values', path, column: 'text_value', type: 'text', searched: true, many: false }
  const [key, ...rest] = path.split('.')
  const field = definition.fields.find((field) => field.key === key)
  const place = field && placeWithin(field, rest, path, false)
  if (!place) throw unknownField(definition, path, at)
  return place
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
    const known = rest.length === 1 && (addressParts as readonly string[]).includes(rest[0] as string)
    return known ? { in: 'values', path, column: 'text_value', type: 'text', searched: true, many } : undefined
  }
  if (rest.length > 0) return undefined
  const column = type === 'boolean' ? 'flag_value' : type === 'number' || type === 'integer' || type === 'money' ? 'number_value' : 'text_value'
  const searched = ['text', 'email', 'select', 'multi-select'].includes(type)
  return { in: 'values', path, column, type, searched, many: many || type === 'multi-select', ...(field.options && { options: field.options }) }
}

function notOfDeleted(path: string, at: string): Refusal {
  const allowed = ['status', ...Object.keys(columns), ...Object.keys(columnsOfDeleted)]
  return invalid(at, 'not_for_deleted', `"${at}" cannot be ${quote(path)}: deleted objects are found by ${allowed.join(', ')} alone.`, allowed)
}

function unknownField(definition: Definition, path: string, at: string): Refusal {
  const allowed = ['name', 'fullId', 'externalId', 'status', ...Object.keys(columns), ...definition.fields.map(({ key }) => key)]
  const detail: Detail = {
    field: at,
    code: 'unknown_field',
    message: `"${at}": there is no field ${quote(path)} to compare in the kind ${definition.objectKey}. Fields that its definition does not name are kept and shown, but cannot be searched.`,
    allowed: [...new Set(allowed)],
  }
  return invalid(detail.field, detail.code, detail.message, detail.allowed)
}
