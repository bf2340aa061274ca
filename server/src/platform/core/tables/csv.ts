import { setImmediate } from 'node:timers/promises'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { invalid, type Refusal } from '../refusal.ts'

/** An empty cell is null; one that is written `""` is an empty text. */
export type Cell = string | null
/** What a cell is written from. A decimal number is no text: a negative one gets no apostrophe, and its last zeros stay. */
export type CellValue = Cell | number | bigint | boolean | { decimal: string }
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
/** One record, and the line of the file on which it begins. */
export type CsvRecord = { line: number; cells: Cell[] }

/** No record that we write comes near it; a quotation mark that is never closed soon does. */
const longestRecord = 4 * 2 ** 20
/** So many bytes are read without a pause: where each is a line of its own, that takes some 40 ms. */
const atOnce = 2 * 2 ** 10

/** A table of any kind that we know has fewer: a kind of object has 200 fields, of which an address has eight columns. */
const mostColumns = 2000

/** Each takes the parser as long as a record, and none counts as a row. */
const mostEmptyLines = 10_000

/** What a spreadsheet takes for the beginning of a formula, also behind apostrophes, and in the wide forms that some of them read the same. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const escapedFormula = /^'+[=+\-@\t\r\n＝＋－＠]/
/**
 * The same within a cell. Where a comma is the decimal sign, spreadsheets split at semicolons instead: a quotation mark behind a comma means nothing to
 * them then, so a semicolon or a line break begins a new cell also within quotation marks.
 */
const innerFormula = /[;\r\n](?=["']*[=+\-@\t＝＋－＠])/g
const escapedInnerFormula = /([;\r\n])'(?=["']*[=+\-@\t＝＋－＠])/g

const writing = {
  record_delimiter: '\r\n',
  quoted_match: /[\r\n;]|^\s|\s$/,
  cast: {
    // The library's own escape_formulas does not escape texts that begin with an apostrophe already; the reader would then take theirs away.
    string: (text: string) => (text === '' ? { value: text, quoted_empty: true } : withEscape(text)),
    boolean: String,
    object: (value: object) => (value as { decimal: string }).decimal,
  },
}

/**
 * One record by RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe in front, also behind a semicolon or a line break within a
 * cell, which the reader below takes away again; numbers are numbers, so a negative one stays as it is.
 */
export function csvLine(cells: readonly CellValue[]): string {
  return stringify([cells], writing)
}

/**
 * The records of a CSV file in UTF-8, as they arrive: commas, CRLF, LF or CR, quoted line breaks, with or without a byte order mark. Empty lines are
 * passed over, up to a bound. What cannot be read any further is refused with the line on which it went wrong, after the records before it.
 */
export async function* readCsv(chunks: Bytes): AsyncGenerator<CsvRecord> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = openReader()
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += atOnce) {
      const part = chunk.subarray(from, from + atOnce)
      requireUtf8(decoder, part, reader.line)
      yield* reader.take(await reader.write(part))
      // Whoever else is served by this process has a turn in between.
      await setImmediate()
    }
  }
  requireUtf8(decoder, null, reader.line)
  yield* reader.take(await reader.end())
}

/** The parser, and what it has read. `write` and `end` return what was wrong, if anything; `take` hands out the records before it and throws it. */
function openReader() {
  let read: CsvRecord[] = []
  let line = 1
  let emptyLines = 0
  /** The byte at which the next cell begins. */
  let from = 0
  let wrong: Refusal | undefined
  const parser = parse({
    bom: true,
    relax_column_count: true,
    // For marks inside of bare cells, such as 5" pipe. It takes text behind a closing mark too, which `cast` refuses.
    relax_quotes: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: longestRecord,
    cast(value, { bytes, quoting, index }) {
      if (index >= mostColumns) wrong ??= tooManyColumns(line)
      if (quoting && isBehindClosing(value, bytes - from)) wrong ??= behindClosing(line, value)
      from = bytes + 1
      return quoting ? withoutEscape(value) : value === '' ? null : withoutEscape(value)
    },
    on_record(record: string[], { bytes }: InfoRecord) {
      const cells: Cell[] = record
      from = bytes
      const isEmpty = cells.length === 1 && cells[0] === null
      if (isEmpty && ++emptyLines > mostEmptyLines) wrong ??= tooManyEmptyLines(line)
      if (!wrong && !isEmpty) read.push({ line, cells })
      line += 1 + breaksIn(cells)
      // Nothing is left for the stream to hand out: it would lose that if it failed later.
      return null
    },
  })
  parser.on('error', () => {})
  const outcome = (send: (done: (error?: Error | null) => void) => void) =>
    new Promise<Error | undefined>((done) =>
      send((error) => done(wrong ?? (error ? refusalOf(error as CsvError, line) : undefined))),
    )
  return {
    get line() {
      return line
    },
    write: (chunk: Uint8Array) => outcome((done) => parser.write(chunk, done)),
    end: () => outcome((done) => parser.end(done)),
    *take(failure: Error | undefined): Generator<CsvRecord> {
      const records = read
      read = []
      yield* records
      if (failure) throw failure
    },
  }
}

function requireUtf8(decoder: TextDecoder, chunk: Uint8Array | null, line: number): void {
  try {
    if (chunk) decoder.decode(chunk, { stream: true })
    else decoder.decode()
  } catch {
    throw malformed(line, 'is not UTF-8. Save the file as "CSV UTF-8"')
  }
}

/** A cell that is properly quoted is longer in the file than its text by two marks and one for each mark in it. */
function isBehindClosing(value: string, length: number): boolean {
  return value.startsWith('"') && length < Buffer.byteLength(value) + 2 + (value.match(/"/g) as string[]).length
}

function behindClosing(line: number, value: string): Refusal {
  const behind = /^"[^"]*"(.)/su.exec(value)?.[1] ?? ''
  return malformed(
    line,
    `has ${JSON.stringify(behind)} behind a closing quotation mark, where only a comma or a new line can be; write a quotation mark inside a cell twice`,
  )
}

function withEscape(text: string): string {
  const cell = text.replace(innerFormula, "$&'")
  return formula.test(text) ? `'${cell}` : cell
}

function withoutEscape(cell: string): string {
  const text = cell.replace(escapedInnerFormula, '$1')
  return text.startsWith("'") && escapedFormula.test(text) ? text.slice(1) : text
}

function breaksIn(cells: readonly Cell[]): number {
  return cells.reduce((all, cell) => all + (cell?.match(/\r\n|\r|\n/g)?.length ?? 0), 0)
}

function refusalOf(error: CsvError, line: number): Error {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return malformed(line, 'begins a record with a quotation mark that is never closed')
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return malformed(
      line,
      `begins a record of more than ${longestRecord} characters; a quotation mark may not be closed`,
    )
  return error
}

function tooManyColumns(line: number): Refusal {
  return invalid(
    'header',
    'too_many_columns',
    `Line ${line} of the CSV has more than ${mostColumns} columns, and no file has so many. Leave out those that are not needed.`,
  )
}

function tooManyEmptyLines(line: number): Refusal {
  return malformed(line, `is empty, as ${mostEmptyLines} lines before it are. Leave out the empty lines`)
}

function malformed(line: number, what: string): Refusal {
  return invalid('', 'malformed_csv', `Line ${line} of the CSV ${what}.`)
}
