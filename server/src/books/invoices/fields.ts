import { clientFields } from '../documents/model/fields/client-fields.ts'
import { id } from '../documents/model/fields/fields.ts'
import { lineFields } from '../documents/model/fields/line-fields.ts'
import { documentFields } from '../documents/model/fields/standard-fields.ts'

export const names = { noun: 'invoice', plural: 'invoices' } as const

/** Every field of an invoice. Those of a bill, seen from the other side. */
export const invoiceFields = documentFields(
  { ...names, numberExample: 'INV-000123' },
  clientFields(
    names,
    {
      customer_id: id('The customer who owes it.', {
        searched: 'customer',
        filter: { by: 'any', name: 'customer_ids', description: 'Keeps the invoices of these customers.' },
      }),
    },
    'invoice_date',
    {
      reference: { description: 'The number the customer knows it by.', example: 'PO-77120' },
      due: 'paid',
      notes: 'Thank you for your business.',
      email: 'ap@acmefoods.example',
      accounting: { who: 'customer', id: '80000044-1699876543', error: 'Customer not found' },
      searched: ['bill_to'],
    },
  ),
  {},
)

export const invoiceLineFields = lineFields(
  {
    bill_item_type_id: id('The type of the line; must exist.'),
    order_id: id('The order that the line charges for.'),
    order_charge_id: id('The charge of that order.'),
  },
  { description: 'What for.', example: 'Freight Oakland, CA to Seattle, WA' },
)
