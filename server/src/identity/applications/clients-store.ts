import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Client } from './model.ts'

/** None that is disabled. */
export async function findRegistered(database: Database, org: string, client_id: string): Promise<Client | undefined> {
  const [client] = await database.read<Client>(
    org,
    sql`select client_id, name, type, redirect_uris, scopes, grant_types, type = 'public' or require_pkce as require_pkce, access
      from applications where org_id = ${org} and client_id = ${client_id} and disabled_at is null`,
  )
  return client
}

/** Also of one that is disabled. */
export async function findNameOfRegistered(
  database: Database,
  org: string,
  client_id: string,
): Promise<string | undefined> {
  const [row] = await database.read<{ name: string }>(
    org,
    sql`select name from applications where org_id = ${org} and client_id = ${client_id}`,
  )
  return row?.name
}

/** The hashes of the secrets that are good now. */
export async function findSecretHashes(database: Database, org: string, client_id: string): Promise<Buffer[]> {
  const rows = await database.read<{ sha256: Buffer }>(
    org,
    sql`select s.sha256 from application_secrets s join applications a on a.org_id = s.org_id and a.id = s.application_id
      where s.org_id = ${org} and a.client_id = ${client_id} and (s.expires_at is null or s.expires_at > statement_timestamp())`,
  )
  return rows.map(({ sha256 }) => sha256)
}

/** At most once a minute: the column says when, not how often. */
export async function saveUse(database: Database, org: string, client_id: string): Promise<void> {
  const stale = sql`org_id = ${org} and client_id = ${client_id} and (last_used_at is null or last_used_at < statement_timestamp() - interval '1 minute')`
  const [due] = await database.read(org, sql`select 1 from applications where ${stale}`)
  if (due)
    await database.transaction(org, (run) => run(sql`update applications set last_used_at = now() where ${stale}`))
}
