import { csvFile } from './csv-file.ts'
import type { FileFormat } from './file.ts'
import { iifFile } from './iif-file.ts'
import { journalFile } from './journal-file.ts'

const formats: Record<string, FileFormat> = { csv: csvFile, iif: iifFile, journal: journalFile }

/** How the file of a connector is written; undefined for those that are online. */
export function formatOf(connector: string): FileFormat | undefined {
  return Object.hasOwn(formats, connector) ? formats[connector] : undefined
}
