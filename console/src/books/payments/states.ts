import type { Tone } from '../../app/parts/state-badge.tsx'

export type PaymentStatus = 'draft' | 'issued' | 'cleared' | 'voided'

export const paymentStatusWords: Record<PaymentStatus, string> = {
  draft: 'Draft',
  issued: 'Issued',
  cleared: 'Cleared',
  voided: 'Voided',
}

export const paymentTones: Record<PaymentStatus, Tone> = {
  draft: 'quiet',
  issued: 'moving',
  cleared: 'done',
  voided: 'stopped',
}
