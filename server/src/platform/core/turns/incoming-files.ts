import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/**
 * Directories into which others put files that are to be taken once: what was taken is moved to `done`, what was refused to `failed`, next to a file with
 * the reason.
 */

/** The files of a folder with one of these endings. Names with a dot at the beginning are those of files that are still being written. */
export async function listIncoming(folder: string, endings: readonly string[], settledMs: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orNothing)
  const files: string[] = []
  for (const entry of entries ?? []) {
    if (!entry.isFile() || entry.name.startsWith('.') || !endings.includes(extname(entry.name).toLowerCase())) continue
    const found = await lstat(join(folder, entry.name)).catch(orNothing)
    // One that was written to lately may not be whole yet.
    if (found && found.mtimeMs <= Date.now() - settledMs) files.push(entry.name)
  }
  return files.sort()
}

/** The reason is written first: a file in `failed` always has one. */
export async function setAside(folder: string, to: 'done' | 'failed', name: string, reason?: string): Promise<void> {
  await mkdir(join(folder, to), { recursive: true })
  const free = await freeName(join(folder, to), name)
  const note = join(folder, to, `${free}.reason.txt`)
  if (reason !== undefined) await writeFile(note, `${reason}\n`)
  const isMoved = await rename(join(folder, name), join(folder, to, free)).then(() => true, orNothing)
  // Another process that watches the same directory was quicker.
  if (!isMoved && reason !== undefined) await rm(note, { force: true })
}

export type WaitingFile = { name: string; minutes: number; failed: boolean }

/** What is in a folder and was not taken, or was refused. */
export async function listWaitingIn(folder: string, endings: readonly string[]): Promise<WaitingFile[]> {
  const waiting: WaitingFile[] = []
  for (const [path, failed] of [
    [folder, false],
    [join(folder, 'failed'), true],
  ] as const) {
    for (const name of await listIncoming(path, endings, 0)) {
      const { mtimeMs } = await lstat(join(path, name)).catch(() => ({ mtimeMs: Date.now() }))
      waiting.push({ name, minutes: Math.floor((Date.now() - mtimeMs) / 60_000), failed })
    }
  }
  return waiting
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
