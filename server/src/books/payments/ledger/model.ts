import Type, { type Static, type TObject } from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { Numbers } from '../../../platform/core/schema/numbers.ts'
import {
  changedBetween,
  Id,
  Moment,
  nullable,
  paging,
  Text,
  Time,
  wholeEdit,
} from '../../../platform/core/schema/schema.ts'
import { Amount } from '../../documents/model/fields/amount.ts'
import { type PaymentMethod, paymentMethods } from '../../documents/model/kind/paying.ts'

export const directions = ['out', 'in'] as const
export type Direction = (typeof directions)[number]

export const paymentStatuses = ['draft', 'issued', 'cleared', 'voided'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

const direction = Type.Enum(directions, {
  description: '`out` to a carrier or partner, `in` from a customer; a refund goes the other way.',
  examples: ['out'],
})
const partner_carrier_id = nullable(Id('The partner or carrier that is paid, or that pays back.'))
const customer_id = nullable(Id('The customer that pays, or that is paid back.'))
const currency_id = Type.String({ maxLength: 3, description: 'The lower-case ISO 4217 code.', examples: ['usd'] })
const amount = Amount('What was paid.', 185000)
const method = Type.Enum(paymentMethods, {
  description: 'How the money moves; `recorded` says only that a document was paid.',
  examples: ['ach'],
})
const reference_number = nullable(
  Type.String({
    maxLength: 255,
    description: 'The number that the bank or the other side knows it by.',
    examples: ['CHK-2041'],
  }),
)
const notes = nullable(
  Type.String({ maxLength: 10_000, description: 'Notes.', examples: ['Paid with the November run.'] }),
)
const external_id = nullable(
  Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'PAY-77120'),
)

/** What is settled: one of the three is named. */
const target = {
  bill_id: Type.Optional(nullable(Id('The bill that it settles.'))),
  invoice_id: Type.Optional(nullable(Id('The invoice that it settles.'))),
  credit_id: Type.Optional(nullable(Id('The credit that it pays back.'))),
}

const Asked = named(
  'RequestedAllocation',
  Type.Object({
    ...target,
    id: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
    amount: Amount('How much of the document is settled.', 185000),
  }),
)
export type RequestedAllocation = {
  bill_id?: string | null
  invoice_id?: string | null
  credit_id?: string | null
  amount: number
}

