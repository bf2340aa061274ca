import type { Context } from '../context.ts'
import { type Statement, sql } from '../db/sql/sql.ts'

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

/** Each event by its name in the table; `records` selects the `id`, the `revision` and the `json` of what they happened to. */
export async function insertEvents(
  ctx: Context,
  subject: string,
  rows: readonly object[],
  records: Statement,
): Promise<void> {
  await ctx.run(sql`
    insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data, previous, request_id)
    select own.org_id, e.event_id, e.type, ${ctx.actor}::jsonb, ${subject}::text, e.id, coalesce(e.revision, r.revision), case when e.overrides is null then r.data else r.data || e.overrides end, e.previous, ${ctx.requestId}::text
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as e(event_id uuid, type text, id uuid, revision int, previous jsonb, overrides jsonb)
    join (select r.id, r.revision, r.json::jsonb as data from (${records}) r offset 0) r on r.id = e.id where own.org_id = ${ctx.org}`)
}
