import { type Statement, sql } from '../db/sql.ts'

/**
 * The last event of a record up to a moment, as `type` and `data`: the record as it stood then. Of two changes the one with the higher revision came
 * later, whatever the clocks of two processes say.
 */
export function lastEventUpTo(org: string, { type, id, at }: { type: string; id: Statement; at: Date }): Statement {
  return sql`select e.type, e.data from events e where e.org_id = ${org} and e.subject_type = ${type} and e.subject_id = ${id} and e.occurred_at <= ${at}
    order by e.revision desc nulls last, e.id desc limit 1`
}
