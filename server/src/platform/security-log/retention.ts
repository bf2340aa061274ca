import type { Database } from '../db/database.ts'
import { listOrganizationIds } from '../db/schema/organizations.ts'
import { deleteOldSecurityEvents } from './store.ts'

/** One statement takes no longer than it needs for so many. */
const atOnce = 10_000

/** Deletes what is older than the operator wants, and returns how much that was. */
export async function deleteOldEntries({ pool }: Database, days: number, signal?: AbortSignal): Promise<number> {
  let all = 0
  for (const org of await listOrganizationIds(pool.run)) {
    for (let deleted = atOnce; deleted === atOnce; all += deleted) {
      signal?.throwIfAborted()
      deleted = await deleteOldSecurityEvents(pool, org, days, atOnce)
    }
  }
  return all
}
