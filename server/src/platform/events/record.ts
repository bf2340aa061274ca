import type { Context } from '../context.ts'
import { newId } from '../core/values/ids.ts'
import type { Row } from '../db/sql/rows.ts'
import type { Statement } from '../db/sql/sql.ts'
import { recorded } from './announcing.ts'
import { insertEvent, insertEvents, type RecordedRows, wholeRecords } from './store.ts'

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

/** Writes what happened, in the caller's transaction: a change and its event are there together or not at all. Answers its id. */
export async function record(ctx: Context, { type, subject, revision, data, previous }: Event): Promise<string> {
  announceAfterCommit(ctx)
  const id = newId()
  await insertEvent(ctx, { id, type, subject, revision: revision ?? null, data, previous: previous ?? null })
  return id
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
export async function recordEach(
  ctx: Context,
  subject: string,
  events: readonly EventOf[],
  records: Statement,
): Promise<void> {
  await recordAnswering(ctx, subject, events, wholeRecords(records))
}

/** The same, answering what is asked of each record. */
export async function recordAnswering<R extends Row>(
  ctx: Context,
  subject: string,
  events: readonly EventOf[],
  records: RecordedRows,
): Promise<R[]> {
  if (events.length === 0) return []
  announceAfterCommit(ctx)
  const rows = events.map(({ type, id, revision = null, previous = null, overrides = null }) => ({
    event_id: newId(),
    type,
    id,
    revision,
    previous,
    overrides,
  }))
  return insertEvents<R>(ctx, subject, rows, records)
}

/** Nobody waits for it: whoever publishes is woken. */
function announceAfterCommit({ org, afterCommit }: Context): void {
  afterCommit(async () => recorded.announce(org))
}
