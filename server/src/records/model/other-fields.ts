import { addressKeys, type Definition, type Field, type Item } from '../kinds/kind.ts'
import { sharedFields } from '../kinds/shared-fields.ts'
import { isRecord } from './check.ts'
import type { Fields, Scalar } from './object.ts'

/** The API's name for the fields that a definition does not name: before their paths in a filter, and of the column of a file that has them as JSON. */
export const otherFields = 'otherFields'

type Visit = (path: string, value: Scalar) => void

/** The most bytes of a path that an index holds. Values at longer paths are stored and shown, but cannot be searched. */
export const longestPath = 255

/**
 * Calls back with every value of an object that its definition does not name, and its path: the keys with dots between them. The items of a list have
 * the path of the list; a list within a list is not visited.
 */
export function eachOtherField(definition: Definition, json: Fields, visit: Visit): void {
  for (const [key, value] of Object.entries(json)) {
    const field = definition.fields.find((field) => field.key === key)
    if (field) visitWithin(field, value, key, visit)
    else if (!isReserved(definition, key)) visitValue(value, escaped(key), visit)
  }
}

/** A key as part of a path: dots and backslashes in it get a backslash. */
function escaped(key: string): string {
  return /[\\.]/.test(key) ? key.replace(/[\\.]/g, '\\$&') : key
}

/** The keys of a path. */
export function keysOf(path: string): string[] {
  return (path.match(/(?:^|\.)(?:[^\\.]|\\.)*/gs) ?? []).map((part, index) =>
    (index === 0 ? part : part.slice(1)).replace(/\\(.)/gs, '$1'),
  )
}

/** Keys of fields that every object has, that only the server sets, or that were removed from the definition. */
export function isReserved({ hidden, readOnlyFields = [] }: Definition, key: string): boolean {
  return [...sharedFields, ...hidden, ...readOnlyFields].some((field) => field.key === key)
}

/** Values inside a defined field that its definition does not name, such as an unknown part of an address. */
function visitWithin({ type, items }: Pick<Field, 'type' | 'items'>, value: unknown, path: string, visit: Visit): void {
  if (type === 'address' && isRecord(value)) {
    for (const [key, part] of Object.entries(value))
      if (!addressKeys.has(key)) visitValue(part, `${path}.${escaped(key)}`, visit)
  }
  if (type === 'list' && items && Array.isArray(value)) for (const item of value) visitItem(items, item, path, visit)
}

function visitItem(items: Item, item: unknown, path: string, visit: Visit): void {
  if ('type' in items) {
    visitWithin(items, item, path, visit)
    return
  }
  for (const [key, value] of isRecord(item) ? Object.entries(item) : []) {
    const field = items.fields.find((field) => field.key === key)
    if (field) visitWithin(field, value, `${path}.${key}`, visit)
    else visitValue(value, `${path}.${escaped(key)}`, visit)
  }
}

function visitValue(value: unknown, path: string, visit: Visit, isItem = false): void {
  if (Array.isArray(value)) {
    if (!isItem) for (const item of value) visitValue(item, path, visit, true)
  } else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) visitValue(inner, `${path}.${escaped(key)}`, visit)
  } else if (value !== null && value !== undefined && Buffer.byteLength(path) <= longestPath)
    visit(path, value as Scalar)
}
