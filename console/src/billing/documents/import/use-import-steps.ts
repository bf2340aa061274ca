import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Currency } from '../../../api/currencies.ts'
import { wordsFor } from '../../../api/problem.ts'
import { useStartImport } from '../../../transfers/queries.ts'
import { transfersPath } from '../../../transfers/routes.ts'
import type { DocumentKind } from '../kind.ts'
import type { Row, Table } from './csv.ts'
import { type Choices, csvOf, type Mapped, mapRows, namesIn } from './mapping.ts'
import { findNames, type Report, type RowResult, useCheckImport, useImport } from './queries.ts'
import { type NameReading, targetsOf } from './targets.ts'

/** A row of the file with what would come of it, or what did. */
export type Outcome = { row: Row; status: string; problem: string | null }

export type Checked = { columns: readonly string[]; good: readonly Extract<Mapped, { cells: readonly string[] }>[]; outcomes: readonly Outcome[] }

export type Finished = Omit<Report['counts'], 'failed'> & { failed: readonly Outcome[] }

/** A file of more rows is imported in the background. */
const mostRows = 2000

const nameReadings: readonly NameReading[] = ['carrier name', 'customer name', 'pay term name']

/**
 * First everything is checked, by the server too, and nothing is kept; then the rows that are right are imported. Of a large file the server checks each
 * row when it imports it, in the background.
 */
export function useImportSteps(kind: DocumentKind, table: Table, choices: Choices, currencies: readonly Currency[]) {
  const targets = targetsOf(kind)
  const [done, setDone] = useState<Finished | null>(null)
  const dryRun = useCheckImport(kind)
  const importing = useImport(kind)
  const starting = useStartImport(kind.resource)
  const navigate = useNavigate()
  const isLarge = table.rows.length > mostRows
  const checking = useMutation({
    mutationFn: async (): Promise<Checked> => {
      const found = nameReadings.map(async (reading) => [reading, await findNames(reading, namesIn(table, choices, reading, targets))] as const)
      const names = Object.fromEntries(await Promise.all(found))
      const { columns, mapped } = mapRows(table, choices, { currencies, names }, targets)
      const readable = mapped.filter((row) => 'cells' in row)
      const { results } = isLarge
        ? { results: readable.map((): RowResult => ({ status: 'ready', id: null })) }
        : readable.length > 0
          ? await dryRun.mutateAsync(csvOf(columns, readable))
          : { results: [] }
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
    if (isLarge) {
      await starting.mutateAsync(csvOf(columns, good))
      return navigate({ to: transfersPath })
    }
    const { counts, results } = await importing.mutateAsync(csvOf(columns, good))
    const refused = good.map(({ row }, index) => outcomeOf(row, results[index])).filter(({ status }) => status === 'failed')
    const failed = [...outcomes.filter(({ status }) => status === 'failed'), ...refused].toSorted((a, b) => a.row.line - b.row.line)
    setDone({ ...counts, failed })
  }
  return {
    done,
    checked: checking.data,
    isChecking: checking.isPending,
    isImporting: importing.isPending || starting.isPending,
    error: importing.error ?? starting.error ?? checking.error,
    check: () => checking.mutate(),
    run: (checked: Checked) => void run(checked).catch(() => {}),
    reset: () => {
      checking.reset()
      importing.reset()
      starting.reset()
    },
  }
}

function outcomeOf(row: Row, result: RowResult | undefined): Outcome {
  const { status = 'failed', error } = result ?? {}
  const words = error?.details.map(({ message }) => message).join(' ') || error?.error_message
  return { row, status, problem: status === 'failed' ? (words ?? wordsFor(null)) : null }
}
