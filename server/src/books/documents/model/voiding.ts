import { conflict, type Detail } from '../../../platform/core/refusal.ts'
import type { Document } from './fields/standard-fields.ts'

type Named = { noun: string }

/** Nothing of a voided document changes any more. */
export function requireNotVoided({ noun }: Named, { voided_at }: Pick<Document, 'voided_at'>): void {
  if (voided_at !== null)
    throw conflict('is_voided', `This ${noun} was voided, so it cannot change any more. Make another one in its place.`)
}

export function isPaidInPart({ status_id, amount_paid }: Document): boolean {
  return status_id === 'paid' || amount_paid !== 0
}

/** Whether a document can be voided, by itself. `standing` says what has paid it. */
export function requireVoidable({ noun }: Named, document: Document, standing: readonly Detail[]): void {
  if (document.number === null)
    throw conflict('is_draft', `This ${noun} is a draft and has no number yet. Delete it instead.`)
  if (!isPaidInPart(document)) return
  const paid = standing[0]?.message ?? `This ${noun} is paid.`
  throw conflict('has_payments', `${paid} Take that back first, or reopen it, and void it then.`, standing)
}
