import { conflict, invalid, type Refusal } from '../core/refusal.ts'

/** The states of a bill and of a statement. docs/bills.md draws them. */
export const statuses = ['draft', 'saved', 'sent', 'edited', 'paid'] as const
export type Status = (typeof statuses)[number]

export type Lifecycle = { status_id: Status; sent_at: string | null; paid_at: string | null }

/** The moves a caller can ask for. `sent → edited` is not among them: it happens by itself when content changes after sending. */
const moves: Record<Status, readonly Status[]> = {
  draft: ['saved'],
  saved: ['sent', 'paid', 'draft'],
  sent: ['paid'],
  edited: ['sent', 'paid'],
  paid: ['edited'],
}

export function allowedMoves({ status_id, sent_at }: Lifecycle): Status[] {
  return moves[status_id].filter((to) => to !== 'draft' || sent_at === null)
}

/** The names of what can be done next, as every answer carries them. */
export function availableActions(record: Lifecycle): string[] {
  const actions = { saved: 'save', sent: 'send', paid: 'pay', draft: 'draft', edited: 'reopen' }
  return [...allowedMoves(record).map((to) => actions[to]), ...(record.status_id === 'draft' ? ['delete'] : [])]
}

/** Where the record stands after the move; the stamps come with it. */
export function move(
  record: Lifecycle,
  to: Status,
  { now, reason, sent_at, paid_at }: { now: string; reason?: string | undefined; sent_at?: string; paid_at?: string },
): Lifecycle {
  if (to === record.status_id) return lifecycleOf(record)
  if (!allowedMoves(record).includes(to)) throw illegalMove(record, to)
  if (record.status_id === 'paid' && !reason?.trim()) {
    throw invalid('reason', 'reason_required', 'Reopening what is paid needs a reason: send "reason" with a few words.')
  }
  return {
    status_id: to,
    sent_at: to === 'sent' ? (sent_at ?? now) : record.sent_at,
    paid_at: to === 'paid' ? (paid_at ?? now) : null,
  }
}

/** What a change of content does: after sending it is noted, after payment it is refused. */
export function touch(record: Lifecycle, what: string): Lifecycle {
  if (record.status_id === 'paid') throw conflict('is_paid', `This ${what} is paid, so its content is fixed. Reopen it first, with a reason.`)
  return { ...lifecycleOf(record), ...(record.status_id === 'sent' && { status_id: 'edited' as const }) }
}

/** Only what a state consists of, whatever record it was read from. */
export function lifecycleOf({ status_id, sent_at, paid_at }: Lifecycle): Lifecycle {
  return { status_id, sent_at, paid_at }
}

function illegalMove(record: Lifecycle, to: Status): Refusal {
  const allowed = allowedMoves(record)
  const possible = allowed.length > 0 ? `possible from here: ${allowed.join(', ')}` : 'nothing is possible from here'
  return invalid('status_id', 'invalid_status_transition', `A ${record.status_id} one cannot become ${to}; ${possible}.`, allowed)
}
