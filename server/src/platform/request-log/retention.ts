import type { Database } from '../db/database.ts'
import { listOrganizationIds } from '../db/schema/organizations.ts'
import { deleteOldRequests } from './store.ts'

/** One statement takes no longer than it needs for so many. */
const atOnce = 5_000

/** Deletes what is older than the operator wants, all of it where that is 0 days, and returns how much that was. */
export async function deleteOldEntries(
  { pool }: Database,
  days: number,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<number> {
  let all = 0
  for (const org of await listOrganizationIds(pool.run)) {
    for (let deleted = atOnce; deleted === atOnce; all += deleted) {
      signal?.throwIfAborted()
      deleted = await deleteOldRequests(pool, org, now - days * 86_400_000, atOnce)
    }
  }
  return all
}
