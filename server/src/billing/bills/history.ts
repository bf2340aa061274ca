import type { Context } from '../../context.ts'
import { type EventOf, recordEach } from '../../events/record.ts'
import { eventsOf } from '../changes.ts'
import type { Status } from '../lifecycle.ts'
import type { Bill } from './model.ts'
import { wholeBills } from './store.ts'

export type Change = {
  before: Bill
  to: Status
  /** What the changed fields were. */
  previous: object
  reason?: string | undefined
}

/** What bills have become goes into their history. One statement, so it can go out together with what it tells of. */
export function recordBills(ctx: Context, changes: readonly Change[]): Promise<void> {
  return recordOf(ctx, changes.flatMap(eventsOfBill))
}

/** Events of bills, each with the bill and its lines as they are now. */
export function recordOf(ctx: Context, events: readonly EventOf[]): Promise<void> {
  return recordEach(ctx, 'bill', events, wholeBills(ctx, [...new Set(events.map(({ id }) => id))]))
}

export function eventsOfBill({ before, to, previous, reason }: Change): EventOf[] {
  return eventsOf('bill', { id: before.id, from: before.status_id, to, previous, reason })
}
