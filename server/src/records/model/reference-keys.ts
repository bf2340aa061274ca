import { invalid, type Refusal } from '../../platform/core/refusal.ts'
import type { Definition, Field } from '../kinds/kind.ts'
import { isRecord, ownValue } from './check.ts'
import type { Fields } from './object.ts'

/**
 * The same fields, with references under the keys that the definition gives them: `customerID` and `customerid` mean `customerId`, because clients
 * write the last two letters as they please. A key that is a field by itself, or that the object has already, means that field.
 */
export function withReferenceKeys(
  { fields }: Pick<Definition, 'fields'>,
  sent: Fields,
  before: Fields | null = null,
): Fields {
  return renamed(fields, sent, before ?? {}, '')
}

function renamed(fields: readonly Field[], sent: Fields, before: Fields, path: string): Fields {
  const meant = Object.keys(sent).map((key) => [key, keyMeant(fields, key, before)] as const)
  const entries = fields.filter(
    ({ key, items }) =>
      items && 'fields' in items && items.fields.some(isReference) && Array.isArray(ownValue(sent, key)),
  )
  if (entries.length === 0 && meant.every(([key, is]) => key === is)) return sent
  const taken: Record<string, unknown> = {}
  for (const [key, is] of meant) {
    if (Object.hasOwn(taken, is) && taken[is] !== ownValue(sent, key)) throw sentTwice(`json.${path}${is}`)
    taken[is] = ownValue(sent, key)
  }
  for (const { key, items } of entries) {
    const inner = (items as { fields: readonly Field[] }).fields
    taken[key] = (taken[key] as unknown[]).map((entry, index) =>
      isRecord(entry) ? renamed(inner, entry, {}, `${path}${key}.${index}.`) : entry,
    )
  }
  return taken
}

function sentTwice(field: string): Refusal {
  return invalid(
    field,
    'contradiction',
    `"${field}" was sent twice, spelled differently and with different values. Send it once.`,
  )
}

function keyMeant(fields: readonly Field[], key: string, before: Fields): string {
  if (!/ids?$/i.test(key) || Object.hasOwn(before, key) || fields.some((field) => field.key === key)) return key
  return fields.find((field) => isReference(field) && spelled(field.key) === spelled(key))?.key ?? key
}

/** The key without regard to how its ending `Id` or `Ids` is written. */
function spelled(key: string): string {
  return key.replace(/ids?$/i, (ending) => ending.toLowerCase())
}

function isReference({ type, items }: Field): boolean {
  return type === 'reference' || (items !== undefined && 'type' in items && items.type === 'reference')
}
