import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { useCurrency } from '../../app/api/currencies.ts'
import { moneyOf } from '../../app/values/money.ts'
import { buckets, shortLabels } from './buckets.ts'
import type { Sums } from './queries.ts'

type AgingChartProps = { sums: Sums; currencyId: string; label: string; height?: number }

/** What is open in one currency, by how long ago it was due. The table below says the same in figures. */
export function AgingChart({ sums, currencyId, label, height = 180 }: AgingChartProps) {
  const currency = useCurrency(currencyId)
  if (!currency) return null
  const data = buckets.map((bucket) => ({
    bucket: shortLabels[bucket],
    amount: Number(sums[bucket]) / 10 ** currency.minor_units,
  }))
  return (
    <figure style={{ margin: 0, minWidth: 0, overflow: 'hidden' }} aria-label={label}>
      <BarChart
        h={height}
        data={data}
        dataKey="bucket"
        series={[{ name: 'amount', label: 'Open', color: 'var(--lading-chart)' }]}
        valueFormatter={(value) => moneyOf(Math.round(value * 10 ** currency.minor_units), currency)}
        yAxisProps={{ width: 64, tickFormatter: (value: number) => compactMoney(value, currency.iso_4217) }}
        withLegend={false}
        tickLine="none"
        gridAxis="x"
        barProps={{ isAnimationActive: false, radius: 3 }}
        barChartProps={{ margin: chartMargin }}
      />
    </figure>
  )
}

/** Room for the upper half of the highest label: without, it is moved away from its line, and the line below is left out. */
export const chartMargin = { top: 10 }

/** Short enough for an axis: $12K. */
export function compactMoney(value: number, currency: string): string {
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(value)
}
