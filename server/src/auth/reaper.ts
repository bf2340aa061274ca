import type { Database } from '../db/database.ts'
import { deleteExpiredFailures, deleteExpiredRecords, lockExpired } from './expired-store.ts'

/** Deletes what has expired, in one process at a time. Revocations and grants are deleted by the writes of their own organization. */
export async function reap({ pool }: Database): Promise<number> {
  return pool.transaction(async (run) => {
    if (!(await lockExpired(run))) return 0
    return (await deleteExpiredRecords(run)) + (await deleteExpiredFailures(run))
  })
}
