import type { Tone } from '../../app/parts/state-badge.tsx'
import type { Question, Tender } from './queries.ts'

export const tenderWords: Record<Tender['state'], string> = {
  open: 'Waits for the carrier',
  countered: 'Carrier asks for another rate',
  accepted: 'Accepted',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

export const tenderTones: Record<Tender['state'], Tone> = {
  ...{
    open: 'open',
    countered: 'attention',
    accepted: 'done',
    declined: 'stopped',
    cancelled: 'quiet',
    expired: 'quiet',
  },
}

export const questionWords: Record<Question['state'], string> = {
  open: 'Waits for an answer',
  answered: 'Answered',
  closed: 'Closed',
}
export const questionTones: Record<Question['state'], Tone> = { open: 'attention', answered: 'done', closed: 'quiet' }

const day = 86_400

/** How long a tender or a link is good, as people choose it. */
export const durations = [
  { value: String(day / 24), label: '1 hour' },
  { value: String(day / 4), label: '6 hours' },
  { value: String(day), label: '1 day' },
  { value: String(3 * day), label: '3 days' },
  { value: String(7 * day), label: '7 days' },
  { value: String(30 * day), label: '30 days' },
]
