import { lstat, readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Refusal } from '../../platform/core/refusal.ts'
import {
  listIncoming,
  listWaitingIn,
  setAside,
  type WaitingFile as Waiting,
} from '../../platform/core/turns/incoming-files.ts'
import type { Database } from '../../platform/db/database.ts'
import { mostBytes } from '../../platform/files/contents/receive.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import type { FileStore } from './files.ts'
import { type InboxNames, organizationOfInbox } from './inboxes.ts'
import { receiveEdi, receiveMail } from './mail.ts'

export type WatchedDirectory = {
  database: Database
  keeping: FileStore
  directory: string
  names: InboxNames
  /** A file that was written to so lately may not be whole yet. */
  settledMs?: number
}

const readers: Record<string, typeof receiveEdi> = {
  '.eml': (ctx, keeping, _name, bytes) => receiveMail(ctx, keeping, bytes),
  '.edi': receiveEdi,
  '.x12': receiveEdi,
  '.210': receiveEdi,
}
const endings = Object.keys(readers)

/**
 * Makes carrier invoices of the files in the directory: each organization has a folder in it, called by its id or its name in the settings. A file is
 * moved once its transaction is committed; should the process end before that, the next one finds by its content that it has arrived.
 */
export async function receiveDirectory(watched: WatchedDirectory, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const folder of await foldersIn(watched.directory)) {
    const files = await listIncoming(join(watched.directory, folder), endings, watched.settledMs ?? 5_000)
    const org = files.length > 0 ? await organizationOfInbox(watched.database, watched.names, folder) : null
    if (org === null) continue
    for (const file of files) {
      signal?.throwIfAborted()
      // A file that cannot be read at this moment stays, and does not keep the others from their turn.
      await receiveFile(watched, org, join(watched.directory, folder), file).catch((error) => failures.push(error))
    }
  }
  if (failures.length > 0) throw failures[0]
}

export type WaitingFile = Waiting & { folder: string }

/** What is in the directory and was not taken, or was refused. */
export async function listWaiting(directory: string): Promise<WaitingFile[]> {
  const waiting: WaitingFile[] = []
  for (const folder of await foldersIn(directory))
    for (const file of await listWaitingIn(join(directory, folder), endings)) waiting.push({ ...file, folder })
  return waiting
}

async function foldersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}

async function receiveFile(
  { database, keeping }: WatchedDirectory,
  org: string,
  folder: string,
  name: string,
): Promise<void> {
  const path = join(folder, name)
  const found = await lstat(path).catch(() => null)
  if (!found) return
  try {
    if (found.size > mostBytes)
      throw new Refusal(
        'too_large',
        'body_too_large',
        `The file has ${found.size} bytes, and at most ${mostBytes} are taken.`,
      )
    const read = readers[extname(name).toLowerCase()] as typeof receiveEdi
    await read(systemContext(database, org), keeping, name, await readFile(path))
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    await setAside(folder, 'failed', name, error.message)
    return
  }
  await setAside(folder, 'done', name)
}
