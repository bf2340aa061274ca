import { conflict, type Detail, invalid } from '../../../platform/core/refusal.ts'
import type { Document } from '../../documents/model/fields/standard-fields.ts'

/** The number that people read. */
export function numberText(number: number | null): string {
  return number === null ? 'without a number' : `PAY-${String(number).padStart(6, '0')}`
}

export type Part = { document: string; amount: number }

/** Refuses more than there is, and less than nothing: documents that reduce a payment need others, now or before (`used`), that come to at least as much. */
export function requireFunds(parts: readonly Part[], { left, used = 0 }: { left: number; used?: number }): void {
  const asked = parts.reduce((total, { amount }) => total + BigInt(amount), 0n)
  if (asked > BigInt(left))
    throw ofAllocations('more_than_payment', `The allocations come to ${asked}, and only ${left} is left.`)
  if (asked < -BigInt(used))
    throw ofAllocations(
      'only_deductions',
      `The allocations come to ${asked}, so less than nothing would be settled. Name documents of at least as much as well.`,
    )
}

function ofAllocations(code: string, message: string) {
  return conflict(code, message, [{ field: 'allocations', code, message }])
}

/** What a payment run has set off is taken back with the payment of that run, which would otherwise have paid too little. */
export function requireNotSetOff(
  { payment_run_id }: { payment_run_id: string | null },
  run: string | null = null,
): void {
  if (payment_run_id === null || payment_run_id === run) return
  throw conflict(
    'in_payment_run',
    `The payment run ${payment_run_id} has set this off. It is taken back where the payment of that run is returned.`,
  )
}

type Owing = { noun: string; party?: string; name: string }
type Payer = { currency_id: string; party: string | null }

/** Why documents cannot be settled by a payment: all reasons at once. What they owe is looked at where the amounts are. */
export function requirePayable(
  { noun, party, name }: Owing,
  documents: readonly Document[],
  parts: readonly Part[],
  payer: Payer,
): void {
  const there = new Map(documents.map((document) => [document.id, document]))
  const missing: Detail[] = []
  const problems: Detail[] = []
  parts.forEach(({ document: id }, index) => {
    const field = `allocations.${index}.${name}`
    const document = there.get(id)
    if (!document)
      missing.push({ field, code: `unknown_${noun}`, message: `There is no ${noun} "${id}" in this organization.` })
    else {
      const why = whyNot(document, party, payer)
      if (why) problems.push({ field, code: 'not_payable', message: `The ${noun} "${id}" ${why}.` })
    }
  })
  if (missing[0]) throw invalid(missing[0].field, missing[0].code, missing[0].message)
  if (problems.length > 0)
    throw conflict(
      'not_payable',
      `${problems.length} of the documents cannot be settled. First: ${problems[0]?.message}`,
      problems,
    )
}

function whyNot(document: Document, party: string | undefined, payer: Payer): string | null {
  if (document.voided_at !== null) return 'is voided'
  if (document.status_id === 'draft') return 'is a draft'
  if (document.currency_id !== payer.currency_id) return `is in ${document.currency_id} and not in ${payer.currency_id}`
  const owner = party ? (document as Record<string, unknown>)[party] : null
  return owner === payer.party ? null : 'is of another party'
}
