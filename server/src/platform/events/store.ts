import type { Context } from '../context.ts'
import type { Row } from '../db/sql/rows.ts'
import { nothing, type Statement, sql } from '../db/sql/sql.ts'

export type NewEvent = {
  id: string
  type: string
  subject: { type: string; id: string }
  revision: number | null
  /** JSON text. */
  data: string
  previous: Record<string, unknown> | null
}

export async function insertEvent(
  ctx: Context,
  { id, type, subject, revision, data, previous }: NewEvent,
): Promise<void> {
  await ctx.run(sql`
    insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data, previous, request_id)
    values (${ctx.org}, ${id}, ${type}, ${ctx.actor}, ${subject.type}, ${subject.id}, ${revision}, ${data}::text::jsonb, ${previous}, ${ctx.requestId})`)
}

/** What `records` selects, and what is made of each row `r` of it: by `data` the JSON of its event, by `answered` what is answered. */
export type RecordedRows = {
  records: Statement
  data: Statement
  answered: Statement
  /** What becomes of `d.data` under the overrides `e.overrides`, where that is more than they say; `own` is the organization. */
  overridden?: Statement
}

/** Of records that `records` selects with their `json`, and of which nothing is answered. */
export function wholeRecords(records: Statement): RecordedRows {
  return { records, data: sql`r.json`, answered: nothing }
}

/**
 * Each event by its name in the table. The records are selected with their `id` and `revision`, each put together once for its events and for whoever asked.
 */
export function insertEvents<R extends Row>(
  ctx: Context,
  subject: string,
  rows: readonly object[],
  { records, data, answered, overridden = sql`d.data || e.overrides` }: RecordedRows,
): Promise<R[]> {
  return ctx.run<R>(sql`
    with r as materialized (${records}), d as materialized (select r.id, r.revision, (${data})::jsonb as data from r), noted as (
      insert into events as n (org_id, id, type, actor, subject_type, subject_id, revision, data, previous, request_id)
      select own.org_id, e.event_id, e.type, ${ctx.actor}::jsonb, ${subject}::text, e.id, coalesce(e.revision, d.revision), case when e.overrides is null then d.data else ${overridden} end, e.previous, ${ctx.requestId}::text
      from organizations own cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as e(event_id uuid, type text, id uuid, revision int, previous jsonb, overrides jsonb)
      join d on d.id = e.id where own.org_id = ${ctx.org} returning n.id)
    select ${answered} from r`)
}