const allocations = Type.Array(Asked, {
  maxItems: 1000,
  description: 'The documents that are settled, each named once by `bill_id`, `invoice_id` or `credit_id`.',
  examples: [[{ bill_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15', amount: 185000 }]],
})
const oldest_first = Type.Boolean({
  description: 'Settles what is due longest first, as far as the money goes, instead of naming documents.',
  examples: [true],
})

const Allocation = Type.Object({
  id: Type.Optional(Id('The allocation; a draft has none yet.')),
  bill_id: nullable(Id('The bill that it settles.')),
  invoice_id: nullable(Id('The invoice that it settles.')),
  credit_id: nullable(Id('The credit that it pays back.')),
  amount: Amount('How much of the document is settled.', 185000),
  gain_amount: Type.Optional(
    nullable(Amount('What rates between the document and the payment made of it, in the home currency.', 120)),
  ),
  created_at: Type.Optional(Time('When it was allocated.')),
})

export const Payment = Type.Object(
  {
    id: Id('The payment.'),
    number: nullable(
      Type.String({ description: 'The number people read; given when it is issued.', examples: ['PAY-000012'] }),
    ),
    org_id: Id('The organization.'),
    external_id,
    direction,
    partner_carrier_id,
    customer_id,
    currency_id,
    amount,
    allocated_amount: Amount('How much of it settles documents.', 185000),
    refunded_amount: Amount('How much of it was paid back.', 0),
    unallocated_amount: Amount(
      'How much of it is left: money on account of the party, which can be allocated or paid back.',
      0,
    ),
    refund_of_id: nullable(Id('The payment that this one pays back.')),
    method,
    reference_number,
    notes,
    paid_at: Time('When it was paid.'),
    status: Type.Enum(paymentStatuses, {
      description: 'A draft settles nothing yet, and a voided one nothing any more.',
      examples: ['issued'],
    }),
    voided_at: nullable(Time('When it was voided.')),
    void_reason: nullable(Type.String({ description: 'Why it was voided.', examples: ['The bank sent it back'] })),
    exchange_rate: nullable(
      Type.String({
        description: 'The rate to the home currency when it was paid; null where none was known.',
        examples: ['1.0842'],
      }),
    ),
    home_currency_id: nullable(
      Type.String({ description: 'The home currency of the organization at that time.', examples: ['usd'] }),
    ),
    missing_rate: Type.Boolean({
      description: 'Whether it is issued and has no rate to the home currency: reprice it once one is known.',
      examples: [false],
    }),
    realized_gain_amount: nullable(
      Amount('What rates between its documents and itself made of it, in the home currency; a loss is negative.', 120),
    ),
    consolidated_bill_id: nullable(Id('The statement that it pays.')),
    payment_run_id: nullable(Id('The payment run that it is part of: it changes through the run alone.')),
    available_actions: Type.Array(Type.String(), {
      description: 'What can be done with it next.',
      examples: [['allocate', 'clear', 'void']],
    }),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: Type.String({
      description:
        'Who created it: the id of a user, or of an application that acted for itself, as in v2’s `createdBy`.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
    allocations: Type.Array(Allocation, { description: 'What it settles; of a draft, what it is meant for.' }),
  },
  {
    $id: 'Payment',
    description:
      'Money that goes out to a carrier or partner, or comes in from a customer, and the documents that it settles.',
  },
)
export type Payment = Omit<Static<typeof Payment>, 'direction' | 'method' | 'status' | 'allocations'> & {
  direction: Direction
  method: PaymentMethod
  status: PaymentStatus
  allocations: Allocation[]
}
export type Allocation = {
  id?: string
  bill_id: string | null
  invoice_id: string | null
  credit_id: string | null
  amount: number
}

const paidAt = Moment('When it was paid; now unless said.', '2026-11-15T09:30:00.000Z')
const positive = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'What is paid, more than 0. In the minor unit of the currency (cents).',
  examples: [185000],
})

export const NewPayment = Type.Object(
  {
    external_id: Type.Optional(external_id),
    direction: Type.Optional(direction),
    partner_carrier_id: Type.Optional(partner_carrier_id),
    customer_id: Type.Optional(customer_id),
    currency_id,
    amount: positive,
    method: Type.Optional(method),
    reference_number: Type.Optional(reference_number),
    notes: Type.Optional(notes),
    paid_at: Type.Optional(paidAt),
    status: Type.Optional(
      Type.Enum(['draft', 'issued'], { description: '`issued` unless said.', examples: ['issued'] }),
    ),
    allocations: Type.Optional(allocations),
    oldest_first: Type.Optional(oldest_first),
  },
  {
    examples: [
      {
        direction: 'out',
        partner_carrier_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
        currency_id: 'usd',
        amount: 185000,
        method: 'ach',
        reference_number: 'ACH-2041',
        oldest_first: true,
      },
    ],
  },
)
export type NewPayment = {
  external_id?: string | null
  direction?: Direction
  partner_carrier_id?: string | null
  customer_id?: string | null
  currency_id: string
  amount: number
  method?: PaymentMethod
  reference_number?: string | null
  notes?: string | null
  paid_at?: string
  status?: 'draft' | 'issued'
  allocations?: RequestedAllocation[]
  oldest_first?: boolean
}

const Edit = Type.Partial(
  Type.Object({
    direction,
    partner_carrier_id,
    customer_id,
    currency_id,
    amount,
    method,
    reference_number,
    notes,
    paid_at: paidAt,
    allocations,
  }),
)
export const PaymentEdit: TObject = {
  ...wholeEdit(Payment, Edit),
  examples: [{ reference_number: 'ACH-2041', notes: 'Paid with the November run.' }],
} as never
export type PaymentEdit = Partial<Omit<NewPayment, 'external_id' | 'status' | 'oldest_first'>>

export const AllocationBody = named(
  'Allocate',
  Type.Object(
    { allocations: Type.Optional(allocations), oldest_first: Type.Optional(oldest_first) },
    { examples: [{ oldest_first: true }] },
  ),
)
export type AllocationBody = { allocations?: RequestedAllocation[]; oldest_first?: boolean }

export const RefundBody = Type.Object(
  {
    amount: Type.Optional({
      ...positive,
      description:
        'How much is paid back, more than 0; all that is left of the payment unless said. In the minor unit of the currency (cents).',
    }),
    method: Type.Optional(method),
    reference_number: Type.Optional(reference_number),
    notes: Type.Optional(notes),
    paid_at: Type.Optional(paidAt),
  },
  { examples: [{ method: 'check', reference_number: 'CHK-2055' }] },
)
export type RefundBody = {
  amount?: number
  method?: PaymentMethod
  reference_number?: string | null
  notes?: string | null
  paid_at?: string
}

export const VoidBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: ['The bank sent it back'] }),
})

