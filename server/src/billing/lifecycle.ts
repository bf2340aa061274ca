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

/**
 * The names of what can be done next, as every answer carries them. A draft is `complete` when nothing is missing that saving needs; a bill is
 * `held` when the statement it is on does not let it go back.
 */
export function availableActions(record: Lifecycle, { complete, held }: { complete: boolean; held: boolean }): string[] {
  const actions = { saved: 'save', sent: 'send', paid: 'pay', draft: 'draft', edited: 'reopen' }
  const possible = allowedMoves(record).filter((to) => (to === 'saved' ? complete : !(held && (to === 'draft' || to === 'edited'))))
  return [...possible.map((to) => actions[to]), ...(record.status_id === 'draft' ? ['delete'] : [])]
}

export type Asked = { status_id?: Status; reason?: string; sent_at?: string | null; paid_at?: string | null }

/**
 * Where a record stands after an update: by the move asked for, or by itself when its content changed after sending. A stamp that is given
 * counts in the state it belongs to, and nowhere else.
 */
export function advance(
  record: Lifecycle,
  { status_id: to = record.status_id, reason, sent_at, paid_at }: Asked,
  { contentChanged, now, what }: { contentChanged: boolean; now: string; what: string },
): Lifecycle {
  const byItself = to === record.status_id || (to === 'edited' && record.status_id === 'sent' && contentChanged)
  const stays = () => (contentChanged ? touch(record, what) : lifecycleOf(record))
  const reached = byItself ? stays() : move(record, to, { now, reason })
  return {
    ...reached,
    ...(reached.status_id === 'sent' && sent_at && { sent_at }),
    ...(reached.status_id === 'paid' && paid_at && { paid_at }),
  }
}

/** Where the record stands after the move; the stamps come with it. */
function move(record: Lifecycle, to: Status, { now, reason }: { now: string; reason: string | undefined }): Lifecycle {
  if (!allowedMoves(record).includes(to)) throw illegalMove(record, to)
  if (record.status_id === 'paid' && !reason?.trim()) {
    throw invalid('reason', 'reason_required', 'Reopening what is paid needs a reason: send "reason" with a few words.')
  }
  return {
    status_id: to,
    sent_at: to === 'sent' ? now : record.sent_at,
    paid_at: to === 'paid' ? now : null,
  }
}

/** What a change of content does: after sending it is noted, after payment it is refused. */
export function touch(record: Lifecycle, what: string): Lifecycle {
  if (record.status_id === 'paid') throw conflict('is_paid', `This ${what} is paid, so its content is fixed. Reopen it first, with a reason.`)
  return { ...lifecycleOf(record), ...(record.status_id === 'sent' && { status_id: 'edited' as const }) }
}

/** Only what a state consists of, whatever record it was read from. */
function lifecycleOf({ status_id, sent_at, paid_at }: Lifecycle): Lifecycle {
  return { status_id, sent_at, paid_at }
}

function illegalMove(record: Lifecycle, to: Status): Refusal {
  const allowed = allowedMoves(record)
  const possible = allowed.length > 0 ? `possible from here: ${allowed.join(', ')}` : 'nothing is possible from here'
  return invalid('status_id', 'invalid_status_transition', `A ${record.status_id} one cannot become ${to}; ${possible}.`, allowed)
}
