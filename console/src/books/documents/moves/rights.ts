import type { Right } from '../../../app/api/me.ts'

/** What the person's role must allow for a move. */
export function rightFor(move: string): Right {
  if (move === 'approve' || move === 'reject') return 'approve'
  return move === 'pay' || move === 'reopen' ? 'pay' : 'enter'
}
