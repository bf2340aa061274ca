import type { Schemas } from '@lading/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { moneyOf } from '../parts/money.ts'
import { answered } from './problem.ts'
import { lading } from './session.ts'

export type Currency = Schemas['Currency']

/** All of ISO 4217, which changes less often than anyone loads this page. */
export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: async () => (await answered(lading.GET('/api/v1/currencies', { params: { query: { limit: 200 } } }))).currencies,
  staleTime: Number.POSITIVE_INFINITY,
})

export function useCurrencies(): (id: string | null) => Currency | undefined {
  const { data } = useQuery(currenciesQuery)
  return (id) => data?.find((currency) => currency.id === id)
}

export function useCurrency(id: string | null): Currency | undefined {
  return useCurrencies()(id)
}

/** Writes an amount of any currency; until they are known, a dash: an amount without its decimals would be a lie. */
export function useMoney(): (amount: number | bigint, currencyId: string | null) => string {
  const currencyOf = useCurrencies()
  return (amount, currencyId) => {
    const currency = currencyOf(currencyId)
    return currency ? moneyOf(amount, currency) : '–'
  }
}
