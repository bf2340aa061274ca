import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { call, demoOf, newDataDir, startLading } from '../process/lading.ts'
import { openClient } from './client.ts'
import { examine } from './examination.ts'
import { startLoad } from './load.ts'
import { newOrganizations, type Organization } from './organizations.ts'
import { inPlace, type Result } from './place.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Where the clock stands, ahead of the true time, one after the other. */
const jumps: readonly [string, number][] = [
  ['right', 0],
  ['a day ahead', day],
  ['right again', 0],
  ['a day behind', -day],
  ['right again', 0],
  ['ten minutes ahead', 10 * minute],
  ['right again', 0],
  ['an hour behind', -60 * minute],
  ['right again', 0],
]
/** Of one caller, in each place of the clock: far below the limit in any minute, and above it in all. */
const requestsEach = 250
const limit = 1_600
const eachMs = 15_000
const patienceMs = 60_000

/**
 * The clock of the server's processes jumps under load, that of PostgreSQL does not. Nobody is near the limits, so nobody may be refused by
 * them, and people and applications sign in at every moment.
 */
export function clock(): Promise<Result> {
  return inPlace(async (t) => {
    const dataDir = newDataDir(t)
    const file = join(dataDir, '..', 'clock')
    writeFileSync(file, '0')
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const preload = fileURLToPath(new URL('./shifted-clock.ts', import.meta.url))
    const env = {
      PORT: String(port),
      WORKERS: '2',
      RATE_LIMIT_TOKEN: String(limit),
      NODE_OPTIONS: `--import ${preload}`,
      CLOCK_FILE: file,
    }
    await startLading(t, dataDir, env).ready()
    const [quiet, ...organizations] = await newOrganizations(t, embeddedAddress(dataDir), base, 4)
    const load = startLoad(t, organizations, () => base, { callersEach: 1, pauseMs: 100 })
    const faults: string[] = []
    let limited = 0
    for (const [where, ahead] of jumps) {
      writeFileSync(file, String(ahead))
      const since = performance.now()
      if ((await load.acknowledges(10, patienceMs)) === null)
        faults.push(`With the clock ${where} writes were not acknowledged.`)
      for (const why of await signInFaults(base, dataDir, ahead)) faults.push(`With the clock ${where} ${why}`)
      limited += await requestsLimited(base, quiet as Organization)
      await sleep(Math.max(0, eachMs - (performance.now() - since)))
    }
    if (limited > 0)
      faults.push(
        `Of ${requestsEach * jumps.length} requests, at most ${requestsEach} in ${eachMs / 1000} s, ${limited} were answered 429.`,
      )
    await load.stop()
    const found = await examine(t, {
      load,
      organizations,
      base,
      target: embeddedAddress(dataDir),
      env: { DATA_DIR: dataDir },
    })
    return {
      name: 'clock',
      figures: { jumps: jumps.length - 1, ...found.figures, 'answered 429': limited },
      faults: [...faults, ...found.faults],
    }
  })
}

async function requestsLimited(base: string, { token }: Organization): Promise<number> {
  const client = openClient()
  let limited = 0
  for (let sent = 0; sent < requestsEach; sent++) {
    const { status } = await client.send(base, { method: 'GET', path: '/api/v1/currencies?limit=1', token })
    if (status === 429) limited++
  }
  client.close()
  return limited
}

/** By password and as an application; with the token that comes of it a request is answered. */
async function signInFaults(base: string, dataDir: string, ahead: number): Promise<string[]> {
  const { client_id = '', client_secret = '', username = '', password = '' } = demoOf(dataDir)
  const faults: string[] = []
  for (const grant of [{ grant_type: 'password', username, password }, { grant_type: 'client_credentials' }]) {
    const signedIn = await call(`${base}/oauth2/token`, {
      method: 'POST',
      body: { ...grant, client_id, client_secret },
    })
    const token = signedIn.status === 200 ? JSON.parse(signedIn.body).access_token : null
    if (!token) faults.push(`the grant ${grant.grant_type} was answered ${signedIn.status} ${signedIn.body}`)
    else {
      const { status, body } = await call(`${base}/api/v1/bills?limit=1`, { token })
      const issued = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).iat * 1000
      if (Math.abs(issued - Date.now() - ahead) > minute)
        faults.push('the server went by another clock: the scenario shows nothing.')
      if (status !== 200)
        faults.push(`a request with a new token of the grant ${grant.grant_type} was answered ${status} ${body}`)
    }
  }
  return faults
}
