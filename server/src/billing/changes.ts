import type { EventOf } from '../events/record.ts'
import type { Status } from './lifecycle.ts'

type Change = {
  id: string
  from: Status
  to: Status
  previous: object
  /** Why it was reopened: the history is where that is asked for later. */
  reason?: string | undefined
}

const ofAMove = new Set(['status_id', 'sent_at', 'paid_at', 'number', 'due_date', 'bill_date'])

/** One event for what changed, and for a move one that says so and one by its name. */
export function eventsOf(noun: 'bill' | 'consolidated_bill', { id, from, to, previous, reason }: Change): EventOf[] {
  const beside = from === 'paid' && from !== to && reason ? { beside: { reason } } : {}
  return verbsOf(from, to, previous).map((verb) => ({ type: `${noun}.${verb}`, id, previous: { ...previous }, ...beside }))
}

/** What such a change is called, the named move last. */
function verbsOf(from: Status, to: Status, previous: object): string[] {
  const moved = from !== to
  const besideMove = Object.keys(previous).some((field) => !ofAMove.has(field))
  return [...(!moved || besideMove ? ['updated'] : []), ...(moved ? ['status_updated', nameOf(from, to)] : [])]
}

function nameOf(from: Status, to: Status): string {
  if (to === 'draft') return 'unsaved'
  return to === 'edited' && from === 'paid' ? 'reopened' : to
}
