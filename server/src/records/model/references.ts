import type { Definition, Field, Item } from '../kinds/kind.ts'
import { isRecord, ownValue } from './check.ts'
import { type Name, nameIn } from './name.ts'
import type { Fields } from './object.ts'

/** A reference by external id or fullId, as it was sent, and the path of its field. */
export type NamedReference = Name & { text: string; path: string }

/** Every reference by external id or fullId in these fields. A text that is neither is refused by the check of the fields. */
export function namesIn(definition: Definition, sent: Fields): NamedReference[] {
  const found: NamedReference[] = []
  withTargets(definition, sent, (named) => {
    found.push(named)
    return undefined
  })
  return found
}

/** The same fields with ids in place of names. A name that is not found stays, and is refused by the check of the fields. */
export function withTargets(
  definition: Definition,
  sent: Fields,
  targetOf: (named: NamedReference) => string | undefined,
): Fields {
  const pointing = definition.fields.filter((field) => Object.hasOwn(sent, field.key) && pointsAnywhere(field))
  if (pointing.length === 0) return sent
  return {
    ...sent,
    ...Object.fromEntries(
      pointing.map((field) => [field.key, resolved(field, ownValue(sent, field.key), field.key, targetOf)]),
    ),
  }
}

function pointsAnywhere({ type, items }: Pick<Field, 'type' | 'items'>): boolean {
  if (type === 'reference') return true
  return items !== undefined && ('type' in items ? items.type === 'reference' : items.fields.some(pointsAnywhere))
}

type Resolve = (named: NamedReference) => string | undefined

function resolved(
  field: Pick<Field, 'type' | 'objectKey' | 'items'>,
  value: unknown,
  path: string,
  targetOf: Resolve,
): unknown {
  if (field.type === 'list')
    return Array.isArray(value)
      ? value.map((entry, index) => entryOf(field.items as Item, entry, `${path}.${index}`, targetOf))
      : value
  if (field.type !== 'reference' || typeof value !== 'string') return value
  const name = nameIn(field.objectKey as string, value)
  return name ? (targetOf({ ...name, text: value, path }) ?? value) : value
}

function entryOf(items: Item, entry: unknown, path: string, targetOf: Resolve): unknown {
  if ('type' in items) return resolved(items, entry, path, targetOf)
  if (!isRecord(entry)) return entry
  const pointing = items.fields.filter((field) => pointsAnywhere(field) && Object.hasOwn(entry, field.key))
  return {
    ...entry,
    ...Object.fromEntries(
      pointing.map((field) => [field.key, resolved(field, entry[field.key], `${path}.${field.key}`, targetOf)]),
    ),
  }
}
