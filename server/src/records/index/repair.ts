import type { Context } from '../../platform/context.ts'
import type { Definition } from '../kinds/kind.ts'
import { contentOf } from '../model/object.ts'
import { partsOf, type Repair, repairFor } from './comparison.ts'
import { entriesOf, withFullId } from './entries.ts'
import { type IndexedObject, listIndexedObjects } from './entries-store.ts'
import { insertEntries, removeEntriesOfMany } from './write.ts'

/** It comes before the id of any object. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Repairs the index entries of the next objects of a kind, as many as make a page; null where there are no more. The caller has locked the
 * definition, so nobody writes an object of the kind meanwhile.
 */
export async function repairPage(
  ctx: Context,
  definition: Definition,
  after: string,
): Promise<{ last: string; read: number; repaired: number } | null> {
  const object_key = definition.objectKey
  const page = await listIndexedObjects(ctx, object_key, after)
  const last = page.at(-1)
  if (!last) return null
  const wrong = page
    .map((object) => ({ id: object.id, object_key, ...repairOf(definition, object) }))
    .filter((repair) => partsOf(repair).length > 0)
  await removeEntriesOfMany(ctx, wrong)
  const taken = await insertEntries(
    ctx,
    wrong.map(({ id, missing }) => ({ ...missing, id, object_key })),
  )
  if (taken > 0)
    throw new Error(
      `Two objects of the kind ${object_key} of the organization ${ctx.org} have the same value in a field that is unique.`,
    )
  return { last: last.id, read: page.length, repaired: wrong.length }
}

/** The objects of a kind whose index entries do not match their content, and the parts of the index that are wrong. */
export async function* findWrongEntries(
  ctx: Context,
  definition: Definition,
): AsyncGenerator<{ id: string; parts: string[] }> {
  const next = (after: string) => listIndexedObjects(ctx, definition.objectKey, after)
  for (let page = await next(firstId); page.length > 0; page = await next(page.at(-1)?.id as string)) {
    for (const object of page) {
      const parts = partsOf(repairOf(definition, object))
      if (parts.length > 0) yield { id: object.id, parts }
    }
  }
}

function repairOf(definition: Definition, object: IndexedObject): Repair {
  return repairFor(object, withFullId(entriesOf(definition, contentOf(object)), object.full_id))
}
