import type { Paths, Schemas } from '@lading/sdk'
import type { FieldsOf } from '../documents/field.ts'
import { methodWords } from '../documents/methods.ts'
import type { List } from '../documents/search.ts'
import { paymentStatusWords } from './states.ts'

type Query = NonNullable<Paths['/api/v1/payments']['get']['parameters']['query']>

/** Every field of a payment, and where the console shows it. */
export const paymentFields = {
  number: { label: 'Number', kind: 'number', column: 'value' },
  direction: {
    label: 'Direction',
    kind: 'choice',
    options: { out: 'Paid', in: 'Received' },
    column: 'value',
    filter: { key: 'direction', param: 'directions', many: true },
  },
  partner_carrier_id: {
    label: 'Carrier',
    kind: 'carrier',
    filter: { key: 'carrier', param: 'partner_carrier_ids', many: true },
  },
  customer_id: { label: 'Customer', kind: 'customer', filter: { key: 'customer', param: 'customer_ids', many: true } },
  currency_id: { label: 'Currency', kind: 'currency' },
  method: {
    label: 'Method',
    kind: 'choice',
    options: methodWords,
    column: 'value',
    filter: { key: 'method', param: 'methods', many: true },
  },
  reference_number: { label: 'Reference number', shortLabel: 'Reference', kind: 'text', column: 'value' },
  paid_at: {
    label: 'Paid on',
    kind: 'moment',
    column: 'value',
    filter: { key: 'paid', from: 'paid_start_at', to: 'paid_end_at' },
  },
  status: {
    label: 'State',
    kind: 'paymentState',
    column: 'value',
    noInput: 'The buttons at the top of the page change the state.',
  },
  amount: { label: 'Amount', kind: 'money', column: 'value' },
  unallocated_amount: { label: 'Left', kind: 'money', column: 'value', notInHistory: true },
  allocated_amount: { label: 'Allocated', kind: 'money' },
  refunded_amount: { label: 'Paid back', kind: 'money' },
  refund_of_id: { notShown: 'The line below the title shows it.' },
  notes: { label: 'Notes', kind: 'longText' },
  voided_at: { label: 'Voided', kind: 'moment' },
  void_reason: { label: 'Voided because', kind: 'text' },
  exchange_rate: {
    label: 'Exchange rate',
    kind: 'text',
    filter: { key: 'no_rate', flag: 'missing_rate', words: 'Only those without an exchange rate' },
  },
  missing_rate: { notShown: 'The details show that there is none.' },
  external_id: { label: 'External id', kind: 'text' },
  home_currency_id: { notShown: 'The gain or loss is in it.' },
  realized_gain_amount: { notShown: 'The facts at the top of the page show it in the home currency.' },
  consolidated_bill_id: { notShown: 'The line below the title shows it.' },
  payment_run_id: { notShown: 'The line below the title shows it.' },
  allocations: { notShown: 'The page shows them as a table.' },
  created_at: { notShown: 'The history shows it.' },
  updated_at: { notShown: 'The history shows it.' },
  id: { notShown: 'It stands in the address of the page.' },
  org_id: { notShown: 'The organization is shown at the top of every page.' },
  created_by: { notShown: 'The history shows who created it.' },
  revision: { notShown: 'It goes into If-Match, to protect what others changed.' },
  available_actions: { notShown: 'The buttons at the top of the page show them.' },
} as const satisfies FieldsOf<Schemas['Payment'], keyof Query & string>

export const paymentList = {
  path: '/payments',
  fields: paymentFields,
  tabs: {
    all: { label: 'All', query: {} },
    ...Object.fromEntries(
      Object.entries(paymentStatusWords).map(([status, label]) => [status, { label, query: { status_ids: [status] } }]),
    ),
    unallocated: { label: 'Not fully allocated', query: { unallocated: true } },
  },
  term: { label: 'Search by number or reference', param: 'search_term' satisfies keyof Query },
  sorts: {},
} satisfies List
