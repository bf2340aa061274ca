import type { Paths, Schemas } from '@lading/sdk'
import type { FieldsOf } from '../documents/field.ts'
import { type Party, parties } from '../documents/party.ts'
import type { List } from '../documents/search.ts'
import {
  contentFields,
  otherFields,
  referenceField,
  standardSorts,
  stateFields,
  whyCurrencyIsFixed,
} from '../documents/standard-fields.ts'
import { statusTabs } from '../documents/states.ts'

export type Credit = Schemas['Credit']
export type CreditItem = Schemas['CreditItem']
type Query = NonNullable<Paths['/api/v1/credits']['get']['parameters']['query']>

/** A credit of which nothing is left. */
const usedUp = 'Used up'

/** A credit of a carrier has no customer, and the other way round. */
const ofOtherSide = { notShown: 'It is set on credits of the other side only.' } as const

function partyField(party: Party) {
  const { label, field } = parties[party]
  return {
    label,
    kind: party,
    input: { on: 'both', required: true },
    details: 'always',
    column: 'value',
    filter: { key: party, param: `${field}s`, many: true },
  } as const
}

function fieldsOf(party: Party) {
  return {
    number: { label: 'Number', kind: 'number', column: 'value' },
    partner_carrier_id: party === 'carrier' ? partyField('carrier') : ofOtherSide,
    customer_id: party === 'customer' ? partyField('customer') : ofOtherSide,
    currency_id: {
      label: 'Currency',
      kind: 'currency',
      input: { on: 'both', fixed: whyCurrencyIsFixed, hintWhenEmpty: 'Needed before the credit can be saved.' },
      details: 'always',
      filter: { key: 'currency', param: 'currency_ids', many: true },
    },
    ...referenceField,
    bill_to: { label: 'Bill to', kind: 'address', input: { on: 'both' }, details: 'if set' },
    remit_to: { label: 'Remit to', kind: 'address', input: { on: 'both' }, details: 'if set' },
    credit_date: { label: 'Credit date', kind: 'day', input: { on: 'both' }, summary: 3, column: 'value' },
    ...contentFields,
    ...stateFields,
    status_id: { ...stateFields.status_id, options: { paid: usedUp } },
    amount_due: { ...stateFields.amount_due, label: 'Left to apply' },
    paid_at: { ...stateFields.paid_at, label: usedUp },
    ...otherFields,
    amount_paid: { label: 'Applied so far', kind: 'money' },
    pay_term_id: { notShown: 'A credit is not due.' },
    due_date: { notShown: 'A credit is not due.' },
    direction: { notShown: 'The two sides have lists of their own.' },
  } as const satisfies FieldsOf<Credit, keyof Query & string>
}

export function creditListOf(party: Party) {
  return {
    path: `/credits/${party}s`,
    fields: fieldsOf(party),
    tabs: { ...statusTabs, paid: { label: usedUp, query: { status_ids: ['paid'] } } },
    term: { label: `Search by number, ${party} or reference`, param: 'search_term' satisfies keyof Query },
    sorts: {
      ...standardSorts,
      '-credit_date': 'Credit date, latest first',
      credit_date: 'Credit date, earliest first',
    } satisfies Record<NonNullable<Query['sort']>, string>,
  } satisfies List
}
