import type { Context } from '../../context.ts'
import type { Bytes, CsvRecord } from '../../core/csv.ts'
import { type Header, readTable, type TableRow } from '../../core/csv-table.ts'
import { conflict, Refusal } from '../../core/refusal.ts'
import { failed, mostRows, type Outcome } from '../../core/rows.ts'
import { upsertDocuments } from './bulk.ts'
import { asColumns, importedColumns, rowOf } from './columns.ts'
import type { Kind } from './model/kind.ts'
import type { Document } from './model/standard-fields.ts'

export type Reported = CsvRecord & { outcome: Outcome }

/** The table of a file: its header at once, and its rows when they are asked for. */
export function readRows(kind: Kind, chunks: Bytes): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  return readTable(chunks, importedColumns(kind))
}

/**
 * Creates or updates a document for each row, as a bulk request does, 500 at a time. Each batch is a transaction of its own, so an import that was
 * stopped can be run again. A dry run does everything but keep it.
 */
export async function* importDocuments<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  rows: AsyncIterable<TableRow>,
  { dryRun }: { dryRun: boolean },
): AsyncGenerator<Reported[]> {
  const lines = new Map<string, number>()
  for await (const batch of batchesOf(rows)) {
    const sent = batch.map((row) => ('refusal' in row ? row.refusal : onlyOnce(kind, row, lines)))
    const { outcomes } = await upsertDocuments(ctx, kind, sent, { mode: 'best_effort', dryRun })
    yield batch.map(({ line, cells }, index) => ({ line, cells, outcome: inColumns(kind, outcomes[index] as Outcome) }))
  }
}

async function* batchesOf(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length === mostRows) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** Over the whole file, however many batches it is. */
function onlyOnce(kind: Kind, { line, values }: { line: number; values: Record<string, unknown> }, lines: Map<string, number>): unknown {
  const keys = ['external_id', 'id'].filter((name) => typeof values[name] === 'string').map((name) => `${name} ${values[name]}`)
  const before = keys.map((key) => lines.get(key)).find((other) => other !== undefined)
  if (before !== undefined) {
    const message = `Line ${before} of the file is about the same ${kind.noun}. Have each ${kind.noun} once.`
    return conflict('duplicate_row', message, [{ field: keys[0]?.split(' ')[0] as string, code: 'duplicate_row', message }])
  }
  for (const key of keys) lines.set(key, line)
  return rowOf(kind, values)
}

function inColumns(kind: Kind, outcome: Outcome): Outcome {
  const { refusal } = outcome
  return refusal
    ? { ...failed(new Refusal(refusal.kind, refusal.code, refusal.message, { details: asColumns(kind, refusal.details) })), ...namesOf(outcome) }
    : outcome
}

function namesOf({ id, external_id, revision }: Outcome): Pick<Outcome, 'id' | 'external_id' | 'revision'> {
  return { id, external_id, revision }
}
