import Type, { type TObject, type TSchema } from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id, nullable, Time } from '../../platform/core/schema/schema.ts'

const whole = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const partDescriptions: Readonly<Record<string, string>> = {
  current_amount: 'What is not due yet, or has no due date.',
  days_1_30_amount: 'What was due 1 to 30 days before.',
  days_31_60_amount: 'What was due 31 to 60 days before.',
  days_61_90_amount: 'What was due 61 to 90 days before.',
  days_over_90_amount: 'What was due more than 90 days before.',
  total_amount: 'All of it.',
}

const unapplied = 'Money on account: what was paid and settles nothing. It is not in the total.'

function partsOf(prefix: string, suffix: string): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(partDescriptions).map(([name, text]) => [`${prefix}${name}`, whole(`${text} ${suffix}`, 185000)]),
  )
}

function unappliedOf(prefix: string, suffix: string): Record<string, TSchema> {
  return { [`${prefix}unapplied_amount`]: whole(`${unapplied} ${suffix}`, 20000) }
}

const missingInMargin = [
  'home_currency',
  'charges',
  'exchange_rate_of_charges',
  'manifest',
  'costs_or_their_exchange_rate',
] as const

const Currency = nullable(Type.String({ description: 'The currency.', examples: ['usd'] }))
const documents = whole('How many documents.', 12)
const missing = whole('How many of them have no exchange rate, and are not in the amounts in the home currency.', 0)
const missingInAging = whole(
  'How many of them, and of the payments on account, have no exchange rate, and are not in the amounts in the home currency.',
  0,
)
const own = 'In the minor unit of the currency.'
const inHome = 'In the minor unit of the home currency.'

/** What stands above the rows of every report. */
export function reportOf(Row: TObject, more: Record<string, TSchema> = {}): TObject {
  return Type.Object({
    as_of: Time('The moment that the figures are of.'),
    home_currency_id: nullable(
      Type.String({ description: 'The home currency of the organization; null where none is set.', examples: ['usd'] }),
    ),
    rows: Type.Array(Row),
    ...more,
  })
}

function partyOf(party: string) {
  return {
    [party]: nullable(Id('The party; null for documents without one.')),
    party_id: nullable(Id('The same.')),
    party_name: nullable(Type.String({ description: 'Its name.', examples: ['Cascade Carriers'] })),
  }
}

export function agingOf(party: string): TObject {
  const Row = Type.Object({
    ...partyOf(party),
    currency_id: Currency,
    documents,
    missing_rate: missingInAging,
    ...partsOf('', own),
    ...partsOf('home_', inHome),
    ...unappliedOf('', own),
    ...unappliedOf('home_', inHome),
  })
  return reportOf(Row, {
    totals: Type.Array(
      named(
        'AgingTotal',
        Type.Object({ currency_id: Currency, documents, ...partsOf('', own), ...unappliedOf('', own) }),
      ),
      {
        description: 'The sums in each currency.',
      },
    ),
    home: named(
      'HomeAging',
      Type.Object(
        { documents, missing_rate: missingInAging, ...partsOf('', inHome), ...unappliedOf('', inHome) },
        { description: 'The sums in the home currency.' },
      ),
    ),
  })
}

export function spendOf(party: string): TObject {
  return reportOf(
    Type.Object({
      month: nullable(
        Type.String({
          description: 'The month of the date, in UTC; null where it is not asked for, or a document has no date.',
          examples: ['2026-11'],
        }),
      ),
      ...partyOf(party),
      bill_item_type_id: nullable(
        Id('The type of the lines; null where it is not asked for, and for lines without one.'),
      ),
      type_name: nullable(Type.String({ description: 'The name of the type.', examples: ['Line haul'] })),
      currency_id: Currency,
      documents,
      missing_rate: missing,
      amount: whole(`What the bills come to before tax, less the credits. ${own}`, 185000),
      home_amount: nullable(
        whole(
          `The same in the home currency, by the rates of the documents, each rounded once: however they are grouped, it comes to the same. Null where there is no home currency. ${inHome}`,
          185000,
        ),
      ),
    }),
  )
}

export const Accruals: TObject = reportOf(
  Type.Object({
    side: Type.Enum(['payable', 'receivable'], {
      description: 'Whether a carrier will bill it, or a customer is to be invoiced.',
      examples: ['payable'],
    }),
    object_key: Type.Enum(['manifest', 'order'], { description: 'What was delivered.', examples: ['manifest'] }),
    object_id: Id('The manifest or order.'),
    full_id: Type.String({ description: 'The number people read.', examples: ['MAN-24'] }),
    name: Type.String({ description: 'Its name.', examples: ['TRIP-5521'] }),
    party_id: nullable(Id('The carrier or customer.')),
    party_name: nullable(Type.String({ description: 'Its name.', examples: ['Cascade Carriers'] })),
    delivered_at: Time(
      'When it was to end: the end of the manifest or the delivery of the order, or when it was created where neither is known.',
    ),
    currency_id: Currency,
    amount: nullable(
      whole(
        `What is expected, by the payment items of the manifest, or the rate and charges of the order; null where there are none. ${own}`,
        185000,
      ),
    ),
    home_amount: nullable(
      whole(`The same in the home currency, by the rate of that day; null where there is none. ${inHome}`, 185000),
    ),
  }),
)

