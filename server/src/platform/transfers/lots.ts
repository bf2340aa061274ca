import { type Context, transaction } from '../context.ts'
import { countsOf } from '../core/schema/rows.ts'
import { failureLine, failuresHead } from '../core/tables/csv-failures.ts'
import { rowOfRecord, type TableRow } from '../core/tables/csv-table.ts'
import { dryRunLot, nextLot } from '../core/tables/lots.ts'
import { idOfName } from '../core/values/ids.ts'
import { recordTransfer } from './actions.ts'
import { findLines, insertLines, insertPart, listRecords } from './parts/store.ts'
import { type LockedTransfer, lockForLot, type Progress, saveProgress } from './store.ts'
import type { RowReport, TransferableKind } from './transferable.ts'

/** A page of an export has at most so many rows: its text is made on the thread that answers requests, which waits meanwhile. */
const mostOfPage = 200

/**
 * Works off the next lot of a transfer: what it writes and how far the transfer has come are one transaction. False where another process is at it, or
 * nothing is left to do.
 */
export function workLot(ctx: Context, transferables: readonly TransferableKind[], id: string): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const transfer = await lockForLot(ctx, id)
    if (!transfer) return false
    const transferable = transferables.find(({ resource }) => resource === transfer.resource)
    if (!transferable) throw new Error(`nobody knows how to transfer ${transfer.resource}`)
    const progress =
      transfer.direction === 'import'
        ? await importNext(ctx, transferable, transfer)
        : await exportNext(ctx, transferable, transfer)
    await saveProgress(ctx, id, progress)
    if (progress.isLast) await recordTransfer(ctx, id, 'transfer.done', { state: 'running' })
    return true
  })
}

async function importNext(ctx: Context, transferable: TransferableKind, transfer: LockedTransfer): Promise<Progress> {
  const since = performance.now()
  const {
    id,
    object_key: objectKey,
    column_names: names,
    rows_done: done,
    rows_total: total,
    lot_rows,
    dry_run: dryRun,
  } = transfer
  const limit = dryRun ? dryRunLot : lot_rows
  const columns = await transferable.columns(ctx, { objectKey })
  const lot = (await listRecords(ctx, id, { done, limit })).map((record) => rowOfRecord(record, { names }, columns))
  const lines = await linesBefore(ctx, transferable, id, lot)
  const known = new Set(lines.keys())
  const reports = await transferable.writeLot(ctx, lot, lines, { objectKey, dryRun, scopes: new Set(transfer.scopes) })
  await insertLines(
    ctx,
    id,
    new Map([...lines].filter(([key]) => !known.has(key)).map(([key, line]) => [idOfName(key), line])),
  )
  const resultBytes = await keepResults(ctx, transfer, reports)
  const failuresBytes = await keepFailures(ctx, transfer, reports)
  const lotRows = dryRun || lot.length < limit ? lot_rows : nextLot(lot.length, performance.now() - since)
  return {
    rows: lot.length,
    counts: countsOf(reports),
    resultBytes,
    failuresBytes,
    lastKey: null,
    lotRows,
    isLast: done + lot.length === total,
  }
}

/** The lines of the file, before this lot, that named the same records. */
async function linesBefore(
  ctx: Context,
  { keysOf }: TransferableKind,
  id: string,
  lot: readonly TableRow[],
): Promise<Map<string, number>> {
  const keys = lot.flatMap((row) => ('values' in row ? keysOf(row.values) : []))
  const found = await findLines(ctx, id, keys.map(idOfName))
  return new Map(keys.flatMap((key) => (found.has(idOfName(key)) ? [[key, found.get(idOfName(key)) as number]] : [])))
}

const tried: Record<string, string> = { created: 'would_create', updated: 'would_update' }

async function keepResults(
  ctx: Context,
  { id, rows_done: firstRow, result_bytes: firstByte, dry_run }: LockedTransfer,
  reports: readonly RowReport[],
) {
  if (reports.length === 0) return 0
  const nameOf = (status: string) => (dry_run ? (tried[status] ?? status) : status)
  const text = reports
    .map(({ line, status, result }) => `${JSON.stringify({ line, status: nameOf(status), ...result })}\n`)
    .join('')
  const content = Buffer.from(text)
  await insertPart(ctx, id, { file: 'result', firstRow, rows: reports.length, firstByte, content })
  return content.length
}

async function keepFailures(ctx: Context, transfer: LockedTransfer, reports: readonly RowReport[]): Promise<number> {
  const { id, column_names: names, rows_done: firstRow, failures_bytes: firstByte } = transfer
  const lines = reports.flatMap((report) => (report.refusal ? [failureLine(names, report, report.refusal)] : []))
  if (lines.length === 0) return 0
  const content = Buffer.from(`${firstByte === 0 ? failuresHead(names) : ''}${lines.join('')}`)
  await insertPart(ctx, id, { file: 'failures', firstRow, rows: lines.length, firstByte, content })
  return content.length
}

async function exportNext(ctx: Context, transferable: TransferableKind, transfer: LockedTransfer): Promise<Progress> {
  const since = performance.now()
  const {
    id,
    object_key: objectKey,
    search,
    format,
    rows_done: firstRow,
    result_bytes: firstByte,
    last_key,
    lot_rows: limit,
  } = transfer
  const options = { objectKey, search, format, revision: transfer.definition_revision }
  const head = firstRow === 0 ? await transferable.head(ctx, options) : ''
  const { text, rows, last } = await transferable.readPage(ctx, options, { after: last_key ?? undefined, limit })
  const content = Buffer.from(`${head}${text}`)
  if (content.length > 0) await insertPart(ctx, id, { file: 'result', firstRow, rows, firstByte, content })
  const lotRows = rows < limit ? limit : nextLot(rows, performance.now() - since, mostOfPage)
  return {
    rows,
    counts: countsOf([]),
    resultBytes: content.length,
    failuresBytes: 0,
    lastKey: last,
    lotRows,
    isLast: last === null,
  }
}
