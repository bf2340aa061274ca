import { sql } from '../../db/sql.ts'
import { type Tally, talliesOf } from '../../db/tallies.ts'

/** Bills are counted by their state, along when they were made and when they were last changed. */
export const countedBills = {
  table: sql`bills`,
  kind: sql`'bill'`,
  label: sql`status_id`,
  times: { created_at: sql`created_at`, updated_at: sql`updated_at` },
}

export const billTallies = talliesOf(countedBills, 'bill')

export function findBillTally(name: string): Tally | undefined {
  return Object.values(billTallies).find((tally) => tally.name === name)
}
