import { calendarDayOf, dayOf, today } from '../../app/values/dates.ts'
import { type Bill, type Invoice, money } from '../parts/words.ts'

type Paying = Pick<Bill, 'state' | 'paid_at' | 'expected_pay_date'>

/** When a bill was paid, or when that is expected; a day that has passed is not promised any more. */
export function whenPaid({ state, paid_at, expected_pay_date }: Paying, on = today()): string | null {
  if (state === 'paid') return paid_at && `Paid ${dayOf(paid_at)}`
  if (!expected_pay_date) return null
  const hasPassed = state === 'approved' && expected_pay_date.slice(0, 10) < on
  return `${hasPassed ? 'Was expected' : 'Expected'} ${calendarDayOf(expected_pay_date)}`
}

/** What is still to come, where a part was paid; null where that is all or nothing. */
export function leftToPay({
  amount_paid,
  amount_due,
  currency_id,
}: Pick<Bill, 'amount_paid' | 'amount_due' | 'currency_id'>): string | null {
  return amount_paid !== 0 && amount_due !== 0 ? money(amount_due, currency_id) : null
}

/** What an invoice comes to, and how much of it was approved where that is not all. */
export function amountsOf({
  total_amount,
  approved_amount,
  currency_id,
}: Pick<Invoice, 'total_amount' | 'approved_amount' | 'currency_id'>): string {
  const total = money(total_amount, currency_id)
  return approved_amount === null || approved_amount === total_amount
    ? total
    : `${money(approved_amount, currency_id)} of ${total} approved`
}

const usualCurrencies = ['usd', 'cad', 'mxn', 'eur', 'gbp']

type Priced = { currency_id: string | null }

/** The currencies to invoice in: first those in which the carrier is paid, the newest first, then those of its tenders, then the usual ones. */
export function currenciesFor(bills: readonly Priced[], tenders: readonly Priced[]): string[] {
  const used = [...bills, ...tenders].flatMap(({ currency_id }) => currency_id ?? [])
  return [...new Set([...used, ...usualCurrencies])]
}
