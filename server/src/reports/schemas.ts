import Type, { type TObject, type TSchema } from 'typebox'
import { Id, nullable, Time } from '../core/schema.ts'

const whole = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const partDescriptions: Readonly<Record<string, string>> = {
  current_amount: 'What is not due yet, or has no due date.',
  days_1_30_amount: 'What was due 1 to 30 days before.',
  days_31_60_amount: 'What was due 31 to 60 days before.',
  days_61_90_amount: 'What was due 61 to 90 days before.',
  days_over_90_amount: 'What was due more than 90 days before.',
  total_amount: 'All of it.',
}

function partsOf(prefix: string, suffix: string): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(partDescriptions).map(([name, text]) => [`${prefix}${name}`, whole(`${text} ${suffix}`, 185000)]))
}

const Currency = nullable(Type.String({ description: 'The currency.', examples: ['usd'] }))
const documents = whole('How many documents.', 12)
const missing = whole('How many of them have no exchange rate, and are not in the amounts in the home currency.', 0)
const own = 'In the minor unit of the currency.'
const inHome = 'In the minor unit of the home currency.'

/** What stands above the rows of every report. */
export function reportOf(Row: TObject, more: Record<string, TSchema> = {}): TObject {
  return Type.Object({
    as_of: Time('The moment that the figures are of.'),
    home_currency_id: nullable(Type.String({ description: 'The home currency of the organization; null where none is set.', examples: ['usd'] })),
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
  const Row = Type.Object({ ...partyOf(party), currency_id: Currency, documents, missing_rate: missing, ...partsOf('', own), ...partsOf('home_', inHome) })
  return reportOf(Row, {
    totals: Type.Array(Type.Object({ currency_id: Currency, documents, ...partsOf('', own) }), { description: 'The sums in each currency.' }),
    home: Type.Object({ documents, missing_rate: missing, ...partsOf('', inHome) }, { description: 'The sums in the home currency.' }),
  })
}

export function spendOf(party: string): TObject {
  return reportOf(
    Type.Object({
      month: nullable(
        Type.String({ description: 'The month of the date, in UTC; null where it is not asked for, or a document has no date.', examples: ['2026-11'] }),
      ),
      ...partyOf(party),
      bill_item_type_id: nullable(Id('The type of the lines; null where it is not asked for, and for lines without one.')),
      type_name: nullable(Type.String({ description: 'The name of the type.', examples: ['Line haul'] })),
      currency_id: Currency,
      documents,
      amount: whole(`What it comes to before tax. ${own}`, 185000),
      home_amount: nullable(whole(`The same in the home currency, by the rates of the documents; null where a rate is missing. ${inHome}`, 185000)),
    }),
  )
}
