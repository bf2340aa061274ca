import type { Context } from '../context.ts'
import { newId } from '../core/ids.ts'
import { sql } from '../db/sql.ts'

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
