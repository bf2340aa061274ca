import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Currency } from '../../api/currencies.ts'
import { wordsFor } from '../../api/problem.ts'
import type { Row, Table } from './csv.ts'
import { type Choices, csvOf, type Mapped, mapRows, namesIn } from './mapping.ts'
import { findCarriers, findPayTerms, type Report, type RowResult, useCheckImport, useImport } from './queries.ts'

/** A row of the file with what would come of it, or what did. */
export type Outcome = { row: Row; status: string; problem: string | null }

export type Checked = { columns: readonly string[]; good: readonly Extract<Mapped, { cells: readonly string[] }>[]; outcomes: readonly Outcome[] }

export type Finished = Omit<Report['counts'], 'failed'> & { failed: readonly Outcome[] }

/** First everything is checked, by the server too, and nothing is kept; then the rows that are right are imported. */
export function useImportSteps(table: Table, choices: Choices, currencies: readonly Currency[]) {
  const [done, setDone] = useState<Finished | null>(null)
  const dryRun = useCheckImport()
  const importing = useImport()
  const checking = useMutation({
    mutationFn: async (): Promise<Checked> => {
      const carrierNames = namesIn(table, choices, 'carrier name')
      const [carriers, payTerms] = await Promise.all([
        findCarriers(carrierNames),
        namesIn(table, choices, 'pay term name').length > 0 ? findPayTerms() : new Map<string, string>(),
      ])
      const { columns, mapped } = mapRows(table, choices, { currencies, carriers, payTerms })
      const readable = mapped.filter((row) => 'cells' in row)
      const { results } = readable.length > 0 ? await dryRun.mutateAsync(csvOf(columns, readable)) : { results: [] }
      const good = readable.filter((_, index) => results[index]?.status !== 'failed')
      const checked = new Map(readable.map((row, index) => [row.row, outcomeOf(row.row, results[index])]))
      return {
        columns,
        good,
        outcomes: mapped.map((row) => checked.get(row.row) ?? { row: row.row, status: 'failed', problem: 'problem' in row ? row.problem : null }),
      }
    },
  })
  const run = async ({ columns, good, outcomes }: Checked) => {
    const { counts, results } = await importing.mutateAsync(csvOf(columns, good))
    const refused = good.map(({ row }, index) => outcomeOf(row, results[index])).filter(({ status }) => status === 'failed')
    const failed = [...outcomes.filter(({ status }) => status === 'failed'), ...refused].toSorted((a, b) => a.row.line - b.row.line)
    setDone({ ...counts, failed })
  }
  return {
    done,
    checked: checking.data,
    isChecking: checking.isPending,
    isImporting: importing.isPending,
    error: importing.error ?? checking.error,
    check: () => checking.mutate(),
    run: (checked: Checked) => void run(checked).catch(() => {}),
    reset: () => {
      checking.reset()
      importing.reset()
    },
  }
}

function outcomeOf(row: Row, result: RowResult | undefined): Outcome {
  const { status = 'failed', error } = result ?? {}
  const words = error?.details.map(({ message }) => message).join(' ') || error?.error_message
  return { row, status, problem: status === 'failed' ? (words ?? wordsFor(null)) : null }
}
