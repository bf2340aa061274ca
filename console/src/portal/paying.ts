import { calendarDayOf, dayOf, today } from '../parts/dates.ts'
import type { Bill } from './words.ts'

type Paying = Pick<Bill, 'state' | 'paid_at' | 'expected_pay_date'>

/** When a bill was paid, or when that is expected; a day that has passed is not promised any more. */
export function whenPaid({ state, paid_at, expected_pay_date }: Paying, on = today()): string | null {
  if (state === 'paid') return paid_at && `Paid ${dayOf(paid_at)}`
  if (!expected_pay_date) return null
  const hasPassed = state === 'approved' && expected_pay_date.slice(0, 10) < on
  return `${hasPassed ? 'Was expected' : 'Expected'} ${calendarDayOf(expected_pay_date)}`
}

const usualCurrencies = ['usd', 'cad', 'mxn', 'eur', 'gbp']

type Priced = { currency_id: string | null }

/** The currencies to invoice in: first those in which the carrier is paid, the newest first, then those of its tenders, then the usual ones. */
export function currenciesFor(bills: readonly Priced[], tenders: readonly Priced[]): string[] {
  const used = [...bills, ...tenders].flatMap(({ currency_id }) => currency_id ?? [])
  return [...new Set([...used, ...usualCurrencies])]
}
