import { invalid, type Refusal } from './refusal.ts'

/** An empty cell is null; one that is written `""` is an empty text. */
export type Cell = string | null
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
/** One record, and the line of the file on which it begins. */
export type CsvRecord = { line: number; cells: Cell[] }

/** No cell that we write comes near it; a quotation mark that is never closed soon does. */
const longestRecord = 4 * 2 ** 20

/** What a spreadsheet takes for the beginning of a formula, also behind apostrophes, and in the wide forms that some of them read the same. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/

/**
 * One record by RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe in front, which the reader below takes away again;
 * numbers are numbers, so a negative one stays as it is.
 */
export function csvLine(cells: readonly (Cell | number | boolean)[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

function written(cell: Cell | number | boolean): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  if (cell === '') return '""'
  const text = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * The records of a CSV file in UTF-8, as they arrive: commas, CRLF or LF, quoted line breaks, with or without a byte order mark. Empty lines are
 * passed over. What cannot be read any further is refused with the line on which it went wrong.
 */
export async function* readCsv(chunks: Bytes): AsyncGenerator<CsvRecord> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const place: Place = { text: '', at: 0, line: 1 }
  for await (const chunk of chunks) {
    extend(place, decoded(decoder, chunk, place))
    yield* recordsIn(place, false)
  }
  extend(place, decoded(decoder, null, place))
  yield* recordsIn(place, true)
}

type Place = { text: string; at: number; line: number }

function extend(place: Place, more: string): void {
  place.text = place.text.slice(place.at) + more
  place.at = 0
}

function decoded(decoder: TextDecoder, chunk: Uint8Array | null, { line }: Place): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw malformed(line, 'is not UTF-8. Save the file as "CSV UTF-8"')
  }
}

/** Reads as far as whole records reach and moves the place there; a record cut off by the end of a chunk waits for the next. */
function* recordsIn(place: Place, final: boolean): Generator<CsvRecord> {
  while (place.at < place.text.length) {
    const read = recordAt(place, final)
    if (!read) {
      if (place.text.length - place.at > longestRecord)
        throw malformed(place.line, `begins a record of more than ${longestRecord} characters; a quotation mark may not be closed`)
      return
    }
    const { cells, end } = read
    const line = place.line
    place.line += breaksIn(place.text, place.at, end)
    place.at = end
    if (cells.length > 1 || cells[0] !== null) yield { line, cells: cells.map(plain) }
  }
}

function plain(cell: Cell): Cell {
  return cell?.startsWith("'") && guarded.test(cell) ? cell.slice(1) : cell
}

function recordAt({ text, at, line }: Place, final: boolean): { cells: Cell[]; end: number } | null {
  const cells: Cell[] = []
  for (let from = at; ; from += 1) {
    const cell = text[from] === '"' ? quotedAt(text, from, line, final) : bareAt(text, from, final)
    if (!cell) return null
    cells.push(cell.value)
    from = cell.end
    if (text[from] === ',') continue
    if (text[from] !== '\r') return { cells, end: Math.min(from + 1, text.length) }
    if (from + 1 === text.length && !final) return null
    return { cells, end: from + (text[from + 1] === '\n' ? 2 : 1) }
  }
}

type Read = { value: Cell; end: number } | null

function bareAt(text: string, from: number, final: boolean): Read {
  let end = from
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    if (code === 44 || code === 10 || code === 13) break
  }
  if (end === text.length && !final) return null
  return { value: end === from ? null : text.slice(from, end), end }
}

function quotedAt(text: string, from: number, line: number, final: boolean): Read {
  let close = text.indexOf('"', from + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) {
    if (final) throw malformed(line, 'begins a record with a quotation mark that is never closed')
    return null
  }
  if (close + 1 === text.length && !final) return null
  const next = text[close + 1]
  if (next !== undefined && next !== ',' && next !== '\r' && next !== '\n') {
    throw malformed(
      line,
      `has ${JSON.stringify(next)} behind a closing quotation mark, where only a comma or a new line can be; write a quotation mark inside a cell twice`,
    )
  }
  return { value: text.slice(from + 1, close).replaceAll('""', '"'), end: close + 1 }
}

function breaksIn(text: string, from: number, to: number): number {
  let breaks = 0
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) breaks += 1
  }
  return breaks
}

function malformed(line: number, what: string): Refusal {
  return invalid('', 'malformed_csv', `Line ${line} of the CSV ${what}.`)
}
