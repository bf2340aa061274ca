import { parseReference } from '../../core/ids.ts'

/** How an object of a kind can be named otherwise than by its id: by the id it has elsewhere, or by the number that people read. */
export type Name = { objectKey: string } & ({ externalId: string } | { fullId: string; number: number })

const longest = 255
const highest = 2 ** 31 - 1

/** Reads `ext:<externalId>`, `external_id:<externalId>` and a fullId such as `CUST-12`. */
export function nameIn(objectKey: string, text: string): Name | null {
  const reference = parseReference(text)
  if (reference?.by === 'external_id') return reference.external_id.length <= longest ? { objectKey, externalId: reference.external_id } : null
  const number = Number(/^[A-Z][A-Z0-9]{0,9}-([1-9]\d{0,9})$/.exec(text)?.[1])
  return number <= highest ? { objectKey, fullId: text, number } : null
}

/** The same for every way of writing it. */
export function keyOf(name: Name): string {
  return 'fullId' in name ? `${name.objectKey} ${name.fullId}` : `${name.objectKey} ext:${name.externalId}`
}
