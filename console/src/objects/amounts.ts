import { useQuery } from '@tanstack/react-query'
import { currenciesQuery } from '../api/currencies.ts'
import { decimalOf, moneyOf } from '../parts/money.ts'
import { currencyField, type Fields, type Kind } from './kind.ts'

/** How the amounts of an object are written. */
export type Money = {
  digits: number
  show: (amount: number) => string
  /** What to say beside an amount that is typed. */
  note: string | null
}

/** Most currencies have two digits, so amounts whose currency nobody named yet are shown so. */
const unnamed: Money = { digits: 2, show: (amount) => decimalOf(amount, 2), note: 'Without a currency yet: taken to have two decimals.' }
const bare: Money = { digits: 0, show: String, note: 'A whole number of the minor unit of the currency.' }

/** Amounts are in the currency that the object names; kinds that name none have only the bare number. */
export function useMoney(kind: Kind): (fields: Fields) => Money {
  const { data: currencies = [] } = useQuery(currenciesQuery)
  const field = currencyField(kind)
  return (fields) => {
    if (!field) return bare
    const currency = currencies.find(({ id }) => id === String(fields[field.key] ?? '').toLowerCase())
    if (!currency) return unnamed
    return { digits: currency.minor_units, show: (amount) => moneyOf(amount, currency), note: `In ${currency.iso_4217}.` }
  }
}
