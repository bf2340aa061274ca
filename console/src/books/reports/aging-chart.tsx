import { useCurrency } from '../../app/api/currencies.ts'
import { BarChart } from '../../app/chart/bar-chart.tsx'
import { moneyOf } from '../../app/values/money.ts'
import { buckets, shortLabels } from './buckets.ts'
import type { Sums } from './queries.ts'

const series = [{ label: 'Open', color: 'var(--lading-chart)', stack: 'open' }]

/** What is open in one currency, by how long ago it was due. The table below says the same in figures. */
export function AgingChart({ sums, currencyId, label }: { sums: Sums; currencyId: string; label: string }) {
  const currency = useCurrency(currencyId)
  if (!currency) return null
  const unit = 10 ** currency.minor_units
  return (
    <BarChart
      label={label}
      height={150}
      series={series}
      bars={buckets.map((bucket) => ({ label: shortLabels[bucket], values: [Number(sums[bucket]) / unit] }))}
      valueText={(value) => moneyOf(Math.round(value * unit), currency)}
      tickText={(value) => compactMoney(value, currency.iso_4217)}
    />
  )
}

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
