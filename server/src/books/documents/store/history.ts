import { type Context, together } from '../../../platform/context.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { eventsOf } from '../model/events.ts'
import type { Status } from '../model/fields/lifecycle.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { ApprovalChange, Kind } from '../model/kind/kind.ts'
import { recordEvents } from './history-store.ts'

export type Change = {
  before: Document
  to: Status
  /** What the changed fields were. */
  previous: object
  reason?: string | undefined
}

/** Records what documents have become. One statement, so that it can go out together with the write. */
export function recordChanges(ctx: Context, kind: Kind, changes: readonly Change[]): Promise<void> {
  // What is paid and stays so was approved when it was paid.
  const open = changes
    .filter(({ before, to }) => before.status_id !== 'paid' || to !== 'paid')
    .map(({ before }) => before.id)
  return recordJudged(
    ctx,
    kind,
    open,
    changes.flatMap((change) => eventsOfChange(kind, change)),
  )
}

/** Records events of documents that were just written, after it was decided whether they need approval: every write of content comes through here. */
export async function recordJudged(
  ctx: Context,
  kind: Kind,
  ids: readonly string[],
  events: readonly EventOf[],
): Promise<void> {
  if (!kind.approving || ids.length === 0) return recordEvents(ctx, kind, events)
  const [judged] = await together(kind.approving.judge(ctx, ids), recordEvents(ctx, kind, events))
  await recordEvents(ctx, kind, requestsIn(kind, judged))
}

/** Records what happened to documents, each as it is now. */
export function recordOf(ctx: Context, kind: Kind, events: readonly EventOf[]): Promise<void> {
  return recordEvents(ctx, kind, events)
}

/** That documents wait for approval now. */
export function requestsIn({ noun }: Kind, judged: readonly ApprovalChange[]): EventOf[] {
  return judged
    .filter(({ isRequested }) => isRequested)
    .map(({ id, previous }) => ({ type: `${noun}.approval_requested`, id, previous }))
}

export function eventsOfChange(kind: Kind, { before, to, previous, reason }: Change): EventOf[] {
  return eventsOf(kind, { id: before.id, from: before.status_id, to, previous, reason })
}
