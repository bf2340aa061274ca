import { useQuery } from '@tanstack/react-query'
import { moneyOf } from '../parts/money.ts'
import { currencyField, type Fields, type Kind } from './kind.ts'
import { currenciesQuery } from './queries.ts'

/** How the amounts of an object are written. */
export type Money = {
  digits: number
  show: (amount: number) => string
  /** What to say beside an amount that is typed. */
  note: string | null
}

/** Most currencies have two digits, so amounts whose currency nobody named yet are shown so. */
const unnamed: Money = { digits: 2, show: (amount) => textOf(amount, 2), note: 'Without a currency yet: taken to have two decimals.' }
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

/** 123456 with two digits is 1234.56; by its text, because a division would round what a double cannot hold. */
export function textOf(amount: number, digits: number): string {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** And back; null where the text is no amount with so many digits. */
export function amountOf(text: string, digits: number): number | null {
  const [, sign = '', whole = '', part = ''] = /^([-−]?)(\d+)(?:\.(\d*))?$/.exec(text.replace(/[\s,’']/g, '')) ?? []
  const rest = part.slice(digits)
  const amount = Number(`${whole}${part.slice(0, digits).padEnd(digits, '0')}`)
  return whole === '' || /[1-9]/.test(rest) || !Number.isSafeInteger(amount) ? null : sign && amount !== 0 ? -amount : amount
}
