import type { Context } from '../../../platform/context.ts'
import { minorUnits } from '../../currencies/known.ts'
import { gainOf, type HomeCurrencyRate, keptRate } from '../../rates/conversion.ts'
import { type DatedCurrency, homeRates } from '../../rates/lookup.ts'
import type { Direction } from './model.ts'

/** What each of these is worth in the home currency at its time. One trip for any number of them. */
export async function valuesAt(ctx: Context, wanted: readonly DatedCurrency[]): Promise<HomeCurrencyRate[]> {
  if (wanted.length === 0) return []
  const { home_currency_id, rates } = await homeRates(ctx, wanted)
  return rates.map((rate) =>
    home_currency_id !== null && rate
      ? { exchange_rate: keptRate(rate), home_currency_id }
      : { exchange_rate: null, home_currency_id: null },
  )
}

/** What rates between documents and what pays them made of a part of a document. */
export async function makeGainOf(
  ctx: Context,
): Promise<(paid: Paid, document: HomeCurrencyRate, payment: HomeCurrencyRate) => number | null> {
  const units = await minorUnits(ctx)
  return (paid, document, payment) => gainOf(paid, document, payment, units)
}

type Paid = { direction: Direction; amount: number; currency_id: string }
