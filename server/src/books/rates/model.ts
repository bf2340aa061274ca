import Type, { type Static } from 'typebox'
import { conflict, invalid, quote, type Refusal } from '../../platform/core/refusal.ts'
import { changedBetween, Day, Id, nullable, paging, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'
import { largestAmount } from '../../platform/core/values/money.ts'
import { isDecimal, ratioOf } from '../../platform/core/values/ratio.ts'
import { withoutEnd } from '../../platform/core/values/text.ts'
import { rateDecimals } from './conversion.ts'

const code = (description: string, example: string) =>
  Type.String({ minLength: 3, maxLength: 3, description, examples: [example] })

const from_currency_id = code('The currency of which one unit is exchanged, as a lower-case ISO 4217 code.', 'eur')
const to_currency_id = code('The currency in which the rate is.', 'usd')
const rate = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'How many units of the one currency are one unit of the other: a decimal number in a text, with up to 10 decimals.',
  examples: ['1.0842'],
})
const starts_on = Day('The first day on which it holds.', '2026-11-01')
const ends_on = nullable(Day('The last day on which it holds; null while it has no end.', '2026-11-30'))
const source = nullable(Text('Where it is from.', 'ECB'))

export const ExchangeRate = Type.Object(
  {
    ...{
      id: Id('The exchange rate.'),
      org_id: Id('The organization.'),
      from_currency_id,
      to_currency_id,
      rate,
      starts_on,
      ends_on,
      source,
    },
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  {
    $id: 'ExchangeRate',
    description:
      'What one currency was worth in another, from one day to another. Those of one pair of currencies never overlap.',
  },
)
export type ExchangeRate = Static<typeof ExchangeRate>

export const NewExchangeRate = Type.Object(
  { from_currency_id, to_currency_id, rate, starts_on, ends_on: Type.Optional(ends_on), source: Type.Optional(source) },
  { examples: [{ from_currency_id: 'chf', to_currency_id: 'usd', rate: '1.0842', starts_on: '2026-11-01' }] },
)
export type NewExchangeRate = Static<typeof NewExchangeRate>

export const ExchangeRateEdit = wholeEdit(ExchangeRate, Type.Partial(Type.Object({ rate, starts_on, ends_on, source })))
export type ExchangeRateEdit = Static<typeof ExchangeRateEdit>

const codes = (description: string, example: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 200, description, examples: [[example]] }))

export const ExchangeRateSearch = Type.Object({
  from_currency_ids: codes('Keeps the rates from these currencies.', 'eur'),
  to_currency_ids: codes('Keeps the rates to these currencies.', 'usd'),
  on: Type.Optional(Day('Keeps the rates that hold on this day.')),
  sort: Type.Optional(
    Type.Enum(['-created_at', '-starts_on', 'starts_on'], {
      description: 'The order, with - in front for descending; -created_at unless said. Equal ones are ordered by id.',
      examples: ['-starts_on'],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type ExchangeRateSearch = Static<typeof ExchangeRateSearch>

export const ConvertQuery = Type.Object({
  from: code('The currency of the amount.', 'eur'),
  to: code('The currency to convert it to.', 'usd'),
  amount: Type.Integer({
    minimum: -largestAmount,
    maximum: largestAmount,
    description: 'The amount, in the minor unit of its currency (cents).',
    examples: [10000],
  }),
  on: Type.Optional(Day('The day whose rate is used; today, in the time zone of the organization, unless said.')),
})

export const Conversion = Type.Object({
  from_currency_id,
  to_currency_id,
  amount: Type.Integer({
    description: 'What was to be converted, in the minor unit of its currency.',
    examples: [10000],
  }),
  converted_amount: Type.Integer({
    description: 'What it comes to, in the minor unit of the other currency, a half rounded away from zero.',
    examples: [10842],
  }),
  rate: Type.String({
    description: 'The rate that was used. Of an inverse one 20 decimals are shown, and all of them used.',
    examples: ['1.0842'],
  }),
  is_inverse: Type.Boolean({
    description: 'Whether only a rate in the other direction was known, and its inverse was used.',
    examples: [false],
  }),
  exchange_rate_id: nullable(Id('The exchange rate that was used; null where both currencies are the same.')),
  on: Day('The day.'),
})

/** A rate as it is kept: without zeros and signs that mean nothing. */
export type Content = {
  from_currency_id: string
  to_currency_id: string
  rate: string
  starts_on: string
  ends_on: string | null
  source: string | null
}

export function contentOf({
  from_currency_id,
  to_currency_id,
  rate,
  starts_on,
  ends_on = null,
  source = null,
}: NewExchangeRate): Content {
  const content = {
    from_currency_id: from_currency_id.toLowerCase(),
    to_currency_id: to_currency_id.toLowerCase(),
    starts_on,
    ends_on,
    source,
  }
  if (content.from_currency_id === content.to_currency_id)
    throw invalid(
      'to_currency_id',
      'same_currency',
      'A rate is between two currencies; "from_currency_id" and "to_currency_id" are the same.',
    )
  requireForward(content)
  return { ...content, rate: normalRate(rate) }
}

const editable = ['rate', 'starts_on', 'ends_on', 'source'] as const

export function edit(
  current: ExchangeRate,
  input: ExchangeRateEdit,
): { next: Content; previous: Partial<ExchangeRate> } {
  const sent = Object.fromEntries(editable.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])))
  const next: Content = { ...current, ...sent }
  next.rate = normalRate(next.rate)
  requireForward(next)
  const changed = editable.filter((name) => next[name] !== current[name])
  return { next, previous: Object.fromEntries(changed.map((name) => [name, current[name]])) }
}

export function ratesOverlap(
  { from_currency_id, to_currency_id }: Content,
  other?: Pick<Content, 'starts_on' | 'ends_on' | 'rate'>,
): Refusal {
  const which = other
    ? `, the rate ${other.rate} from ${other.starts_on} ${other.ends_on === null ? 'on' : `to ${other.ends_on}`}`
    : ''
  const message = `Another rate from ${from_currency_id} to ${to_currency_id} holds on some of these days${which}. Change its days first, or update it.`
  return conflict('rates_overlap', message, [
    { field: 'starts_on', code: 'rates_overlap', message: 'The rates of one pair of currencies never overlap.' },
  ])
}

/** Up to 12 digits before the point, and 10 behind it. */
export function normalRate(sent: string): string {
  const text = sent.trim()
  const isGood = isDecimal(text, rateDecimals) && /^\+?0*\d{1,12}(?:\.|$)/.test(text) && ratioOf(text).n > 0n
  if (!isGood)
    throw invalid(
      'rate',
      'bad_rate',
      `"rate" must be a decimal number above 0 with at most ${rateDecimals} decimals, such as "1.0842", not ${quote(sent)}.`,
    )
  const [whole = '', fraction = ''] = text.replace(/^\+/, '').split('.')
  const decimals = withoutEnd(fraction, '0')
  return `${whole.replace(/^0+(?=\d)/, '')}${decimals && `.${decimals}`}`
}

function requireForward({ starts_on, ends_on }: Pick<Content, 'starts_on' | 'ends_on'>): void {
  if (ends_on !== null && ends_on < starts_on)
    throw invalid(
      'ends_on',
      'ends_before_it_starts',
      `"ends_on" is ${ends_on}, which is before "starts_on", ${starts_on}.`,
    )
}
