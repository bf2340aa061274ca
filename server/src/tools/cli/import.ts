import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  type ReadStream,
  type WriteStream,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { importDocuments, readRows } from '../../books/documents/exchange/import.ts'
import type { Kind } from '../../books/documents/model/kind/kind.ts'
import { extensions } from '../../freight/extension.ts'
import { importInvoiceRows, readInvoiceRows } from '../../payables/arrivals/import.ts'
import type { Context } from '../../platform/context.ts'
import { invalid, type Refusal } from '../../platform/core/refusal.ts'
import { type Counts, countsOf } from '../../platform/core/schema/rows.ts'
import type { Bytes, CsvRecord } from '../../platform/core/tables/csv.ts'
import { failureLine, failuresHead, reasons } from '../../platform/core/tables/csv-failures.ts'
import type { Header, TableRow } from '../../platform/core/tables/csv-table.ts'
import { importObjects, readObjects } from '../../records/exchange/import.ts'
import { type Progress, showProgress } from './progress.ts'

type Reported = CsvRecord & { outcome: { status: keyof Counts; refusal?: Refusal } }

/** What a file brings in: how its table is read, and what is done with its rows, lot by lot. */
export type ImportSource = {
  read(chunks: Bytes): Promise<{ header: Header; rows: AsyncIterable<TableRow> }>
  write(rows: AsyncIterable<TableRow>, options: { dryRun: boolean }): AsyncIterable<Reported[]>
}

export function documentsIn(ctx: Context, kind: Kind): ImportSource {
  return {
    read: (chunks) => readRows(kind, chunks),
    write: (rows, options) => importDocuments(ctx, kind, rows, options),
  }
}

export function carrierInvoicesIn(ctx: Context): ImportSource {
  return {
    read: readInvoiceRows,
    write: (rows, options) => importInvoiceRows(ctx, rows, options) as AsyncIterable<Reported[]>,
  }
}

export function objectsIn(ctx: Context, objectKey: string): ImportSource {
  return {
    read: (chunks) => readObjects(ctx, objectKey, chunks),
    // A file deletes nothing.
    write: (rows, { dryRun }) =>
      importObjects(ctx, rows, { extensions, objectKey, dryRun }) as AsyncIterable<Reported[]>,
  }
}

export type ImportResult = {
  file: string
  rows: number
  counts: Counts
  seconds: number
  rows_per_second: number
  stopped: boolean
  report: string | null
  unknown_columns: readonly string[]
}

/**
 * A file of any size, in flat memory: read once to see that it is whole and how long it is, and once more to do it. What is in stays in, so a run
 * that was stopped is gone on with by running it again.
 */
export async function importFile(
  incoming: ImportSource,
  file: string,
  { dryRun, report, quiet }: { dryRun: boolean; report: string; quiet: boolean },
): Promise<ImportResult> {
  if (resolve(file) === resolve(report))
    throw invalid(
      'report',
      'same_file',
      'The report cannot be written over the file that is imported; name another with --report.',
    )
  requireWritable(report)
  const { rows, unknown_columns } = await look(incoming, file)
  const progress = quiet ? { add() {}, end() {} } : showProgress(rows, process.stderr)
  const since = performance.now()
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    const { counts, failures } = await run(incoming, file, { dryRun, report, progress, signal: stop.signal })
    const done = counts.created + counts.updated + counts.unchanged + counts.failed
    const seconds = Math.max((performance.now() - since) / 1000, 0.001)
    return {
      file,
      rows,
      counts,
      seconds: round(seconds),
      rows_per_second: Math.round(done / seconds),
      stopped: done < rows,
      report: failures ? report : null,
      unknown_columns,
    }
  } finally {
    process.off('SIGINT', interrupt)
    progress.end()
  }
}

