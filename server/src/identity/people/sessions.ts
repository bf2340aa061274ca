import { prefixOf } from '../../platform/access/organization-ids.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { revokeGrant } from './grants.ts'
import type { Owner } from './people-store.ts'
import { proofOf } from './proofs.ts'
import { deleteSessions, deleteSessionsIn, findOnlineGrants, findPersonOfUser, saveProof } from './sessions-store.ts'

/** Signing out: the session ends, and with it what applications were allowed in it, except what they were allowed offline. */
export async function endSessions(
  database: Database,
  person: string,
  which: { id: string } | { except: string },
): Promise<void> {
  await endGrantsOfSession(database, await deleteSessions(database.pool, person, which))
}

/** For the session in which the person has just changed their password: it goes on with what they have proved there. */
export async function keepSession({ pool }: Database, owner: Owner, session: string): Promise<void> {
  await saveProof(pool, owner.id, session, proofOf(owner))
}

export async function endGrantsOfSession(database: Database, grants: readonly string[]): Promise<void> {
  if (grants.length === 0) return
  for (const grant of await findOnlineGrants(database.pool, grants)) await revokeGrant(database, grant)
}

/**
 * A user is shut out: so is the browser in which they are at work here. Sessions are not the serving role's to change, so they end once the rest is
 * committed, before it is answered.
 */
export async function endSessionsOfUser(ctx: Context, user: string): Promise<void> {
  const person = await findPersonOfUser(ctx, user)
  if (person) ctx.afterCommit(({ pool }) => deleteSessionsIn(pool, person, ctx.org, prefixOf(ctx.org)))
}
