import type { Tally } from '../platform/db/counts/tallies.ts'
import { credits } from './credits/kind.ts'
import type { Kind } from './documents/model/kind/kind.ts'
import { tallies } from './documents/search/tallies-sql.ts'
import { invoices } from './invoices/kind.ts'
import { bills } from './settling/bills.ts'

/** Every kind of document. A new one is a folder with its description, a migration, and a line here. */
export const documentKinds: readonly Kind[] = [bills, invoices, credits]

/** The counts that searches of documents answer their totals from. */
export const documentTallies: readonly Tally[] = documentKinds.flatMap((kind) => Object.values(tallies(kind)))

export function findDocumentTally(name: string): Tally | undefined {
  return documentTallies.find((tally) => tally.name === name)
}
