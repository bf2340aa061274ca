import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { systemContext } from '../../auth/organizations/actions.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import { mostBytes } from '../../files/receive.ts'
import type { Keeping } from './files.ts'
import { type InboxNames, organizationOfInbox } from './inboxes.ts'
import { receiveEdi, receiveMail } from './mail.ts'

export type WatchedDirectory = {
  database: Database
  keeping: Keeping
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

/**
 * Makes carrier invoices of the files in the directory: each organization has a folder in it, called by its id or its name in the settings. A file is
 * moved once its transaction is committed; should the process end before that, the next one finds by its content that it has arrived.
 */
export async function receiveDirectory(watched: WatchedDirectory, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const folder of await foldersIn(watched.directory)) {
    const files = await filesIn(join(watched.directory, folder), watched.settledMs ?? 5_000)
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

export type WaitingFile = { folder: string; name: string; minutes: number; failed: boolean }

/** What is in the directory and was not taken, or was refused. */
export async function listWaiting(directory: string): Promise<WaitingFile[]> {
  const waiting: WaitingFile[] = []
  for (const folder of await foldersIn(directory)) {
    for (const [path, failed] of [
      [join(directory, folder), false],
      [join(directory, folder, 'failed'), true],
    ] as const) {
      for (const name of await filesIn(path, 0)) {
        const { mtimeMs } = await lstat(join(path, name)).catch(() => ({ mtimeMs: Date.now() }))
        waiting.push({ folder, name, minutes: Math.floor((Date.now() - mtimeMs) / 60_000), failed })
      }
    }
  }
  return waiting
}

async function foldersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}

/** Names with a dot at the beginning are those of files that are still being written. */
async function filesIn(folder: string, settledMs: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orNothing)
  const files: string[] = []
  for (const entry of entries ?? []) {
    if (!entry.isFile() || entry.name.startsWith('.') || !Object.hasOwn(readers, extname(entry.name).toLowerCase())) continue
    const found = await lstat(join(folder, entry.name)).catch(orNothing)
    if (found && found.mtimeMs <= Date.now() - settledMs) files.push(entry.name)
  }
  return files.sort()
}

async function receiveFile({ database, keeping }: WatchedDirectory, org: string, folder: string, name: string): Promise<void> {
  const path = join(folder, name)
  const found = await lstat(path).catch(orNothing)
  if (!found) return
  try {
    if (found.size > mostBytes) throw new Refusal('too_large', 'body_too_large', `The file has ${found.size} bytes, and at most ${mostBytes} are taken.`)
    const read = readers[extname(name).toLowerCase()] as typeof receiveEdi
    await read(systemContext(database, org), keeping, name, await readFile(path))
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    await move(folder, 'failed', name, error.message)
    return
  }
  await move(folder, 'done', name)
}

/** The reason is written first: a file in `failed` always has one. */
async function move(folder: string, to: 'done' | 'failed', name: string, reason?: string): Promise<void> {
  await mkdir(join(folder, to), { recursive: true })
  const free = await freeName(join(folder, to), name)
  const note = join(folder, to, `${free}.reason.txt`)
  if (reason !== undefined) await writeFile(note, `${reason}\n`)
  const isMoved = await rename(join(folder, name), join(folder, to, free)).then(() => true, orNothing)
  // Another process that watches the same directory was quicker.
  if (!isMoved && reason !== undefined) await rm(note, { force: true })
}

async function freeName(folder: string, name: string): Promise<string> {
  const end = extname(name)
  for (let count = 1; ; count++) {
    const wanted = count === 1 ? name : `${name.slice(0, -end.length)}-${count}${end}`
    if ((await lstat(join(folder, wanted)).catch(orNothing)) === null) return wanted
  }
}

function orNothing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
