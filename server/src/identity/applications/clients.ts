import { createHash, timingSafeEqual } from 'node:crypto'
import { consoleClientId } from '../../platform/access/console-client.ts'
import { organizationWithin } from '../../platform/access/organization-ids.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Settings } from '../../settings.ts'
import { findNameOfRegistered, findRegistered, findSecretHashes, saveUse } from './clients-store.ts'
import { consoleClient } from './console-client.ts'
import type { Client } from './model.ts'

/** The application that may be used now: a disabled one is treated like an unknown one. */
export async function findClient(
  { database, settings }: { database: Database; settings: Settings },
  client_id: string,
): Promise<Client | undefined> {
  if (client_id === consoleClientId) return consoleClient(settings)
  const org = organizationWithin(client_id)
  return org ? findRegistered(database, org, client_id) : undefined
}

/** The name of an application, disabled or not, for people who read what they allowed. */
export async function findNameOfClient(database: Database, client_id: string): Promise<string | undefined> {
  const org = organizationWithin(client_id)
  return org ? findNameOfRegistered(database, org, client_id) : undefined
}

/** While a secret is rotated out, the old one and the new one are both good. */
export async function isSecretOf(database: Database, client_id: string, secret: string): Promise<boolean> {
  const org = organizationWithin(client_id)
  if (!org) return false
  const sent = hashSecret(secret)
  return (await findSecretHashes(database, org, client_id)).some((hash) => timingSafeEqual(hash, sent))
}

/** Notes that an application got a token. */
export async function noteUse(database: Database, client_id: string): Promise<void> {
  const org = organizationWithin(client_id)
  if (org) await saveUse(database, org, client_id)
}

/** A secret has 256 random bits, so one round of SHA-256 is enough to keep it from anyone who reads the table. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
