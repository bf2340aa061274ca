import { type Currency, readAmount } from '../../../app/values/money.ts'
import { writeCsv } from '../../../app/values/spreadsheet.ts'
import type { Row, Table } from './csv.ts'
import { type DayOrder, type FoundOrder, orderIn, readDate } from './dates.ts'
import type { NameReading, Target } from './targets.ts'

export type Choices = {
  /** For each column of the file the key of its target, or null for a column that is not imported. */
  targets: readonly (string | null)[]
  /** For each column of the file, whether the day or the month comes first in its dates; null where that is not known. */
  orders: readonly (DayOrder | null)[]
  /** For rows that name no currency. */
  currency: string | null
  /** Whether amounts are written as people write them, or as whole numbers of the minor unit, as in an export. */
  amounts: 'written' | 'minor units'
}

/** Ids by the name in lower case; null where several are called so, because none of them is meant more than the others. */
export type IdsByName = ReadonlyMap<string, string | null>

export type NamedRecord = { id: string; name: string }

export function byName(named: readonly NamedRecord[]): IdsByName {
  const ids = new Map<string, string | null>()
  for (const { id, name } of named) ids.set(name.toLowerCase(), ids.has(name.toLowerCase()) ? null : id)
  return ids
}

/** The currencies, and what names in the file mean. */
export type ImportNames = {
  currencies: readonly (Currency & { id: string })[]
  names: Partial<Record<NameReading, IdsByName>>
}

/** What is wrong with a row, at the column of the API where it is about one. */
export type Fault = { column: string | null; message: string }

/** A row as the API takes it, and what of it cannot be read: such a cell is empty. */
export type MappedRow = { row: Row; cells: readonly string[]; faults: readonly Fault[] }

type Chosen = { index: number; target: Target }

/** The columns to send, and every row in them. */
export function mapRows(
  table: Table,
  choices: Choices,
  known: ImportNames,
  targets: readonly Target[],
): { columns: readonly string[]; mapped: MappedRow[] } {
  const chosen = chosenIn(choices, targets)
  const fromFile = chosen.map(({ target }) => target.column)
  const columns = choices.currency && !fromFile.includes('currency_id') ? [...fromFile, 'currency_id'] : fromFile
  const mapped = table.rows.map((row): MappedRow => {
    const cellOf = (index: number) => row.cells[index]?.trim() ?? ''
    const written = chosen.find(({ target }) => target.column === 'currency_id')
    const currency = (written && cellOf(written.index).toLowerCase()) || choices.currency || ''
    const faults: Fault[] = []
    const cells = chosen.map(({ index, target }) => {
      const read = readCell(cellOf(index), target, { currency, order: choices.orders[index] ?? null }, choices, known)
      if ('problem' in read) faults.push({ column: target.column, message: `${table.header[index]}: ${read.problem}` })
      return 'cell' in read ? read.cell : ''
    })
    return { row, cells: columns.length > fromFile.length ? [...cells, currency] : cells, faults }
  })
  return { columns, mapped }
}

function chosenIn({ targets: keys }: Choices, targets: readonly Target[]): Chosen[] {
  return keys.flatMap((key, index) => {
    const target = targets.find((one) => one.key === key)
    return target ? [{ index, target }] : []
  })
}

/** What the API says of a column, in the words of the file: its own name for the column, and not the API's. */
export function inWordsOfFile(
  message: string,
  column: string | null,
  table: Table,
  choices: Choices,
  targets: readonly Target[],
): string {
  const nameOf = (of: string) => {
    const chosen = chosenIn(choices, targets).find(({ target }) => target.column === of)
    return chosen ? table.header[chosen.index] : targets.find((target) => target.column === of)?.label
  }
  // The API also names a column in quotation marks within its sentence.
  const said = message.replace(/"(\w+)"/g, (quoted, name) => (nameOf(name) ? `"${nameOf(name)}"` : quoted))
  const label = column && nameOf(column)
  return label && !said.includes(`"${label}"`) ? `${label}: ${said}` : said
}

/** For each column of the file what its dates say about their order; null for columns that are no dates. */
export function ordersIn(
  { header, rows }: Table,
  chosen: Choices['targets'],
  targets: readonly Target[],
): FoundOrder[] {
  return header.map((_, index) => {
    const isDate = targets.some(({ key, reading }) => key === chosen[index] && reading === 'date')
    return isDate ? orderIn(rows.map(({ cells }) => cells[index] ?? '')) : null
  })
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

type OfRow = { currency: string; order: DayOrder | null }

function readCell(
  text: string,
  { reading }: Target,
  { currency, order }: OfRow,
  { amounts }: Choices,
  known: ImportNames,
): Read {
  if (reading === 'currency') return { cell: currency }
  if (text === '' || reading === 'text') return { cell: text }
  if (reading === 'date') return readDate(text, order)
  if (reading === 'yes or no') return yesOrNo(text)
  if (reading !== 'amount') return found(known.names[reading], text, reading.replace(' name', ''))
  if (amounts === 'minor units') return { cell: text }
  const kept = known.currencies.find(({ id }) => id === currency)
  if (!kept)
    return {
      problem: currency ? `There is no currency "${currency}".` : 'The row has no currency, which an amount needs.',
    }
  const read = readAmount(text, kept)
  return 'amount' in read ? { cell: String(read.amount) } : { problem: `"${text}" cannot be read. ${read.problem}` }
}

function yesOrNo(text: string): Read {
  if (/^(?:yes|y|true|1|x)$/i.test(text)) return { cell: 'true' }
  return /^(?:no|n|false|0)$/i.test(text) ? { cell: 'false' } : { problem: `"${text}" is neither yes nor no.` }
}

function found(ids: IdsByName | undefined, name: string, what: string): Read {
  const id = ids?.get(name.toLowerCase())
  if (id === null)
    return {
      problem: `Several ${what}s are called "${name}". Name the one that is meant by its id, in a column of its own.`,
    }
  return id ? { cell: id } : { problem: `No ${what} is called "${name}".` }
}
