import { spreadsheetOf } from '../../../app/values/spreadsheet.ts'
import type { Row, Table } from './csv.ts'

/** The column that says why. A file that is corrected and imported again has it still, and it is no field. */
const reason = 'Why it was not imported'

/** The rows that were not imported, in the columns of the file that was chosen, each with everything that is wrong with it. */
export function failedRows(
  { header }: Pick<Table, 'header'>,
  failed: readonly { row: Row; problems: readonly string[] }[],
): string {
  const kept = header.flatMap((name, index) => (name === reason ? [] : [index]))
  const line = (cells: readonly string[], last: string) => [...kept.map((index) => cells[index] ?? ''), last]
  return spreadsheetOf([
    line(header, reason),
    ...failed.map(({ row, problems }) => line(row.cells, problems.join(' '))),
  ])
}
