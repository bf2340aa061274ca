import { consoleClientId } from '../../platform/access/console-client.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { findNameOfClient } from '../applications/clients.ts'
import type { Membership } from '../people/people.ts'

export type SignedInSession = {
  id: string
  user_agent: string | null
  address: string | null
  created_at: Date
  current: boolean
}
/** An application that may act for the person, and in which organizations. `grant` is one of the grants in that organization. */
export type AllowedApplication = {
  application: string
  access: readonly { grant: string; organization: string; since: Date; latest: Date }[]
}

/** A session is shown by its uid, which opens nothing; the id in the cookie stays a secret. */
export async function findSessions({ pool }: Database, person: string, current: string): Promise<SignedInSession[]> {
  return pool.run<SignedInSession>(sql`
    select uid as id, user_agent, address, created_at, id_sha256 = sha256(convert_to(${current}, 'UTF8')) as current from oidc_records
    where kind = 'Session' and person_id = ${person} and expires_at > statement_timestamp() order by current desc, created_at desc`)
}

type AllowedIn = { client_id: string; grant: string; since: Date; latest: Date; organization: string }

/** By application: every sign-in with one makes a grant. The console is not among them: nobody allowed it, and its access ends with the session. */
export async function findAllowedApplications(
  database: Database,
  memberships: readonly Membership[],
): Promise<AllowedApplication[]> {
  const access = (await Promise.all(memberships.map((membership) => findAccess(database, membership)))).flat()
  const byClient = Map.groupBy(access, ({ client_id }) => client_id)
  const found = [...byClient].map(async ([client_id, organizations]) => ({
    application: (await findNameOfClient(database, client_id)) ?? 'A deleted application',
    access: organizations,
  }))
  return (await Promise.all(found)).toSorted((a, b) => latestOf(b) - latestOf(a))
}

async function findAccess(database: Database, { org_id, organization, user_id }: Membership): Promise<AllowedIn[]> {
  const access = await database.read<Omit<AllowedIn, 'organization'>>(
    org_id,
    sql`select client_id, (array_agg(id order by created_at desc))[1] as grant, min(created_at) as since, max(created_at) as latest from grants
      where org_id = ${org_id} and user_id = ${user_id} and client_id <> ${consoleClientId} and revoked_at is null and expires_at > statement_timestamp()
      group by client_id`,
  )
  return access.map((allowed) => ({ ...allowed, organization }))
}

function latestOf({ access }: AllowedApplication): number {
  return Math.max(...access.map(({ latest }) => latest.getTime()))
}
