import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../db/pool/connect.ts'
import type { Storage } from '../files/storage/storage.ts'
import type { Job } from '../work/job.ts'
import { missingIn } from './format.ts'
import { type MadeBackup, makeBackup } from './make.ts'
import { isLeftBehind, partialEnding } from './places.ts'
import { findLast, insertBackup } from './store.ts'

export type Schedule = { directory: string; everyHours: number; keep: number }

const ours = /^lading-\d{8}T\d{9}Z\.tar$/

/** Makes a backup, and notes it where `lading doctor` and the metrics look. */
export async function backUp(pool: Pool, path: string, version: string, storage: Storage): Promise<MadeBackup> {
  const made = await makeBackup(pool, path, version, storage)
  await insertBackup(pool.run, made)
  return made
}

/**
 * One file for each period; the oldest are deleted after the new one was read back. What a process left behind that was killed is deleted before, to make
 * room for it.
 */
export function backupJob(
  pool: Pool,
  { directory, everyHours, keep }: Schedule,
  version: string,
  storage: Storage,
): Job {
  return {
    name: 'back up',
    everySeconds: everyHours * 3600,
    runsOn: 'one process',
    async run() {
      await deleteLeftBehind(directory)
      const { documents } = await backUp(pool, join(directory, fileName(new Date())), version, storage)
      const files = (await readdir(directory)).filter((file) => ours.test(file)).sort()
      for (const file of files.slice(0, -keep)) await rm(join(directory, file))
      // The backup is there, and its place in the row; that it is not whole is for somebody to see.
      const missing = documents ? missingIn(documents) : ''
      if (missing !== '') throw new Error(`the backup was made, but ${missing}`)
    },
  }
}

async function deleteLeftBehind(directory: string): Promise<void> {
  const files = await readdir(directory).catch(() => [])
  for (const file of files.filter(
    (file) => file.endsWith(partialEnding) && ours.test(file.slice(0, -partialEnding.length)),
  ))
    if (await isLeftBehind(join(directory, file))) await rm(join(directory, file), { force: true })
}

export function lastBackup(pool: Pool): Promise<{ made_at: Date; path: string } | undefined> {
  return findLast(pool.run)
}

function fileName(at: Date): string {
  return `lading-${at.toISOString().replace(/[-:.]/g, '')}.tar`
}
