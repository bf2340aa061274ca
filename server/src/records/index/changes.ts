import type { LockedObject } from '../model/object.ts'
import { addName, type IndexEntries, type ReferenceEntry, type UniqueEntry, type ValueEntry } from './entries.ts'
import { wordsOf } from './text.ts'

/** Index entries of one object that are to be inserted. */
export type NewEntries = {
  id: string
  object_key: string
  values: ValueEntry[]
  words: string[]
  references: ReferenceEntry[]
  uniqueValues: UniqueEntry[]
}

/** What of an object's index entries is to be removed: all entries of a field, but words one by one, because fields share them. */
export type RemovedEntries = { values: string[]; words: string[]; references: string[]; uniqueValues: string[] }

/** The entries to insert and to remove when an object changes. The words of its `fullId` stay whatever changes. */
export function entryChanges(
  { id, object_key, full_id }: LockedObject,
  before: IndexEntries,
  after: IndexEntries,
): NewEntries & { removed: RemovedEntries } {
  const values = changedFields(addName(before.values, full_id), addName(after.values, full_id))
  const references = changedFields(before.references, after.references)
  const uniqueValues = changedFields(before.uniqueValues, after.uniqueValues)
  const kept = wordsOf(full_id)
  return {
    id,
    object_key,
    values: values.next,
    words: [...after.words].filter((word) => !before.words.has(word)),
    references: references.next,
    uniqueValues: uniqueValues.next,
    removed: {
      values: values.fields,
      words: [...before.words].filter((word) => !after.words.has(word) && !kept.includes(word)),
      references: references.fields,
      uniqueValues: uniqueValues.fields,
    },
  }
}

/** The fields whose entries differ, and their entries after the change. */
export function changedFields<T extends { field: string }>(before: T[], after: T[]): { fields: string[]; next: T[] } {
  const [old, next] = [byField(before), byField(after)]
  const fields = [...new Set([...old.keys(), ...next.keys()])].filter(
    (field) => JSON.stringify(old.get(field)) !== JSON.stringify(next.get(field)),
  )
  return { fields, next: fields.flatMap((field) => next.get(field) ?? []) }
}

function byField<T extends { field: string }>(entries: T[]): Map<string, T[]> {
  return Map.groupBy(entries, ({ field }) => field)
}

export function isEmpty({ values, words, references, uniqueValues }: RemovedEntries | NewEntries): boolean {
  return values.length + words.length + references.length + uniqueValues.length === 0
}
