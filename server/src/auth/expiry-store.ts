import type { Pool } from '../db/connect.ts'

export async function deleteExpiredRecords(pool: Pool, most: number): Promise<number> {
  const { count } = await pool`
    delete from oidc_records where (kind, id_sha256) in (
      select kind, id_sha256 from oidc_records where expires_at < statement_timestamp() limit ${most} for update skip locked)`
  return count
}

export async function deleteExpiredFailures(pool: Pool, most: number): Promise<number> {
  const { count } = await pool`
    delete from sign_in_failures where subject_sha256 in (
      select subject_sha256 from sign_in_failures where expires_at < statement_timestamp() limit ${most} for update skip locked)`
  return count
}
