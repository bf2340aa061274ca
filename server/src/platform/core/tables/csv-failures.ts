import type { Refusal } from '../refusal.ts'
import { type CsvRecord, csvLine } from './csv.ts'

/** The columns that say why a row failed. An import ignores them, so the file can be corrected and imported as it is. */
export const reasons = ['failed_line', 'failed_code', 'failed_column', 'failed_because']

/** The header of a file of rows that failed. `names` are those of the file that was imported, which may have been such a file itself. */
export function failuresHead(names: readonly string[]): string {
  return csvLine([...names.filter((name) => !reasons.includes(name)), ...reasons])
}

/** A row as it came, with the reason. */
export function failureLine(
  names: readonly string[],
  { line, cells }: CsvRecord,
  { code, message, details }: Refusal,
): string {
  const columns = details.map(({ field }) => field).join(' ')
  const own = names.flatMap((name, index) => (reasons.includes(name) ? [] : [cells[index] ?? null]))
  return csvLine([...own, line, code, columns, message])
}
