import type { Context } from '../../platform/context.ts'
import { inverse, type Ratio, ratioOf } from '../../platform/core/values/ratio.ts'
import { type HomeCurrencyRate, keptRate, one } from './conversion.ts'
import { findRateOn, findToday, listHomeRates } from './lookup-store.ts'

export type FoundRate = { rate: Ratio; exchange_rate_id: string | null; is_inverse: boolean; on: string }

/** The rate from one currency to another on a day, or today; undefined where none is known. Never by way of a third currency, and never 1 by default. */
export async function rateBetween(
  ctx: Context,
  from: string,
  to: string,
  day?: string,
): Promise<FoundRate | { rate: undefined; on: string }> {
  const on = day ?? (await findToday(ctx))
  if (from === to) return { rate: one, exchange_rate_id: null, is_inverse: false, on }
  const found = await findRateOn(ctx, from, to, on)
  return found
    ? { rate: directed(found.rate, found.is_inverse), exchange_rate_id: found.id, is_inverse: found.is_inverse, on }
    : { rate: undefined, on }
}

export type DatedCurrency = { currency_id: string; at: string }
/** The home currency of the organization, whether a rate to it is required, and that of each currency that was asked for, in their order. */
export type HomeRates = { home_currency_id: string | null; required: boolean; rates: readonly (Ratio | null)[] }

/** The rates to the home currency, each at the date of a document or a payment. One trip for any number of them. */
export async function homeRates(ctx: Context, wanted: readonly DatedCurrency[]): Promise<HomeRates> {
  const rows = await listHomeRates(
    ctx,
    wanted.map(({ currency_id }) => currency_id),
    wanted.map(({ at }) => at),
  )
  const home = rows[0]?.home_currency_id ?? null
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return {
    home_currency_id: home,
    required: rows[0]?.required ?? false,
    rates: wanted.map(({ currency_id }, index) => {
      if (currency_id === home) return one
      const { rate = null, is_inverse = null } = byPlace.get(index + 1) ?? {}
      return rate === null ? null : directed(rate, is_inverse === true)
    }),
  }
}

/** The rate to the home currency at the date of a payment, as payments keep it: both null where there is no home currency or no rate. */
export async function homeRateAt(ctx: Context, currency_id: string, at: string): Promise<HomeCurrencyRate> {
  const { home_currency_id, rates } = await homeRates(ctx, [{ currency_id, at }])
  const rate = rates[0]
  return home_currency_id !== null && rate
    ? { exchange_rate: keptRate(rate), home_currency_id }
    : { exchange_rate: null, home_currency_id: null }
}

function directed(rate: string, isInverse: boolean): Ratio {
  return isInverse ? inverse(ratioOf(rate)) : ratioOf(rate)
}
