import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { listTables, summarize } from '../../src/platform/backup/store.ts'
import { oneSnapshot, type Pool } from '../../src/platform/db/pool/connect.ts'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { readAllOrganizations } from '../../src/platform/db/schema/organizations.ts'
import { readSettings } from '../../src/settings.ts'
import { withDatabase } from '../../src/tools/cli/database.ts'
import { freePort } from '../process/database.ts'
import { type Environment, lading, newDataDir, startLading, usedDataDir } from '../process/lading.ts'
import { examine, readState } from './examination.ts'
import { type Load, startLoad } from './load.ts'
import { newOrganizations } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

const patienceMs = 60_000
const keysFile = 'bank-details.keys'

/** Backups while it serves, each restored into an empty place; one of them damaged. */
export function backup(): Promise<Result> {
  return inPlace(async (t) => {
    const dataDir = newDataDir(t, await usedDataDir(t))
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const server = startLading(t, dataDir, { PORT: String(port), RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' })
    await server.ready()
    const organizations = await newOrganizations(t, embeddedAddress(dataDir), base, 3)
    const load = startLoad(t, organizations, () => base)
    const faults: string[] = []
    if ((await load.acknowledges(200, patienceMs)) === null) faults.push('The load did not get under way.')

    const busy = join(dataDir, '..', 'busy.tar')
    const [began, ended] = await between(() => succeed(faults, ['backup', busy], { DATA_DIR: dataDir }))
    await load.acknowledges(50, patienceMs)
    faults.push(...(await contentFaults(t, busy, join(dataDir, keysFile), load, began, ended)))
    faults.push(...(await damageFaults(t, busy)))
    await load.stop()
    const found = await examine(t, {
      load,
      organizations,
      base,
      target: embeddedAddress(dataDir),
      env: { DATA_DIR: dataDir },
    })

    server.kill('SIGTERM')
    await server.ended
    const rows = await equalFaults(t, dataDir, faults)
    const figures = { ...found.figures, 'backup under load': seconds(ended - began), 'rows compared': rows }
    return { name: 'backup', figures, faults: [...faults, ...found.faults] }
  })
}

/** In a backup made under load is what was acknowledged before it began, and nothing that began after it ended. */
async function contentFaults(
  t: TestContext,
  from: string,
  keys: string,
  load: Load,
  began: number,
  ended: number,
): Promise<string[]> {
  const copy = newDataDir(t)
  const faults: string[] = []
  await succeed(faults, ['restore', from], { DATA_DIR: copy })
  // Saved apart from the backup, as it asks for: without them nobody can read the bank details of the copy.
  copyFileSync(keys, join(copy, keysFile))
  await succeed(faults, ['doctor'], { DATA_DIR: copy })
  if (faults.length > 0) return faults
  const { rows } = await onDatabaseOf(copy, readState)
  const there = new Set(rows.map(({ mark }) => mark))
  for (const write of load.history.writes) {
    if (write.fate === 'acknowledged' && write.ended < began && !there.has(write.mark))
      faults.push(`The ${write.kind} ${write.mark} was acknowledged before the backup began and is not in it.`)
    if (write.began > ended && there.has(write.mark))
      faults.push(`The ${write.kind} ${write.mark} began after the backup ended and is in it.`)
  }
  return faults
}

/** One byte changed in the middle of the file: refused, and the place stays empty, so that the good one can be restored there. */
async function damageFaults(t: TestContext, from: string): Promise<string[]> {
  const [damaged, copy] = [`${from}.damaged.tar`, newDataDir(t)]
  copyFileSync(from, damaged)
  const bytes = readFileSync(damaged)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] as number) ^ 0xff
  writeFileSync(damaged, bytes)
  const { code, stderr } = await lading(['restore', damaged], { DATA_DIR: copy })
  if (code !== 1 || !/not what was written|damaged/.test(stderr))
    return [`A damaged backup was not refused: ${code} ${stderr}`]
  const faults: string[] = []
  await succeed(faults, ['restore', from], { DATA_DIR: copy })
  return faults
}

/** Of a server that is stopped, so that nothing changes between the backup and the comparison: every row of every table is equal. */
async function equalFaults(t: TestContext, dataDir: string, faults: string[]): Promise<number> {
  const [still, copy] = [join(dataDir, '..', 'still'), newDataDir(t)]
  const before = await onDatabaseOf(dataDir, hashes)
  await succeed(faults, ['backup', still], { DATA_DIR: dataDir })
  await succeed(faults, ['restore', still], { DATA_DIR: copy })
  const after = await onDatabaseOf(copy, hashes)
  for (const [table, summary] of Object.entries(before)) {
    if (JSON.stringify(after[table]) !== JSON.stringify(summary))
      faults.push(`The table ${table} differs after the restore.`)
  }
  return Object.values(before).reduce((sum, { rows }) => sum + rows, 0)
}

async function hashes(pool: Pool): Promise<Record<string, { rows: number; hash: string }>> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    const found: Record<string, { rows: number; hash: string }> = {}
    for (const table of await listTables(run)) found[table.name] = await summarize(run, table)
    return found
  }, oneSnapshot)
}

/** On a data directory whose server is not running. */
function onDatabaseOf<T>(dataDir: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  return withDatabase(readSettings({ DATA_DIR: dataDir }), ({ pool }) => work(pool))
}

async function succeed(faults: string[], command: string[], env: Environment): Promise<void> {
  const { code, stdout, stderr } = await lading(command, env)
  if (code !== 0) faults.push(`lading ${command[0]} ended with ${code}: ${stderr || stdout}`)
}

async function between(work: () => Promise<void>): Promise<[number, number]> {
  const began = performance.now()
  await work()
  return [began, performance.now()]
}
