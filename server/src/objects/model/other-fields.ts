import { addressKeys, type Definition, type Field, type Item } from '../kinds/kind.ts'
import { shared } from '../kinds/shared-fields.ts'
import { isRecord } from './check.ts'

/** What the fields that no definition names are called together: before their paths in a filter, and in the column of a file that has them as JSON. */
export const otherFields = 'otherFields'

export type Scalar = string | number | boolean
type Visit = (path: string, value: Scalar) => void

/** The bytes of a path that an index holds; what lies deeper is kept and shown, and cannot be compared. */
export const longestPath = 255

/**
 * Calls back with every value within an object that its definition does not name, and where it stands: its keys with dots between them. The entries of
 * a list stand where the list does; a list within a list is not looked into.
 */
export function eachOther(definition: Definition, json: Readonly<Record<string, unknown>>, visit: Visit): void {
  for (const [key, value] of Object.entries(json)) {
    const field = definition.fields.find((field) => field.key === key)
    if (field) beyond(field, value, key, visit)
    else if (!isSpokenFor(definition, key)) walk(value, escaped(key), visit)
  }
}

/** A key as it stands in a path: a dot of its own has a backslash in front. */
export function escaped(key: string): string {
  return /[\\.]/.test(key) ? key.replace(/[\\.]/g, '\\$&') : key
}

/** The keys of a path. */
export function keysOf(path: string): string[] {
  return (path.match(/(?:^|\.)(?:[^\\.]|\\.)*/gs) ?? []).map((part, index) => (index === 0 ? part : part.slice(1)).replace(/\\(.)/gs, '$1'))
}

/** Keys that mean something in every object, that only the server sets, or whose field was removed. */
export function isSpokenFor({ hidden, told = [] }: Definition, key: string): boolean {
  return [...shared, ...hidden, ...told].some((field) => field.key === key)
}

/** What a value has beyond what its field says of it. */
function beyond({ type, items }: Pick<Field, 'type' | 'items'>, value: unknown, path: string, visit: Visit): void {
  if (type === 'address' && isRecord(value)) {
    for (const [key, part] of Object.entries(value)) if (!addressKeys.has(key)) walk(part, `${path}.${escaped(key)}`, visit)
  }
  if (type === 'list' && items && Array.isArray(value)) for (const entry of value) beyondEntry(items, entry, path, visit)
}

function beyondEntry(items: Item, entry: unknown, path: string, visit: Visit): void {
  if ('type' in items) {
    beyond(items, entry, path, visit)
    return
  }
  for (const [key, value] of isRecord(entry) ? Object.entries(entry) : []) {
    const field = items.fields.find((field) => field.key === key)
    if (field) beyond(field, value, `${path}.${key}`, visit)
    else walk(value, `${path}.${escaped(key)}`, visit)
  }
}

function walk(value: unknown, path: string, visit: Visit, isEntry = false): void {
  if (Array.isArray(value)) {
    if (!isEntry) for (const entry of value) walk(entry, path, visit, true)
  } else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${escaped(key)}`, visit)
  } else if (value !== null && value !== undefined && Buffer.byteLength(path) <= longestPath) visit(path, value as Scalar)
}
