import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type ReportName = 'payables_aging' | 'receivables_aging' | 'margin' | 'accruals' | 'spend'

/** A row of any report; its columns say what is in it. */
export type Row = Record<string, string | number | null | readonly string[]>
export type Sums = Record<string, number | string | null>

export type Report = {
  as_of: string
  home_currency_id: string | null
  rows: readonly Row[]
  /** Of the reports by age: the sums in each currency. */
  totals?: readonly Sums[]
  home?: Sums
}

const at = (name: ReportName) => `/api/v1/reports/${name}` as '/api/v1/reports/spend'

export const reportQuery = (name: ReportName, query: { as_of?: string }) =>
  queryOptions({
    queryKey: ['reports', name, query],
    queryFn: async () => (await answered(lading.GET(at(name), { params: { query } }))) as unknown as Report,
    placeholderData: keepPreviousData,
  })

/** The rows as a CSV file. */
export function downloadReport(name: ReportName, query: { as_of?: string }): Promise<Blob> {
  return answered<Blob>(
    lading.GET(at(name), { params: { query }, headers: { accept: 'text/csv' }, parseAs: 'blob' }) as never,
  )
}
