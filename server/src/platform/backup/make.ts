import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import { oneSnapshot, type Pool } from '../db/pool/connect.ts'
import { readAllOrganizations } from '../db/schema/organizations.ts'
import { describeServer } from '../db/schema/server.ts'
import type { Run } from '../db/sql/rows.ts'
import { contentsOf, holdContents } from '../files/contents/contents.ts'
import type { ContentKey, Storage } from '../files/storage/storage.ts'
import {
  type DocumentsEntry,
  documentName,
  format,
  type Manifest,
  type MissingContent,
  manifestName,
  type Part,
  partName,
  sha256Of,
  type TableEntry,
} from './format.ts'
import { openTarget, type Target } from './places.ts'
import { copyOut, listMigrations, listTables, runOn, summarize, type Table } from './store.ts'
import { verifyBackup } from './verify.ts'

/** What COPY wrote is cut into pieces of this size, so that memory stays flat whatever the size of a table. */
const partBytes = 8 * 2 ** 20

const compress = promisify(zstdCompress)

export type MadeBackup = {
  path: string
  made_at: string
  tables: number
  rows: number
  bytes: number
  documents: DocumentsEntry | null
}

/**
 * Everything that is in the database, from one snapshot, while it serves: nobody waits for it, and nothing that is committed later is in it. It is
 * read back before it is there under its name.
 */
export async function makeBackup(pool: Pool, path: string, version: string, storage: Storage): Promise<MadeBackup> {
  const target = await openTarget(path)
  try {
    const manifest = await writeAll(pool, target, version, storage)
    await target.put(manifestName, Buffer.from(JSON.stringify(manifest, null, 2)))
    await target.finish(verifyBackup)
    return summaryOf(path, manifest)
  } catch (error) {
    await target.abandon()
    throw error
  }
}

export function summaryOf(path: string, { made_at, tables, documents }: Manifest): MadeBackup {
  const parts = tables.flatMap((table) => table.parts)
  const copied = documents?.copied ? documents.bytes : 0
  return {
    path,
    made_at,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, copied),
    documents: documents ?? null,
  }
}

async function writeAll(pool: Pool, target: Target, version: string, storage: Storage): Promise<Manifest> {
  const { version: postgres } = await describeServer(pool)
  const client = await pool.open()
  try {
    const run = runOn(client)
    // Before the snapshot: what is removed from the storage after it is not what it shows.
    await run(holdContents)
    await client.query(
      `${oneSnapshot}; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    )
    await readAllOrganizations(run)
    const migrations = await listMigrations(run)
    const made_at = new Date().toISOString()
    const tables: TableEntry[] = []
    const next = partsInto(target)
    for (const table of await listTables(run)) {
      const { rows, hash } = await summarize(run, table)
      tables.push({ ...table, rows, hash, parts: await next(client, table) })
    }
    const documents = await writeDocuments(run, target, storage)
    await client.query('commit')
    return { format, lading: version, postgres, made_at, migrations, tables, documents }
  } finally {
    await client.end()
  }
}

/** The contents of all documents of the snapshot, where they are files of this machine. */
async function writeDocuments(run: Run, target: Target, storage: Storage): Promise<DocumentsEntry> {
  const missing: MissingContent[] = []
  const entry: DocumentsEntry = { storage: storage.name, copied: storage.isLocal, files: 0, bytes: 0 }
  for await (const { org, sha256, size } of contentsOf(run)) {
    const bytes = storage.isLocal ? await readContent(storage, { org, sha256 }) : null
    if (typeof bytes === 'string') {
      missing.push({ org, sha256, reason: bytes })
      continue
    }
    entry.files += 1
    entry.bytes += size
    if (bytes) await target.put(documentName({ org, sha256 }), bytes)
  }
  return missing.length === 0 ? entry : { ...entry, missing }
}

/** The bytes of a content, or why they cannot be had: one file that is lost must not keep all the others out of the backup. */
async function readContent(storage: Storage, key: ContentKey): Promise<Buffer | string> {
  try {
    const bytes = await buffer(await storage.read(key))
    return sha256Of(bytes) === key.sha256 ? bytes : 'damaged'
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return cause?.code === 'ENOENT' ? 'missing' : (cause?.message ?? message)
  }
}

/** Writes one table after the other, with their parts numbered through. */
function partsInto(target: Target): (client: Client, table: Table) => Promise<Part[]> {
  let number = 0
  return async (client, table) => {
    const parts: Part[] = []
    for await (const piece of piecesOf(copyOut(client, table))) {
      const bytes = await compress(piece)
      const name = partName(++number, table.name)
      await target.put(name, bytes)
      parts.push({ name, bytes: bytes.length, sha256: sha256Of(bytes) })
    }
    return parts
  }
}

async function* piecesOf(stream: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    if (size < partBytes) continue
    yield Buffer.concat(pieces)
    pieces = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pieces)
}
