import type { Context } from '../../context.ts'
import type { Bytes, CsvRecord } from '../../core/csv.ts'
import { type Header, readTable, type TableRow } from '../../core/csv-table.ts'
import { conflict } from '../../core/refusal.ts'
import { mostRows } from '../../core/rows.ts'
import { type Outcome, writeObjects } from '../bulk/actions.ts'
import { requireDefinition } from '../definitions/read.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Fields } from '../model/object.ts'
import { fieldsFrom, importedOf } from './columns.ts'

export type Reported = CsvRecord & { outcome: Outcome }

/** The table of a file: its header at once, and its rows when they are asked for. */
export async function readObjects(ctx: Context, objectKey: string, chunks: Bytes): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  return readTable(chunks, importedOf(await requireDefinition(ctx, objectKey)))
}

export type ImportOptions = { extensions: readonly Extension[]; objectKey: string; dryRun: boolean; permit?: (objectKey: string) => void }

/**
 * Creates or changes an object for each row, in lots of as many rows as a bulk request can have. Each lot is committed on its own; running the file
 * again leaves what is there already unchanged. A dry run writes nothing.
 */
export async function* importObjects(
  ctx: Context,
  rows: AsyncIterable<TableRow>,
  { extensions, objectKey, dryRun, permit }: ImportOptions,
): AsyncGenerator<Reported[]> {
  const lines = new Map<string, number>()
  for await (const lot of lotsOf(rows)) {
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
    yield lot.map(({ line, cells }, index) => ({ line, cells, outcome: outcomes[index] as Outcome }))
  }
}

async function* lotsOf(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow[]> {
  let lot: TableRow[] = []
  for await (const row of rows) {
    lot.push(row)
    if (lot.length < mostRows) continue
    yield lot
    lot = []
  }
  if (lot.length > 0) yield lot
}

/** Refuses a second row about the same object, also where it is in another lot. */
function rowOf({ line, values }: { line: number; values: Record<string, unknown> }, objectKey: string, lines: Map<string, number>): unknown {
  const keys = ['externalId', 'id'].filter((name) => typeof values[name] === 'string')
  const before = keys.map((name) => lines.get(`${name} ${values[name]}`)).find((other) => other !== undefined)
  if (before !== undefined) {
    const message = `Line ${before} of the file is about the same object. Have each object once.`
    return conflict('duplicate_row', message, [{ field: keys[0] as string, code: 'duplicate_row', message }])
  }
  for (const name of keys) lines.set(`${name} ${values[name]}`, line)
  const { id, externalId = null, ...json } = values as Fields
  return { objectKey, id: id ?? null, externalId: externalId === '' ? null : externalId, json: { ...json, externalId } }
}
