import { type Context, together } from '../context.ts'
import { record } from '../events/record.ts'
import type { Status } from './lifecycle.ts'

export type Change = {
  noun: 'bill' | 'consolidated_bill'
  id: string
  revision: number
  json: string
  from: Status
  to: Status
  previous: object
  /** Why it was reopened: the history is where that is asked for later. */
  reason?: string | undefined
}

const ofAMove = new Set(['status_id', 'sent_at', 'paid_at', 'number', 'due_date', 'bill_date'])

/** One event for what changed, and for a move one that says so and one by its name. */
export async function recordChange(ctx: Context, { noun, id, revision, json, from, to, previous, reason }: Change): Promise<void> {
  const data = from === 'paid' && from !== to && reason ? `${json.slice(0, -1)},"reason":${JSON.stringify(reason)}}` : json
  const verbs = verbsOf(from, to, previous)
  await together(...verbs.map((verb) => record(ctx, { type: `${noun}.${verb}`, subject: { type: noun, id }, revision, data, previous: { ...previous } })))
}

/** What such a change is called, the named move last. */
export function verbsOf(from: Status, to: Status, previous: object): string[] {
  const moved = from !== to
  const besideMove = Object.keys(previous).some((field) => !ofAMove.has(field))
  return [...(!moved || besideMove ? ['updated'] : []), ...(moved ? ['status_updated', nameOf(from, to)] : [])]
}

function nameOf(from: Status, to: Status): string {
  if (to === 'draft') return 'unsaved'
  return to === 'edited' && from === 'paid' ? 'reopened' : to
}
