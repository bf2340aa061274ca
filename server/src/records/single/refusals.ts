import { conflict, type Detail, invalidAll, quote } from '../../platform/core/refusal.ts'
import type { ReferenceEntry } from '../index/entries.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Content, LockedObject, Naming } from '../model/object.ts'

/** What stands in the way of a write: an external id in use, references to nothing, unique values of other objects. */
export type Obstacles = { externalId: boolean; missing: ReferenceEntry[]; taken: string[] }

/** How many objects of a kind refer to an object, and some of them by their `fullId`. */
export type Referrer = { object_key: string; count: number; some: string[] }

export function refuseObstacles(
  definition: Definition,
  content: Content,
  { externalId, missing, taken }: Obstacles,
  { naming, restoring }: { naming: Naming; restoring: boolean },
): void {
  if (externalId) throw externalIdTaken(definition, content.externalId, naming)
  if (taken.length > 0) {
    const details = taken.map((field) => ({
      field: naming(field),
      code: 'taken',
      message: `Another ${lower(definition)} has the same "${field}".`,
    }))
    throw conflict('value_taken', `${details[0]?.message} The values of this field are unique.`, details)
  }
  if (missing.length === 0) return
  const details = missing.map(({ field, to_id, to_key }) => ({
    field: naming(field),
    code: 'unknown_reference',
    message: `"${naming(field)}" refers to the ${to_key} ${quote(to_id)}, which is not there.`,
  }))
  throw restoring
    ? conflict('reference_is_gone', `It cannot come back as it was: ${details[0]?.message}`, details)
    : invalidAll(details)
}

export function externalIdTaken(definition: Definition, externalId: string | null, naming: Naming) {
  return conflict(
    'external_id_taken',
    `Another ${lower(definition)} has the externalId ${quote(externalId)} already.`,
    [{ field: naming('externalId'), code: 'taken', message: 'An externalId is unique among the objects of a kind.' }],
  )
}

export function referenced({ full_id }: LockedObject, referrers: readonly Referrer[]) {
  const details = referrers.map(
    ({ object_key, count, some }): Detail => ({
      field: object_key,
      code: 'referenced',
      message: `${count} of kind ${object_key} refer to it: ${some.join(', ')}${count > some.length ? ' and more' : ''}.`,
    }),
  )
  return conflict(
    'referenced',
    `${full_id} cannot be deleted while others refer to it. ${details.map(({ message }) => message).join(' ')}`,
    details,
  )
}

export function lower({ name }: Definition): string {
  return name.toLowerCase()
}
