import type { Pool } from '../../platform/db/pool/connect.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** Deletes the counts of days that are over for so long that no clock is still there. */
export async function deleteOldDays({ run }: Pool, org: string): Promise<void> {
  await run(
    sql`delete from position_days where org_id = ${org} and day < (statement_timestamp() at time zone 'utc')::date - 2`,
  )
}

/** Deletes some that were received before this moment, and returns how many. The last position of a manifest is kept apart, and stays. */
export async function deleteOldPositions(pool: Pool, org: string, before: number, most: number): Promise<number> {
  const rows = await pool.run(sql`
    delete from positions where org_id = ${org} and (manifest_id, at, source) in (
      select manifest_id, at, source from positions where org_id = ${org} and received_at < ${new Date(before)} order by received_at limit ${most}) returning org_id`)
  return rows.length
}
