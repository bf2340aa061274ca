import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './table.ts'

/** What a row came to when figures were last kept, for whoever measures after a change. */
export type KeptFigure = { ratio: number; node_us: number | null; postgres_us: number | null; measured_on: string }

const file = fileURLToPath(new URL('figures.json', import.meta.url))

export function readKept(): Record<string, KeptFigure> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Rows that were not measured keep what they had. */
export function keep(outcomes: readonly Outcome[]): void {
  const measured_on = new Date().toISOString().slice(0, 10)
  const figures = Object.fromEntries(
    outcomes.map(({ row, ratio, cpu }): [string, KeptFigure] => [
      row,
      {
        ratio: Number(ratio.median.toFixed(2)),
        node_us: cpu && Math.round(cpu.node),
        postgres_us: cpu && Math.round(cpu.postgres),
        measured_on,
      },
    ]),
  )
  writeFileSync(file, `${JSON.stringify({ ...readKept(), ...figures }, null, 2)}\n`)
}
