import type { Context } from '../../platform/context.ts'
import { isEmpty, type NewEntries, type RemovedEntries } from './changes.ts'
import { deleteAllEntries, deleteEntries, deleteEntriesOfMany, insertLot } from './entries-store.ts'

/** More rows in one statement would be slower together than one after the other, and at some point too much for either side. */
const mostRows = 20_000

/** Returns how many unique values another object has already; then nothing of the write may stay. */
export async function insertEntries(ctx: Context, objects: readonly NewEntries[]): Promise<number> {
  let taken = 0
  for (const lot of lotsOf(objects.filter((entries) => !isEmpty(entries)))) taken += await insertLot(ctx, lot)
  return taken
}

type Indexed = { id: string; object_key: string }

export async function removeEntries(ctx: Context, object: Indexed, removed: RemovedEntries): Promise<void> {
  if (!isEmpty(removed)) await deleteEntries(ctx, object, removed)
}

/** Of many objects in one statement. */
export async function removeEntriesOfMany(
  ctx: Context,
  objects: readonly (Indexed & { removed: RemovedEntries })[],
): Promise<void> {
  if (!objects.every(({ removed }) => isEmpty(removed))) await deleteEntriesOfMany(ctx, objects)
}

/** An object that is deleted refers to nothing, is found by nothing and keeps no value from others. */
export async function removeAllEntries(
  ctx: Context,
  objects: readonly (Indexed & { words: readonly string[] })[],
): Promise<void> {
  const [first, ...others] = objects
  if (first)
    await (others.length > 0 ? deleteAllEntries(ctx, objects) : deleteEntries(ctx, first, { words: first.words }))
}

/** The same in lots, none of which has more than so many values and words. */
function* lotsOf(objects: readonly NewEntries[]): Generator<NewEntries[]> {
  let lot: NewEntries[] = []
  let rows = 0
  for (const entries of objects.flatMap(partsOf)) {
    const more = entries.values.length + entries.words.length
    if (lot.length > 0 && rows + more > mostRows) {
      yield lot
      lot = []
      rows = 0
    }
    lot.push(entries)
    rows += more
  }
  if (lot.length > 0) yield lot
}

function partsOf(entries: NewEntries): NewEntries[] {
  const parts = Math.ceil(entries.values.length / mostRows)
  if (parts < 2) return [entries]
  return Array.from({ length: parts }, (_, part) => ({
    ...entries,
    values: entries.values.slice(part * mostRows, (part + 1) * mostRows),
    ...(part > 0 && { words: [], references: [], uniqueValues: [] }),
  }))
}
