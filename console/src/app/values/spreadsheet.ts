/** What spreadsheets take for the beginning of a formula, at the beginning of a cell, and behind what begins a cell for those that split at semicolons. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const innerFormula = /[;\r\n](?=["']*[=+\-@\t＝＋－＠])/g
const number = /^[+-]?\d[\d.,]*$/

/** A CSV file that people open in a spreadsheet: with the mark by which it knows UTF-8, and without anything that it would calculate. */
export function spreadsheetOf(records: readonly (readonly string[])[]): string {
  return `\uFEFF${writeCsv(records.map((cells) => cells.map(escapeFormula)))}`
}

export function fileOf(text: string): Blob {
  return new Blob([text], { type: 'text/csv;charset=utf-8' })
}

export function writeCsv(records: readonly (readonly string[])[]): string {
  return records
    .map(
      (cells) =>
        `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`,
    )
    .join('')
}

/** What a spreadsheet would take for a formula gets an apostrophe, which an import takes away again. Numbers stay. */
export function escapeFormula(cell: string): string {
  if (number.test(cell)) return cell
  return (formula.test(cell) ? `'${cell}` : cell).replace(innerFormula, "$&'")
}
