import { consoleClientId } from '../../platform/access/console-client.ts'
import { organizationWithin } from '../../platform/access/organization-ids.ts'
import { awaitRevocation, revoke, revokeAll } from '../../platform/access/tokens/revocations.ts'
import { type Context, transaction } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { recordByUser, recordSecurity, type SecurityOccurrence } from '../../platform/security-log/record.ts'
import {
  endGrant,
  endGrantsOfApplication,
  endGrantsOfUser,
  findValidGrant,
  type Grant,
  insertGrant,
  type ValidGrant,
} from './grants-store.ts'
import { isStillProved, type ProvenPerson } from './proofs.ts'

export type { Grant }

type NewGrant = Grant & { id: string; seconds: number; by: ProvenPerson; happened?: readonly SecurityOccurrence[] }

/**
 * Notes that a user lets an application act for them in an organization; `happened` goes into its security log. Answers false where the password was changed
 * meanwhile, or all access ended: then it does not hold.
 */
export async function keepGrant(
  database: Database,
  { id, seconds, by, happened = [], ...grant }: NewGrant,
): Promise<boolean> {
  await transaction(systemContext(database, grant.org_id), async (ctx) => {
    await insertGrant(ctx, id, grant, seconds)
    for (const one of happened) await recordByUser(ctx, grant.user_id, { ...one, client: grant.client_id })
  })
  // Asked once the grant can be seen: who changes the password later than this ends it along with the others.
  if (await isStillProved(database, by)) return true
  await revokeGrant(
    database,
    id,
    'Ended what an application was just allowed: the password was changed at the same moment, or all access ended.',
  )
  return false
}

/** A grant that still holds: neither revoked nor expired, and its user not disabled. */
export async function findGrant(database: Database, id: string): Promise<ValidGrant | undefined> {
  const org = organizationWithin(id)
  return org ? findValidGrant(database, org, id) : undefined
}

/**
 * Ends a grant and every token under it: refresh tokens ask for their grant, access tokens are on the list of revocations. `because` is for the
 * security log, where it was not the user who ended it.
 */
export async function revokeGrant(database: Database, id: string, because?: string): Promise<void> {
  const org = organizationWithin(id)
  if (!org) return
  await transaction(systemContext(database, org), async (ctx) => {
    const ended = await endGrant(ctx, id)
    await revoke(ctx, 'grant', id)
    if (!ended) return
    if (because === undefined) await recordByUser(ctx, ended.user_id, endOf(ended))
    else
      await recordSecurity(ctx, {
        type: 'grant.revoked',
        user: ended.user_id,
        client: ended.client_id,
        summary: because,
      })
  })
}

/** For one that somebody else has just ended: waits until that holds on every process. */
export async function awaitEndOfGrant(database: Database, id: string): Promise<void> {
  const org = organizationWithin(id)
  if (org) await transaction(systemContext(database, org), (ctx) => awaitRevocation(ctx, 'grant', id))
}

/** Ends everything that one application may do in a user's name in an organization. */
export async function revokeGrantsOfApplication(database: Database, grant: Grant): Promise<void> {
  await transaction(systemContext(database, grant.org_id), async (ctx) => {
    const ended = await endGrantsOfApplication(ctx, grant.user_id, grant.client_id)
    await revokeAll(ctx, 'grant', ended)
    if (ended.length > 0) await recordByUser(ctx, grant.user_id, endOf(grant))
  })
}

/** Ends everything that applications may do in a user's name in this organization. */
export async function revokeGrantsOfUser(ctx: Context, user: string): Promise<void> {
  await endGrantsOfUser(ctx, user)
  await revoke(ctx, 'user', user)
}

function endOf({ client_id }: Grant): SecurityOccurrence {
  return client_id === consoleClientId
    ? {
        type: 'session.ended',
        client: client_id,
        summary: 'Left the console: signed out, or changed to another organization.',
      }
    : { type: 'grant.revoked', client: client_id, summary: 'Ended what an application could do for them.' }
}
