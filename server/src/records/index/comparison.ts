import type { RemovedEntries } from './changes.ts'
import type { IndexEntries, ValueEntry } from './entries.ts'
import type { IndexedObject } from './entries-store.ts'

/** What has to be removed and inserted so that an object has the index entries it should: fields whole, words one by one. */
export type Repair = {
  removed: RemovedEntries
  missing: Pick<IndexEntries, 'values' | 'references' | 'uniqueValues'> & { words: string[] }
}

export function repairFor(stored: IndexedObject, wanted: IndexEntries): Repair {
  const values = compare(stored.values.map(storedValue), wanted.values, valueKey)
  const references = compare(
    stored.references.map(storedEntry),
    wanted.references,
    ({ position, to_id, to_key }) => `${position} ${to_id} ${to_key}`,
  )
  const uniqueValues = compare(stored.unique_values.map(storedEntry), wanted.uniqueValues, ({ sha256 }) => sha256)
  const words = new Set(stored.words)
  return {
    removed: {
      values: values.removed,
      references: references.removed,
      uniqueValues: uniqueValues.removed,
      words: stored.words.filter((word) => !wanted.words.has(word)),
    },
    missing: {
      values: values.missing,
      references: references.missing,
      uniqueValues: uniqueValues.missing,
      words: [...wanted.words].filter((word) => !words.has(word)),
    },
  }
}

const tables = { values: 'values', words: 'words', references: 'references', uniqueValues: 'unique values' }

/** The names of the parts of the index in which a repair changes something. */
export function partsOf({ removed, missing }: Repair): string[] {
  const parts = Object.keys(tables) as (keyof typeof tables)[]
  return parts.filter((part) => removed[part].length + missing[part].length > 0).map((part) => tables[part])
}

type Stored = { field: string; key: string }

/** Field by field; the order of entries within a field does not matter. */
function compare<T extends { field: string }>(
  stored: readonly Stored[],
  wanted: readonly T[],
  keyOf: (entry: T) => string,
): { removed: string[]; missing: T[] } {
  const before = keysByField(stored)
  const after = keysByField(wanted.map((entry) => ({ field: entry.field, key: keyOf(entry) })))
  const wrong = new Set([...before.keys(), ...after.keys()].filter((field) => before.get(field) !== after.get(field)))
  return {
    removed: [...wrong].filter((field) => before.has(field)),
    missing: wanted.filter(({ field }) => wrong.has(field)),
  }
}

function keysByField(entries: readonly Stored[]): Map<string, string> {
  const byField = new Map<string, string[]>()
  for (const { field, key } of entries) {
    const keys = byField.get(field)
    if (keys) keys.push(key)
    else byField.set(field, [key])
  }
  return new Map(
    [...byField].map(([field, keys]) => [field, keys.length === 1 ? (keys[0] as string) : keys.sort().join('\n')]),
  )
}

function valueKey({ position, text, folded, long, long_folded, number, flag, unworded }: ValueEntry): string {
  return JSON.stringify([
    position,
    text ?? null,
    folded ?? null,
    long ?? null,
    long_folded ?? null,
    number ?? null,
    flag ?? null,
    unworded ?? false,
  ])
}

function storedValue(text: string): Stored {
  const [field, ...rest] = JSON.parse(text) as [string, ...unknown[]]
  return { field, key: JSON.stringify(rest) }
}

/** Of `<field> <rest>`: only fields that a definition names have these, and their names have no spaces. */
function storedEntry(text: string): Stored {
  const end = text.indexOf(' ')
  return { field: text.slice(0, end), key: text.slice(end + 1) }
}
