import Type, { type Static } from 'typebox'
import { Amount } from '../../books/documents/model/fields/amount.ts'
import { named } from '../../platform/core/schema/names.ts'
import { Numbers } from '../../platform/core/schema/numbers.ts'
import { changedBetween, Day, Id, nullable, paging, Text, Time } from '../../platform/core/schema/schema.ts'
import { MaskedBankDetails, payoutMethods } from '../bank-details/model.ts'

export const runStatuses = ['draft', 'approved', 'issued'] as const

/** How many bills a run has at most: it is issued in one transaction. */
export const mostBills = 2000
/** How many credits and earlier payments a run sets off at most: each is applied on its own. */
export const mostSetOffs = 200

const external_id = nullable(Text('The id it has elsewhere; unique in the organization.', 'WEEK-46'))
const currency_id = Type.String({ maxLength: 3, description: 'The lower-case ISO 4217 code.', examples: ['usd'] })
const due_until = Day('Bills that are due on this day or before are paid.', '2026-11-20')
const pay_on = Day('The day on which the money is to move; today unless said.', '2026-11-16')
const carriers = Type.Array(Type.String({ format: 'uuid' }), {
  minItems: 1,
  maxItems: 500,
  description:
    'Only bills of these carriers; null for those of all. An empty list is refused: it would not say which of both is meant.',
  examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
})
const set_off_credits = Type.Boolean({
  description:
    'Whether what carriers owe us, open credits and payments to them that settle nothing yet, is set off against their bills; true unless said.',
  examples: [true],
})
const who = (description: string) => Type.String({ description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const reasonsLeftOut = [
  'no_payee',
  'payee_change_waiting',
  'nothing_to_pay',
  'covered_by_credits',
  'not_approved',
] as const
export type LeftOutBills = { partner_carrier_id: string; reason: (typeof reasonsLeftOut)[number]; bill_count: number }

export const PaymentRun = Type.Object(
  {
    id: Id('The payment run.'),
    org_id: Id('The organization.'),
    number: Type.String({ description: 'The number people read.', examples: ['RUN-000012'] }),
    external_id,
    status: Type.Enum([...runStatuses], {
      description: 'A draft is looked through, an approved run can be issued.',
      examples: ['issued'],
    }),
    currency_id,
    due_until,
    pay_on,
    partner_carrier_ids: nullable(carriers),
    set_off_credits,
    payment_count: count('How many payments it has, one for each carrier.', 12),
    bill_count: count('How many bills it pays.', 57),
    total_amount: Amount('What its payments come to.', 1850000),
    discount_amount: Amount('What carriers give for being paid early.', 2500),
    set_off_amount: Amount('What is set off against credits and earlier payments of the carriers.', 0),
    returned_count: count('How many of its payments came back.', 0),
    left_out: Type.Array(
      Type.Object({
        partner_carrier_id: Id('The carrier.'),
        reason: Type.Enum([...reasonsLeftOut], {
          description: 'Why its bills are not in the run.',
          examples: ['no_payee'],
        }),
        bill_count: count('How many of its bills are due.', 3),
      }),
      { description: 'Carriers whose bills are due and not in the run, and why.' },
    ),
    has_more: Type.Boolean({
      description: `Whether more was due than the ${mostBills} bills that a run has at most; another run takes those.`,
      examples: [false],
    }),
    approved_by: nullable(who('Who approved it.')),
    approved_at: nullable(Time('When it was approved.')),
    by_the_only_user: Type.Boolean({
      description: 'Whether who made it also approved it, as the only user of the organization.',
      examples: [false],
    }),
    issued_by: nullable(who('Who issued it.')),
    issued_at: nullable(Time('When it was issued.')),
    available_actions: Type.Array(Type.String(), {
      description: 'What can be done with it next.',
      examples: [['approve', 'delete']],
    }),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: who('Who made it.'),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  {
    $id: 'PaymentRun',
    description: 'Payments to many payees that are chosen, looked through, approved and issued together.',
  },
)
export type PaymentRun = Omit<Static<typeof PaymentRun>, 'status'> & { status: (typeof runStatuses)[number] }

export const NewPaymentRun = Type.Object(
  {
    due_until,
    currency_id,
    partner_carrier_ids: Type.Optional(nullable(carriers)),
    pay_on: Type.Optional(pay_on),
    set_off_credits: Type.Optional(set_off_credits),
    external_id: Type.Optional(external_id),
  },
  { examples: [{ due_until: '2026-11-20', currency_id: 'usd' }] },
)
export type NewPaymentRun = Static<typeof NewPaymentRun>

export const PaymentRunSearch = Type.Object({
  number: Numbers('RUN-000012'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum([...runStatuses]), {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['draft']],
    }),
  ),
  currency_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 3 }), {
      maxItems: 200,
      description: 'Keeps those in these currencies.',
      examples: [['usd']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type PaymentRunSearch = Static<typeof PaymentRunSearch>

/** What is set off, as answers show it. */
export const SetOffShown = named(
  'SetOff',
  Type.Object({
    id: Id('What takes it out of the run.'),
    credit_id: nullable(Id('The credit.')),
    payment_id: nullable(Id('The earlier payment, where it is no credit.')),
    number: nullable(Type.String({ description: 'The number of either.', examples: ['CR-000012'] })),
    reference_number: nullable(
      Type.String({ description: 'The number that the carrier knows it by.', examples: ['CM-5521'] }),
    ),
    amount: Amount('How much of it is set off.', 5000),
  }),
)

export const RunPayment = Type.Object(
  {
    payment_id: Id('The payment.'),
    number: nullable(
      Type.String({ description: 'The number of the payment; given when it is issued.', examples: ['PAY-000012'] }),
    ),
    status: Type.String({
      description: 'Where the payment stands: `draft`, `issued`, `cleared`, or `voided` where it came back.',
      examples: ['issued'],
    }),
    partner_carrier_id: Id('The carrier whose bills it pays.'),
    payee_id: Id('Where the money goes: the payee of the carrier, or the factoring company.'),
    payee_name: Type.String({ description: 'The name of that account.', examples: ['Cascade Carriers LLC'] }),
    method: Type.Enum([...payoutMethods], { description: 'How it is paid.', examples: ['ach'] }),
    bank_details: Type.Union([MaskedBankDetails, Type.Null()], { description: 'The bank details, masked.' }),
    remittance_email: nullable(
      Type.String({ description: 'Where the remittance advice goes.', examples: ['ar@cascade.example'] }),
    ),
    amount: Amount('What is paid.', 185000),
    discount_amount: Amount('What the carrier gives for being paid early.', 0),
    set_off_amount: Amount('What is set off against credits and earlier payments of the carrier.', 0),
    set_offs: Type.Array(SetOffShown, { description: 'What is set off, and what it is taken from.' }),
    credit_id: nullable(Id('The credit of that discount, which is applied to the bills.')),
    returned_at: nullable(Time('When it came back.')),
    return_code: nullable(Type.String({ description: 'The code that the bank gave.', examples: ['R01'] })),
    return_reason: nullable(Type.String({ description: 'Why it came back.', examples: ['Insufficient funds'] })),
    bills: Type.Array(
      Type.Object({
        bill_id: Id('The bill.'),
        number: nullable(Type.String({ description: 'Its number.', examples: ['BILL-000123'] })),
        reference_number: nullable(
          Type.String({ description: 'The number that the carrier knows it by.', examples: ['INV-20417'] }),
        ),
        due_date: nullable(Time('When it is due.')),
        amount: Amount('What is paid of it.', 185000),
        discount_amount: Amount('What is taken off.', 0),
        set_off_amount: Amount('What of it is set off against credits and earlier payments.', 0),
      }),
      { description: 'The bills that it pays.' },
    ),
  },
  { $id: 'PaymentRunPayment', description: 'A payment of a payment run, where it goes, and the bills that it pays.' },
)

export const Return = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 900,
      description: 'Why it came back.',
      examples: ['No account, or the account cannot be found'],
    }),
    code: Type.Optional(
      nullable(Type.String({ maxLength: 20, description: 'The code that the bank gave.', examples: ['R03'] })),
    ),
  },
  { examples: [{ reason: 'No account, or the account cannot be found' }] },
)
export type Return = Static<typeof Return>
