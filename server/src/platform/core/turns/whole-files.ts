import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a small file so that a crash at any moment leaves the old one or the new one, also when the power fails: without `fsync` the name may be on
 * disk before the content is.
 */
export function writeWholeFile(path: string, content: string | Uint8Array, mode: number): void {
  const fresh = `${path}.new`
  const file = openSync(fresh, 'w', mode)
  try {
    // One that a crash has left keeps its rights when it is opened.
    fchmodSync(file, mode)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

/** Has the names in a folder on disk: what was made in it or renamed into it. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
