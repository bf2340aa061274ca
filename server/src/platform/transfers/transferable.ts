import type { Context } from '../context.ts'
import type { Refusal } from '../core/refusal.ts'
import type { Cursor } from '../core/schema/cursors.ts'
import type { Counts } from '../core/schema/rows.ts'
import type { CsvRecord } from '../core/tables/csv.ts'
import type { Columns, TableRow } from '../core/tables/csv-table.ts'
import type { Format } from './model.ts'

/** Which records a transfer is about: the kind of the objects, where they are objects. */
export type Target = { objectKey: string | null }

/** What came of a row of a file: its result as an import answers it, and the refusal of one that failed. */
export type RowReport = CsvRecord & { status: keyof Counts; result: object; refusal?: Refusal | undefined }

export type ImportOptions = Target & {
  dryRun: boolean
  /** The scopes of the token that sent the file. */
  scopes: ReadonlySet<string>
}

export type ExportOptions = Target & {
  search: Readonly<Record<string, unknown>>
  format: Format
  /** The definition of the kind when the export was asked for, where there is one. */
  revision: number | null
}

/** The lines of some records, and the values of the last one in the order of the search, as JSON; null where nothing follows. */
export type ExportPage = { text: string; rows: number; last: string | null }

/** What the shared code of imports and exports has to know of the records that it transfers. Everything is done in the caller's transaction. */
export type TransferableKind = {
  /** `bills`: the name in answers, and in the table. */
  readonly resource: string
  columns(ctx: Context, target: Target): Promise<Columns>
  /** What names the record of a row. No two rows of a file may name the same. */
  keysOf(values: Readonly<Record<string, unknown>>): string[]
  /** Writes a lot. `lines` has the line of the file that named a record before, and gets those of this lot. */
  writeLot(
    ctx: Context,
    lot: readonly TableRow[],
    lines: Map<string, number>,
    options: ImportOptions,
  ): Promise<RowReport[]>
  /** Refuses a search that cannot be made; answers how many records it finds, and the revision of the definition that it was read with. */
  begin(ctx: Context, options: Omit<ExportOptions, 'revision'>): Promise<{ total: number; revision: number | null }>
  /** What the file begins with. */
  head(ctx: Context, options: ExportOptions): Promise<string>
  readPage(
    ctx: Context,
    options: ExportOptions,
    page: { after: Cursor | undefined; limit: number },
  ): Promise<ExportPage>
}
