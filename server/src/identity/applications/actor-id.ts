import type { Context } from '../../platform/context.ts'
import { idOfName, isId } from '../../platform/core/values/ids.ts'
import { findApplicationId } from './store.ts'

/** By organization and client id. An application keeps its id, so each is looked up once. */
const known = new Map<string, string>()

/**
 * Who does it, as the UUID that `created_by` and `createdBy` are: the id of a user, or of an application that acts for itself. What has none, such as
 * Lading itself, gets one made from its name, which is the same everywhere.
 */
export async function actorId(ctx: Context): Promise<string> {
  const { type, id } = ctx.actor
  if (isId(id)) return id
  if (type !== 'application') return idOfName(id)
  const key = `${ctx.org} ${id}`
  const found = known.get(key) ?? (await findApplicationId(ctx, id))
  if (found) known.set(key, found)
  return found ?? idOfName(id)
}
