import { parseReference } from '../../platform/core/values/ids.ts'

/** How a reference names an object otherwise than by its id: by its external id, or by its `fullId`. */
export type Name = { objectKey: string } & ({ externalId: string } | { fullId: string; number: number })

const longest = 255
const highest = 2 ** 31 - 1

/** Reads `ext:<externalId>`, `external_id:<externalId>` and a fullId such as `CUST-12`. */
export function nameIn(objectKey: string, text: string): Name | null {
  const reference = parseReference(text)
  if (reference?.by === 'external_id')
    return reference.external_id.length <= longest ? { objectKey, externalId: reference.external_id } : null
  const number = Number(/^[A-Z][A-Z0-9]{0,9}-([1-9]\d{0,9})$/.exec(text)?.[1])
  return number <= highest ? { objectKey, fullId: text, number } : null
}

/** One key for each object, however the name was written. */
export function keyOf(name: Name): string {
  return 'fullId' in name ? `${name.objectKey} ${name.fullId}` : `${name.objectKey} ext:${name.externalId}`
}
