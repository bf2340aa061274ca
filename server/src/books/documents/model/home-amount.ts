import { conflict, type Refusal } from '../../../platform/core/refusal.ts'
import type { Ratio } from '../../../platform/core/values/ratio.ts'
import { convert, type HomeCurrencyRate, keptRate, type MinorUnits, rateKept } from '../../rates/conversion.ts'
import { capitalize, withArticle } from './fields/shape.ts'
import type { Document } from './fields/standard-fields.ts'
import type { EditResult } from './kind/conclude.ts'

/** What a document keeps of the rate of its date. */
export const homeFields = ['exchange_rate', 'home_currency_id', 'home_total_amount'] as const
export type HomeAmount = Pick<Document, (typeof homeFields)[number]>

export const noHomeAmount: HomeAmount = { exchange_rate: null, home_currency_id: null, home_total_amount: null }

type Dated = { date: string }

/**
 * What a change asks of the home amount: nothing; that it is cleared, because a draft has none; the new total at the rate that the document has; or the
 * rate of its date. Once a part is paid, the gains of its payments are those over its rate, so it keeps that, or has none, whatever its date becomes. What
 * was saved without a rate gets none by a change of its total or its date: a rate that came later is taken where somebody asks for it.
 */
export function homeAmountNeeds(
  { date }: Dated,
  before: Document,
  next: Document,
): 'nothing' | 'none' | 'the new total' | 'the rate of its date' {
  const has = before.exchange_rate !== null
  if (next.status_id === 'draft') return has ? 'none' : 'nothing'
  if (before.status_id === 'draft' || before.currency_id !== next.currency_id) return 'the rate of its date'
  if (!has) return 'nothing'
  if (dateOf(date, before) !== dateOf(date, next) && before.amount_paid === 0) return 'the rate of its date'
  return before.total_amount !== next.total_amount ? 'the new total' : 'nothing'
}

/** The date whose rate counts. */
export function dateOf(date: string, document: Document): string {
  return ((document as Record<string, unknown>)[date] as string | null) ?? document.created_at
}

/** The total in the home currency, at this rate. */
export function homeAmountAt(document: Document, rate: Ratio, home_currency_id: string, units: MinorUnits): HomeAmount {
  const home_total_amount = convert(
    document.total_amount,
    rate,
    document.currency_id as string,
    home_currency_id,
    units,
    'home_total_amount',
  )
  return { exchange_rate: keptRate(rate), home_currency_id, home_total_amount }
}

/** The new total, at the rate that the document has. */
export function homeAmountOfTotal(
  document: Document,
  { exchange_rate, home_currency_id }: HomeCurrencyRate,
  units: MinorUnits,
): HomeAmount {
  if (exchange_rate === null || home_currency_id === null) return noHomeAmount
  return { ...homeAmountAt(document, rateKept(exchange_rate), home_currency_id, units), exchange_rate }
}

/** What an update makes of a document, with its home amount. */
export function withHomeAmount<D extends Document>(before: D, edited: EditResult<D>, home: HomeAmount): EditResult<D> {
  const changed = homeFields.filter((field) => before[field] !== home[field])
  const previous = { ...edited.previous, ...Object.fromEntries(changed.map((field) => [field, before[field]])) }
  return { ...edited, next: { ...edited.next, ...home }, previous }
}

export function rateMissing(noun: string, currency: string, home: string, at: string): Refusal {
  const message = `No exchange rate from ${currency} to ${home} is known for ${at.slice(0, 10)}, the date of the ${noun}. Add the rate, or one in the other direction.`
  return conflict('exchange_rate_missing', message, [
    { field: 'exchange_rate', code: 'exchange_rate_missing', message },
  ])
}

export function noHomeCurrency(): Refusal {
  return conflict(
    'exchange_rate_missing',
    'The organization has no home currency; set "home_currency_id" of the organization first.',
  )
}

export function isDraft(noun: string): Refusal {
  return conflict(
    'is_draft',
    `${capitalize(withArticle(noun))} that is a draft has no exchange rate yet: it gets one when it is saved.`,
  )
}
