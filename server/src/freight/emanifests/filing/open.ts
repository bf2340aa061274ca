import { readId } from '../../../platform/core/values/ids.ts'
import type { Database } from '../../../platform/db/database.ts'
import { findOrganization } from '../../../platform/organizations/actions.ts'
import type { Settings } from '../../../settings.ts'
import { directoryFiling } from './directory.ts'
import type { FilingAdapter } from './filing.ts'
import { httpFiling } from './http.ts'

/** The way to customs that the settings name; null for none: then interchanges wait, and can be downloaded. */
export function openFiling(
  database: Database,
  { emanifests: { directory, url, secret }, inbox: { names } }: Pick<Settings, 'emanifests' | 'inbox'>,
): FilingAdapter | null {
  if (url !== null) return httpFiling({ url, secret })
  if (directory === null) return null
  return directoryFiling({
    path: directory,
    // As in the directory of arrivals: by its id, or by a name of the settings.
    folderOf: (org) => Object.entries(names).find(([, id]) => id === org)?.[0] ?? org,
    async organizationOf(folder) {
      const id = readId(folder) ?? (Object.hasOwn(names, folder.toLowerCase()) ? names[folder.toLowerCase()] : null)
      return id && (await findOrganization(database, id)) ? id : null
    },
  })
}
