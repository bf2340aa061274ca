import { type Statement, sql } from './sql.ts'

/**
 * sql`id = ${oneOf(ids)}`. PostgreSQL plans anew each time where the plan for the ids at hand looks cheaper than one for any number of them; an array from a
 * sub-select looks the same in both, so one plan is kept.
 */
export function oneOf(ids: readonly string[]): Statement {
  return sql`any (array(select unnest(${ids}::uuid[])))`
}
