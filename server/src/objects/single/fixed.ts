import type { Context } from '../../context.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { Extension, Touched } from '../kinds/extension.ts'

/** Refuses a change or deletion that an extension of the kind does not allow. Called with the object locked. */
export async function requireChangeable(ctx: Context, extensions: readonly Extension[], object: Touched & { objectKey: string }): Promise<void> {
  const [refusal] = (await findFixed(ctx, extensions, [object])).values()
  if (refusal) throw refusal
}

/** Why some of these objects must stay as they are, by their ids. Called with the objects locked. */
export async function findFixed(
  ctx: Context,
  extensions: readonly Extension[],
  objects: readonly (Touched & { objectKey: string })[],
): Promise<ReadonlyMap<string, Refusal>> {
  const found = new Map<string, Refusal>()
  for (const { objectKey, findFixed } of extensions) {
    const touched = objects.filter((object) => object.objectKey === objectKey)
    if (touched.length > 0) for (const [id, refusal] of await findFixed(ctx, touched)) found.set(id, refusal)
  }
  return found
}
