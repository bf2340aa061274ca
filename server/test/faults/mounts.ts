import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** A file system of its own in memory, of so many KiB; null where this user may not mount one. */
export function mountSmall(t: TestContext, sizeKb: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k,mode=711`, 'tmpfs', folder]).status !== 0) return null
  t.after(async () => {
    // Whatever was ended before this may hold its files for another moment.
    for (let tries = 0; tries < 50; tries++) {
      if (spawnSync('umount', [folder]).status === 0) return
      await sleep(100)
    }
    spawnSync('umount', ['--lazy', folder])
  })
  return folder
}

/** Until nothing more fits; called again, it takes what was set free meanwhile. */
export async function fill(path: string): Promise<void> {
  const file = openSync(path, 'a')
  try {
    for (let size = 2 ** 20; size >= 512; ) {
      try {
        if (writeSync(file, Buffer.alloc(size, 1)) < size) size /= 2
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
        size /= 2
      }
    }
  } finally {
    closeSync(file)
  }
}

/** Whether it may be written to. */
export function remount(folder: string, how: 'ro' | 'rw'): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,${how}`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
