import { readId } from '../../platform/core/values/ids.ts'
import type { Database } from '../../platform/db/database.ts'
import { findOrganization } from '../../platform/organizations/actions.ts'
import type { Settings } from '../../settings.ts'

export type InboxNames = Settings['inbox']['names']

/** The organization whose inbox is called so: by its id, or by a name of the settings. Null where there is none. */
export async function organizationOfInbox(database: Database, names: InboxNames, name: string): Promise<string | null> {
  const known = name.toLowerCase()
  const id = readId(name) ?? (Object.hasOwn(names, known) ? names[known] : null)
  return id && (await findOrganization(database, id)) ? id : null
}
