import type { Run } from '../db/rows.ts'
import { sql } from '../db/sql.ts'

const lock = 4_051_726
const atOnce = 10_000

/** Until the end of the transaction, for one process at a time. */
export async function lockExpired(run: Run): Promise<boolean> {
  const [turn] = await run<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${lock}) as mine`)
  return turn?.mine ?? false
}

export async function deleteExpiredRecords(run: Run): Promise<number> {
  const deleted = await run(sql`
    delete from oidc_records where (kind, id_sha256) in (select kind, id_sha256 from oidc_records where expires_at < now() limit ${atOnce} for update skip locked)
    returning 1`)
  return deleted.length
}

export async function deleteExpiredFailures(run: Run): Promise<number> {
  const deleted = await run(sql`
    delete from sign_in_failures where subject_sha256 in (select subject_sha256 from sign_in_failures where expires_at < now() limit ${atOnce} for update skip locked)
    returning 1`)
  return deleted.length
}
