import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../src/platform/db/postgres/binaries.ts'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { type Lading, newDataDir, postgresOn, startLading, usedDataDir } from '../process/lading.ts'
import { examine } from './examination.ts'
import { type Load, startLoad } from './load.ts'
import { newOrganizations } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

/** Every victim at least once, and again while there is time. */
const mostRounds = 5
const roundsMs = 45_000
/** How long it may take until writes are acknowledged again. */
const backWithinMs = 60_000

type Victim = 'a worker' | 'PostgreSQL' | 'a backend of PostgreSQL' | 'the server' | 'the server and PostgreSQL'
const victims: readonly Victim[] = [
  'a worker',
  'PostgreSQL',
  'a backend of PostgreSQL',
  'the server',
  'the server and PostgreSQL',
]

/** kill -9 of everything there is, one after the other, under a mixed load, on the embedded PostgreSQL with two workers. */
export function kills(): Promise<Result> {
  return inPlace(async (t) => {
    const dataDir = newDataDir(t, await usedDataDir(t))
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), WORKERS: '2', RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' }
    let server = await startReady(t, dataDir, env)
    const organizations = await newOrganizations(t, embeddedAddress(dataDir), base, 3)
    const load = startLoad(t, organizations, () => base)
    const faults: string[] = []
    const outages: Record<string, number> = {}
    const begin = performance.now()
    let killed = 0
    for (let round = 0; round < mostRounds && performance.now() - begin < roundsMs; round++) {
      for (const victim of victims) {
        killed++
        await underWay(load, faults, victim)
        const since = performance.now()
        await kill(server, victim)
        if (victim.startsWith('the server')) server = await startReady(t, dataDir, env)
        if ((await load.acknowledges(1, backWithinMs)) === null)
          faults.push(`Nothing was acknowledged in ${backWithinMs / 1000} s after the end of ${victim}.`)
        outages[victim] = Math.max(outages[victim] ?? 0, performance.now() - since)
      }
    }
    await underWay(load, faults, 'the last one')
    await load.stop()
    const found = await examine(t, {
      load,
      organizations,
      base,
      target: embeddedAddress(dataDir),
      env: { DATA_DIR: dataDir },
    })
    const waits = Object.fromEntries(
      Object.entries(outages).map(([victim, ms]) => [`longest wait after ${victim}`, seconds(ms)]),
    )
    return {
      name: 'kills',
      figures: { kills: killed, ...found.figures, ...waits },
      faults: [...faults, ...found.faults],
    }
  })
}

async function startReady(t: TestContext, dataDir: string, env: Record<string, string>): Promise<Lading> {
  const server = startLading(t, dataDir, env)
  await server.ready()
  return server
}

/** The next fault comes when the load is under way again, at a moment that nobody chose. */
async function underWay(load: Load, faults: string[], before: string): Promise<void> {
  if ((await load.acknowledges(30, backWithinMs)) === null)
    faults.push(`The load did not get under way before ${before}.`)
  await sleep(Math.random() * 300)
}

async function kill(server: Lading, victim: Victim): Promise<void> {
  const postgres = postgresOn(server.dataDir)
  if (victim === 'a worker') end(childrenOf(server.pid).find((pid) => commandOf(pid).includes('lading.js')))
  if (victim === 'a backend of PostgreSQL')
    end(childrenOf(postgres ?? 0).find((pid) => commandOf(pid).includes('[local]')))
  if (victim.startsWith('the server')) end(server.pid)
  if (victim.endsWith('PostgreSQL') && victim !== 'a backend of PostgreSQL') end(postgres)
  if (victim.startsWith('the server')) await server.ended
}

function end(pid: number | null | undefined): void {
  if (pid) process.kill(pid, 'SIGKILL')
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number).filter(isAlive)
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}
