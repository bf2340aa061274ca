import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Pool } from '../../src/platform/db/pool/connect.ts'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { call, databaseOf, type Lading, newDataDir, startLading, usedDataDir } from '../process/lading.ts'
import { findingsOf, within } from './application.ts'
import { fill, mountSmall, remount } from './mounts.ts'
import { inPlace, type Result } from './place.ts'

const patienceMs = 60_000
const isRoot = process.getuid?.() === 0
/** Root may write everywhere: then the server runs as somebody who may not. */
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/** BACKUP_DIR is full, read-only, no directory, or another's: the job has failed and says why, the server serves on, and the next backup is good. */
export function backupDirectory(): Promise<Result> {
  return inPlace(async (t) => {
    const dataDir = newDataDir(t, await usedDataDir(t))
    const place = join(dataDir, '..', 'backups')
    const faults: string[] = []
    const troubles = await troublesAt(t, place)
    troubles[0]?.begin()
    if (isRoot) spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, dataDir])
    const server = startLading(t, dataDir, { BACKUP_DIR: place, TMPDIR: undefined }, nobody)
    await server.ready()
    const pool = databaseOf(t, embeddedAddress(dataDir))
    for (const [index, { what, begin, end }] of troubles.entries()) {
      if (index > 0) {
        begin()
        await makeDue(pool)
      }
      if (!(await within(patienceMs, async () => (await failures(pool)) > index)))
        faults.push(`The job did not fail with a directory that is ${what}.`)
      const { 'background work': said = '' } = await findingsOf({ DATA_DIR: dataDir, BACKUP_DIR: place })
      if (!said.includes('back up'))
        faults.push(`The doctor does not say that there is no backup in a directory that is ${what}.`)
      if (!(await serves(server)))
        faults.push(`The server did not survive a directory that is ${what}: ${server.said().slice(-500)}`)
      end()
    }
    mkdirSync(place)
    if (isRoot) chownSync(place, 65_534, 65_534)
    await makeDue(pool)
    if (!(await within(patienceMs, () => readdirSync(place).some((name) => name.endsWith('.tar')))))
      faults.push('There is no backup once the directory is good.')
    await within(patienceMs, async () => (await failures(pool)) === 0)
    for (const [what, message] of Object.entries(await findingsOf({ DATA_DIR: dataDir, BACKUP_DIR: place })))
      faults.push(`The doctor finds fault with ${what}: ${message}`)
    if (readdirSync(place).some((name) => name.endsWith('.partial')))
      faults.push('What was not finished is still there.')
    return { name: 'backup-directory', figures: { troubles: troubles.map(({ what }) => what).join(', ') }, faults }
  })
}

type Trouble = { what: string; begin(): void; end(): void }

/** File systems that are full or read-only are for root to mount. */
async function troublesAt(t: TestContext, place: string): Promise<Trouble[]> {
  const remove = () => rmSync(place, { recursive: true, force: true })
  const noDirectory = { what: 'a file', begin: () => writeFileSync(place, 'not ours'), end: remove }
  const closed = (mode: number) => () => {
    mkdirSync(place)
    chmodSync(place, mode)
  }
  const open = () => {
    chmodSync(place, 0o700)
    remove()
  }
  const others = [
    noDirectory,
    { what: 'not to be written', begin: closed(0o555), end: open },
    { what: 'of another', begin: closed(isRoot ? 0o700 : 0), end: open },
  ]
  const small = mountSmall(t, 256)
  if (!small) return others
  chmodSync(small, 0o777)
  await fill(join(small, 'filler'))
  const link = () => symlinkSync(small, place)
  const readOnly = () => {
    remount(small, 'ro')
    link()
  }
  return [{ what: 'full', begin: link, end: remove }, ...others, { what: 'read-only', begin: readOnly, end: remove }]
}

async function serves({ said }: Lading): Promise<boolean> {
  const url = /Server listening at (http:\/\/[^"\s]+)/.exec(said())?.[1]
  return (await call(`${url}/health/live`).catch(() => null))?.status === 200
}

/** As if its period were over. */
async function makeDue(pool: Pool): Promise<void> {
  await pool.run(sql`update background_jobs set due_at = statement_timestamp() where name = 'back up'`)
}

async function failures(pool: Pool): Promise<number> {
  const [row] = await pool.run<{ failures: number }>(sql`select failures from background_jobs where name = 'back up'`)
  return row?.failures ?? 0
}
