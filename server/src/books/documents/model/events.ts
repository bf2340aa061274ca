import type { EventOf } from '../../../platform/events/record.ts'
import type { Status } from './fields/lifecycle.ts'
import { homeFields } from './home-amount.ts'

type Change = {
  id: string
  from: Status
  to: Status
  /** What the changed fields were. */
  previous: object
  /** Why it was reopened: the history is where that is asked for later. */
  reason?: string | undefined
}

const paidFields = ['amount_paid', 'amount_due', 'payment_status']

/** Fields that a move changes by itself. `date` is the field that a pay term counts from. */
const isOfMove = (date: string) => (field: string) =>
  ['status_id', 'sent_at', 'paid_at', 'number', 'due_date', ...paidFields, ...homeFields, date].includes(field)

/** One event for what changed, and for a move one that says so and one by its name. */
export function eventsOf(
  { noun, date }: { noun: string; date: string },
  { id, from, to, previous, reason }: Change,
): EventOf[] {
  const overrides = from === 'paid' && from !== to && reason ? { overrides: { reason } } : {}
  const moved = from !== to
  const changedMore = !Object.keys(previous).every(isOfMove(date))
  const verbs = [
    ...(!moved || changedMore ? ['updated'] : []),
    ...(moved ? ['status_updated', nameOfMove(from, to)] : []),
  ]
  return verbs.map((verb) => ({ type: `${noun}.${verb}`, id, previous: { ...previous }, ...overrides }))
}

function nameOfMove(from: Status, to: Status): string {
  if (to === 'draft') return 'unsaved'
  return from === 'paid' ? 'reopened' : to
}
