import { IconFileInvoice } from '../../app/icons/icons.ts'
import type { DocumentKind } from '../documents/kind.ts'
import type { Bill } from './bill.ts'
import { billList } from './fields.ts'

export const bills: DocumentKind<Bill> = {
  resource: 'bills',
  key: 'bill',
  one: 'bill',
  many: 'bills',
  title: 'Bills',
  lead: 'What you owe to carriers and partners, from draft to payment.',
  icon: IconFileInvoice,
  list: billList,
  party: 'carrier',
  dateField: 'bill_date',
  // A change of a bill changes the statement that it is on.
  touches: ['bills', 'statements', 'payments', 'mails', 'carrier-invoices'],
  emptyText: 'A bill lists what you owe to a carrier. Create the first one here, or import a CSV file.',
  noMatchText:
    'No bill matches the state and the filters above. Each word of the search must be in the number, the reference or the name of the payee.',
}
