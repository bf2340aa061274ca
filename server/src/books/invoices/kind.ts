import { columnsInOrder } from '../documents/model/fields/client-fields.ts'
import type { EditOf, RecordOf } from '../documents/model/fields/fields.ts'
import type { NewLineOf } from '../documents/model/fields/line-fields.ts'
import { defineDocument } from '../documents/model/kind/kind.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { invoiceFields, invoiceLineFields, names } from './fields.ts'
import { chargesForOneOf } from './orders-sql.ts'

export type Invoice = RecordOf<typeof invoiceFields>
export type InvoiceEdit = EditOf<typeof invoiceFields>
export type NewInvoice = InvoiceEdit & { external_id?: string | null; items?: NewLineOf<typeof invoiceLineFields>[] }

/** What customers owe. */
export const invoice = defineDocument({
  ...names,
  scope: 'invoices',
  numberPrefix: 'inv',
  madeFrom: { table: 'order_invoices', column: 'invoice_id' },
  fields: invoiceFields,
  date: 'invoice_date',
  parties: ['customer_id'],
  lines: {
    noun: 'invoice_item',
    plural: 'invoice_items',
    parentKey: 'invoice_id',
    fields: invoiceLineFields,
    type: { name: 'bill_item_type', table: 'bill_item_types' },
  },
  filters: {
    in_order_ids: {
      schema: idList('Keeps the invoices that have a line charging for one of these orders.'),
      condition: chargesForOneOf,
    },
  },
  columnOrder: columnsInOrder({ date: 'invoice_date', parties: ['customer_id'], lines: 'invoice_items' }),
  wording: {
    document: 'What a customer owes for the freight that was moved.',
    line: 'A line of an invoice.',
    reasonExample: 'The customer returned the payment',
    externalIdExample: 'SI-30400',
  },
})
