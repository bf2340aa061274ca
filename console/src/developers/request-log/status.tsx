import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'

/** The status of an answer. */
export function Status({ status }: { status: number | null }) {
  return status === null ? '–' : <StateBadge words={String(status)} tone={toneOf(status)} />
}

/** Of a request that was only tried. */
export function DryRun() {
  return <StateBadge words="Dry run" />
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'stopped'
  if (status >= 400) return 'attention'
  return status >= 300 ? 'quiet' : 'done'
}
