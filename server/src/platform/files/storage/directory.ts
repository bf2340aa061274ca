import { copyFile, link, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { newId } from '../../core/values/ids.ts'
import { keyIn, pathOf, type Storage, storageAway } from './storage.ts'

export function directoryStorage(root: string): Storage {
  const placeOf = (key: Parameters<typeof pathOf>[0]) => join(root, pathOf(key))
  const sizeOf: Storage['sizeOf'] = async (key) => (await stat(placeOf(key)).catch(nullWhereMissing))?.size ?? null
  return {
    name: root,
    isLocal: true,
    sizeOf,
    async put(key, path, size) {
      if ((await sizeOf(key)) === size) return
      await keep(path, placeOf(key)).catch(refuseAway)
    },
    // Opened before it is answered: what is missing is then an error of the request, not a download that breaks off.
    async read(key, span) {
      const file = await open(placeOf(key)).catch(refuseAway)
      return file.createReadStream(span && { start: span.first, end: span.last })
    },
    remove: (key) => rm(placeOf(key), { force: true }),
    async *list() {
      const folder = await opendir(root, { recursive: true }).catch(nullWhereMissing)
      if (!folder) return
      for await (const entry of folder) {
        const path = join(entry.parentPath, entry.name)
        const key = entry.isFile() ? keyIn(relative(root, path).split(sep).join('/')) : null
        const found = key && (await stat(path).catch(nullWhereMissing))
        if (key && found) yield { ...key, size: found.size }
      }
    },
  }
}

/** On disk before it is there under its name. */
async function keep(path: string, place: string): Promise<void> {
  await makeFolder(dirname(place))
  await syncFile(path)
  await linkWhole(path, place)
  await syncFolder(dirname(place))
}

/** A second name for the same bytes, which cannot be seen half written. File systems without such names get a copy, renamed when it is whole. */
async function linkWhole(path: string, place: string): Promise<void> {
  try {
    await link(path, place)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Somebody has put the same content there meanwhile, or what is there is not whole: the copy replaces it.
    if (!['EEXIST', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(code ?? '')) throw error
    const copy = `${place}.${newId()}`
    await copyFile(path, copy)
    await syncFile(copy)
    await rename(copy, place)
  }
}

/** Names are on disk only when their folder is; so it is with folders that were made for it. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Such as a disk that is full, or a directory that is not mounted. */
function refuseAway(error: unknown): never {
  throw storageAway(error)
}
