import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { useCurrency } from '../app/api/currencies.ts'
import { moneyOf } from '../app/values/money.ts'
import { chartMargin, compactMoney } from '../books/reports/aging-chart.tsx'
import type { Week } from './summary.ts'

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** What came in and went out in each week, and what falls due in those that come. */
export function CashChart({ weeks, currencyId, label }: { weeks: readonly Week[]; currencyId: string; label: string }) {
  const currency = useCurrency(currencyId)
  if (!currency) return null
  const unit = 10 ** currency.minor_units
  const data = weeks.map((week) => ({
    week: day.format(new Date(week.week_starts_on)),
    in: week.in_amount / unit,
    expected_in: week.expected_in_amount / unit,
    out: week.out_amount / unit,
    expected_out: week.expected_out_amount / unit,
  }))
  return (
    <figure style={{ margin: 0, minWidth: 0, overflow: 'hidden' }} aria-label={label}>
      <BarChart
        h={240}
        data={data}
        dataKey="week"
        series={[
          { name: 'in', label: 'In', color: 'var(--lading-chart)', stackId: 'in' },
          { name: 'expected_in', label: 'Due in', color: 'var(--lading-chart-pale)', stackId: 'in' },
          { name: 'out', label: 'Out', color: 'var(--lading-chart-other)', stackId: 'out' },
          { name: 'expected_out', label: 'Due out', color: 'var(--lading-chart-other-pale)', stackId: 'out' },
        ]}
        valueFormatter={(value) => moneyOf(Math.round(value * unit), currency)}
        yAxisProps={{ width: 64, tickFormatter: (value: number) => compactMoney(value, currency.iso_4217) }}
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        tickLine="none"
        gridAxis="x"
        barProps={{ isAnimationActive: false }}
        barChartProps={{ margin: chartMargin }}
      />
    </figure>
  )
}
