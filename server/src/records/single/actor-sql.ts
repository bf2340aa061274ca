import type { Context } from '../../platform/context.ts'
import { idOfName, isId } from '../../platform/core/values/ids.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/**
 * Who does it, as the UUID that `createdBy` and `updatedBy` are: a user's own id, an application's own id. Whoever has none, Lading itself among
 * them, gets one made from the name.
 */
export function actorId({ org, actor }: Context): Statement {
  if (isId(actor.id)) return sql`${actor.id}::uuid`
  if (actor.type !== 'application') return sql`${idOfName(actor.id)}::uuid`
  return sql`coalesce((select a.id from applications a where a.org_id = ${org} and a.client_id = ${actor.id}), ${idOfName(actor.id)}::uuid)`
}
