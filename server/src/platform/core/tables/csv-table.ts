import { invalid, invalidAll, quote, Refusal } from '../refusal.ts'
import { refuseInexact } from '../values/json-text.ts'
import { requireStorable } from '../values/storable.ts'
import { type Bytes, type Cell, type CsvRecord, readCsv } from './csv.ts'

export type ColumnType = 'text' | 'integer' | 'boolean' | 'json'

/** What a table may have: columns that are read, and those that are known but not the caller's to set. */
export type Columns = { read: Readonly<Record<string, ColumnType>>; ignored: readonly string[] }

/** The header: all names in order, those that are known but not read, and those that are not known. */
export type Header = { names: readonly string[]; ignored: readonly string[]; unknown: readonly string[] }

/** A row by the names of its columns, or why it cannot be one; with its cells as they came, and the line it begins on. */
export type TableRow = CsvRecord & ({ values: Record<string, unknown> } | { refusal: Refusal })

/** A CSV file whose first record names its columns. An empty cell is null; a column that is not there changes nothing. */
export async function readTable(
  chunks: Bytes,
  columns: Columns,
): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  const { header, records } = await readRecords(chunks, columns)
  return { header, rows: rowsOf(records, header, columns) }
}

/** The same with its records as they came, for whoever reads their cells later. */
export async function readRecords(
  chunks: Bytes,
  columns: Columns,
): Promise<{ header: Header; records: AsyncGenerator<CsvRecord> }> {
  const records = readCsv(chunks)
  const first = await records.next()
  if (first.done) throw badHeader('The CSV is empty. Its first line must name the columns.')
  return { header: headerOf(first.value, columns), records }
}

async function* rowsOf(records: AsyncIterable<CsvRecord>, header: Header, columns: Columns): AsyncGenerator<TableRow> {
  for await (const record of records) yield rowOfRecord(record, header, columns)
}

export function rowOfRecord({ line, cells }: CsvRecord, { names }: Pick<Header, 'names'>, { read }: Columns): TableRow {
  try {
    return { line, cells, values: valuesOf(cells, names, read) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { line, cells, refusal: error }
  }
}

function headerOf({ cells }: CsvRecord, { read, ignored }: Columns): Header {
  const names = cells.map((cell) => cell?.trim() ?? '')
  const [only = ''] = names
  if (names.length === 1 && /[;\t|]/.test(only))
    throw badHeader(`The header is one column, ${quote(only)}. Separate columns with commas.`)
  const seen = new Set<string>()
  const problems = names.flatMap((name, index) => {
    if (name === '') return [`Column ${index + 1} has no name.`]
    if (seen.has(name)) return [`The column ${quote(name)} is there twice.`]
    seen.add(name)
    return []
  })
  if (problems.length > 0)
    throw invalidAll(problems.map((message) => ({ field: 'header', code: 'bad_header', message })))
  if (!names.some((name) => Object.hasOwn(read, name))) {
    throw badHeader(
      `None of the columns is known: ${quote(names.join(', '))}. The first line must name columns such as ${Object.keys(read).slice(0, 3).join(', ')}.`,
    )
  }
  return {
    names,
    ignored: names.filter((name) => !Object.hasOwn(read, name) && ignored.includes(name)),
    unknown: names.filter((name) => !Object.hasOwn(read, name) && !ignored.includes(name)),
  }
}

function valuesOf(cells: readonly Cell[], names: readonly string[], read: Columns['read']): Record<string, unknown> {
  if (cells.length !== names.length) {
    throw new Refusal(
      'invalid',
      'wrong_number_of_cells',
      `The row has ${cells.length} cells, and the header ${names.length} columns.`,
    )
  }
  const values: Record<string, unknown> = {}
  names.forEach((name, index) => {
    if (Object.hasOwn(read, name)) values[name] = readCell(cells[index] ?? null, read[name] as ColumnType, name)
  })
  requireStorable(values)
  return values
}

/** What cannot be read stays text, for the check of the row to name. */
function readCell(cell: Cell, type: ColumnType, name: string): unknown {
  if (cell === null || type === 'text') return cell
  const text = cell.trim()
  if (type === 'integer') return /^[+-]?\d+$/.test(text) ? Number(text) : cell
  if (type === 'boolean') return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : cell
  const value = parsed(cell, name)
  refuseInexact(cell, requireStorable(value, name), name)
  return value
}

function parsed(cell: string, name: string): unknown {
  try {
    return JSON.parse(cell)
  } catch (error) {
    throw invalid(name, 'malformed_json', `"${name}" is not valid JSON: ${(error as Error).message}.`)
  }
}

function badHeader(message: string): Refusal {
  return invalid('header', 'bad_header', message)
}
