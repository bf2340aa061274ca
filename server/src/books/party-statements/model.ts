import Type, { type Static } from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id, Moment, nullable, Time } from '../../platform/core/schema/schema.ts'
import { Amount } from '../documents/model/fields/amount.ts'
import { statuses } from '../documents/model/fields/lifecycle.ts'
import { directions } from '../payments/ledger/model.ts'

export const StatementQuery = Type.Object({
  as_of: Type.Optional(
    named(
      'StatementAsOf',
      Moment(
        'The moment for which it is made, now unless said; a bare date means the end of that day in the time zone of the organization. Of a past one it has what was open then; of a future one what is open now, with the days until then.',
      ),
    ),
  ),
  currency_id: Type.Optional(
    named(
      'StatementCurrencyId',
      Type.String({ maxLength: 3, description: 'Keeps what is in this currency.', examples: ['usd'] }),
    ),
  ),
})
export type StatementQuery = Static<typeof StatementQuery>

const maybeDate = (description: string) => nullable(Time(description))

type Words = { noun: string; example: string; party: string; creditsOf: string }

const openDocument = ({ noun, example, party }: Words) =>
  Type.Object({
    id: Id(`The ${noun}.`),
    number: Type.String({ description: 'The number people read.', examples: [example] }),
    reference_number: nullable(
      Type.String({ description: `The number the ${party} knows it by.`, examples: ['PO-77120'] }),
    ),
    status_id: Type.Enum(statuses, { description: 'Where it stands.', examples: ['sent'] }),
    currency_id: Type.String({ description: 'Its currency.', examples: ['usd'] }),
    date: maybeDate(`The date of the ${noun}.`),
    due_date: maybeDate('When it is due.'),
    total_amount: Amount('Its total.', 185000),
    amount_paid: Amount(noun === 'credit' ? 'What is applied or refunded of it.' : 'What is paid of it.', 60000),
    amount_due: Amount(noun === 'credit' ? 'What is left to apply.' : 'What is still to be paid.', 125000),
    age_days: nullable(
      Type.Integer({
        description: 'How many days its date is past, in the time zone of the organization.',
        examples: [44],
      }),
    ),
    days_overdue: Type.Integer({
      minimum: 0,
      description: 'How many days it is past its due date, in the time zone of the organization; 0 where it is not.',
      examples: [14],
    }),
  })

const onAccount = (party: string) =>
  Type.Object({
    id: Id('The payment.'),
    number: Type.String({ description: 'The number people read.', examples: ['PAY-000012'] }),
    reference_number: nullable(
      Type.String({ description: 'The number that the bank or the other side knows it by.', examples: ['CHK-2041'] }),
    ),
    direction: Type.Enum(directions, {
      description: `\`in\` from the ${party}, or \`out\` to it.`,
      examples: [party === 'customer' ? 'in' : 'out'],
    }),
    currency_id: Type.String({ description: 'Its currency.', examples: ['usd'] }),
    date: Time('When it was paid.'),
    amount: Amount('What was paid.', 50000),
    unapplied_amount: Amount(
      'What of it settles nothing and was not paid back; negative where the money went the other way.',
      20000,
    ),
  })

const Aging = (plural: string) =>
  named(
    'Aging',
    Type.Object(
      {
        current: Amount('Not overdue.', 0),
        days_1_30: Amount('Overdue by 1 to 30 days.', 125000),
        days_31_60: Amount('Overdue by 31 to 60 days.', 0),
        days_61_90: Amount('Overdue by 61 to 90 days.', 0),
        days_over_90: Amount('Overdue by more than 90 days.', 0),
      },
      { description: `What is due on the ${plural}, by how long it is overdue.` },
    ),
  )

const sumsOf = ({ noun, creditsOf }: Words) => ({
  amount_due: Amount('What is due on them.', 125000),
  overdue_amount: Amount('What of that is overdue.', 125000),
  credit_amount: Amount(`What is left of ${creditsOf}.`, 0),
  unapplied_amount: Amount('Money on account: what was paid and settles nothing.', 20000),
  balance_amount: Amount('What is due less the credits and the money on account.', 105000),
  aging: Aging(`${noun}s`),
})

const count = (plural: string) => Type.Integer({ description: `How many ${plural} are open.`, examples: [1] })

function listsOf(words: Words) {
  return {
    credits: Type.Array(openDocument({ ...words, noun: 'credit', example: 'CR-000123' }), {
      description: 'The credits that are not used up, by date.',
    }),
    payments: Type.Array(onAccount(words.party), { description: 'The payments that have something left, by date.' }),
  }
}

const about = { as_of: Time('The moment for which it is made.') }
const currency = { currency_id: Type.String({ description: 'The currency.', examples: ['usd'] }) }
const inEach = { description: 'What is open in each currency.' }
const byDueDate = (plural: string) => ({ description: `The open ${plural}, by due date; those without one last.` })

const ofCustomer: Words = {
  noun: 'invoice',
  example: 'INV-000123',
  party: 'customer',
  creditsOf: 'the customer’s credits',
}

/** What a customer owes. */
export const CustomerStatement = Type.Object(
  {
    customer_id: Id('The customer.'),
    customer_name: Type.String({ description: 'What the customer is called now.', examples: ['Acme Foods'] }),
    ...about,
    currencies: Type.Array(
      Type.Object({ ...currency, invoice_count: count('invoices'), ...sumsOf(ofCustomer) }),
      inEach,
    ),
    invoices: Type.Array(openDocument(ofCustomer), byDueDate('invoices')),
    ...listsOf(ofCustomer),
  },
  {
    $id: 'CustomerStatement',
    description:
      'What a customer owes: the open invoices, credits and payments on account, and their sums in each currency.',
  },
)
export type CustomerStatement = Static<typeof CustomerStatement>

const ofCarrier: Words = {
  noun: 'bill',
  example: 'BILL-000123',
  party: 'carrier',
  creditsOf: 'what the carrier has credited',
}

/** What a carrier is owed. */
export const PartnerCarrierStatement = Type.Object(
  {
    partner_carrier_id: Id('The carrier.'),
    partner_carrier_name: Type.String({
      description: 'What the carrier is called now.',
      examples: ['Cascade Carriers'],
    }),
    ...about,
    currencies: Type.Array(Type.Object({ ...currency, bill_count: count('bills'), ...sumsOf(ofCarrier) }), inEach),
    bills: Type.Array(openDocument(ofCarrier), byDueDate('bills')),
    ...listsOf(ofCarrier),
  },
  {
    $id: 'PartnerCarrierStatement',
    description:
      'What a carrier is owed: the open bills, credits and payments on account, and their sums in each currency.',
  },
)
export type PartnerCarrierStatement = Static<typeof PartnerCarrierStatement>

/** What both have. */
export type PartyStatement = Pick<CustomerStatement, 'as_of' | 'credits' | 'payments'> & {
  currencies: Pick<
    CustomerStatement['currencies'][number],
    'currency_id' | 'balance_amount' | 'unapplied_amount' | 'aging'
  >[]
}
