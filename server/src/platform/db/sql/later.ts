import { type Statement, sql } from './sql.ts'

/** The time of the database and so much, whatever the clocks of the processes say; tests turn it on. */
export function later(ms: number): Statement {
  return sql`(statement_timestamp() + ${ms}::float8 * interval '1 millisecond')`
}
