import type { Database } from '../../platform/db/database.ts'
import { deleteExpiredFailures, deleteExpiredRecords } from './expiry-store.ts'

/** One statement takes no longer than it needs for so many. */
const atOnce = 10_000

/** Deletes what has expired and belongs to no organization, and returns how many. Revocations and grants are deleted by writes of their own organization. */
export async function deleteExpired({ pool }: Database, signal?: AbortSignal): Promise<number> {
  let all = 0
  for (const deleteSome of [deleteExpiredRecords, deleteExpiredFailures]) {
    for (let deleted = atOnce; deleted === atOnce; all += deleted) {
      signal?.throwIfAborted()
      deleted = await deleteSome(pool.run, atOnce)
    }
  }
  return all
}
