import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startDatabaseServer } from '../process/database.ts'
import { newDataDir, startLading } from '../process/lading.ts'
import { startRelay } from '../relay.ts'
import { openClient } from './client.ts'
import { examine } from './examination.ts'
import { startLoad } from './load.ts'
import { newOrganizations, type Organization } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

/** Promised: from the moment at which the database can be reached again. */
const backWithinMs = 15_000
const silentMs = 25_000
/** Longer than it may take, so that the figure says how long it took. */
const patienceMs = 120_000

/** A relay between Lading and its database that delays, drops, refuses and silences connections. */
export function connections(): Promise<Result> {
  return inPlace(async (t) => {
    const { relay, load, organizations, base, target, env } = await openRelayed(t)
    const faults: string[] = []
    const figures: Record<string, string> = {}
    const recover = async (after: string) => {
      const ms = await load.acknowledges(5, patienceMs)
      if (ms === null || ms > backWithinMs)
        faults.push(`After ${after} writes were acknowledged again only after ${seconds(ms ?? patienceMs)}.`)
      figures[`back after ${after}`] = seconds(ms ?? patienceMs)
    }
    await load.acknowledges(50, patienceMs)

    relay.delay(50)
    const before = load.history.statuses.get(503) ?? 0
    await load.acknowledges(50, patienceMs)
    relay.delay(0)
    const refused = (load.history.statuses.get(503) ?? 0) - before
    if (refused > 0) faults.push(`With 50 ms of delay ${refused} requests were answered 503.`)
    await recover('delays')

    for (let times = 0; times < 10; times++) {
      relay.drop()
      await sleep(300)
    }
    await recover('dropped connections')

    await relay.refuse()
    await sleep(3_000)
    await relay.listen()
    await recover('refused connections')

    // As after a firewall forgot them: nobody is told, and new ones are passed on.
    relay.silenceThese()
    await recover('connections fell silent')
    relay.drop()

    relay.silence()
    figures['a read while silent is refused after'] = await whileSilent(base, organizations[0] as Organization, faults)
    relay.resume()
    await recover('silence')
    const { slowestMs } = load.history
    if (slowestMs > backWithinMs + 5_000) faults.push(`A request was answered only after ${seconds(slowestMs)}.`)

    await load.stop()
    const found = await examine(t, { load, organizations, base, target, env })
    return { name: 'connections', figures: { ...found.figures, ...figures }, faults: [...faults, ...found.faults] }
  })
}

async function openRelayed(t: TestContext) {
  const server = await startDatabaseServer(t)
  const relay = await startRelay(server.port)
  t.after(() => relay.close())
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: `postgres://tester@127.0.0.1:${relay.port}/postgres`,
    PORT: String(port),
    RATE_LIMIT_TOKEN: '0',
    RATE_LIMIT_ORGANIZATION: '0',
  }
  await startLading(t, newDataDir(t), env).ready()
  const organizations = await newOrganizations(t, server.url(), base, 3)
  const load = startLoad(t, organizations, () => base)
  return { relay, load, organizations, base, target: server.url(), env: { DATABASE_URL: server.url() } }
}

/** Says how long a request takes that comes when the database has been silent for a while; once that is known it is refused at once. */
async function whileSilent(base: string, { token }: Organization, faults: string[]): Promise<string> {
  const since = performance.now()
  await sleep(backWithinMs)
  const client = openClient()
  const { status, ms } = await client.send(base, { method: 'GET', path: '/api/v1/bills?limit=1', token })
  client.close()
  if (status !== 503 || ms > 2_000)
    faults.push(
      `A read after ${backWithinMs / 1000} s of silence was answered ${status} after ${seconds(ms)}, not 503 at once.`,
    )
  await sleep(Math.max(0, silentMs - (performance.now() - since)))
  return seconds(ms)
}
