import { conflict, type Refusal } from '../../platform/core/refusal.ts'
import { isReported, type Stop } from '../stops/itinerary/model.ts'

/** What decides where a manifest may go. */
export type DispatchState = { status: string; stops: readonly Stop[] }

type Move = {
  readonly from: readonly string[]
  readonly to: string
  /** What happens, as docs/dispatch.md has it. */
  readonly does: string
  /** What keeps it from happening, as a sentence; null where nothing does. */
  readonly hindrance?: (stops: readonly Stop[]) => string | null
}

const reported = (stops: readonly Stop[]) =>
  stops.some(isReported) ? 'A stop was reported already. Undo the report first.' : null
const without = (stops: readonly Stop[]) =>
  stops.length === 0 ? 'It has no stops, so nothing can be reported of it. Put orders on it, or add stops.' : null

/** The one table of how a dispatcher moves manifests. What reports of stops do by themselves is in freight/stops/moves.ts. docs/dispatch.md shows it, and a test compares the two. */
export const manualMoves: readonly Move[] = [
  { from: ['active'], to: 'planned', does: 'nothing else' },
  { from: ['planned'], to: 'active', does: 'nothing else' },
  {
    from: ['active', 'planned'],
    to: 'dispatched',
    does: 'it is dispatched: without stops it gets those of its orders',
  },
  { from: ['dispatched'], to: 'planned', does: 'nothing else; not once a stop was reported', hindrance: reported },
  {
    from: ['dispatched'],
    to: 'in_transit',
    does: 'the departure from its first pickup is reported, or from its first stop if it has no pickup',
    hindrance: without,
  },
  { from: ['in_transit'], to: 'completed', does: 'the departure from its last stop is reported', hindrance: without },
  {
    from: ['active', 'planned', 'dispatched'],
    to: 'cancelled',
    does: 'nothing else; not once a stop was reported',
    hindrance: reported,
  },
  { from: ['cancelled'], to: 'active', does: 'nothing else' },
]

/** The states to which a manifest can be moved now. */
export function movesFrom({ status, stops }: DispatchState): string[] {
  return manualMoves.filter(({ from, hindrance }) => from.includes(status) && !hindrance?.(stops)).map(({ to }) => to)
}

/** Refuses a move that is not in the table, or that something keeps from happening. */
export function requireMove(standing: DispatchState, to: string): void {
  const { status, stops } = standing
  const move = manualMoves.find((move) => move.from.includes(status) && move.to === to)
  const hindrance = move?.hindrance?.(stops)
  if (!move || hindrance) throw notAllowed(standing, to, hindrance ?? null)
}

function notAllowed(standing: DispatchState, to: string, hindrance: string | null): Refusal {
  const allowed = movesFrom(standing)
  const instead =
    allowed.length > 0 ? `It can be moved to ${allowed.join(', ')}.` : 'Report its stops, or change its status.'
  const message = `This manifest is ${standing.status}, and cannot be moved to ${to} now. ${hindrance ?? instead}`
  return conflict('move_not_allowed', message, [{ field: 'to', code: 'move_not_allowed', message, allowed }])
}
