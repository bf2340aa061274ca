import type { Paths } from '@lading/sdk'
import type { FieldsOf, Situation } from '../billing/documents/field.ts'
import type { List } from '../billing/documents/search.ts'
import type { ValuesOf } from '../billing/documents/values.ts'
import { statusTabs } from '../billing/states.ts'
import type { Bill } from './bill.ts'

type Query = NonNullable<Paths['/api/v1/bills']['get']['parameters']['query']>
type Now = Situation<Bill>

/** Every field of a bill, and where the console shows it. A new field of the API needs an entry here, and nothing else. */
export const billFields = {
  number: { label: 'Number', kind: 'number', column: 'value' },
  partner_carrier_id: {
    label: 'Carrier',
    kind: 'carrier',
    input: { on: 'both', fixed: whileOnStatement },
    details: 'always',
    filter: { key: 'carrier', param: 'partner_carrier_ids', many: true },
  },
  currency_id: {
    label: 'Currency',
    kind: 'currency',
    input: { on: 'both', fixed: whyCurrencyIsFixed, hintWhenEmpty: 'Needed before the bill can be saved.' },
    details: 'always',
    filter: { key: 'currency', param: 'currency_ids', many: true },
  },
  reference_number: {
    label: 'Reference number',
    shortLabel: 'Reference',
    kind: 'text',
    input: { on: 'both' },
    details: 'always',
    column: 'value',
  },
  remit_to: { label: 'Remit to', kind: 'address', input: { on: 'both' }, details: 'always', column: 'payee' },
  bill_to: { label: 'Bill to', kind: 'address', input: { on: 'both' }, details: 'always' },
  bill_date: { label: 'Bill date', kind: 'day', input: { on: 'both' }, summary: 3, column: 'value' },
  pay_term_id: { label: 'Pay term', kind: 'payTerm', input: { on: 'both' }, summary: 4 },
  due_date: {
    label: 'Due date',
    shortLabel: 'Due',
    kind: 'dueDay',
    input: { on: 'both', hintWhenEmpty: 'Set from the pay term when the bill is saved.' },
    summary: 2,
    column: 'value',
    filter: { key: 'due', from: 'due_start_at', to: 'due_end_at' },
  },
  send_to_email: { label: 'Send to', kind: 'email', input: { on: 'both' }, details: 'always' },
  cc_to_email: { label: 'Copy to', kind: 'email', input: { on: 'both' }, details: 'if set' },
  is_tax_on: { label: 'Tax applies', kind: 'boolean', input: { on: 'both' } },
  tax_amount: { label: 'Tax', kind: 'money', input: { on: 'both', under: 'is_tax_on' } },
  notes: { label: 'Notes', kind: 'longText', input: { on: 'both' }, details: 'always' },
  status_id: { label: 'State', kind: 'state', column: 'value', noInput: 'The buttons at the top of the page change the state.' },
  total_amount: { label: 'Total', kind: 'money', summary: 1, column: 'value' },
  sent_at: { label: 'Sent', kind: 'moment', summary: 5, noInput: 'Sending sets it.' },
  paid_at: { label: 'Paid', kind: 'moment', summary: 6, noInput: 'Paying sets it.' },
  consolidated_bill_id: { label: 'Statement', kind: 'statement' },
  external_id: { label: 'External id', kind: 'text', details: 'if set' },
  qb_external_id: { label: 'Id in the accounting package', kind: 'text', noInput: 'The connector to the accounting package sets it.' },
  qb_error_msg: { label: 'Error of the accounting package', kind: 'text', details: 'if set', noInput: 'The connector to the accounting package sets it.' },
  qb_exported_at: { label: 'Exported to the accounting package', kind: 'moment', noInput: 'The connector to the accounting package sets it.' },
  created_at: { label: 'Created', kind: 'moment', filter: { key: 'created', from: 'created_start_at', to: 'created_end_at' }, notInHistory: true },
  updated_at: { label: 'Changed', kind: 'moment', filter: { key: 'changed', from: 'update_start_at', to: 'updated_end_at' }, notInHistory: true },
  sub_total_amount: { notShown: 'The totals below the lines show it.' },
  amount_paid: { notShown: 'The totals below the lines show it.' },
  amount_due: { label: 'Due', kind: 'money' },
  payment_status: { notShown: 'The state and what is due show it.' },
  voided_at: { label: 'Voided', kind: 'moment', details: 'if set', noInput: 'Voiding sets it.' },
  void_reason: { label: 'Voided because', kind: 'text', details: 'if set', noInput: 'Voiding sets it.' },
  exchange_rate: { label: 'Exchange rate', kind: 'text', details: 'if set', noInput: 'Taken from the rates on saving.' },
  home_currency_id: { notShown: 'The amount in the home currency shows it.' },
  home_total_amount: { notShown: 'The totals below the lines show it.' },
  kept_tax_amount: { notShown: 'It comes back as the tax when tax is switched on again.' },
  master_trip_id: { notShown: 'The line below the title shows it as a manifest.' },
  id: { notShown: 'It stands in the address of the page.' },
  full_id: { notShown: 'It is the id in another form, for other programs.' },
  org_id: { notShown: 'The organization is shown at the top of every page.' },
  created_by: { notShown: 'The history shows who created it.' },
  revision: { notShown: 'It goes into If-Match, to protect what others changed.' },
  available_actions: { notShown: 'The buttons at the top of the page show them.' },
} as const satisfies FieldsOf<Bill, keyof Query & string>

export type BillValues = ValuesOf<typeof billFields>

export const billList = {
  path: '/bills',
  fields: billFields,
  tabs: { ...statusTabs, overdue: { label: 'Overdue', query: { overdue: true }, sort: 'due_date' } },
  term: { label: 'Search by number, payee or reference', param: 'search_term' satisfies keyof Query },
  sorts: {
    '-created_at': 'Newest first',
    created_at: 'Oldest first',
    '-updated_at': 'Changed, latest first',
    updated_at: 'Changed, earliest first',
    due_date: 'Due date, earliest first',
    '-due_date': 'Due date, latest first',
    '-bill_date': 'Bill date, latest first',
    bill_date: 'Bill date, earliest first',
    '-total_amount': 'Total, largest first',
    total_amount: 'Total, smallest first',
    '-number': 'Number, highest first',
    number: 'Number, lowest first',
  } satisfies Record<NonNullable<Query['sort']>, string>,
} satisfies List

function whyCurrencyIsFixed({ record, hasLines }: Now): string | null {
  if (record && record.status_id !== 'draft' && record.status_id !== 'saved') return 'Cannot be changed after sending.'
  if (hasLines && record?.status_id !== 'draft') return 'Cannot be changed while there are lines.'
  return whileOnStatement({ record })
}

function whileOnStatement({ record }: Pick<Now, 'record'>): string | null {
  return record?.consolidated_bill_id ? 'Cannot be changed while the bill is on a statement.' : null
}
