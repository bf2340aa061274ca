import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { findBinaries, launcherFor } from '../../src/platform/db/postgres/binaries.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { freePort } from '../process/database.ts'
import { lading, newDataDir, startLading, until } from '../process/lading.ts'
import { baseBackupOf, type Cluster, clusterFrom, newCluster } from './clusters.ts'
import { readState } from './examination.ts'
import { countFate } from './history.ts'
import { type Load, startLoad } from './load.ts'
import { newOrganizations } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

const patienceMs = 90_000

type Moment = { at: string; notBefore: number; notAfter: number }

/** A base backup and an archive of WAL, both made under load, brought back to a moment in between: docs/operating.md has the same with PostgreSQL's tools. */
export function pointInTime(): Promise<Result> {
  return inPlace(async (t) => {
    const { primary, archive } = await startArchiving(t)
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    await startLading(t, newDataDir(t), {
      DATABASE_URL: primary.url,
      PORT: String(port),
      RATE_LIMIT_TOKEN: '0',
      RATE_LIMIT_ORGANIZATION: '0',
    }).ready()
    const organizations = await newOrganizations(t, primary.url, base, 3)
    const load = startLoad(t, organizations, () => base)
    const faults: string[] = []
    const underWay = async () => {
      if ((await load.acknowledges(60, patienceMs)) === null) faults.push('The load did not get under way.')
    }
    await underWay()
    const copy = await baseBackupOf(t, primary)
    await underWay()
    const moment = await momentOf(primary)
    await underWay()
    await load.stop()
    await primary.stop()

    const since = performance.now()
    const settings = `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment.at}'\nrecovery_target_action = 'promote'\narchive_mode = off\n`
    const recovered = await clusterFrom(t, copy, 'recovery.signal', settings)
    await recovered.start()
    await recoveryEnds(recovered)
    const took = performance.now() - since
    faults.push(...(await contentFaults(recovered, load, moment)))
    const { code, stdout } = await lading(['doctor'], { DATABASE_URL: recovered.url })
    if (code !== 0) faults.push(`The doctor finds fault with the recovered database: ${stdout}`)
    const acknowledged = countFate(load.history, 'acknowledged')
    return { name: 'point-in-time', figures: { acknowledged, 'recovery took': seconds(took) }, faults }
  })
}

async function startArchiving(t: TestContext): Promise<{ primary: Cluster; archive: string }> {
  const archive = join(dirname(newDataDir(t)), 'archive')
  mkdirSync(archive, { mode: 0o700 })
  launcherFor(findBinaries(), { dataDir: dirname(archive), cluster: archive }).own(archive)
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`
  const primary = await newCluster(t, `archive_mode = on\narchive_command = '${command}'\n`)
  await primary.start()
  return { primary, archive }
}

/** By the clock of PostgreSQL, and between which moments of ours that was. */
async function momentOf({ url }: Cluster): Promise<Moment> {
  const pool = connect(url, { max: 1 })
  const notBefore = performance.now()
  const [row] = await pool.run<{ at: string }>(sql`select clock_timestamp()::text as at`)
  const notAfter = performance.now()
  await pool.end()
  return { at: row?.at as string, notBefore, notAfter }
}

async function recoveryEnds({ url }: Cluster): Promise<void> {
  const pool = connect(url, { max: 1 })
  const isOver = async () =>
    (await pool.run<{ over: boolean }>(sql`select not pg_is_in_recovery() as over`))[0]?.over === true
  await until(() => isOver().catch(() => false), 'the recovery is over')
  await pool.end()
}

/** What was acknowledged before the moment is there once, and nothing that began after it. */
async function contentFaults({ url }: Cluster, load: Load, { notBefore, notAfter }: Moment): Promise<string[]> {
  const pool = connect(url, { max: 1 })
  const { rows } = await readState(pool)
  await pool.end()
  const found = Map.groupBy(rows, ({ mark }) => mark)
  return load.history.writes.flatMap(({ kind, mark, fate, began, ended }) => {
    const times = found.get(mark)?.length ?? 0
    if (fate === 'acknowledged' && ended < notBefore && times !== 1)
      return [`The ${kind} ${mark} was acknowledged before the moment and is there ${times} times.`]
    return began > notAfter && times > 0 ? [`The ${kind} ${mark} began after the moment and is there.`] : []
  })
}
