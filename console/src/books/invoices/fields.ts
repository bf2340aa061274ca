import type { Paths, Schemas } from '@lading/sdk'
import type { FieldsOf } from '../documents/field.ts'
import type { List } from '../documents/search.ts'
import {
  contentFields,
  otherFields,
  referenceField,
  standardSorts,
  stateFields,
  termFields,
  whyCurrencyIsFixed,
} from '../documents/standard-fields.ts'
import { statusTabs } from '../documents/states.ts'

export type Invoice = Schemas['Invoice']
export type InvoiceItem = Schemas['InvoiceItem']
type Query = NonNullable<Paths['/api/v1/invoices']['get']['parameters']['query']>

/** Every field of an invoice, and where the console shows it. */
export const invoiceFields = {
  number: { label: 'Number', kind: 'number', column: 'value' },
  customer_id: {
    label: 'Customer',
    kind: 'customer',
    input: { on: 'both' },
    details: 'always',
    column: 'value',
    filter: { key: 'customer', param: 'customer_ids', many: true },
  },
  currency_id: {
    label: 'Currency',
    kind: 'currency',
    input: { on: 'both', fixed: whyCurrencyIsFixed, hintWhenEmpty: 'Needed before the invoice can be saved.' },
    details: 'always',
    filter: { key: 'currency', param: 'currency_ids', many: true },
  },
  ...referenceField,
  bill_to: { label: 'Bill to', kind: 'address', input: { on: 'both' }, details: 'always' },
  remit_to: { label: 'Remit to', kind: 'address', input: { on: 'both' }, details: 'always' },
  invoice_date: { label: 'Invoice date', kind: 'day', input: { on: 'both' }, summary: 4, column: 'value' },
  ...termFields,
  ...contentFields,
  ...stateFields,
  ...otherFields,
} as const satisfies FieldsOf<Invoice, keyof Query & string>

export const invoiceList = {
  path: '/invoices',
  fields: invoiceFields,
  tabs: { ...statusTabs, overdue: { label: 'Overdue', query: { overdue: true }, sort: 'due_date' } },
  term: { label: 'Search by number, customer or reference', param: 'search_term' satisfies keyof Query },
  sorts: {
    ...standardSorts,
    '-invoice_date': 'Invoice date, latest first',
    invoice_date: 'Invoice date, earliest first',
  } satisfies Record<NonNullable<Query['sort']>, string>,
} satisfies List
