import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { Definition, Field } from '../kinds/kind.ts'
import { checkField, ownValue } from '../model/check.ts'
import { contentOf } from '../model/object.ts'
import { changedFields } from './changes.ts'
import { entriesOf, type IndexEntries, withFullId } from './entries.ts'
import { countMissingTargets, deleteFields, listObjectsWith, type StoredObject, saveMarkers } from './reindex-store.ts'
import { firstId } from './repair.ts'
import { insertEntries } from './write.ts'

type Changed = { fields: Field[]; removed: Field[]; currencies: ReadonlySet<string> }

/**
 * Reindexes the objects that have a value in one of the fields of a changed definition, and refuses the change if any value does not fit. The caller
 * has locked the definition, so none of the objects changes meanwhile.
 */
export async function reindex(
  ctx: Context,
  before: Definition,
  after: Definition,
  { fields, removed, currencies }: Changed,
): Promise<void> {
  const keys = [...fields, ...removed].map(({ key }) => key)
  if (keys.length === 0) return
  const misfits = new Map<string, number>()
  let duplicates = 0
  const named = keys.includes('name') ? [before.title, after.title].flatMap((title) => title ?? []) : []
  // An object without a name of its own is named by the kind's title, and has an entry for that.
  const next = (after: string) => listObjectsWith(ctx, before.objectKey, [...keys, ...named], after)
  for (let page = await next(firstId); page.length > 0; page = await next(page.at(-1)?.id as string)) {
    const fitting = page.filter((object) => countMisfits(misfits, object, fields, currencies))
    const all = fitting.map((object) => ({ object, old: entriesFor(before, object), new: entriesFor(after, object) }))
    const touched = [...new Set([...keys, ...all.flatMap(changedKeys)])]
    const changes = all.map((change) => ({
      object: change.object,
      old: within(change.old, touched),
      new: within(change.new, touched),
    }))
    await addMissingTargets(ctx, changes, misfits)
    if (misfits.size === 0) duplicates += await rewrite(ctx, before.objectKey, touched, changes)
  }
  const [first] = misfits
  if (first)
    throw conflict(
      'values_do_not_fit',
      `${first[1]} objects have a value in "${first[0]}" that would not fit. Change or clear those values first.`,
      [...misfits].map(([field, count]) => ({
        field,
        code: 'does_not_fit',
        message: `${count} objects have a value that would not fit.`,
      })),
    )
  if (duplicates > 0)
    throw conflict(
      'values_are_not_unique',
      `${duplicates} objects have a value that another one has too, so it cannot become unique. Change or clear those values first.`,
    )
}

/** Counts the values of an object that do not fit by their field; false if there are any. */
function countMisfits(
  misfits: Map<string, number>,
  { json }: StoredObject,
  fields: readonly Field[],
  currencies: ReadonlySet<string>,
): boolean {
  const wrong = fields.filter(
    (field) => checkField({ ...field, required: false }, ownValue(json, field.key), field.key, currencies).length > 0,
  )
  for (const { key } of wrong) misfits.set(key, (misfits.get(key) ?? 0) + 1)
  return wrong.length === 0
}

/** With its `fullId`, so that a word that a field has too is not removed with the field. */
function entriesFor(definition: Definition, object: StoredObject): IndexEntries {
  return withFullId(entriesOf(definition, contentOf(object)), object.full_id)
}

type Change = { object: StoredObject; old: IndexEntries; new: IndexEntries }

/** Other fields can change too: the number of words of an object is limited, so which of them are indexed depends on the fields before. */
function changedKeys(change: Change): string[] {
  return changedFields(change.old.values, change.new.values).fields.map(keyOf)
}

/** The entries of these fields; words all together, because fields share them. */
function within(entries: IndexEntries, keys: readonly string[]): IndexEntries {
  const those = <T extends { field: string }>(list: T[]) => list.filter(({ field }) => keys.includes(keyOf(field)))
  return {
    ...entries,
    values: those(entries.values),
    references: those(entries.references),
    uniqueValues: those(entries.uniqueValues),
  }
}

/** As `split_part` does it in `deleteFields`. */
function keyOf(path: string): string {
  return path.split('.')[0] as string
}

async function addMissingTargets(
  ctx: Context,
  changes: readonly Change[],
  misfits: Map<string, number>,
): Promise<void> {
  const references = changes.flatMap((change) => change.new.references)
  for (const { field, count } of await countMissingTargets(ctx, references))
    misfits.set(field, (misfits.get(field) ?? 0) + count)
}

/** Returns how many unique values another object has already. */
async function rewrite(ctx: Context, object_key: string, keys: string[], changes: readonly Change[]): Promise<number> {
  const removedWords = changes.flatMap((change) =>
    [...change.old.words]
      .filter((word) => !change.new.words.has(word))
      .map((word) => ({ object_id: change.object.id, word })),
  )
  await deleteFields(
    ctx,
    object_key,
    changes.map(({ object }) => object.id),
    keys,
    removedWords,
  )
  await saveMarkers(
    ctx,
    changes.map((change) => ({ id: change.object.id, markers: change.new.markers })),
  )
  return insertEntries(
    ctx,
    changes.map(({ object: { id }, new: { markers: _, words, ...entries } }) => ({
      id,
      object_key,
      ...entries,
      words: [...words],
    })),
  )
}
