import type { TestContext } from 'node:test'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { freePort } from '../process/database.ts'
import { newDataDir, startLading, until } from '../process/lading.ts'
import { baseBackupOf, type Cluster, clusterFrom, newCluster } from './clusters.ts'
import { examine } from './examination.ts'
import { startLoad } from './load.ts'
import { newOrganizations } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

/** From the promotion of the standby. */
const backWithinMs = 15_000
const patienceMs = 90_000

/**
 * A primary with a synchronous standby, both in DATABASE_URL. The primary is killed and its standby promoted; then it happens again with the new
 * primary, which falls silent instead: its processes are stopped and its connections stay open.
 */
export function failover(): Promise<Result> {
  return inPlace(async (t) => {
    const [first, port] = [await newCluster(t), await freePort()]
    await first.start()
    const second = await followedBy(t, first)
    const third = await freePort()
    const base = `http://127.0.0.1:${port}`
    const hosts = [first.port, second.port, third].map((each) => `127.0.0.1:${each}`).join(',')
    const env = {
      DATABASE_URL: `postgres://tester@${hosts}/postgres`,
      PORT: String(port),
      RATE_LIMIT_TOKEN: '0',
      RATE_LIMIT_ORGANIZATION: '0',
    }
    await startLading(t, newDataDir(t), env).ready()
    const organizations = await newOrganizations(t, first.url, base, 3)
    const load = startLoad(t, organizations, () => base)
    const faults: string[] = []
    const recover = async (after: string) => {
      const ms = await load.acknowledges(5, patienceMs)
      if (ms === null || ms > backWithinMs)
        faults.push(`After ${after} writes were acknowledged again only after ${seconds(ms ?? patienceMs)}.`)
      return seconds(ms ?? patienceMs)
    }
    await load.acknowledges(50, patienceMs)
    first.signal('SIGKILL')
    await promote(second)
    const afterKill = await recover('the primary was killed')

    const last = await followedBy(t, second, third)
    await load.acknowledges(50, patienceMs)
    second.signal('SIGSTOP', true)
    await promote(last)
    const afterSilence = await recover('the primary fell silent')
    await load.acknowledges(30, patienceMs)
    await load.stop()
    second.signal('SIGKILL', true)
    const found = await examine(t, { load, organizations, base, target: last.url, env: { DATABASE_URL: last.url } })
    const figures = {
      ...found.figures,
      'back after the primary was killed': afterKill,
      'back after the primary fell silent': afterSilence,
    }
    return { name: 'failover', figures, faults: [...faults, ...found.faults] }
  })
}

/** A standby of a running primary, which from then on acknowledges a commit when both have it. */
async function followedBy(t: TestContext, primary: Cluster, port?: number): Promise<Cluster> {
  const source = `host=127.0.0.1 port=${primary.port} user=tester application_name=standby`
  const standby = await clusterFrom(
    t,
    await baseBackupOf(t, primary),
    'standby.signal',
    `primary_conninfo = '${source}'\n`,
    port,
  )
  await standby.start()
  const pool = connect(primary.url, { max: 1 })
  await pool.run(sql`alter system set synchronous_standby_names = 'standby'`)
  await pool.run(sql`select pg_reload_conf()`)
  const isSynchronous = async () =>
    (await pool.run(sql`select from pg_stat_replication where sync_state = 'sync'`)).length === 1
  await until(isSynchronous, 'the standby is synchronous')
  await pool.end()
  return standby
}

async function promote(standby: Cluster): Promise<void> {
  const pool = connect(standby.url, { max: 1 })
  await pool.run(sql`select pg_promote()`)
  await pool.end()
}