/** Found out before the first row: rows that fail are to be in the report. */
function requireWritable(report: string): void {
  try {
    accessSync(dirname(resolve(report)), constants.W_OK)
    // As writing it would do, and unlike a look at its rights, this refuses a directory.
    if (existsSync(report)) closeSync(openSync(report, 'r+'))
  } catch (error) {
    throw invalid(
      'report',
      'cannot_write',
      `The report cannot be written to ${report} (${(error as { code?: string }).code}); name another file with --report.`,
    )
  }
}

type Run = { dryRun: boolean; report: string; progress: Progress; signal: AbortSignal }

function run(
  { read, write }: ImportSource,
  file: string,
  options: Run,
): Promise<{ counts: Counts; failures: boolean }> {
  return reading(file, async (chunks) => {
    const { header, rows } = await read(chunks)
    return writeRows(header, write(rows, options), options)
  })
}

async function writeRows(
  header: Header,
  lots: AsyncIterable<Reported[]>,
  { report, progress, signal }: Run,
): Promise<{ counts: Counts; failures: boolean }> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  let failures: WriteStream | null = null
  for await (const lot of lots) {
    const more = countsOf(lot.map(({ outcome }) => outcome))
    for (const status of Object.keys(counts) as (keyof Counts)[]) counts[status] += more[status]
    if (more.failed > 0) {
      failures ??= beginReport(report, header)
      for (const row of lot)
        if (row.outcome.refusal) failures.write(failureLine(header.names, row, row.outcome.refusal))
    }
    progress.add(lot.length, more.failed)
    if (signal.aborted) break
  }
  if (failures) await endReport(failures)
  return { counts, failures: failures !== null }
}

async function look(
  { read }: ImportSource,
  file: string,
): Promise<{ rows: number; unknown_columns: readonly string[] }> {
  try {
    return await reading(file, async (chunks) => {
      let rows = 0
      const table = await read(chunks)
      for await (const _ of table.rows) rows += 1
      return { rows, unknown_columns: table.header.unknown.filter((name) => !reasons.includes(name)) }
    })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES')
      throw invalid('file', 'cannot_read', `${file} cannot be read (${code}).`)
    throw error
  }
}

/** The file is opened when it is first read, and closed in any case: whoever reads a table may refuse it before its first byte or after its header. */
async function reading<T>(file: string, work: (chunks: Bytes) => Promise<T>): Promise<T> {
  let opened: ReadStream | undefined
  async function* chunks() {
    opened = createReadStream(file)
    yield* opened
  }
  try {
    return await work(chunks())
  } finally {
    opened?.destroy()
  }
}

/** The rows that failed as they came, with the reason: corrected there, the file can be imported as it is. */
function beginReport(report: string, { names }: Header): WriteStream {
  const stream = createWriteStream(report, { mode: 0o600 })
  // Told at the end, when the rows that are right are in.
  stream.on('error', () => {})
  stream.write(failuresHead(names))
  return stream
}

async function endReport(stream: WriteStream): Promise<void> {
  stream.end()
  await finished(stream).catch((error) => {
    throw invalid(
      'report',
      'cannot_write',
      `The report could not be written to ${stream.path} (${error.code}). The rows without a fault are imported.`,
    )
  })
}

export function summaryOf(
  { file, rows, counts, seconds, rows_per_second, stopped, report, unknown_columns }: ImportResult,
  dryRun: boolean,
): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const would = dryRun ? 'would be ' : ''
  const parts = [
    `${number(counts.created)} ${would}created`,
    `${number(counts.updated)} ${would}updated`,
    `${number(counts.unchanged)} unchanged`,
    `${number(counts.failed)} failed`,
  ]
  const lines = [`${basename(file)}: ${parts.join(', ')}, in ${seconds} s (${number(rows_per_second)} rows/s).`]
  if (unknown_columns.length > 0)
    lines.push(`Passed over the columns that mean nothing here: ${unknown_columns.join(', ')}.`)
  if (stopped)
    lines.push(`Stopped before the end of ${number(rows)} rows. Run it again to go on: what is in stays as it is.`)
  if (report) lines.push(`The rows that failed are in ${report}, each with why. Mend them there and import that file.`)
  return lines.join('\n')
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