const ids = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 500,
      description,
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  )
const at = (description: string) => Type.Optional(Moment(`${description} Inclusive; a bare date means the whole day.`))

export const PaymentSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Keeps the payments that have every word of this text in their number or their reference number, upper and lower case the same.',
      examples: ['pay-000012'],
    }),
  ),
  directions: Type.Optional(
    Type.Array(Type.Enum(directions), {
      maxItems: 10,
      description: 'Keeps those that go this way.',
      examples: [['out']],
    }),
  ),
  number: Numbers('PAY-000012'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(paymentStatuses), {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['issued']],
    }),
  ),
  methods: Type.Optional(
    Type.Array(Type.Enum(paymentMethods), {
      maxItems: 10,
      description: 'Keeps those paid in one of these ways.',
      examples: [['ach']],
    }),
  ),
  partner_carrier_ids: ids('Keeps those of these partners or carriers.'),
  customer_ids: ids('Keeps those of these customers.'),
  currency_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 3 }), {
      maxItems: 200,
      description: 'Keeps those in these currencies.',
      examples: [['usd']],
    }),
  ),
  consolidated_bill_ids: ids('Keeps those of these statements.'),
  bill_ids: ids('Keeps those that settle one of these bills.'),
  invoice_ids: ids('Keeps those that settle one of these invoices.'),
  refund_of_ids: ids('Keeps those that pay back one of these payments.'),
  paid_start_at: at('Paid at or after.'),
  paid_end_at: at('Paid at or before.'),
  created_start_at: at('Created at or after.'),
  created_end_at: at('Created at or before.'),
  min_amount: Type.Optional(Amount('At least this amount.', 1000)),
  max_amount: Type.Optional(Amount('At most this amount.', 500000)),
  unallocated: Type.Optional(
    Type.Boolean({
      description: 'With true keeps the payments that have something left to allocate, with false the others.',
      examples: [true],
    }),
  ),
  missing_rate: Type.Optional(
    Type.Boolean({
      description: 'With true keeps what is issued and has no rate to the home currency, with false what has one.',
      examples: [true],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type PaymentSearch = Static<typeof PaymentSearch>

/** What settles a document, or did. */
export const DocumentPayment = Type.Object(
  {
    id: Id('The allocation.'),
    amount: Amount('How much of the document it settles.', 185000),
    created_at: Time('When it was allocated.'),
    ended_at: nullable(Time('When it was taken back; null while it counts.')),
    payment_id: nullable(Id('The payment.')),
    credit_id: nullable(Id('The credit that is applied.')),
    bill_id: nullable(Id('The bill that is settled.')),
    invoice_id: nullable(Id('The invoice that is settled.')),
    number: nullable(Type.String({ description: 'The number of the payment.', examples: ['PAY-000012'] })),
    method: nullable(Type.String({ description: 'How the money moves.', examples: ['ach'] })),
    status: nullable(Type.String({ description: 'Where the payment stands.', examples: ['issued'] })),
    reference_number: nullable(
      Type.String({ description: 'The number that the bank or the other side knows it by.', examples: ['ACH-2041'] }),
    ),
    paid_at: nullable(Time('When it was paid.')),
    is_write_off: Type.Boolean({
      description: 'Whether the credit writes off the invoice. It is taken back as a write-off then.',
      examples: [false],
    }),
  },
  { $id: 'DocumentPayment', description: 'How much of a document a payment or a credit settles.' },
)
