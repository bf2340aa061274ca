import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Currency } from '../../../app/api/currencies.ts'
import { wordsFor } from '../../../app/api/problem.ts'
import { transfersPath } from '../../../app/transfers/paths.ts'
import { useStartImport } from '../../../app/transfers/queries.ts'
import type { DocumentKind } from '../kind.ts'
import type { Row, Table } from './csv.ts'
import { type Choices, csvOf, inWordsOfFile, type MappedRow, mapRows, namesIn } from './mapping.ts'
import { findNames, type Report, type RowResult, useCheckImport, useImport } from './queries.ts'
import { type NameReading, targetsOf } from './targets.ts'

/** The documents, and the lines of the file before it, that a row is probably the same as. */
export type LikelyDuplicates = { ids: readonly string[]; lines: readonly number[] }

/** A row of the file with what would come of it, or what did. */
export type Outcome = { row: Row; status: string; problems: readonly string[]; alike: LikelyDuplicates | null }

export type CheckedRows = { columns: readonly string[]; good: readonly MappedRow[]; outcomes: readonly Outcome[] }

export type ImportResult = Omit<Report['counts'], 'failed'> & { failed: readonly Outcome[] }

/** A file of more rows is imported in the background. */
const mostRows = 2000

const nameReadings: readonly NameReading[] = ['carrier name', 'customer name', 'pay term name']

/**
 * First everything is checked, by the server too, and nothing is kept; then the rows that are right are imported. Of a large file the server checks each
 * row when it imports it, in the background.
 */
export function useImportSteps(kind: DocumentKind, table: Table, choices: Choices, currencies: readonly Currency[]) {
  const targets = targetsOf(kind)
  const [done, setDone] = useState<ImportResult | null>(null)
  const dryRun = useCheckImport(kind)
  const importing = useImport(kind)
  const starting = useStartImport(kind.resource)
  const navigate = useNavigate()
  const inWords = (message: string, column: string | null) => inWordsOfFile(message, column, table, choices, targets)
  const isLarge = table.rows.length > mostRows
  const checking = useMutation({
    mutationFn: async (): Promise<CheckedRows> => {
      const found = nameReadings.map(
        async (reading) => [reading, await findNames(reading, namesIn(table, choices, reading, targets))] as const,
      )
      const names = Object.fromEntries(await Promise.all(found))
      const { columns, mapped } = mapRows(table, choices, { currencies, names }, targets)
      // Rows that cannot be read whole are checked too, so that everything that is wrong with them is said at once.
      const sent = mapped.filter(({ cells }) => cells.some(Boolean))
      const { results } = isLarge
        ? { results: sent.map((): RowResult => ({ line: 0, status: 'ready', id: null })) }
        : sent.length > 0
          ? await dryRun.mutateAsync(csvOf(columns, sent))
          : { results: [] }
      const resultOf = new Map(sent.map((row, index) => [row, inLinesOfFile(results[index], results, sent)]))
      const outcomes = mapped.map((row) => outcomeOf(row, resultOf.get(row) ?? nothingToImport, inWords))
      return { columns, good: mapped.filter((_, index) => outcomes[index]?.status !== 'failed'), outcomes }
    },
  })
  const run = async ({ columns, good, outcomes }: CheckedRows) => {
    if (isLarge) {
      await starting.mutateAsync(csvOf(columns, good))
      return navigate({ to: transfersPath })
    }
    const { counts, results } = await importing.mutateAsync(csvOf(columns, good))
    const refused = good
      .map((row, index) => outcomeOf(row, results[index], inWords))
      .filter(({ status }) => status === 'failed')
    const failed = [...outcomes.filter(({ status }) => status === 'failed'), ...refused].toSorted(
      (a, b) => a.row.line - b.row.line,
    )
    setDone({ ...counts, failed })
  }
  return {
    done,
    checked: checking.data,
    isChecking: checking.isPending,
    isImporting: importing.isPending || starting.isPending,
    error: importing.error ?? starting.error ?? checking.error,
    check: () => checking.mutate(),
    run: (checked: CheckedRows) => void run(checked).catch(() => {}),
    reset: () => {
      checking.reset()
      importing.reset()
      starting.reset()
    },
  }
}

/** The server counts the lines of what was sent to it, which are others than those of the file. */
function inLinesOfFile(
  result: RowResult | undefined,
  results: readonly RowResult[],
  sent: readonly MappedRow[],
): RowResult | undefined {
  if (!result?.possible_duplicate_rows) return result
  const lines = result.possible_duplicate_rows.flatMap(
    (line) => sent[results.findIndex((other) => other.line === line)]?.row.line ?? [],
  )
  return { ...result, possible_duplicate_rows: lines }
}

const nothingToImport: RowResult = {
  line: 0,
  status: 'failed',
  id: null,
  error: { error_message: 'The row has no value in any column that is imported.', details: [] },
}

function outcomeOf(
  { row, faults }: MappedRow,
  result: RowResult | undefined,
  inWords: (message: string, column: string | null) => string,
): Outcome {
  const { status = 'failed', error, possible_duplicates: ids = [], possible_duplicate_rows: lines = [] } = result ?? {}
  const isFailed = status === 'failed' || faults.length > 0
  // Of a cell that could not be read, what the server says of the empty one is not true.
  const unread = new Set(faults.map(({ column }) => column))
  const details = error?.details.filter(({ field }) => !unread.has(field)) ?? []
  const said = [
    ...faults.map(({ message }) => message),
    ...details.map(({ field, message }) => inWords(message, field)),
    ...(error && error.details.length === 0 ? [inWords(error.error_message, null)] : []),
  ]
  const problems = isFailed ? [...new Set(said.length > 0 ? said : [wordsFor(null)])] : []
  return {
    row,
    status: isFailed ? 'failed' : status,
    problems,
    alike: ids.length + lines.length > 0 ? { ids, lines } : null,
  }
}
