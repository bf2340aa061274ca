import type { Schemas } from '@lading/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { moneyOf } from '../values/money.ts'
import { answered } from './problem.ts'
import { lading } from './session.ts'

export type Currency = Schemas['Currency']

/** All of ISO 4217. It changes so rarely that one read per page load is enough. */
export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: async () =>
    (await answered(lading.GET('/api/v1/currencies', { params: { query: { limit: 200 } } }))).currencies,
  staleTime: Number.POSITIVE_INFINITY,
})

export function useCurrencies(): (id: string | null) => Currency | undefined {
  const { data } = useQuery(currenciesQuery)
  return (id) => data?.find((currency) => currency.id === id)
}

export function useCurrency(id: string | null): Currency | undefined {
  return useCurrencies()(id)
}

/** Formats an amount of any currency; of one that is not known a dash, because its decimals are not. The router loads them before any page. */
export function useMoney(): (amount: number | bigint, currencyId: string | null) => string {
  const currencyOf = useCurrencies()
  return (amount, currencyId) => {
    const currency = currencyOf(currencyId)
    return currency ? moneyOf(amount, currency) : '–'
  }
}
