import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startDatabaseServer } from '../process/database.ts'
import { call, type Environment, type Lading, newDataDir, startLading } from '../process/lading.ts'
import { examine } from './examination.ts'
import { startLoad } from './load.ts'
import { newOrganizations } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

/** Each server at least once, and again while there is time. */
const mostRounds = 4
const roundsMs = 45_000
const patienceMs = 60_000

/** Two servers with two workers each on one database, restarted in turn behind a balancer that asks /health/ready: no request may fail. */
export function restarts(): Promise<Result> {
  return inPlace(async (t) => {
    const database = await startDatabaseServer(t)
    const ports = [await freePort(), await freePort()]
    // One installation behind a balancer has one public address.
    const issuer = 'http://127.0.0.1:1'
    const env = {
      DATABASE_URL: database.url(),
      WORKERS: '2',
      DATABASE_POOL: '5',
      DRAIN_DELAY_MS: '1500',
      PUBLIC_URL: issuer,
    }
    const limits = { RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' }
    const start = (port: number) => startReady(t, { ...env, ...limits, PORT: String(port) })
    const servers: Lading[] = [await start(ports[0] as number), await start(ports[1] as number)]
    const organizations = await newOrganizations(t, database.url(), issuer, 3)
    const balancer = balance(ports.map((port) => `http://127.0.0.1:${port}`))
    t.after(balancer.stop)
    const load = startLoad(t, organizations, balancer.next, { callersEach: 2, pauseMs: 50 })
    const faults: string[] = []
    let slowest = 0
    const begin = performance.now()
    let restarted = 0
    for (let round = 0; round < mostRounds && performance.now() - begin < roundsMs; round++) {
      for (const [index, port] of ports.entries()) {
        if ((await load.acknowledges(30, patienceMs)) === null) faults.push('The load did not get under way.')
        const since = performance.now()
        servers[index]?.kill('SIGTERM')
        const ended = await servers[index]?.ended
        if (ended?.code !== 0)
          faults.push(`A server that was asked to stop ended with ${ended?.code ?? ended?.signal}.`)
        slowest = Math.max(slowest, performance.now() - since)
        servers[index] = await start(port)
        restarted++
      }
    }
    await load.acknowledges(30, patienceMs)
    await load.stop()
    for (const status of [0, 503]) {
      const failed = load.history.statuses.get(status) ?? 0
      if (failed > 0) faults.push(`${failed} requests were ${status === 0 ? 'not answered' : `answered ${status}`}.`)
    }
    const target = database.url()
    const found = await examine(t, {
      load,
      organizations,
      base: balancer.next(),
      target,
      env: { DATABASE_URL: target },
    })
    const figures = { restarts: restarted, ...found.figures, 'slowest stop': seconds(slowest) }
    return { name: 'restarts', figures, faults: [...faults, ...found.faults] }
  })
}

async function startReady(t: TestContext, env: Environment): Promise<Lading> {
  const server = startLading(t, newDataDir(t), env)
  await server.ready()
  return server
}

/** What a balancer does: sends requests in turn to those that say they are ready, and asks them again and again. */
function balance(bases: readonly string[]) {
  const ready = new Set(bases)
  let turn = 0
  let over = false
  async function watch(base: string): Promise<void> {
    while (!over) {
      const answer = await call(`${base}/health/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
      if (answer?.status === 200) ready.add(base)
      else ready.delete(base)
      await sleep(200)
    }
  }
  for (const base of bases) void watch(base)
  return {
    next: () => [...ready][turn++ % Math.max(1, ready.size)] ?? (bases[0] as string),
    stop: () => {
      over = true
    },
  }
}
