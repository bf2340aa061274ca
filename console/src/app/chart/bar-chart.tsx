import { Tooltip } from '@mantine/core'
import styles from './bar-chart.module.css'
import { piled, ticksFor } from './scale.ts'

/** What of a bar has one color. Series of one stack stand on each other. */
export type Series = { label: string; color: string; stack: string }
export type Bar = { label: string; values: readonly number[] }

type BarChartProps = {
  label: string
  height: number
  series: readonly Series[]
  /** The values of each are in the order of the series. */
  bars: readonly Bar[]
  valueText: (value: number) => string
  tickText: (value: number) => string
}

/** Bars over their names. It is a picture of figures that stand in a table near it, so readers of screens get its name alone. */
export function BarChart({ label, height, series, bars, valueText, tickText }: BarChartProps) {
  const stacks = [...new Set(series.map(({ stack }) => stack))].map((stack) => {
    const members = series.flatMap((one, index) => (one.stack === stack ? [{ ...one, index }] : []))
    return { stack, members }
  })
  const pilesOf = ({ values }: Bar) =>
    stacks.map(({ stack, members }) => {
      const piles = piled(members.map(({ index }) => values[index] ?? 0))
      return { stack, parts: members.map(({ color }, n) => ({ color, ...(piles[n] as { from: number; to: number }) })) }
    })
  const ticks = ticksFor(bars.flatMap((bar) => pilesOf(bar).flatMap(({ parts }) => parts.map(({ to }) => to))))
  const [low, high] = [ticks[0] as number, ticks.at(-1) as number]
  const shareOf = (value: number) => `${(value / (high - low)) * 100}%`
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.plot} style={{ height }} aria-hidden>
        {ticks.map((tick) => (
          <div key={tick} className={styles.tick} style={{ bottom: shareOf(tick - low) }}>
            <span>{tickText(tick)}</span>
          </div>
        ))}
        <div className={styles.bars}>
          {bars.map((bar) => (
            <Tooltip key={bar.label} label={<Values bar={bar} series={series} valueText={valueText} />}>
              <div className={styles.bar}>
                {pilesOf(bar).map(({ stack, parts }) => (
                  <div key={stack} className={styles.stack}>
                    {parts.map(({ color, from, to }) => (
                      <div
                        key={color}
                        style={{
                          background: color,
                          bottom: shareOf(Math.min(from, to) - low),
                          height: shareOf(Math.abs(to - from)),
                        }}
                      />
                    ))}
                  </div>
                ))}
              </div>
            </Tooltip>
          ))}
        </div>
      </div>
      <div className={bars.length > 8 ? `${styles.names} ${styles.many}` : styles.names} aria-hidden>
        {bars.map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      {series.length > 1 && (
        <div className={styles.legend} aria-hidden>
          {series.map(({ label, color }) => (
            <span key={label}>
              <i style={{ background: color }} />
              {label}
            </span>
          ))}
        </div>
      )}
    </figure>
  )
}

function Values({ bar, series, valueText }: { bar: Bar } & Pick<BarChartProps, 'series' | 'valueText'>) {
  return (
    <>
      <b>{bar.label}</b>
      {series.map(({ label }, index) => (
        <div key={label}>
          {label}: {valueText(bar.values[index] ?? 0)}
        </div>
      ))}
    </>
  )
}
