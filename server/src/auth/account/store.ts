import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Settings } from '../../settings.ts'
import { findClient } from '../clients.ts'
import { consoleClientId } from '../console-client.ts'
import type { Membership } from '../people.ts'

export type SignedInSession = { id: string; user_agent: string | null; address: string | null; created_at: Date; current: boolean }
export type AllowedApplication = { id: string; org_id: string; organization: string; application: string; created_at: Date }

/** A session is shown by its uid, which opens nothing; the id in the cookie stays a secret. */
export async function findSessions({ pool }: Database, person: string, current: string): Promise<SignedInSession[]> {
  return pool.run<SignedInSession>(sql`
    select uid as id, user_agent, address, created_at, id_sha256 = sha256(convert_to(${current}, 'UTF8')) as current from oidc_records
    where kind = 'Session' and person_id = ${person} and expires_at > statement_timestamp() order by current desc, created_at desc`)
}

/** The console is not among them: nobody allowed it, and it goes with the session. */
export async function findAllowedApplications(
  parts: { database: Database; settings: Settings },
  memberships: readonly Membership[],
): Promise<AllowedApplication[]> {
  const found = await Promise.all(
    memberships.map(async ({ org_id, organization, user_id }) => {
      const grants = await parts.database.read<{ id: string; client_id: string; created_at: Date }>(
        org_id,
        sql`select id, client_id, created_at from grants where org_id = ${org_id} and user_id = ${user_id} and client_id <> ${consoleClientId} and revoked_at is null and expires_at > statement_timestamp() order by created_at desc limit 100`,
      )
      return Promise.all(
        grants.map(async ({ id, client_id, created_at }) => ({
          id,
          org_id,
          organization,
          created_at,
          application: (await findClient(parts, client_id))?.name ?? 'A deleted application',
        })),
      )
    }),
  )
  return found.flat()
}
