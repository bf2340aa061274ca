import { randomUUID } from 'node:crypto'
import { opendir, statfs } from 'node:fs/promises'
import type { Settings } from '../../../settings.ts'
import type { Pool } from '../../db/pool/connect.ts'
import type { Storage } from '../storage/storage.ts'
import { listUsed } from './contents-store.ts'

/** `partly`: files can be read, and none can be added. */
export type PlaceState = { ok: boolean; partly?: true; message: string; freeBytes: number | null }

/** A disk of another machine that is away does not say so: it says nothing. */
const patienceMs = 3_000

/** Whether files of documents can be read and added here. A directory that is empty although documents are known is one whose disk is not mounted. */
export async function documentsState(
  pool: Pool,
  { documents, minimumFreeDiskMb }: Pick<Settings, 'documents' | 'minimumFreeDiskMb'>,
): Promise<PlaceState> {
  if (documents.kind === 's3') return { ok: true, message: 'The documents are in a bucket.', freeBytes: null }
  const tooLate = new Promise<PlaceState>((resolve) =>
    setTimeout(resolve, patienceMs, unusable('does not answer')).unref(),
  )
  return Promise.race([
    stateOf(pool, documents.path, minimumFreeDiskMb).catch(() => unusable('cannot be read')),
    tooLate,
  ])
}

async function stateOf(pool: Pool, path: string, minimumFreeDiskMb: number): Promise<PlaceState> {
  if (!(await hasFolders(path))) {
    // While the database is away, or a node of it, nothing is known of documents; its own check says so.
    const known = await listUsed(pool, null, 1).catch(() => [])
    if (known.length > 0) return unusable('is empty or not there, and documents are known: is its disk mounted')
    return { ok: true, message: 'No document is known yet.', freeBytes: null }
  }
  const { bavail, bsize } = await statfs(path)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  const message = `${free} MB free in the directory of documents; ${minimumFreeDiskMb} MB are needed.`
  return free >= minimumFreeDiskMb
    ? { ok: true, message, freeBytes: bavail * bsize }
    : { ok: false, partly: true, message, freeBytes: bavail * bsize }
}

function unusable(why: string): PlaceState {
  return { ok: false, message: `The directory of documents ${why}.`, freeBytes: null }
}

/** Those of organizations; what is only arriving, or what a file system keeps for itself, is none. */
async function hasFolders(path: string): Promise<boolean> {
  const folder = await opendir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!folder) return false
  for await (const { name } of folder) if (/^[0-9a-f-]{36}$/.test(name)) return true
  return false
}

/** A few are enough: where machines do not share their directory, each lacks what the others took in. */
const looked = 20

/** A sentence where files of documents are not in the storage of this machine; empty where all that were looked for are. */
export async function unseenDocuments(pool: Pool, storage: Storage): Promise<string> {
  const sample = [
    ...(await listUsed(pool, null, looked)),
    ...(await listUsed(pool, { org: randomUUID(), sha256: '' }, looked)),
  ]
  const sizes = await Promise.all(sample.map((key) => storage.sizeOf(key).catch(() => null)))
  const missing = sizes.filter((size) => size === null).length
  return missing === 0
    ? ''
    : `${missing} of ${sample.length} files of documents that were looked for are not in ${storage.name}. ${sharing}`
}

/** What to do about it. */
export const sharing =
  'Machines that share a database share the directory of documents too, or a bucket (DOCUMENTS_URL); where it is a disk of its own, it must be mounted.'
