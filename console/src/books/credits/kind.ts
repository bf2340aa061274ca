import { IconReceiptRefund } from '../../app/icons/icons.ts'
import type { DocumentKind } from '../documents/kind.ts'
import type { Party } from '../documents/party.ts'
import { type Credit, creditListOf } from './fields.ts'

/** The credits of carriers, which are applied to bills, and those for customers, which are applied to invoices. */
export const carrierCredits = creditsOf(
  'carrier',
  'out',
  'Carrier credits',
  'What carriers owe you back. A credit is applied to their bills.',
)
export const customerCredits = creditsOf(
  'customer',
  'in',
  'Customer credits',
  'What you owe customers back. A credit is applied to their invoices.',
)

function creditsOf(party: Party, direction: Credit['direction'], title: string, lead: string): DocumentKind<Credit> {
  return {
    resource: 'credits',
    key: 'credit',
    one: 'credit',
    many: 'credits',
    title,
    lead,
    icon: IconReceiptRefund,
    list: creditListOf(party),
    party,
    dateField: 'credit_date',
    fixed: { query: { directions: [direction] }, body: { direction } },
    touches: ['credits', 'bills', 'invoices', 'payments', 'mails'],
    emptyText: 'A credit takes back a part of what was billed. Apply it to one document or several.',
    noMatchText: 'No credit matches the state and the filters above.',
  }
}
