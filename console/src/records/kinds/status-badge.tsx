import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'
import { wordsOf } from './kind.ts'

/** The states of the built-in kinds and of bills; those of an organization's own kinds have no colour. */
const tones: Record<string, Tone> = {
  active: 'open',
  planned: 'open',
  saved: 'open',
  dispatched: 'moving',
  in_transit: 'moving',
  sent: 'moving',
  edited: 'attention',
  delivered: 'done',
  completed: 'done',
  invoiced: 'done',
  accepted: 'done',
  paid: 'done',
  cancelled: 'stopped',
  rejected: 'stopped',
}

export function ObjectStatus({ status }: { status: string }) {
  return <StateBadge words={wordsOf(status)} tone={tones[status] ?? 'quiet'} />
}
