import type { AsOf } from '../../core/values/as-of.ts'
import { type Statement, sql } from './sql.ts'

/** The moment that is asked for, and its day, where the time zone is this. */
export function momentAndDay(asOf: AsOf, zone: Statement): { moment: Statement; day: Statement } {
  if (asOf !== null && 'day' in asOf)
    return {
      moment: sql`(${asOf.day}::date + 1)::timestamp at time zone ${zone} - interval '1 millisecond'`,
      day: sql`${asOf.day}::date`,
    }
  const moment = asOf === null ? sql`statement_timestamp()` : sql`${asOf.moment}::timestamptz`
  return { moment, day: sql`(${moment} at time zone ${zone})::date` }
}
