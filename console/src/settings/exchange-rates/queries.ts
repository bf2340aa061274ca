import type { Paths, Schemas } from '@lading/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'

export type ExchangeRate = Schemas['ExchangeRate']
export type NewRate = Paths['/api/v1/exchange_rates']['post']['requestBody']['content']['application/json']
export type RateSearch = { from?: string; to?: string; on?: string; page?: number }

const path = (exchangeRateID: string) => ({ params: { path: { exchangeRateID } } })
const changed = { touches: ['exchange-rates'] }

export const ratesQuery = ({ from, to, on, page = 1 }: RateSearch) => {
  const query = {
    ...(from && { from_currency_ids: [from] }),
    ...(to && { to_currency_ids: [to] }),
    ...(on && { on }),
    sort: '-starts_on' as const,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  }
  return queryOptions({
    queryKey: ['exchange-rates', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/exchange_rates', { params: { query } })),
  })
}

export const rateQuery = (id: string) =>
  queryOptions({
    queryKey: ['exchange-rates', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/exchange_rates/{exchangeRateID}', path(id)))).exchange_rate,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['exchange-rates', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/exchange_rates/{exchangeRateID}/history', {
          params: { path: { exchangeRateID: id }, query: { limit } },
        }),
      ),
  })

export function useCreateRate() {
  return useChange((body: NewRate) => answered(lading.POST('/api/v1/exchange_rates', { body })), changed)
}

export function useUpdateRate(id: string) {
  return useChange(
    ({ changes, revision }: { changes: object; revision: number }) =>
      answered(
        lading.PUT('/api/v1/exchange_rates/{exchangeRateID}', { ...path(id), ...ifUnchanged(revision), body: changes }),
      ),
    changed,
  )
}

export function useDeleteRate({ id, revision }: ExchangeRate) {
  return useChange(
    () => answered(lading.DELETE('/api/v1/exchange_rates/{exchangeRateID}', { ...path(id), ...ifUnchanged(revision) })),
    changed,
  )
}

export function useConvert() {
  return useMutation({
    mutationFn: (query: { from: string; to: string; amount: number; on?: string }) =>
      answered(lading.GET('/api/v1/exchange_rates/convert', { params: { query } })),
  })
}

export type Report = {
  counts: { created: number; updated: number; unchanged: number; failed: number }
  failures: readonly {
    line: number
    from_currency_id: string | null
    to_currency_id: string | null
    error: { error_message: string }
  }[]
}

/** A file of rates: ours, or one of the European Central Bank, as CSV or XML. */
export function useImportRates() {
  return useChange(async (file: File): Promise<Report> => {
    const type = file.name.toLowerCase().endsWith('.xml') ? 'application/xml' : 'text/csv'
    const request = {
      body: await file.text(),
      bodySerializer: (text: string) => text,
      headers: { 'content-type': type },
    }
    return (await answered(lading.POST('/api/v1/exchange_rates/import', request as never))) as unknown as Report
  }, changed)
}
