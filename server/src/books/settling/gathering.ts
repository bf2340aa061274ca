import { conflict } from '../../platform/core/refusal.ts'
import type { Bill } from '../bills/kind.ts'

type Statement = { currency_id: string; partner_carrier_id: string | null }

/** Bills that can go on one statement together, or a refusal that says which cannot and why. */
export function requireGatherable(bills: readonly { document: Bill }[], statement: Statement): void {
  const problems = bills.flatMap(({ document }) => {
    const why = whyNot(document, statement)
    return why ? [{ field: 'bill_ids', code: 'not_gatherable', message: `The bill "${document.id}" ${why}.` }] : []
  })
  if (problems.length > 0)
    throw conflict(
      'not_gatherable',
      `${problems.length} of the bills cannot go on this statement. First: ${problems[0]?.message}`,
      problems,
    )
}

function whyNot(
  { consolidated_bill_id, status_id, currency_id, partner_carrier_id, voided_at }: Bill,
  statement: Statement,
): string | null {
  if (consolidated_bill_id !== null) return 'is on another statement already'
  if (voided_at !== null) return 'was voided'
  if (status_id === 'draft') return 'is a draft'
  if (status_id === 'paid') return 'is paid'
  if (currency_id !== statement.currency_id) return `is in ${currency_id} and not in ${statement.currency_id}`
  return partner_carrier_id === statement.partner_carrier_id ? null : 'is of another payee'
}
