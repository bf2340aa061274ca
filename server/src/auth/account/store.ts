import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { findClient } from '../clients.ts'
import type { Membership } from '../people.ts'

export type SignedInSession = { id: string; user_agent: string | null; address: string | null; created_at: Date; current: boolean }
export type AllowedApplication = { id: string; org_id: string; organization: string; application: string; created_at: Date }

/** A session is shown by its uid, which opens nothing; the id in the cookie stays a secret. */
export async function findSessions({ pool }: Database, person: string, current: Buffer): Promise<SignedInSession[]> {
  return pool<SignedInSession[]>`
    select uid as id, user_agent, address, created_at, id_sha256 = ${current} as current from oidc_records
    where kind = 'Session' and person_id = ${person} and expires_at > now() order by current desc, created_at desc`
}

export async function endSessions({ pool }: Database, person: string, which: { id: string } | { except: string }): Promise<void> {
  await ('id' in which
    ? pool`delete from oidc_records where kind = 'Session' and person_id = ${person} and uid = ${which.id}`
    : pool`delete from oidc_records where kind = 'Session' and person_id = ${person} and uid <> ${which.except}`)
}

export async function findAllowedApplications(database: Database, person: string, memberships: readonly Membership[]): Promise<AllowedApplication[]> {
  const found = await Promise.all(
    memberships.map(async ({ org_id, organization }) => {
      const grants = await database.read<{ id: string; client_id: string; created_at: Date }>(
        org_id,
        sql`select id, client_id, created_at from grants where org_id = ${org_id} and user_id = ${person} and revoked_at is null and expires_at > now() order by created_at desc limit 100`,
      )
      return Promise.all(
        grants.map(async ({ id, client_id, created_at }) => ({
          id,
          org_id,
          organization,
          created_at,
          application: (await findClient(database, client_id))?.name ?? 'A deleted application',
        })),
      )
    }),
  )
  return found.flat()
}
