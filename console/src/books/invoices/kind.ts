import { IconReceipt2 } from '../../app/icons/icons.ts'
import type { DocumentKind } from '../documents/kind.ts'
import { type Invoice, invoiceList } from './fields.ts'

export const invoices: DocumentKind<Invoice> = {
  resource: 'invoices',
  key: 'invoice',
  one: 'invoice',
  many: 'invoices',
  title: 'Invoices',
  lead: 'What customers owe you, from draft to payment.',
  icon: IconReceipt2,
  list: invoiceList,
  party: 'customer',
  dateField: 'invoice_date',
  touches: ['invoices', 'payments', 'mails'],
  emptyText:
    'An invoice lists what a customer owes you. Create the first one here or from an order, or import a CSV file.',
  noMatchText:
    'No invoice matches the state and the filters above. Each word of the search must be in the number, the reference or the name of the customer.',
}