export const Margin: TObject = reportOf(
  Type.Object({
    order_id: Id('The order.'),
    full_id: Type.String({ description: 'The number people read.', examples: ['ORD-23'] }),
    name: Type.String({ description: 'Its name.', examples: ['PO-77120'] }),
    status: Type.String({ description: 'Its state.', examples: ['delivered'] }),
    customer_id: nullable(Id('The customer.')),
    customer_name: nullable(Type.String({ description: 'Its name.', examples: ['Acme Foods'] })),
    date: Time('Until when it was to be delivered, or when it was created where that is not known.'),
    charged_from: nullable(
      Type.Enum(['invoices', 'order'], {
        description:
          'Where the charge is from: the invoices of the order, or before there is one its rate and charges.',
        examples: ['invoices'],
      }),
    ),
    home_charged_amount: nullable(
      whole(`What the customer is charged, less what it was credited, before tax. ${inHome}`, 285000),
    ),
    costs_from: nullable(
      Type.Enum(['bills', 'bills_and_manifests', 'manifests'], {
        description:
          'Where the costs are from: the bills of the manifests that carry it, or for those without one their payment items.',
        examples: ['bills'],
      }),
    ),
    home_cost_amount: nullable(
      whole(
        `Its part of what the manifests cost, less what carriers have credited; the orders of a manifest share its cost in equal parts. ${inHome}`,
        185000,
      ),
    ),
    home_margin_amount: nullable(whole(`What is left. ${inHome}`, 100000)),
    margin_percent: nullable(
      Type.String({ description: 'The same as a percentage of the charge, a decimal number.', examples: ['35.09'] }),
    ),
    home_written_off_amount: nullable(
      whole(`How much of what the customer was credited is written off: it will not be paid. ${inHome}`, 0),
    ),
    missing: Type.Array(Type.Enum(missingInMargin), {
      description:
        'Why an amount is null: no home currency is set, the order has neither an invoice nor charges, no manifest carries it, a manifest has neither a bill nor payment items, or a rate is missing.',
      examples: [[]],
    }),
  }),
)

const Side = (what: string) =>
  nullable(
    named(
      'OpenDocuments',
      Type.Object(
        {
          drafts: whole('Drafts to finish.', 3),
          open: whole('How many are to be paid.', 41),
          overdue: whole('How many of them are overdue.', 7),
          due_within_7_days: whole('How many of them fall due today or within the next 6 days.', 12),
          currencies: Type.Array(
            named(
              'OpenAmounts',
              Type.Object({
                currency_id: Currency,
                documents,
                due_amount: whole(`What is due. ${own}`, 5120000),
                overdue_amount: whole(`What of it is overdue. ${own}`, 310000),
                due_within_7_days_amount: whole(`What of it falls due today or within the next 6 days. ${own}`, 940000),
                ...unappliedOf('', own),
              }),
            ),
            { description: 'What is due in each currency.' },
          ),
          home: named(
            'HomeOpenAmounts',
            Type.Object(
              {
                missing_rate: missingInAging,
                ...unappliedOf('', inHome),
                overdue_amount: whole(`What is overdue. ${inHome}`, 310000),
                due_within_7_days_amount: whole(`What falls due today or within the next 6 days. ${inHome}`, 940000),
                ...partsOf('', inHome),
              },
              { description: 'What is due in the home currency, by age.' },
            ),
          ),
        },
        { description: `${what} Null where the token may not see it.` },
      ),
    ),
  )

const Accrued = named(
  'Accrued',
  Type.Object({
    number_of: whole('How many.', 4),
    home_amount: whole(`What they come to. ${inHome}`, 720000),
    missing_rate: missing,
  }),
)
const week = (description: string) => whole(`${description} ${inHome}`, 185000)

export const Summary: TObject = Type.Object({
  summary: Type.Object({
    computed_at: Time('When it was put together.'),
    is_current: Type.Boolean({
      description: 'Whether nothing has happened since; where something has, it is put together again within seconds.',
      examples: [true],
    }),
    home_currency_id: nullable(
      Type.String({ description: 'The home currency of the organization.', examples: ['usd'] }),
    ),
    payables: Side('What is owed to carriers.'),
    receivables: Side('What customers owe.'),
    accruals: nullable(
      Type.Object(
        { payable: Accrued, receivable: Accrued },
        {
          description:
            'Manifests that are completed and not billed, and orders that are delivered and not invoiced. Null where the token may not see it.',
        },
      ),
    ),
    weeks: nullable(
      Type.Array(
        Type.Object({
          week_starts_on: Type.String({ format: 'date', description: 'The Monday.', examples: ['2026-11-16'] }),
          in_amount: week('What was received.'),
          out_amount: week('What was paid.'),
          expected_in_amount: week('What falls due from customers, from today on.'),
          expected_out_amount: week('What falls due to carriers, from today on.'),
        }),
        { description: 'The last 8 weeks, this one and the next 4. Null where the token may not see it.' },
      ),
    ),
  }),
})
