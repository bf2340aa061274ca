import type { Context } from '../context.ts'
import { newId } from '../core/ids.ts'
import { type Statement, sql } from '../db/sql.ts'

export type Event = {
  /** `noun.verb`, such as `bill.sent`. */
  type: `${string}.${string}`
  subject: { type: string; id: string }
  revision?: number
  /** JSON text of the record as it is now, in its wire shape; of one that is gone, as it was last. */
  data: string
  /** What the changed fields were before. */
  previous?: Record<string, unknown>
}

/** Writes what happened, in the caller's transaction: a change and its event are there together or not at all. */
export async function record(ctx: Context, { type, subject, revision, data, previous }: Event): Promise<void> {
  await ctx.run(sql`
    insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data, previous, request_id)
    values (${ctx.org}, ${newId()}, ${type}, ${ctx.actor}, ${subject.type}, ${subject.id}, ${revision ?? null}, ${data}::text::jsonb, ${previous ?? null}, ${ctx.requestId})`)
}

export type EventOf = Pick<Event, 'type' | 'previous'> & {
  /** The record it happened to. */
  id: string
  /** Where several things happened to it at once: the revision that this one made. */
  revision?: number
  /** Put over the record as it is now: fields that were different at that moment, and what only the event carries, such as a reason. */
  overrides?: Record<string, unknown>
}

/** Events of many records at once, in this order. `records` selects the `id`, the `revision` and the `json` of each as they are now. */
export async function recordEach(ctx: Context, subject: string, events: readonly EventOf[], records: Statement): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, id, revision = null, previous = null, overrides = null }) => ({
    event_id: newId(),
    type,
    id,
    revision,
    previous,
    overrides,
  }))
  await ctx.run(sql`
    with records as materialized (select r.id, r.revision, r.json::jsonb as data from (${records}) r)
    insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data, previous, request_id)
    select ${ctx.org}::uuid, e.event_id, e.type, ${ctx.actor}::jsonb, ${subject}::text, e.id, coalesce(e.revision, r.revision), case when e.overrides is null then r.data else r.data || e.overrides end, e.previous, ${ctx.requestId}::text
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as e(event_id uuid, type text, id uuid, revision int, previous jsonb, overrides jsonb)
    join records r on r.id = e.id`)
}
