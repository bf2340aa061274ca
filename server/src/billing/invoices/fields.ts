import { address, date, id, text } from '../documents/model/fields.ts'
import { lineFields } from '../documents/model/line-fields.ts'
import { currency, documentFields, taxSwitch } from '../documents/model/standard-fields.ts'

export const names = { noun: 'invoice', plural: 'invoices' } as const

/** Every field of an invoice. Those of a bill, seen from the other side. */
export const invoiceFields = documentFields(
  { ...names, numberExample: 'INV-000123' },
  {
    currency_id: currency(names),
    pay_term_id: id('The pay term; must exist.'),
    customer_id: id('The customer who owes it.', {
      searched: 'customer',
      filter: { by: 'any', name: 'customer_ids', description: 'Keeps the invoices of these customers.' },
    }),
    invoice_date: date('The date of the invoice.', { isSortable: true }),
    due_date: date('When it is to be paid; given on saving from the pay term where none was set.', {
      isSortable: true,
      filter: { by: 'times', start: 'due_start_at', end: 'due_end_at', descriptions: ['Due at or after.', 'Due at or before.'] },
    }),
    send_to_email: text('Where it is sent to.', 'ap@acmefoods.example', { isContent: false }),
    cc_to_email: text('Who gets a copy.', 'ops@blueridge.example', { isContent: false }),
    bill_to: address({ searched: 'names' }),
    is_tax_on: taxSwitch(),
    notes: text('Notes.', 'Thank you for your business.', { maxLength: 10_000 }),
    remit_to: address(),
    reference_number: text('The number the customer knows it by.', 'PO-77120', {
      maxLength: 255,
      searched: 'text',
      filter: {
        by: 'text',
        name: 'reference_number',
        description: 'Keeps the invoices with this reference number, upper and lower case the same.',
        example: 'PO-77120',
        column: 'reference_key',
      },
    }),
    qb_external_id: text('The id of the customer in the accounting package.', '80000044-1699876543', { maxLength: 255, isContent: false }),
    qb_error_msg: text('What the accounting package complained of.', 'Customer not found', { maxLength: 10_000, isContent: false }),
    qb_exported_at: date('When it was exported to the accounting package.', {
      isContent: false,
      filter: {
        by: 'times',
        start: 'qb_exported_start_at',
        end: 'qb_exported_end_at',
        descriptions: ['Exported to the accounting package at or after.', 'Exported to the accounting package at or before.'],
        isSet: { name: 'exported', description: 'With true keeps the invoices that were exported to the accounting package, with false those that were not.' },
      },
    }),
  },
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
