import { useQuery } from '@tanstack/react-query'
import { type Currency, currenciesQuery } from '../../app/api/currencies.ts'
import { amountOf, moneyOf } from '../../app/values/money.ts'
import { currencyField, type Fields, type Kind } from './kind.ts'

/** How the amounts of an object are formatted. */
export type Money = {
  digits: number
  show: (amount: number) => string
  /** The description of an input for an amount. */
  note: string | null
}

/** Most currencies have two decimals, so amounts without a currency are shown with two. */
const withoutCurrency: Money = {
  digits: 2,
  show: (amount) => amountOf(amount, 2),
  note: 'No currency yet: two decimals are assumed.',
}
const minorUnits: Money = {
  digits: 0,
  show: (amount) => amountOf(amount, 0),
  note: 'A whole number in the minor unit of the currency.',
}

/** Amounts are in the currency of the object; kinds without a currency field show minor units. */
export function useMoney(kind: Kind): (fields: Fields) => Money {
  const { data: currencies = [] } = useQuery(currenciesQuery)
  const field = currencyField(kind)
  return (fields) => {
    if (!field) return minorUnits
    const currency = currencies.find(({ id }) => id === String(fields[field.key] ?? '').toLowerCase())
    if (!currency) return withoutCurrency
    return moneyIn(currency)
  }
}

const known = new WeakMap<Currency, Money>()

/** The same for every call, so that inputs which show it are not drawn again. */
function moneyIn(currency: Currency): Money {
  const money = known.get(currency) ?? {
    digits: currency.minor_units,
    show: (amount) => moneyOf(amount, currency),
    note: `In ${currency.iso_4217}.`,
  }
  known.set(currency, money)
  return money
}
