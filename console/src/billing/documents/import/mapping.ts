import { type Currency, readAmount } from '../../../parts/money.ts'
import { type Row, type Table, writeCsv } from './csv.ts'
import type { NameReading, Target } from './targets.ts'

export type Choices = {
  /** For each column of the file the key of its target, or null for a column that is not imported. */
  targets: readonly (string | null)[]
  /** For rows that name no currency. */
  currency: string | null
  /** Whether amounts are written as people write them, or as whole numbers of the minor unit, as in an export. */
  amounts: 'written' | 'minor units'
}

/** What names in the file mean: ids by the name in lower case. */
export type Known = {
  currencies: readonly (Currency & { id: string })[]
  names: Partial<Record<NameReading, ReadonlyMap<string, string>>>
}

/** A row as the API takes it, or what is wrong with it. */
export type Mapped = { row: Row; cells: readonly string[] } | { row: Row; problem: string }

/** The columns to send, and every row in them. */
export function mapRows({ rows }: Table, choices: Choices, known: Known, targets: readonly Target[]): { columns: readonly string[]; mapped: Mapped[] } {
  const chosen = choices.targets.flatMap((key, index) => {
    const target = targets.find((one) => one.key === key)
    return target ? [{ index, target }] : []
  })
  const fromFile = chosen.map(({ target }) => target.column)
  const columns = choices.currency && !fromFile.includes('currency_id') ? [...fromFile, 'currency_id'] : fromFile
  const mapped = rows.map((row): Mapped => {
    const cellOf = (index: number) => row.cells[index]?.trim() ?? ''
    const written = chosen.find(({ target }) => target.column === 'currency_id')
    const currency = (written && cellOf(written.index).toLowerCase()) || choices.currency || ''
    const problems: string[] = []
    const cells = chosen.map(({ index, target }) => {
      const read = readCell(cellOf(index), target, currency, choices, known)
      if ('problem' in read) problems.push(`${target.label}: ${read.problem}`)
      return 'cell' in read ? read.cell : ''
    })
    if (problems.length > 0) return { row, problem: problems.join(' ') }
    return { row, cells: columns.length > fromFile.length ? [...cells, currency] : cells }
  })
  return { columns, mapped }
}

export function csvOf(columns: readonly string[], rows: readonly { cells: readonly string[] }[]): string {
  return writeCsv([columns, ...rows.map(({ cells }) => cells)])
}

/** The names in a column of the file, each once, for looking them up. */
export function namesIn({ rows }: Table, choices: Choices, reading: NameReading, targets: readonly Target[]): string[] {
  const keys = targets.filter((target) => target.reading === reading).map(({ key }) => key)
  const index = choices.targets.findIndex((key) => key !== null && keys.includes(key))
  return index < 0 ? [] : [...new Set(rows.map(({ cells }) => cells[index]?.trim() ?? '').filter(Boolean))]
}

type Read = { cell: string } | { problem: string }

function readCell(text: string, { reading }: Target, currency: string, { amounts }: Choices, known: Known): Read {
  if (reading === 'currency') return { cell: currency }
  if (text === '' || reading === 'text') return { cell: text }
  if (reading !== 'amount') return found(known.names[reading], text, reading.replace(' name', ''))
  if (amounts === 'minor units') return { cell: text }
  const kept = known.currencies.find(({ id }) => id === currency)
  if (!kept) return { problem: currency ? `There is no currency "${currency}".` : 'The row has no currency, which an amount needs.' }
  const read = readAmount(text, kept)
  return 'amount' in read ? { cell: String(read.amount) } : { problem: `"${text}" cannot be read. ${read.problem}` }
}

function found(ids: ReadonlyMap<string, string> | undefined, name: string, what: string): Read {
  const id = ids?.get(name.toLowerCase())
  return id ? { cell: id } : { problem: `No ${what} is called "${name}".` }
}
