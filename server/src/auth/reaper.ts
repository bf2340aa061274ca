import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

const lock = 4_051_726
const atOnce = 10_000

/** Clears away what has expired, in one process at a time. Revocations and grants are cleared by the writes of their own organization. */
export async function reap({ pool }: Database): Promise<number> {
  return pool.transaction(async (run) => {
    const [turn] = await run(sql`select pg_try_advisory_xact_lock(${lock}) as mine`)
    if (!turn?.mine) return 0
    const [records] = await run<{ count: number }>(sql`
      with gone as (delete from oidc_records where (kind, id_sha256) in (select kind, id_sha256 from oidc_records where expires_at < now() limit ${atOnce} for update skip locked) returning 1) select count(*)::int as count from gone`)
    const [failures] = await run<{ count: number }>(sql`
      with gone as (delete from sign_in_failures where subject_sha256 in (select subject_sha256 from sign_in_failures where expires_at < now() limit ${atOnce} for update skip locked) returning 1) select count(*)::int as count from gone`)
    return (records?.count ?? 0) + (failures?.count ?? 0)
  })
}
