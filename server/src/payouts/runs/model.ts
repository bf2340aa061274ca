import Type, { type Static } from 'typebox'
import { Amount } from '../../billing/documents/model/amount.ts'
import { ratioOf, rounded, times } from '../../core/ratio.ts'
import { conflict, type Detail, type Refusal } from '../../core/refusal.ts'
import { Day, Id, nullable, paging, Text, Time } from '../../core/schema.ts'
import { MaskedBankDetails, payoutMethods } from '../bank-details/model.ts'

export const runStatuses = ['draft', 'approved', 'issued'] as const

/** How many bills a run has at most: it is issued in one transaction. */
export const mostBills = 2000

const external_id = nullable(Text('The id it has elsewhere; unique in the organization.', 'WEEK-46'))
const currency_id = Type.String({ maxLength: 3, description: 'The lower-case ISO 4217 code.', examples: ['usd'] })
const due_until = Day('Bills that are due on this day or before are paid.', '2026-11-20')
const pay_on = Day('The day on which the money is to move; today unless said.', '2026-11-16')
const carriers = Type.Array(Type.String({ format: 'uuid' }), {
  maxItems: 500,
  description: 'Only bills of these carriers.',
  examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
})
const who = (description: string) => Type.String({ description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const reasonsLeftOut = ['no_payee', 'payee_change_waiting', 'nothing_to_pay', 'not_approved'] as const
export type LeftOut = { partner_carrier_id: string; reason: (typeof reasonsLeftOut)[number]; bill_count: number }

export const PaymentRun = Type.Object(
  {
    id: Id('The payment run.'),
    org_id: Id('The organization.'),
    number: Type.String({ description: 'The number people read.', examples: ['RUN-000012'] }),
    external_id,
    status: Type.Enum([...runStatuses], { description: 'A draft is looked through, an approved run can be issued.', examples: ['issued'] }),
    currency_id,
    due_until,
    pay_on,
    partner_carrier_ids: nullable(carriers),
    payment_count: count('How many payments it has, one for each carrier.', 12),
    bill_count: count('How many bills it pays.', 57),
    total_amount: Amount('What its payments come to.', 1850000),
    discount_amount: Amount('What carriers give for being paid early.', 2500),
    returned_count: count('How many of its payments came back.', 0),
    left_out: Type.Array(
      Type.Object({
        partner_carrier_id: Id('The carrier.'),
        reason: Type.Enum([...reasonsLeftOut], { description: 'Why its bills are not in the run.', examples: ['no_payee'] }),
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
    by_the_only_user: Type.Boolean({ description: 'Whether who made it also approved it, as the only user of the organization.', examples: [false] }),
    issued_by: nullable(who('Who issued it.')),
    issued_at: nullable(Time('When it was issued.')),
    available_actions: Type.Array(Type.String(), { description: 'What can be done with it next.', examples: [['approve', 'delete']] }),
    revision: Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
    created_by: who('Who made it.'),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'PaymentRun', description: 'Payments to many payees that are chosen, looked through, approved and issued together.' },
)
export type PaymentRun = Omit<Static<typeof PaymentRun>, 'status'> & { status: (typeof runStatuses)[number] }

export const NewPaymentRun = Type.Object(
  {
    due_until,
    currency_id,
    partner_carrier_ids: Type.Optional(nullable(carriers)),
    pay_on: Type.Optional(pay_on),
    external_id: Type.Optional(external_id),
  },
  { examples: [{ due_until: '2026-11-20', currency_id: 'usd' }] },
)
export type NewPaymentRun = Static<typeof NewPaymentRun>

export const PaymentRunSearch = Type.Object({
  statuses: Type.Optional(Type.Array(Type.Enum([...runStatuses]), { maxItems: 10, description: 'Keeps those in one of these states.', examples: [['draft']] })),
  currency_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 3 }), { maxItems: 200, description: 'Keeps those in these currencies.', examples: [['usd']] }),
  ),
  ...paging,
})
export type PaymentRunSearch = Static<typeof PaymentRunSearch>

export const RunPayment = Type.Object(
  {
    payment_id: Id('The payment.'),
    number: nullable(Type.String({ description: 'The number of the payment; given when it is issued.', examples: ['PAY-000012'] })),
    status: Type.String({ description: 'Where the payment stands: `draft`, `issued`, `cleared`, or `voided` where it came back.', examples: ['issued'] }),
    partner_carrier_id: Id('The carrier whose bills it pays.'),
    payee_id: Id('Where the money goes: the payee of the carrier, or the factoring company.'),
    payee_name: Type.String({ description: 'The name of that account.', examples: ['Cascade Carriers LLC'] }),
    method: Type.Enum([...payoutMethods], { description: 'How it is paid.', examples: ['ach'] }),
    bank_details: Type.Union([MaskedBankDetails, Type.Null()], { description: 'The bank details, masked.' }),
    remittance_email: nullable(Type.String({ description: 'Where the remittance advice goes.', examples: ['ar@cascade.example'] })),
    amount: Amount('What is paid.', 185000),
    discount_amount: Amount('What the carrier gives for being paid early.', 0),
    credit_id: nullable(Id('The credit of that discount, which is applied to the bills.')),
    returned_at: nullable(Time('When it came back.')),
    return_code: nullable(Type.String({ description: 'The code that the bank gave.', examples: ['R01'] })),
    return_reason: nullable(Type.String({ description: 'Why it came back.', examples: ['Insufficient funds'] })),
    bills: Type.Array(
      Type.Object({
        bill_id: Id('The bill.'),
        number: nullable(Type.String({ description: 'Its number.', examples: ['BILL-000123'] })),
        reference_number: nullable(Type.String({ description: 'The number that the carrier knows it by.', examples: ['INV-20417'] })),
        due_date: nullable(Time('When it is due.')),
        amount: Amount('What is paid of it.', 185000),
        discount_amount: Amount('What is taken off.', 0),
      }),
      { description: 'The bills that it pays.' },
    ),
  },
  { $id: 'PaymentRunPayment', description: 'A payment of a payment run, where it goes, and the bills that it pays.' },
)

export const Return = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 900, description: 'Why it came back.', examples: ['No account, or the account cannot be found'] }),
    code: Type.Optional(nullable(Type.String({ maxLength: 20, description: 'The code that the bank gave.', examples: ['R03'] }))),
  },
  { examples: [{ reason: 'No account, or the account cannot be found' }] },
)
export type Return = Static<typeof Return>

