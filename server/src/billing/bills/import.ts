import type { Context } from '../../context.ts'
import type { Bytes, CsvRecord } from '../../core/csv.ts'
import { type Header, readTable, type TableRow } from '../../core/csv-table.ts'
import { conflict, Refusal } from '../../core/refusal.ts'
import { failed, mostRows, type Outcome } from '../../core/rows.ts'
import { upsertBills } from './bulk.ts'
import { asColumns, imported, rowOf } from './columns.ts'

export type Reported = CsvRecord & { outcome: Outcome }

/** The table of a file: its header at once, and its rows when they are asked for. */
export function readBills(chunks: Bytes): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  return readTable(chunks, imported)
}

/**
 * Creates or updates a bill for each row, as a bulk request does, so many at a time. Each lot is kept on its own: what is in stays in, and running
 * the file again finds it there. A dry run does everything but keep it.
 */
export async function* importBills(ctx: Context, rows: AsyncIterable<TableRow>, { dryRun }: { dryRun: boolean }): AsyncGenerator<Reported[]> {
  const lines = new Map<string, number>()
  for await (const lot of lotsOf(rows)) {
    const sent = lot.map((row) => ('refusal' in row ? row.refusal : onlyOnce(row, lines)))
    const { outcomes } = await upsertBills(ctx, sent, { mode: 'best_effort', dryRun })
    yield lot.map(({ line, cells }, index) => ({ line, cells, outcome: inColumns(outcomes[index] as Outcome) }))
  }
}

async function* lotsOf(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow[]> {
  let lot: TableRow[] = []
  for await (const row of rows) {
    lot.push(row)
    if (lot.length === mostRows) {
      yield lot
      lot = []
    }
  }
  if (lot.length > 0) yield lot
}

/** Over the whole file, however many lots it comes in. */
function onlyOnce({ line, values }: { line: number; values: Record<string, unknown> }, lines: Map<string, number>): unknown {
  const keys = ['external_id', 'id'].filter((name) => typeof values[name] === 'string').map((name) => `${name} ${values[name]}`)
  const before = keys.map((key) => lines.get(key)).find((other) => other !== undefined)
  if (before !== undefined) {
    const message = `Line ${before} of the file is about the same bill. Have each bill once.`
    return conflict('duplicate_row', message, [{ field: keys[0]?.split(' ')[0] as string, code: 'duplicate_row', message }])
  }
  for (const key of keys) lines.set(key, line)
  return rowOf(values)
}

function inColumns(outcome: Outcome): Outcome {
  const { refusal } = outcome
  return refusal
    ? { ...failed(new Refusal(refusal.kind, refusal.code, refusal.message, { details: asColumns(refusal.details) })), ...namesOf(outcome) }
    : outcome
}

function namesOf({ id, external_id, revision }: Outcome): Pick<Outcome, 'id' | 'external_id' | 'revision'> {
  return { id, external_id, revision }
}
