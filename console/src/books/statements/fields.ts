import type { Paths, Schemas } from '@lading/sdk'
import type { FieldsOf } from '../documents/field.ts'
import type { List } from '../documents/search.ts'
import { statusTabs } from '../documents/states.ts'
import type { ValuesOf } from '../documents/values.ts'

export type Statement = Schemas['ConsolidatedBill']
type Query = NonNullable<Paths['/api/v1/consolidated_bills']['get']['parameters']['query']>

const ofConnector = 'The connector to the accounting package sets it.'

/** Every field of a statement, and where the console shows it. */
export const statementFields = {
  number: { label: 'Number', kind: 'number', column: 'value' },
  partner_carrier_id: {
    label: 'Payee',
    kind: 'carrier',
    input: { on: 'new', required: true },
    filter: { key: 'carrier', param: 'partner_carrier_ids', many: true },
  },
  consolidated_bill_type_id: {
    label: 'Type',
    kind: 'choice',
    options: { carrier_statement: 'Carrier statement', driver_settlement: 'Driver settlement' },
    input: { on: 'new' },
    details: 'always',
    filter: { key: 'type', param: 'consolidated_bill_type_ids', many: true },
  },
  remit_to: { label: 'Remit to', kind: 'address', input: { on: 'edit' }, details: 'always', column: 'payee' },
  bill_to: { label: 'Bill to', kind: 'address', input: { on: 'edit' }, details: 'always' },
  pay_period_start: {
    label: 'Period from',
    shortLabel: 'Period',
    kind: 'period',
    input: { on: 'both' },
    summary: 3,
    column: 'value',
    filter: { key: 'period_from', param: 'period_start_at' },
  },
  pay_period_end: {
    label: 'Period to',
    kind: 'day',
    input: { on: 'both' },
    filter: { key: 'period_to', param: 'period_end_at' },
  },
  currency_id: {
    label: 'Currency',
    kind: 'currency',
    input: { on: 'new', hintWhenEmpty: 'Needed only if the payee has bills in several currencies.' },
    details: 'always',
  },
  bill_count: { label: 'Bills', kind: 'count', summary: 2, column: 'value' },
  bill_date: { label: 'Statement date', kind: 'day', input: { on: 'edit' }, details: 'always' },
  due_date: {
    label: 'Due date',
    shortLabel: 'Due',
    kind: 'dueDay',
    input: { on: 'edit' },
    summary: 4,
    column: 'value',
  },
  reference_number: { label: 'Reference number', kind: 'text', input: { on: 'both' }, details: 'always' },
  pay_term_id: { label: 'Pay term', kind: 'payTerm', input: { on: 'both' }, details: 'always' },
  send_to_email: { label: 'Send to', kind: 'email', input: { on: 'edit' }, details: 'always' },
  cc_to_email: { label: 'Copy to', kind: 'email', input: { on: 'edit' }, details: 'if set' },
  notes: { label: 'Notes', kind: 'longText', input: { on: 'both' }, details: 'always' },
  status_id: {
    label: 'State',
    kind: 'state',
    column: 'value',
    noInput: 'The buttons at the top of the page change the state.',
  },
  total_amount: { label: 'Total', kind: 'money', summary: 1, column: 'value' },
  sent_at: { label: 'Sent', kind: 'moment', summary: 5, noInput: 'Sending sets it.' },
  paid_at: { label: 'Paid', kind: 'moment', summary: 6, noInput: 'Paying sets it.' },
  external_id: { label: 'External id', kind: 'text', details: 'if set', noInput: 'Other programs set it.' },
  voided_at: {
    label: 'Voided',
    kind: 'moment',
    details: 'if set',
    noInput: 'Voiding sets it.',
    filter: { key: 'voided', flag: 'include_voided', words: 'With those that were voided' },
  },
  void_reason: { label: 'Voided because', kind: 'text', details: 'if set', noInput: 'Voiding sets it.' },
  qb_error_msg: { label: 'Error of the accounting package', kind: 'text', details: 'if set', noInput: ofConnector },
  qb_external_id: { notShown: ofConnector },
  qb_exported_at: { notShown: ofConnector },
  driver_id: { notShown: 'The console has no drivers yet.' },
  bill_ids: { notShown: 'The page shows the bills themselves.' },
  bill_to_company_name: { notShown: 'It is part of the address.' },
  sub_total_amount: { notShown: 'The bills show it.' },
  tax_amount: { notShown: 'The bills show it.' },
  id: { notShown: 'It stands in the address of the page.' },
  full_id: { notShown: 'It is the id in another form, for other programs.' },
  org_id: { notShown: 'The organization is shown at the top of every page.' },
  created_at: { notShown: 'The statement date says what matters.' },
  updated_at: { notShown: 'The statement date says what matters.' },
  created_by: { notShown: 'The page has no history yet.' },
  revision: { notShown: 'It goes into If-Match, to protect what others changed.' },
  available_actions: { notShown: 'The buttons at the top of the page show them.' },
} as const satisfies FieldsOf<Statement, keyof Query & string>

export type StatementValues = ValuesOf<typeof statementFields>

export const statementList = {
  path: '/statements',
  fields: statementFields,
  tabs: statusTabs,
  sorts: {},
  term: { label: 'Search by number, payee or reference', param: 'search_term' satisfies keyof Query },
} satisfies List
