import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { Bytes, CsvRecord } from '../../platform/core/tables/csv.ts'
import { type Header, readTable, type TableRow } from '../../platform/core/tables/csv-table.ts'
import { lotsOf } from '../../platform/core/tables/lots.ts'
import { type Outcome, writeObjects } from '../bulk/actions.ts'
import { requireDefinition } from '../definitions/read.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Fields } from '../model/object.ts'
import { fieldsFrom, importedOf } from './columns.ts'

export type ReportedRow = CsvRecord & { outcome: Outcome }

/** The table of a file: its header at once, and its rows when they are asked for. */
export async function readObjects(
  ctx: Context,
  objectKey: string,
  chunks: Bytes,
): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  return readTable(chunks, importedOf(await requireDefinition(ctx, objectKey)))
}

export type ImportOptions = {
  extensions: readonly Extension[]
  objectKey: string
  dryRun: boolean
  permit?: (objectKey: string) => void
}

/**
 * Creates or changes an object for each row, in lots. Each lot is committed on its own; running the file again leaves what is there already unchanged.
 * A dry run writes nothing.
 */
export async function* importObjects(
  ctx: Context,
  rows: AsyncIterable<TableRow>,
  options: ImportOptions,
): AsyncGenerator<ReportedRow[]> {
  const lines = new Map<string, number>()
  for await (const lot of lotsOf(rows, options)) yield await importLot(ctx, lot, lines, options)
}

/** One lot. `lines` says on which line of the file an object was named first, and is added to: that holds over all lots. */
export async function importLot(
  ctx: Context,
  lot: readonly TableRow[],
  lines: Map<string, number>,
  { extensions, objectKey, dryRun, permit }: ImportOptions,
): Promise<ReportedRow[]> {
  const sent = lot.map((row) => ('refusal' in row ? row.refusal : rowOf(row, objectKey, lines)))
  const { outcomes } = await writeObjects(ctx, sent, {
    extensions,
    mode: 'best_effort',
    dryRun,
    source: 'import',
    foreignIds: true,
    // The name of a column is the path of its field.
    naming: (path) => path,
    read: (values, definition, before) => fieldsFrom(values, definition, before?.content.json ?? null),
    ...(permit && { permit, reach: permit }),
  })
  return lot.map(({ line, cells }, index) => ({ line, cells, outcome: outcomes[index] as Outcome }))
}

/** What names the object of a row. */
export function keysOf(values: Readonly<Record<string, unknown>>): string[] {
  return ['externalId', 'id']
    .filter((name) => typeof values[name] === 'string')
    .map((name) => `${name} ${values[name]}`)
}

function rowOf(
  { line, values }: { line: number; values: Record<string, unknown> },
  objectKey: string,
  lines: Map<string, number>,
): unknown {
  const keys = keysOf(values)
  const before = keys.map((key) => lines.get(key)).find((other) => other !== undefined)
  if (before !== undefined) {
    const message = `Line ${before} of the file is about the same object. Have each object once.`
    return conflict('duplicate_row', message, [
      { field: keys[0]?.split(' ')[0] as string, code: 'duplicate_row', message },
    ])
  }
  for (const key of keys) lines.set(key, line)
  const { id, externalId = null, ...json } = values as Fields
  return { objectKey, id: id ?? null, externalId: externalId === '' ? null : externalId, json: { ...json, externalId } }
}
