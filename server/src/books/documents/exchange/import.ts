import type { Context } from '../../../platform/context.ts'
import { conflict, Refusal } from '../../../platform/core/refusal.ts'
import { failed, type Outcome, outcomeOr } from '../../../platform/core/schema/rows.ts'
import type { Bytes, CsvRecord } from '../../../platform/core/tables/csv.ts'
import { type Header, readTable, type TableRow } from '../../../platform/core/tables/csv-table.ts'
import type { MinorUnits } from '../../../platform/core/tables/decimals.ts'
import { lotsOf } from '../../../platform/core/tables/lots.ts'
import { minorUnits } from '../../currencies/known.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { Kind } from '../model/kind/kind.ts'
import { upsertDocuments } from '../writing/bulk.ts'
import { importedColumns, renameToColumns, rowOf } from './columns.ts'

export type ReportedRow = CsvRecord & { outcome: Outcome }

/** The table of a file: its header at once, and its rows when they are asked for. */
export function readRows(kind: Kind, chunks: Bytes): Promise<{ header: Header; rows: AsyncGenerator<TableRow> }> {
  return readTable(chunks, importedColumns(kind))
}

/**
 * Creates or updates a document for each row, as a bulk request does, in lots. Each lot is a transaction of its own, so an import that was stopped can
 * be run again. A dry run does everything but keep it.
 */
export async function* importDocuments<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  rows: AsyncIterable<TableRow>,
  { dryRun }: { dryRun: boolean },
): AsyncGenerator<ReportedRow[]> {
  const lines = new Map<string, number>()
  for await (const lot of lotsOf(rows, { dryRun })) yield await importLot(ctx, kind, lot, lines, { dryRun })
}

/** One lot. `lines` says on which line of the file a document was named first, and is added to: that holds over all lots. */
export async function importLot<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  lot: readonly TableRow[],
  lines: Map<string, number>,
  { dryRun }: { dryRun: boolean },
): Promise<ReportedRow[]> {
  const units = await minorUnits(ctx)
  const sent = lot.map((row) => ('refusal' in row ? row.refusal : onlyOnce(kind, row, lines, units)))
  const { outcomes } = await upsertDocuments(ctx, kind, sent, { mode: 'best_effort', dryRun })
  const byLine = ({ duplicateRows, ...outcome }: Outcome): Outcome =>
    duplicateRows ? { ...outcome, duplicateRows: duplicateRows.map((row) => lot[row]?.line as number) } : outcome
  return lot.map(({ line, cells }, index) => ({
    line,
    cells,
    outcome: inColumns(kind, byLine(outcomes[index] as Outcome)),
  }))
}

/** What names the document of a row. */
export function keysOf(values: Readonly<Record<string, unknown>>): string[] {
  return ['external_id', 'id']
    .filter((name) => typeof values[name] === 'string')
    .map((name) => `${name} ${values[name]}`)
}

type Read = { line: number; values: Record<string, unknown> }

function onlyOnce(kind: Kind, { line, values }: Read, lines: Map<string, number>, units: MinorUnits): unknown {
  const keys = keysOf(values)
  const before = keys.map((key) => lines.get(key)).find((other) => other !== undefined)
  if (before !== undefined) {
    const message = `Line ${before} of the file is about the same ${kind.noun}. Have each ${kind.noun} once.`
    return conflict('duplicate_row', message, [
      { field: keys[0]?.split(' ')[0] as string, code: 'duplicate_row', message },
    ])
  }
  for (const key of keys) lines.set(key, line)
  return outcomeOr(() => rowOf(kind, values, units))
}

function inColumns(kind: Kind, outcome: Outcome): Outcome {
  const { refusal } = outcome
  return refusal
    ? {
        ...failed(
          new Refusal(refusal.kind, refusal.code, refusal.message, { details: renameToColumns(kind, refusal.details) }),
        ),
        ...namesOf(outcome),
      }
    : outcome
}

function namesOf({ id, external_id, revision }: Outcome): Pick<Outcome, 'id' | 'external_id' | 'revision'> {
  return { id, external_id, revision }
}
