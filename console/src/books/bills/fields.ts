import type { Paths } from '@lading/sdk'
import type { FieldsOf, Situation } from '../documents/field.ts'
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
import { approvalWords } from './approval-words.ts'
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
    input: {
      on: 'both',
      fixed: (now: Now) => whyCurrencyIsFixed(now) ?? whileOnStatement(now),
      hintWhenEmpty: 'Needed before the bill can be saved.',
    },
    details: 'always',
    filter: { key: 'currency', param: 'currency_ids', many: true },
  },
  ...referenceField,
  remit_to: { label: 'Remit to', kind: 'address', input: { on: 'both' }, details: 'always', column: 'payee' },
  bill_to: { label: 'Bill to', kind: 'address', input: { on: 'both' }, details: 'always' },
  bill_date: { label: 'Bill date', kind: 'day', input: { on: 'both' }, summary: 4, column: 'value' },
  ...termFields,
  ...contentFields,
  ...stateFields,
  approval_status: {
    label: 'Approval',
    kind: 'choice',
    options: approvalWords,
    filter: { key: 'approval', param: 'approval_status', many: true },
  },
  approval_requested_at: { label: 'Approval requested', kind: 'moment', details: 'if set', notInHistory: true },
  approved_by: { notShown: 'The panel of approvals names them.' },
  approved_at: { label: 'Approved', kind: 'moment', details: 'if set', notInHistory: true },
  consolidated_bill_id: { label: 'Statement', kind: 'statement' },
  ...otherFields,
  master_trip_id: { notShown: 'The line below the title shows it as a manifest.' },
} as const satisfies FieldsOf<Bill, keyof Query & string>

export const billList = {
  path: '/bills',
  fields: billFields,
  tabs: {
    ...statusTabs,
    overdue: { label: 'Overdue', query: { overdue: true }, sort: 'due_date' },
    to_approve: { label: 'To approve', query: { awaiting: 'me' }, sort: 'due_date' },
  },
  term: { label: 'Search by number, payee or reference', param: 'search_term' satisfies keyof Query },
  sorts: {
    ...standardSorts,
    '-bill_date': 'Bill date, latest first',
    bill_date: 'Bill date, earliest first',
  } satisfies Record<NonNullable<Query['sort']>, string>,
} satisfies List

function whileOnStatement({ record }: Pick<Now, 'record'>): string | null {
  return record?.consolidated_bill_id ? 'Cannot be changed while the bill is on a statement.' : null
}
