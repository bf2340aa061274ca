import { sevenDaysIn } from '../app/values/dates.ts'
import { bills } from '../books/bills/kind.ts'
import type { DocumentKind } from '../books/documents/kind.ts'
import { invoices } from '../books/invoices/kind.ts'
import type { Side, Summary } from './summary.ts'

/** Something that is waiting to be done: what, how many, what they come to in each currency, and the list of them. */
export type Work = {
  label: string
  to: string
  search: Record<string, string>
  count: number
  sums: readonly { currency_id: string; amount: number }[]
  isLate?: boolean
}

/** What is due in the next seven days where the organization is, overdue, to be finished, or delivered and not billed. */
export function workIn({ payables, receivables, accruals, home_currency_id }: Summary, timeZone: string): Work[] {
  const accrued = (label: string, part: { number_of: number; home_amount: number } | undefined): Work[] =>
    part
      ? [
          {
            label,
            to: '/reports/accruals',
            search: {},
            count: part.number_of,
            sums: home_currency_id ? [{ currency_id: home_currency_id, amount: part.home_amount }] : [],
          },
        ]
      : []
  const days = sevenDaysIn(timeZone)
  return [
    ...(payables ? workOf(bills, payables, days) : []),
    ...accrued('Delivered, bill missing', accruals?.payable),
    ...(receivables ? workOf(invoices, receivables, days) : []),
    ...accrued('Delivered, not invoiced', accruals?.receivable),
  ].map((work) => ({ ...work, sums: work.sums.filter(({ amount }) => amount !== 0) }))
}

function workOf(
  { title, many, list: { path } }: DocumentKind,
  side: Side,
  [from, to]: ReturnType<typeof sevenDaysIn>,
): Work[] {
  const sums = (amount: 'overdue_amount' | 'due_within_7_days_amount') =>
    side.currencies.map((one) => ({ currency_id: one.currency_id, amount: one[amount] }))
  return [
    {
      label: `${title} due in 7 days`,
      to: path,
      search: { due_from: from, due_to: to, sort: 'due_date' },
      count: side.due_within_7_days,
      sums: sums('due_within_7_days_amount'),
    },
    {
      label: `${title} overdue`,
      to: path,
      search: { state: 'overdue' },
      count: side.overdue,
      sums: sums('overdue_amount'),
      isLate: true,
    },
    { label: `Drafts of ${many} to finish`, to: path, search: { state: 'draft' }, count: side.drafts, sums: [] },
  ]
}
