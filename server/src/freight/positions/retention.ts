import type { Database } from '../../platform/db/database.ts'
import { listOrganizationIds } from '../../platform/db/schema/organizations.ts'
import { deleteOldDays, deleteOldPositions } from './retention-store.ts'

/** One statement takes no longer than it needs for so many. */
const atOnce = 5_000

/** Deletes positions that were received longer ago than the operator wants, and returns how many. */
export async function deleteOld(
  { pool }: Database,
  days: number,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<number> {
  let all = 0
  for (const org of await listOrganizationIds(pool.run)) {
    await deleteOldDays(pool, org)
    for (let deleted = atOnce; deleted === atOnce; all += deleted) {
      signal?.throwIfAborted()
      deleted = await deleteOldPositions(pool, org, now - days * 86_400_000, atOnce)
    }
  }
  return all
}
