import type { Context } from '../../context.ts'
import type { EventOf } from '../../events/record.ts'
import { recordEvents } from './history-store.ts'
import { eventsOf } from './model/events.ts'
import type { Kind } from './model/kind.ts'
import type { Status } from './model/lifecycle.ts'
import type { Document } from './model/standard-fields.ts'

export type Change = {
  before: Document
  to: Status
  /** What the changed fields were. */
  previous: object
  reason?: string | undefined
}

/** Records what documents have become. One statement, so that it can go out together with the write. */
export function recordChanges(ctx: Context, kind: Kind, changes: readonly Change[]): Promise<void> {
  return recordEvents(
    ctx,
    kind,
    changes.flatMap((change) => eventsOfChange(kind, change)),
  )
}

export function eventsOfChange(kind: Kind, { before, to, previous, reason }: Change): EventOf[] {
  return eventsOf(kind, { id: before.id, from: before.status_id, to, previous, reason })
}
