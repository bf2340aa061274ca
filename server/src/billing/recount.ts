import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { recountTally } from '../db/tally-folding.ts'
import { billTallies } from './bills/counted.ts'

/** Counts the records of every organization anew, one after the other, and says how many organizations there were. */
export async function recountBooks(database: Database): Promise<number> {
  const organizations = await database.pool.run<{ org_id: string }>(sql`select org_id from organizations order by org_id`)
  for (const { org_id } of organizations) for (const tally of Object.values(billTallies)) await recountTally(database, tally, org_id)
  return organizations.length
}
