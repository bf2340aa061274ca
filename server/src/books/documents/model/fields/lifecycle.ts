import { conflict, invalid, type Refusal } from '../../../../platform/core/refusal.ts'

/** The states of a document and of a statement. docs/bills.md draws them. */
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

/** What answers offer of these and of all else, `document_actions` of the database says, and a test holds both against each other. */
export function allowedMoves({ status_id, sent_at }: Lifecycle): Status[] {
  return moves[status_id].filter((to) => to !== 'draft' || sent_at === null)
}

export type RequestedMove = { status_id?: Status; reason?: string; sent_at?: string | null; paid_at?: string | null }

/**
 * The state after an update: by the move asked for, or by itself when content changed after sending. `sent_at` applies to a record that is sent,
 * `paid_at` to one that becomes paid: what is paid has its payment, whose date counts in its period and at its rate.
 */
export function advance(
  record: Lifecycle,
  { status_id: to = record.status_id, reason, sent_at, paid_at }: RequestedMove,
  { contentChanged, now, noun }: { contentChanged: boolean; now: string; noun: string },
): Lifecycle {
  const byItself = to === record.status_id || (to === 'edited' && record.status_id === 'sent' && contentChanged)
  const stays = () => (contentChanged ? lifecycleAfterChange(record, noun) : lifecycleOf(record))
  const reached = byItself ? stays() : move(record, to, { now, reason })
  if (record.status_id === 'paid' && reached.status_id === 'paid' && paid_at && paid_at !== record.paid_at)
    throw alreadyPaid(noun, record)
  return {
    ...reached,
    ...(reached.status_id === 'sent' && sent_at && { sent_at }),
    ...(reached.status_id === 'paid' && paid_at && { paid_at }),
  }
}

/** The state after the move, with its times. */
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

/** What a change of content does to the state: a sent record becomes edited, and one that is paid refuses the change. */
export function lifecycleAfterChange(record: Lifecycle, noun: string): Lifecycle {
  if (record.status_id === 'paid')
    throw conflict('is_paid', `This ${noun} is paid, so its content is fixed. Reopen it first, with a reason.`)
  return { ...lifecycleOf(record), ...(record.status_id === 'sent' && { status_id: 'edited' as const }) }
}

/** What is paid is not paid again, nor at another time. */
export function alreadyPaid(noun: string, { paid_at }: Pick<Lifecycle, 'paid_at'>): Refusal {
  const message = `This ${noun} was paid${paid_at ? ` at ${paid_at}` : ''} already, and what was recorded of that stays. Reopen it first, with a reason, to have it paid otherwise.`
  return conflict('already_paid', message, [{ field: 'paid_at', code: 'already_paid', message }])
}

function lifecycleOf({ status_id, sent_at, paid_at }: Lifecycle): Lifecycle {
  return { status_id, sent_at, paid_at }
}

function illegalMove(record: Lifecycle, to: Status): Refusal {
  const allowed = allowedMoves(record)
  const possible = allowed.length > 0 ? `possible from here: ${allowed.join(', ')}` : 'nothing is possible from here'
  return invalid(
    'status_id',
    'invalid_status_transition',
    `A ${record.status_id} one cannot become ${to}; ${possible}.`,
    allowed,
  )
}

/** The named moves, and the states they lead to. */
export const moveTargets = { save: 'saved', send: 'sent', pay: 'paid', reopen: 'edited' } as const satisfies Record<
  string,
  Status
>
export type Move = keyof typeof moveTargets
export type MoveInput = { sent_at?: string; paid_at?: string; reason?: string }
