import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import tar from 'tar-stream'
import { StartError } from '../core/start-error.ts'

/** What a backup is written to. `abandon` removes what was written, as far as that is possible, and does not fail. */
type Written = {
  put(name: string, bytes: Buffer): Promise<void>
  finish(): Promise<void>
  abandon(): Promise<void>
}

/** Nothing is there under its name before `finish`, which has what was written looked at first. */
export type Target = Omit<Written, 'finish'> & { finish(check: (written: string) => Promise<unknown>): Promise<void> }

/** The entries of a backup, in the order in which they were written. */
export type Entries = AsyncIterable<{ name: string; read(): Promise<Buffer> }>

/** It holds everybody's secrets. */
const privately = { file: 0o600, directory: 0o700 }

/** Until it has its name, what is written ends so. */
export const partialEnding = '.partial'
/** What is being written says so by its time, also while a large table is read and nothing comes; what was not touched for much longer was left behind. */
const touchEveryMs = 60_000
const leftBehindAfterMs = 60 * touchEveryMs

/** Whether nobody writes this any more: the process ended before it could remove it. */
export async function isLeftBehind(partial: string, now = Date.now()): Promise<boolean> {
  const found = await stat(partial).catch(() => null)
  return found !== null && now - found.mtimeMs > leftBehindAfterMs
}

/** A tar file where the name ends so, and a directory otherwise. */
export async function openTarget(path: string, touchMs = touchEveryMs): Promise<Target> {
  if (await exists(path))
    throw new StartError(`There is something at ${path} already. A backup is written to a new place.`)
  const partial = `${path}${partialEnding}`
  const target = await openPartial(path, partial).catch((error) => {
    throw new StartError(
      `Nothing can be written at ${path} (${error.message}). Make room there, have it mounted for writing, or name another place.`,
    )
  })
  const touching = setInterval(() => void utimes(partial, new Date(), new Date()).catch(() => {}), touchMs).unref()
  return {
    put: target.put,
    async finish(check) {
      await target.finish()
      await check(partial)
      clearInterval(touching)
      await rename(partial, path)
      await sync(dirname(path))
    },
    async abandon() {
      clearInterval(touching)
      await target.abandon()
      // Why it is abandoned is what is reported, not that a disk is read-only.
      await rm(partial, { recursive: true, force: true }).catch(() => {})
    },
  }
}

async function openPartial(path: string, partial: string): Promise<Written> {
  await mkdir(dirname(path), { recursive: true })
  await rm(partial, { recursive: true, force: true })
  return path.endsWith('.tar') ? tarTarget(partial) : directoryTarget(partial)
}

/** Of a file that is none, or a directory without entries, there are none. */
export async function* readEntries(path: string): Entries {
  const found = await stat(path).catch(() => null)
  if (!found) throw new StartError(`There is no backup at ${path}.`)
  yield* found.isDirectory() ? entriesOfDirectory(path) : entriesOfTar(path)
}

async function directoryTarget(path: string): Promise<Written> {
  await mkdir(path, { mode: privately.directory })
  const folders = new Set([path])
  return {
    async put(name, bytes) {
      const file = join(path, name)
      const folder = dirname(file)
      if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: privately.directory })
      folders.add(folder)
      await writeFile(file, bytes, { mode: privately.file, flush: true })
    },
    async finish() {
      for (const folder of folders) await sync(folder)
    },
    abandon: async () => {},
  }
}

export async function tarTarget(path: string): Promise<Written> {
  const pack = tar.pack()
  // Opened here: where that is refused, nothing was begun.
  const file = (await open(path, 'w', privately.file)).createWriteStream({ flush: true })
  const written = finished(file)
  // Whoever puts or finishes next hears of it. A pack or an entry whose errors nobody listens to would end the process.
  pack.on('error', () => {})
  let failure: Error | undefined
  written.catch((error) => {
    failure = error
    pack.destroy(error)
  })
  pack.pipe(file)
  return {
    async put(name, bytes) {
      if (failure) throw failure
      await Promise.race([
        new Promise<void>((done, fail) => {
          const entry = pack.entry({ name, mode: privately.file, mtime: new Date() }, bytes, (error) =>
            error ? fail(error) : done(),
          )
          entry.on('error', fail)
        }),
        written.then(() => {
          throw new Error('the file was closed before the backup was whole')
        }),
      ])
    },
    async finish() {
      pack.finalize()
      await written
    },
    async abandon() {
      pack.destroy()
      file.destroy()
      await written.catch(() => {})
    },
  }
}

async function* entriesOfDirectory(path: string): Entries {
  const files = await readdir(path, { recursive: true, withFileTypes: true })
  const names = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(path.length + 1))
  for (const name of names.sort()) yield { name, read: () => readFile(join(path, name)) }
}

async function* entriesOfTar(path: string): Entries {
  const extract = tar.extract()
  const file = createReadStream(path)
  file.once('error', (error) => extract.destroy(error))
  file.pipe(extract)
  for await (const entry of extract) {
    yield {
      name: entry.header.name,
      async read() {
        const pieces: Buffer[] = []
        for await (const piece of entry) pieces.push(piece as Buffer)
        return Buffer.concat(pieces)
      },
    }
    entry.resume()
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
