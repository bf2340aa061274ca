import { conflict } from '../../../core/refusal.ts'
import type { Document } from './standard-fields.ts'

type Named = { noun: string }

/** Nothing of a voided document changes any more. */
export function requireNotVoided({ noun }: Named, { voided_at }: Pick<Document, 'voided_at'>): void {
  if (voided_at !== null) throw conflict('is_voided', `This ${noun} was voided, so it cannot change any more. Make another one in its place.`)
}

/** Whether a document can be voided, by itself. */
export function requireVoidable({ noun }: Named, { status_id, amount_paid, total_amount }: Document): void {
  if (status_id === 'draft') throw conflict('is_draft', `This ${noun} is a draft and has no number yet. Delete it instead.`)
  if (status_id !== 'paid' && amount_paid === 0) return
  const paid = status_id === 'paid' && amount_paid === 0 && total_amount === 0 ? `This ${noun} is paid` : `${amount_paid} of this ${noun} is paid`
  throw conflict('has_payments', `${paid}. Void its payments first, or reopen it, and void it then.`)
}
