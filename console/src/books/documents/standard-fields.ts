import type { Situation } from './field.ts'

/** The fields that all kinds of documents have, in groups: their order is that of forms, details, columns and filters. */
export const referenceField = {
  reference_number: {
    label: 'Reference number',
    shortLabel: 'Reference',
    kind: 'text',
    input: { on: 'both' },
    details: 'always',
    column: 'value',
  },
} as const

export const termFields = {
  pay_term_id: { label: 'Pay term', kind: 'payTerm', input: { on: 'both' }, details: 'always' },
  due_date: {
    label: 'Due date',
    shortLabel: 'Due',
    kind: 'dueDay',
    input: { on: 'both', hintWhenEmpty: 'Set from the pay term on saving.' },
    summary: 3,
    column: 'value',
    filter: { key: 'due', from: 'due_start_at', to: 'due_end_at' },
  },
} as const

export const contentFields = {
  send_to_email: { label: 'Send to', kind: 'email', input: { on: 'both' }, details: 'always' },
  cc_to_email: { label: 'Copy to', kind: 'email', input: { on: 'both' }, details: 'if set' },
  is_tax_on: { label: 'Tax applies', kind: 'boolean', input: { on: 'both' } },
  tax_amount: { label: 'Tax', kind: 'money', input: { on: 'both', under: 'is_tax_on' } },
  notes: { label: 'Notes', kind: 'longText', input: { on: 'both' }, details: 'always' },
} as const

export const stateFields = {
  status_id: {
    label: 'State',
    kind: 'state',
    column: 'value',
    noInput: 'The buttons at the top of the page change the state.',
  },
  total_amount: { label: 'Total', kind: 'money', summary: 1, column: 'value' },
  amount_due: { label: 'Left to pay', kind: 'money', summary: 2, column: 'value', notInHistory: true },
  sent_at: { label: 'Sent', kind: 'moment', summary: 5, noInput: 'Sending sets it.' },
  paid_at: { label: 'Paid', kind: 'moment', summary: 6, noInput: 'Paying sets it.' },
} as const

const ofConnector = 'The connector to the accounting package sets it.'

export const otherFields = {
  external_id: { label: 'External id', kind: 'text', details: 'if set' },
  voided_at: {
    label: 'Voided',
    kind: 'moment',
    details: 'if set',
    noInput: 'Voiding sets it.',
    filter: { key: 'voided', flag: 'include_voided', words: 'With those that were voided' },
  },
  void_reason: { label: 'Voided because', kind: 'text', details: 'if set', noInput: 'Voiding sets it.' },
  exchange_rate: {
    label: 'Exchange rate',
    kind: 'text',
    details: 'if set',
    noInput: 'Taken from the rates on saving.',
    filter: { key: 'no_rate', flag: 'missing_rate', words: 'Only those without an exchange rate' },
  },
  amount_paid: { label: 'Paid so far', kind: 'money' },
  qb_external_id: { label: 'Id in the accounting package', kind: 'text', noInput: ofConnector },
  qb_error_msg: { label: 'Error of the accounting package', kind: 'text', details: 'if set', noInput: ofConnector },
  qb_exported_at: { label: 'Exported to the accounting package', kind: 'moment', noInput: ofConnector },
  created_at: {
    label: 'Created',
    kind: 'moment',
    filter: { key: 'created', from: 'created_start_at', to: 'created_end_at' },
    notInHistory: true,
  },
  updated_at: {
    label: 'Changed',
    kind: 'moment',
    filter: { key: 'changed', from: 'update_start_at', to: 'updated_end_at' },
    notInHistory: true,
  },
  sub_total_amount: { notShown: 'The totals below the lines show it.' },
  payment_status: { notShown: 'The state and what is left to pay show it.' },
  home_currency_id: { notShown: 'The totals below the lines show it.' },
  home_total_amount: { notShown: 'The totals below the lines show it.' },
  kept_tax_amount: { notShown: 'It comes back as the tax when tax is switched on again.' },
  id: { notShown: 'It stands in the address of the page.' },
  full_id: { notShown: 'It is the id in another form, for other programs.' },
  org_id: { notShown: 'The organization is shown at the top of every page.' },
  created_by: { notShown: 'The history shows who created it.' },
  revision: { notShown: 'It goes into If-Match, to protect what others changed.' },
  available_actions: { notShown: 'The buttons at the top of the page show them.' },
} as const

/** The orders that the API knows for every kind; the first is the default. */
export const standardSorts = {
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-updated_at': 'Changed, latest first',
  updated_at: 'Changed, earliest first',
  due_date: 'Due date, earliest first',
  '-due_date': 'Due date, latest first',
  '-total_amount': 'Total, largest first',
  total_amount: 'Total, smallest first',
  '-number': 'Number, highest first',
  number: 'Number, lowest first',
} as const

export function whyCurrencyIsFixed({ record, hasLines }: Situation<{ status_id: string }>): string | null {
  if (record && record.status_id !== 'draft' && record.status_id !== 'saved') return 'Cannot be changed after sending.'
  return hasLines && record?.status_id !== 'draft' ? 'Cannot be changed while there are lines.' : null
}
