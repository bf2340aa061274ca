export type Table = { header: readonly string[]; rows: readonly Row[] }
/** A record of the file, and the line on which it begins. */
export type Row = { line: number; cells: readonly string[] }

/** Reads a CSV file. Spreadsheets separate columns with commas, semicolons or tabs, depending on their language; the header shows which. */
export function readCsv(text: string): Table | { problem: string } {
  const content = text.replace(/^\uFEFF/, '')
  const records = recordsOf(content, separatorOf(content))
  if (!records) return { problem: 'A quotation mark in the file is never closed.' }
  const [head, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (!head) return { problem: 'The file is empty. Its first line must name the columns.' }
  if (rows.length === 0) return { problem: 'The file has a header and no rows.' }
  const header = head.cells.map((name, index) => name.trim() || `Column ${index + 1}`)
  return { header, rows }
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1)
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** Null where a quoted cell is never closed. */
function recordsOf(text: string, separator: string): Row[] | null {
  const records: Row[] = []
  let [cells, cell, quoted, line, start] = [[] as string[], '', false, 1, 1]
  const endRecord = () => {
    records.push({ line: start, cells: [...cells, cell] })
    cells = []
    cell = ''
    start = line
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string
    if (sign === '\n') line += 1
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) {
      cells.push(cell)
      cell = ''
    } else if (sign === '\n') endRecord()
    else if (sign !== '\r') cell += sign
  }
  if (quoted) return null
  if (cell !== '' || cells.length > 0) endRecord()
  return records
}
