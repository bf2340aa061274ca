import type { Tone } from '../../app/parts/state-badge.tsx'
import type { Emanifest, Filing } from './queries.ts'

type State = Emanifest['state']

export const stateWords: Record<State, string> = {
  draft: 'Draft',
  validated: 'Validated',
  submitted: 'Submitted',
  accepted: 'Accepted',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
}
export const stateTones: Record<State, Tone> = {
  draft: 'quiet',
  validated: 'open',
  submitted: 'moving',
  accepted: 'done',
  rejected: 'attention',
  cancelled: 'stopped',
}

export const borderWords: Record<Emanifest['border'], string> = {
  ace: 'Into the United States (ACE)',
  aci: 'Into Canada (ACI)',
}
export const borderNames: Record<Emanifest['border'], string> = { ace: 'ACE', aci: 'ACI' }

export const filingWords: Record<Filing['state'], string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  received: 'Received',
  accepted: 'Accepted',
  rejected: 'Rejected',
  failed: 'Not handed over',
}
export const filingTones: Record<Filing['state'], Tone> = {
  waiting: 'moving',
  sent: 'moving',
  received: 'moving',
  accepted: 'done',
  rejected: 'attention',
  failed: 'attention',
}
export const purposeWords: Record<Filing['purpose'], string> = {
  original: 'Original',
  amendment: 'Amendment',
  cancellation: 'Cancellation',
}