type Discountable = { total_amount: number; amount_due: number; date: string | null }
export type Terms = { days: number | null; percent: string | null }

/**
 * What is taken off a bill that is paid on this day: the most that one of the terms gives, in percent of the whole bill. Nothing of a deduction, and never
 * all that is due.
 */
export function discountOf({ total_amount, amount_due, date }: Discountable, payOn: string, terms: readonly Terms[]): number {
  if (amount_due <= 0 || date === null) return 0
  const amounts = terms.map(({ days, percent }) => {
    if (days === null || percent === null || dayAfter(date, days) < payOn) return 0
    return Number(rounded(times(ratioOf(percent), { n: BigInt(total_amount), d: 100n })))
  })
  return Math.min(Math.max(0, ...amounts), amount_due - 1)
}

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date.slice(0, 10)) + days * 86_400_000).toISOString().slice(0, 10)
}

export type Item = { bill_id: string; payment_id: string; amount: number; discount_amount: number }

/** Refuses to pay bills that are not as they were when they were chosen. */
export function requireUnchanged(
  items: readonly Item[],
  bills: ReadonlyMap<string, { amount_due: number; status_id: string; voided_at: string | null }>,
): void {
  const problems = items.flatMap(({ bill_id, amount, discount_amount }): Detail[] => {
    const bill = bills.get(bill_id)
    const isOpen = bill && bill.voided_at === null && bill.status_id !== 'draft' && bill.status_id !== 'paid'
    if (isOpen && bill.amount_due === amount + discount_amount) return []
    const why = isOpen ? `owes ${bill.amount_due} now and not ${amount + discount_amount}` : 'is not owed any more'
    return [{ field: 'bill_id', code: 'bill_has_changed', message: `The bill "${bill_id}" ${why}.` }]
  })
  if (problems.length === 0) return
  throw conflict(
    'run_out_of_date',
    `${problems.length} of the bills have changed since they were chosen: take them out of the run. First: ${problems[0]?.message}`,
    problems,
  )
}

/** Refuses to pay bills that are not approved as they are now. */
export function requireApproved(unapproved: ReadonlyMap<string, Refusal>): void {
  const [first] = unapproved.values()
  if (!first) return
  const details = [...unapproved].map(([bill, { message }]): Detail => ({ field: 'bill_id', code: 'not_approved', message: `The bill "${bill}": ${message}` }))
  throw conflict(
    'not_approved',
    `${details.length} of the bills are not approved: have them approved, or take them out of the run. First: ${first.message}`,
    details,
  )
}
