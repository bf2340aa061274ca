import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { isId } from '../core/ids.ts'
import { type Statement, sql } from '../db/sql.ts'

/**
 * Who does it, as the UUID that `createdBy` and `updatedBy` are: a user's own id, an application's own id. Whoever has none, Lading itself among
 * them, gets one made from the name.
 */
export function actorId({ org, actor }: Context): Statement {
  if (isId(actor.id)) return sql`${actor.id}::uuid`
  if (actor.type !== 'application') return sql`${derived(actor.id)}::uuid`
  return sql`coalesce((select a.id from applications a where a.org_id = ${org} and a.client_id = ${actor.id}), ${derived(actor.id)}::uuid)`
}

/** A UUID of version 8 (RFC 9562), the same for the same name. */
function derived(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
