import type { Tone } from '../parts/state-badge.tsx'
import type { CarrierInvoice, Decision } from './invoice.ts'

type State = CarrierInvoice['state']

export const stateWords: Record<State, string> = {
  received: 'Received',
  matched: 'Matched',
  exception: 'Exception',
  approved: 'Accepted',
  rejected: 'Rejected',
  billed: 'Billed',
}

const tones: Record<State, Tone> = { received: 'open', matched: 'moving', exception: 'attention', approved: 'moving', rejected: 'stopped', billed: 'done' }

export function badgeOf({ state, is_disputed }: Pick<CarrierInvoice, 'state' | 'is_disputed'>): { words: string; tone: Tone } {
  return is_disputed ? { words: 'Disputed', tone: 'attention' } : { words: stateWords[state], tone: tones[state] }
}

export const sourceWords: Record<CarrierInvoice['source'], string> = {
  api: 'Console or API',
  upload: 'Upload',
  portal: 'Partner portal',
  email: 'E-mail',
  edi: 'EDI',
}

/** Content and match change until it is decided what is paid. */
export function isOpen({ state }: Pick<CarrierInvoice, 'state'>): boolean {
  return state === 'received' || state === 'matched' || state === 'exception'
}

/** What can be decided about an invoice, what is done most often first. */
export function decisionsFor({ state, audited_at }: Pick<CarrierInvoice, 'state' | 'audited_at'>): Decision[] {
  if (state === 'exception') return ['accept', 'short_pay', 'dispute', 'reject']
  if (state === 'approved' || (state === 'matched' && audited_at !== null)) return ['approve', 'reject']
  return state === 'received' || state === 'matched' ? ['reject'] : []
}

export const decisionWords: Record<Decision, { label: string; done: string; lead: string }> = {
  approve: { label: 'Approve', done: 'Approved', lead: 'Its bill is made and saved. From there the bill is approved and paid as every other.' },
  accept: { label: 'Accept', done: 'Accepted', lead: 'It will be paid as it is, whatever was found. Approve it next: that makes its bill.' },
  short_pay: {
    label: 'Pay short',
    done: 'Paid short',
    lead: 'Less than its total will be paid; the bill shows what was deducted. Approve it next: that makes its bill.',
  },
  dispute: { label: 'Dispute', done: 'Disputed', lead: 'It stays an exception, marked as disputed, until it is decided about.' },
  reject: { label: 'Reject', done: 'Rejected', lead: 'Nothing of it will be paid.' },
}

/** What the findings say is too much. */
export function overchargeIn({ findings }: Pick<CarrierInvoice, 'findings'>): number {
  return findings.reduce((sum, { difference_amount }) => sum + Math.max(0, difference_amount ?? 0), 0)
}
