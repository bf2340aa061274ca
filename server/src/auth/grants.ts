import { type Context, transaction } from '../context.ts'
import type { Database } from '../db/database.ts'
import { endGrant, endGrantsOfApplication, endGrantsOfUser, findValidGrant, type Grant, insertGrant } from './grants-store.ts'
import { organizationWithin } from './organization-ids.ts'
import { systemContext } from './organizations/actions.ts'
import { revoke, revokeAll } from './revocations.ts'

export type { Grant }

/** Notes that a user lets an application act for them in an organization. */
export async function keepGrant(database: Database, id: string, grant: Grant, seconds: number): Promise<void> {
  await transaction(systemContext(database, grant.org_id), (ctx) => insertGrant(ctx, id, grant, seconds))
}

/** A grant that still holds: neither revoked nor expired, and its user not disabled. */
export async function findGrant(database: Database, id: string): Promise<Grant | undefined> {
  const org = organizationWithin(id)
  return org ? findValidGrant(database, org, id) : undefined
}

/** Ends a grant and every token under it: refresh tokens ask for their grant, access tokens are on the list of revocations. */
export async function revokeGrant(database: Database, id: string): Promise<void> {
  const org = organizationWithin(id)
  if (!org) return
  await transaction(systemContext(database, org), async (ctx) => {
    await endGrant(ctx, id)
    await revoke(ctx, 'grant', id)
  })
}

/** Ends everything that one application may do in a user's name in an organization. */
export async function revokeGrantsOfApplication(database: Database, { org_id, user_id, client_id }: Grant): Promise<void> {
  await transaction(systemContext(database, org_id), async (ctx) => {
    const ended = await endGrantsOfApplication(ctx, user_id, client_id)
    await revokeAll(ctx, 'grant', ended)
  })
}

/** Ends everything that applications may do in a user's name in this organization. */
export async function revokeGrantsOfUser(ctx: Context, user: string): Promise<void> {
  await endGrantsOfUser(ctx, user)
  await revoke(ctx, 'user', user)
}
