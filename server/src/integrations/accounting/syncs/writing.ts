import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { minorUnits } from '../../../books/currencies/known.ts'
import type { Context } from '../../../platform/context.ts'
import { createDocument, keepContent } from '../../../platform/files/actions.ts'
import { dispositionOf } from '../../../platform/files/contents/file-names.ts'
import { receiveUpload } from '../../../platform/files/contents/receive.ts'
import type { Storage } from '../../../platform/files/storage/storage.ts'
import type { OutgoingDocument } from '../adapters/adapter.ts'
import type { Connector } from '../catalogue.ts'
import type { KeptConnection } from '../connections/model.ts'
import type { FileFormat } from '../files/file.ts'
import { recordSync } from './actions.ts'
import { hashOf, outgoingOf } from './queued/documents.ts'
import { listDocuments, type RawDocument } from './queued/documents-store.ts'
import { noteOnDocument } from './queued/noting.ts'
import {
  type Key,
  type KnownRecord,
  listRecords,
  type MadeRecord,
  saveRecords,
  saveRemoved,
  saveSeen,
} from './queued/records-store.ts'
import { type ClaimedSync, findLines, type PendingResult, type Result, saveEnd, saveResults } from './queued/store.ts'

type Writing = { sync: ClaimedSync; connection: KeptConnection; connector: Connector; format: FileFormat }
/** Where files go: `folder` is where they are until they were checked. */
export type FileStore = { storage: Storage; folder: string }

type Decided = {
  result: Omit<Result, 'place'>
  raw: RawDocument | undefined
  written: { document: OutgoingDocument | null } | null
}

/** Writes the lines of these documents: the lines, what is known of each, and what it says itself are one transaction. */
export async function writeLot(ctx: Context, writing: Writing, pending: readonly PendingResult[]): Promise<void> {
  const { sync, connection } = writing
  const decimals = await minorUnits(ctx)
  await ctx.transaction(async (ctx) => {
    const results: Result[] = []
    const written: MadeRecord[] = []
    const seen: (Key & { revision: number })[] = []
    for (const type of ['bill', 'invoice'] as const) {
      const places = pending.filter((one) => one.record_type === type)
      const ids = places.flatMap(({ record_id }) => record_id ?? [])
      if (ids.length === 0) continue
      const raws = new Map((await listDocuments(ctx, connection, type, ids)).map((raw) => [raw.id, raw]))
      const known = await listRecords(ctx, connection.id, type, ids)
      for (const { place, record_id } of places) {
        const id = record_id as string
        const decided = decide(writing, raws.get(id), known.get(id), decimals)
        results.push({ place, ...decided.result })
        const revision = await note(ctx, decided)
        const key: Key = { connection_id: connection.id, record_type: type, record_id: id }
        const { document } = decided.written ?? {}
        if (document === null) await saveRemoved(ctx, key)
        if (document)
          written.push({
            ...key,
            remote_id: document.number,
            version: null,
            content: document,
            hash: hashOf(document),
            revision,
            state: 'synced',
          })
        if (decided.result.outcome === 'unchanged' && revision !== null) seen.push({ ...key, revision })
      }
    }
    await saveRecords(ctx, written)
    await saveSeen(ctx, seen)
    await saveResults(ctx, sync.id, results)
  })
}

/** Makes the file, where there is something in it, and ends the run. After a crash it is made again from the same lines. */
export async function makeFile(
  ctx: Context,
  { storage, folder }: FileStore,
  { sync, connection, format }: Writing,
): Promise<void> {
  const lines = await findLines(ctx, sync.id)
  const finish = (document_id?: string) =>
    ctx.transaction(async (ctx) => {
      if (await saveEnd(ctx, sync, { state: 'done', ...(document_id && { document_id }) }))
        await recordSync(ctx, connection.id, sync.id, 'done')
    })
  if (lines === null) return finish()
  const name = `${connection.connector_id}-${new Date().toISOString().slice(0, 10)}-${sync.id.slice(-6)}.${format.ending}`
  const headers = { 'content-type': format.mediaType, 'content-disposition': dispositionOf('attachment', name) }
  const upload = await receiveUpload(Readable.from([Buffer.from(format.head() + lines)]), headers, folder)
  try {
    await keepContent(ctx, storage, upload)
    await ctx.transaction(async (ctx) => {
      const attached_to = [{ type: 'connector_sync', id: sync.id }]
      const { id } = await createDocument(ctx, storage, upload, { document_type: 'other', attached_to })
      if (await saveEnd(ctx, sync, { state: 'done', document_id: id }))
        await recordSync(ctx, connection.id, sync.id, 'done')
    })
  } finally {
    await rm(upload.path, { force: true })
  }
}

/** What an earlier file said of a document is known, so that it can be taken back. */
function decide(
  { connector, connection, format }: Writing,
  raw: RawDocument | undefined,
  known: KnownRecord | undefined,
  decimals: ReadonlyMap<string, number>,
): Decided {
  const nothing = (reason: string, error: string): Decided => ({
    result: { outcome: 'skipped', reason, error },
    raw,
    written: null,
  })
  const before = known?.state === 'synced' ? (known.content as OutgoingDocument) : null
  if (!raw) return nothing('not_there', 'It is not there any more.')
  if (!raw.counts) {
    if (!before)
      return raw.is_voided
        ? nothing('is_voided', 'It is voided, and was in no file.')
        : nothing('is_draft', 'It is a draft.')
    const lines = format.linesOf({ before, document: null }, connection.settings)
    return { result: { outcome: 'removed', lines }, raw, written: { document: null } }
  }
  if (!raw.is_approved) return nothing('not_approved', 'It is not approved.')
  const { document, gaps } = outgoingOf(connector, connection.settings, raw, decimals)
  const missing = gaps.filter(({ needed }) => needed)
  if (missing.length > 0) {
    const error = [...new Set(missing.map(({ message }) => message))].join(' ').slice(0, 2000)
    return { result: { outcome: 'failed', reason: 'not_mapped', error }, raw, written: null }
  }
  if (before && known?.content_hash === hashOf(document))
    return { result: { outcome: 'unchanged', remote_id: known.remote_id }, raw, written: null }
  const lines = format.linesOf({ before, document }, connection.settings)
  return {
    result: { outcome: before ? 'updated' : 'created', lines, remote_id: document.number },
    raw,
    written: { document },
  }
}

/** The document says itself whether it was written; it is changed as by anybody, with its history. Answers the revision of which the files know. */
async function note(ctx: Context, { result, raw, written }: Decided): Promise<number | null> {
  if (!raw) return null
  if (result.outcome === 'failed') return noteOnDocument(ctx, raw, { qb_error_msg: result.error ?? null })
  if (written?.document)
    return noteOnDocument(ctx, raw, { qb_error_msg: null, qb_exported_at: new Date().toISOString() })
  return raw.revision
}
