import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { revokeGrant } from './grants.ts'
import { prefixOf } from './organization-ids.ts'
import { deleteSessions, deleteSessionsOfUser, findOnlineGrants } from './sessions-store.ts'

/** Signing out: the session ends, and with it what applications were allowed in it, except what they were allowed offline. */
export async function endSessions(database: Database, person: string, which: { id: string } | { except: string }): Promise<void> {
  await endGrantsOfSession(database, await deleteSessions(database.pool, person, which))
}

export async function endGrantsOfSession(database: Database, grants: readonly string[]): Promise<void> {
  if (grants.length === 0) return
  for (const grant of await findOnlineGrants(database.pool, grants)) await revokeGrant(database, grant)
}

/** A user is shut out: so is the browser in which they are at work here. */
export async function endSessionsOfUser(ctx: Context, user: string): Promise<void> {
  await deleteSessionsOfUser(ctx, user, prefixOf(ctx.org))
}
