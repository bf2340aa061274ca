import { createHash } from 'node:crypto'
import { actorId } from '../access/acting/acting.ts'
import { type Context, transaction } from '../context.ts'
import { Refusal } from '../core/refusal.ts'
import type { CsvRecord } from '../core/tables/csv.ts'
import { readRecords } from '../core/tables/csv-table.ts'
import { newId } from '../core/values/ids.ts'
import { insertPart, mostRowsOfPart, recordsAsBytes } from './parts/store.ts'
import { requireRoom } from './room.ts'
import { insertTransfer, type NewTransfer, type ReceivedFile } from './store.ts'
import type { Target, TransferableKind } from './transferable.ts'

/**
 * A file that has arrived: under which id its rows are kept, and a hash by which a second sending of it is known. `unkept` is the transfer of a file that
 * was only read, for a dry run.
 */
export type ReceivedTransfer = ReceivedFile & { id: string; digest: string; unkept: NewTransfer | null }

export type Sender = Target & {
  scope: string
  scopes: readonly string[]
  keptDays: number
  largest: number
  keeps: boolean
}

/** About as many bytes in one part. */
const partBytes = 256 * 1024

/**
 * Reads a file as it arrives and keeps its records, part by part, each in a short transaction: neither memory nor a transaction grows with it. A file
 * that cannot be read to its end is refused. What was kept of it until then is deleted by the background work.
 */
export async function receiveFile(
  ctx: Context,
  transferable: TransferableKind,
  sender: Sender,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ReceivedTransfer> {
  const { objectKey, scope, scopes, keptDays, largest, keeps } = sender
  await requireRoom(ctx)
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > largest) throw tooLarge(largest)
      hash.update(chunk)
      yield chunk
    }
  }
  const { header, records } = await readRecords(counted(), await transferable.columns(ctx, { objectKey }))
  const id = newId()
  const createdBy = await actorId(ctx)
  const transfer: NewTransfer = {
    ...{
      id,
      direction: 'import',
      state: 'receiving',
      resource: transferable.resource,
      objectKey,
      format: 'csv',
      dryRun: false,
    },
    ...{ scope, scopes, createdBy, search: {}, revision: null, total: null, keptDays },
  }
  if (keeps) await transaction(ctx, (ctx) => insertTransfer(ctx, transfer))
  const rows = keeps ? await keepRecords(ctx, id, records) : await countRecords(records)
  return { id, digest: hash.digest('hex'), rows, bytes, unkept: keeps ? null : transfer, ...header }
}

async function countRecords(records: AsyncIterable<CsvRecord>): Promise<number> {
  let count = 0
  for await (const _ of records) count += 1
  return count
}

async function keepRecords(ctx: Context, id: string, records: AsyncIterable<CsvRecord>): Promise<number> {
  let kept = 0
  let part: CsvRecord[] = []
  let length = 0
  async function keep(): Promise<void> {
    if (part.length === 0) return
    const content = recordsAsBytes(part)
    await transaction(ctx, (ctx) =>
      insertPart(ctx, id, { file: 'rows', firstRow: kept, rows: part.length, firstByte: 0, content }),
    )
    kept += part.length
    part = []
    length = 0
  }
  for await (const record of records) {
    part.push(record)
    for (const cell of record.cells) length += cell?.length ?? 0
    if (part.length === mostRowsOfPart || length >= partBytes) await keep()
  }
  await keep()
  return kept
}

function tooLarge(largest: number): Refusal {
  return new Refusal(
    'too_large',
    'body_too_large',
    `The file is larger than ${largest / 2 ** 20} MiB. Split it, or import it with lading import on the server.`,
  )
}
