import type { Database } from '../../../platform/db/database.ts'
import { hashOf, organizationOf } from './secrets.ts'
import { findBySecret, noteOpened, type OpenedLink } from './store.ts'

/** The link with this secret, whether or not it can still be opened. */
export async function openLink(
  database: Database,
  secret: string,
): Promise<(OpenedLink & { org: string }) | undefined> {
  const org = organizationOf(secret)
  const link = org === null ? undefined : await findBySecret(database, org, hashOf(secret))
  if (org === null || !link) return undefined
  if (link.state === 'open') await noteOpened(database, org, link.id)
  return { ...link, org }
}
