import { invalid } from '../../platform/core/refusal.ts'
import { largestAmount } from '../../platform/core/values/money.ts'
import {
  decimalOf,
  inverse,
  isSame,
  minus,
  multiply,
  powerOfTen,
  type Ratio,
  ratioOf,
  round,
} from '../../platform/core/values/ratio.ts'

/** How many decimals the minor unit of each currency has, by its code. */
export type MinorUnits = ReadonlyMap<string, number>

/** Decimals of a rate in the table. */
export const rateDecimals = 10
/** Decimals of a rate on a document, which may be the inverse of one in the table. */
const keptDecimals = 20

export const one: Ratio = { n: 1n, d: 1n }

/** An amount in another currency, in its minor unit: exact, and rounded once, a half away from zero. */
export function convert(
  amount: number,
  rate: Ratio,
  from: string,
  to: string,
  units: MinorUnits,
  field: string,
): number {
  return amountOf(inMinorUnits(amount, rate, from, to, units), field)
}

/** A rate as a document keeps it. */
export function keptRate(rate: Ratio): string {
  return decimalOf(rate, keptDecimals)
}

/**
 * The rate that a document keeps, exactly. One with more decimals than the table has is the inverse of one there, cut off: the rate whose inverse it is
 * gives the exact one back.
 */
export function rateKept(text: string): Ratio {
  const kept = ratioOf(text)
  if ((text.split('.')[1] ?? '').length <= rateDecimals) return kept
  const direct = ratioOf(decimalOf(inverse(kept), rateDecimals))
  return direct.n !== 0n && isSame(ratioOf(keptRate(inverse(direct))), kept) ? inverse(direct) : kept
}

export type HomeCurrencyRate = { exchange_rate: string | null; home_currency_id: string | null }

/**
 * What was gained, or with a negative sign lost, in the home currency, because the rate on the day of a payment is not that of the document it pays.
 * What comes in is worth more at a higher rate, what goes out costs more. Null where either rate is unknown, or they lead to different currencies.
 */
export function gainOf(
  { direction, amount, currency_id }: { direction: 'in' | 'out'; amount: number; currency_id: string },
  document: HomeCurrencyRate,
  payment: HomeCurrencyRate,
  units: MinorUnits,
): number | null {
  const home = document.home_currency_id
  if (
    document.exchange_rate === null ||
    payment.exchange_rate === null ||
    home === null ||
    home !== payment.home_currency_id
  )
    return null
  const difference = minus(rateKept(payment.exchange_rate), rateKept(document.exchange_rate))
  const gained = amountOf(inMinorUnits(amount, difference, currency_id, home, units), 'realized_gain_amount')
  // Not -0, which JSON has no word for.
  return direction === 'in' ? gained : 0 - gained
}

function inMinorUnits(amount: number, rate: Ratio, from: string, to: string, units: MinorUnits): Ratio {
  return multiply(
    multiply({ n: BigInt(amount), d: 1n }, rate),
    powerOfTen(decimalsOf(to, units) - decimalsOf(from, units)),
  )
}

function decimalsOf(currency: string, units: MinorUnits): number {
  const decimals = units.get(currency)
  if (decimals === undefined) throw new Error(`${currency} is no currency`)
  return decimals
}

function amountOf(exact: Ratio, field: string): number {
  const amount = round(exact)
  if (amount > BigInt(largestAmount) || amount < -BigInt(largestAmount))
    throw invalid(
      field,
      'amount_too_large',
      `"${field}" would be ${amount}, which is beyond ±${largestAmount}, the largest amount that can be kept exactly.`,
    )
  return Number(amount)
}
