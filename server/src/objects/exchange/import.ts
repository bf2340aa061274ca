import type { Context } from '../../context.ts'
import type { Bytes, CsvRecord } from '../../core/csv.ts'
import { type Header, readTable, type TableRow } from '../../core/csv-table.ts'
import { conflict } from '../../core/refusal.ts'
import { mostRows } from '../../core/rows.ts'
import { type Outcome, writeObjects } from '../bulk/actions.ts'
import { findDefinition, unknownKind } from '../definitions/read.ts'
import type { Fields } from '../model/apply.ts'
import { fieldsFrom, importedOf } from './columns.ts'

export type Reported = CsvRecord & { outcome: Outcome }

/** The table of a file: its header at once, and its rows when they are asked for. */
export async function readObjects(ctx: Context, objectKey: string, chunks: Bytes): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  const definition = await findDefinition(ctx, objectKey)
  if (!definition) throw unknownKind(objectKey)
  return readTable(chunks, importedOf(definition))
}

export type ImportOptions = { objectKey: string; dryRun: boolean; permit?: (objectKey: string) => void }

/**
 * Creates or changes an object for each row, as a bulk request does, so many at a time. Each lot is kept on its own: what is in stays in, and running
 * the file again finds it there. A dry run does everything but keep it.
 */
export async function* importObjects(ctx: Context, rows: AsyncIterable<TableRow>, { objectKey, dryRun, permit }: ImportOptions): AsyncGenerator<Reported[]> {
  const lines = new Map<string, number>()
  for await (const lot of lotsOf(rows)) {
    const sent = lot.map((row) => ('refusal' in row ? row.refusal : rowOf(row, objectKey, lines)))
    const { outcomes } = await writeObjects(ctx, sent, {
      mode: 'best_effort',
      dryRun,
      source: 'import',
      foreignIds: true,
      // A column is called as the path of its field is.
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

/** Over the whole file, however many lots it comes in, each object once. */
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
