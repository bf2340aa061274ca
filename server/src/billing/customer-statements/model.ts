import type { Static } from 'typebox'
import { Id, Moment, nullable, Time } from '../../core/schema.ts'
import Type from '../../core/type.ts'
import { Amount } from '../documents/model/amount.ts'
import { statuses } from '../documents/model/lifecycle.ts'

export const StatementQuery = Type.Object({
  as_of: Type.Optional(
    Moment(
      'The moment for which it is made, now unless said; a bare date means the end of that day in the time zone of the organization. Of a past one it has what was open then; of a future one what is open now, with the days until then.',
    ),
  ),
  currency_id: Type.Optional(Type.String({ maxLength: 3, description: 'Keeps what is in this currency.', examples: ['usd'] })),
})
export type StatementQuery = Static<typeof StatementQuery>

const maybeDate = (description: string) => nullable(Time(description))

const openDocument = (noun: string) =>
  Type.Object({
    id: Id(`The ${noun}.`),
    number: Type.String({ description: 'The number people read.', examples: [noun === 'invoice' ? 'INV-000123' : 'CR-000123'] }),
    reference_number: nullable(Type.String({ description: 'The number the customer knows it by.', examples: ['PO-77120'] })),
    status_id: Type.Enum(statuses, { description: 'Where it stands.', examples: ['sent'] }),
    currency_id: Type.String({ description: 'Its currency.', examples: ['usd'] }),
    date: maybeDate(`The date of the ${noun}.`),
    due_date: maybeDate('When it is due.'),
    total_amount: Amount('Its total.', 185000),
    amount_paid: Amount(noun === 'invoice' ? 'What is paid of it.' : 'What is applied or refunded of it.', 60000),
    amount_due: Amount(noun === 'invoice' ? 'What is still to be paid.' : 'What is left to apply.', 125000),
    age_days: nullable(Type.Integer({ description: 'How many days its date is past, in the time zone of the organization.', examples: [44] })),
    days_overdue: Type.Integer({
      minimum: 0,
      description: 'How many days it is past its due date, in the time zone of the organization; 0 where it is not.',
      examples: [14],
    }),
  })

const Aging = Type.Object(
  {
    current: Amount('Not overdue.', 0),
    days_1_30: Amount('Overdue by 1 to 30 days.', 125000),
    days_31_60: Amount('Overdue by 31 to 60 days.', 0),
    days_61_90: Amount('Overdue by 61 to 90 days.', 0),
    days_over_90: Amount('Overdue by more than 90 days.', 0),
  },
  { description: 'What is due on the invoices, by how long it is overdue.' },
)

/** What a customer owes. */
export const CustomerStatement = Type.Object(
  {
    customer_id: Id('The customer.'),
    customer_name: Type.String({ description: 'What the customer is called now.', examples: ['Acme Foods'] }),
    as_of: Time('The moment for which it is made.'),
    currencies: Type.Array(
      Type.Object({
        currency_id: Type.String({ description: 'The currency.', examples: ['usd'] }),
        invoice_count: Type.Integer({ description: 'How many invoices are open.', examples: [1] }),
        amount_due: Amount('What is due on them.', 125000),
        overdue_amount: Amount('What of that is overdue.', 125000),
        credit_amount: Amount('What is left of the customer’s credits.', 0),
        balance_amount: Amount('What is due less the credits.', 125000),
        aging: Aging,
      }),
      { description: 'What is open in each currency.' },
    ),
    invoices: Type.Array(openDocument('invoice'), { description: 'The open invoices, by due date; those without one last.' }),
    credits: Type.Array(openDocument('credit'), { description: 'The credits that are not used up, by date.' }),
  },
  { $id: 'CustomerStatement', description: 'What a customer owes: the open invoices and credits, and their sums in each currency.' },
)
export type CustomerStatement = Static<typeof CustomerStatement>
