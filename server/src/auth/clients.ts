import { createHash, timingSafeEqual } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Settings } from '../settings.ts'
import type { GrantType } from './applications/model.ts'
import { consoleClient, consoleClientId } from './console-client.ts'
import { organizationWithin } from './organization-ids.ts'
import type { Scope } from './scopes.ts'

/** An application as the authorization server needs it. */
export type Client = {
  client_id: string
  name: string
  type: 'confidential' | 'public'
  redirect_uris: string[]
  post_logout_redirect_uris?: string[]
  scopes: Scope[]
  grant_types: GrantType[]
}

export async function findClient({ database, settings }: { database: Database; settings: Settings }, client_id: string): Promise<Client | undefined> {
  if (client_id === consoleClientId) return consoleClient(settings)
  const org = organizationWithin(client_id)
  if (!org) return undefined
  const [client] = await database.read<Client>(
    org,
    sql`select client_id, name, type, redirect_uris, scopes, grant_types from applications where org_id = ${org} and client_id = ${client_id}`,
  )
  return client
}

/** While a secret is rotated out, the old one and the new one are both good. */
export async function isSecretOf(database: Database, client_id: string, secret: string): Promise<boolean> {
  const org = organizationWithin(client_id)
  if (!org) return false
  const sent = hashSecret(secret)
  const rows = await database.read<{ sha256: Buffer }>(
    org,
    sql`select s.sha256 from application_secrets s join applications a on a.org_id = s.org_id and a.id = s.application_id
      where s.org_id = ${org} and a.client_id = ${client_id} and (s.expires_at is null or s.expires_at > statement_timestamp())`,
  )
  return rows.some(({ sha256 }) => timingSafeEqual(sha256, sent))
}

/** Notes that an application got a token, at most once a minute: the column says when, not how often. */
export async function noteUse(database: Database, client_id: string): Promise<void> {
  const org = organizationWithin(client_id)
  if (!org) return
  const stale = sql`org_id = ${org} and client_id = ${client_id} and (last_used_at is null or last_used_at < statement_timestamp() - interval '1 minute')`
  const [due] = await database.read(org, sql`select 1 from applications where ${stale}`)
  if (due) await database.transaction(org, (run) => run(sql`update applications set last_used_at = now() where ${stale}`))
}

/** A secret has 256 random bits, so one round of SHA-256 is enough to keep it from anyone who reads the table. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
