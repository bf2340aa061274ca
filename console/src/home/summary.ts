import { queryOptions } from '@tanstack/react-query'
import { answered } from '../app/api/problem.ts'
import { lading } from '../app/api/session.ts'

/** What is open on one side. Amounts are null-free sums in minor units; `home` is in the home currency. */
export type Side = {
  drafts: number
  open: number
  overdue: number
  due_within_7_days: number
  currencies: readonly {
    currency_id: string
    documents: number
    due_amount: number
    overdue_amount: number
    due_within_7_days_amount: number
  }[]
  home: Record<string, number>
}

export type Week = {
  week_starts_on: string
  in_amount: number
  out_amount: number
  expected_in_amount: number
  expected_out_amount: number
}
type Accrued = { number_of: number; home_amount: number; missing_rate: number }

/** A part is null where the person may not see it. */
export type Summary = {
  computed_at: string
  home_currency_id: string | null
  payables: Side | null
  receivables: Side | null
  accruals: { payable: Accrued; receivable: Accrued } | null
  weeks: readonly Week[] | null
}

export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  // It is kept up to date in the background; whoever comes back to the page wants to see it as it is now.
  staleTime: 0,
  queryFn: async () =>
    (
      (await answered(lading.GET('/api/v1/reports/summary' as '/api/v1/reports/spend', {}))) as unknown as {
        summary: Summary
      }
    ).summary,
})
