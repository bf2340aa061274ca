import type { Context } from '../../context.ts'
import { idOfName, isId } from '../../core/values/ids.ts'
import { findApplication, findRole } from './store.ts'

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
  const found = known.get(key) ?? (await findApplication(ctx, id))
  if (found) known.set(key, found)
  return found ?? idOfName(id)
}

/** The id of the application that names itself so in OAuth requests. */
export function applicationIdOf(ctx: Context, clientId: string): Promise<string | undefined> {
  return findApplication(ctx, clientId)
}

/** The role of the user who asks, from the database. Undefined where it is no enabled user. */
export async function findRoleOf(ctx: Context): Promise<string | undefined> {
  return isId(ctx.actor.id) ? findRole(ctx, ctx.actor.id) : undefined
}
