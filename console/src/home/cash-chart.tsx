import { useCurrency } from '../app/api/currencies.ts'
import { BarChart } from '../app/chart/bar-chart.tsx'
import { moneyOf } from '../app/values/money.ts'
import { compactMoney } from '../books/reports/aging-chart.tsx'
import type { Week } from './summary.ts'

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

const series = [
  { label: 'In', color: 'var(--lading-chart)', stack: 'in' },
  { label: 'Due in', color: 'var(--lading-chart-pale)', stack: 'in' },
  { label: 'Out', color: 'var(--lading-chart-other)', stack: 'out' },
  { label: 'Due out', color: 'var(--lading-chart-other-pale)', stack: 'out' },
]

/** What came in and went out in each week, and what falls due in those that come. */
export function CashChart({ weeks, currencyId, label }: { weeks: readonly Week[]; currencyId: string; label: string }) {
  const currency = useCurrency(currencyId)
  if (!currency) return null
  const unit = 10 ** currency.minor_units
  const bars = weeks.map((week) => ({
    label: day.format(new Date(week.week_starts_on)),
    values: [week.in_amount, week.expected_in_amount, week.out_amount, week.expected_out_amount].map(
      (amount) => amount / unit,
    ),
  }))
  return (
    <BarChart
      label={label}
      height={200}
      series={series}
      bars={bars}
      valueText={(value) => moneyOf(Math.round(value * unit), currency)}
      tickText={(value) => compactMoney(value, currency.iso_4217)}
    />
  )
}
