import type { Run } from '../../platform/db/sql/rows.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export async function deleteExpiredRecords(run: Run, most: number): Promise<number> {
  const deleted = await run(sql`
    delete from oidc_records where (kind, id_sha256) in (
      select kind, id_sha256 from oidc_records where expires_at < statement_timestamp() limit ${most} for update skip locked) returning 1`)
  return deleted.length
}

export async function deleteExpiredFailures(run: Run, most: number): Promise<number> {
  const deleted = await run(sql`
    delete from sign_in_failures where subject_sha256 in (
      select subject_sha256 from sign_in_failures where expires_at < statement_timestamp() limit ${most} for update skip locked) returning 1`)
  return deleted.length
}
