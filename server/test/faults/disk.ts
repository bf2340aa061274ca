import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { call, startLading } from '../process/lading.ts'
import { examine } from './examination.ts'
import { startLoad } from './load.ts'
import { fill, mountSmall } from './mounts.ts'
import { newOrganizations } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

const rounds = 2
const fullMs = 8_000
const patienceMs = 90_000
/** Room for the database, the demo and some hundred megabytes of WAL. */
const sizeMb = 700

/** The embedded PostgreSQL on a small file system that another file fills to the last byte under load, and that has room again later. */
export function disk(): Promise<Result> {
  return inPlace(async (t) => {
    const folder = mountSmall(t, sizeMb * 1024)
    if (!folder) return { name: 'disk', figures: { skipped: 'needs root, to mount a small tmpfs' }, faults: [] }
    const [dataDir, filler] = [join(folder, 'data'), join(folder, 'filler')]
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0', MINIMUM_FREE_DISK_MB: '20' }
    const server = startLading(t, dataDir, env)
    await server.ready()
    const organizations = await newOrganizations(t, embeddedAddress(dataDir), base, 3)
    const load = startLoad(t, organizations, () => base)
    const faults: string[] = []
    let longest = 0
    for (let round = 0; round < rounds; round++) {
      if ((await load.acknowledges(50, patienceMs)) === null) faults.push('The load did not get under way.')
      await fill(filler)
      if ((await call(`${base}/health/ready`)).status !== 503)
        faults.push('/health/ready does not say that the disk is full.')
      await sleep(fullMs)
      await fill(filler)
      await sleep(fullMs)
      rmSync(filler)
      const back = await load.acknowledges(5, patienceMs)
      if (back === null) faults.push(`Nothing was acknowledged for ${patienceMs / 1000} s after there was room again.`)
      longest = Math.max(longest, back ?? patienceMs)
    }
    await load.acknowledges(30, patienceMs)
    await load.stop()
    const found = await examine(t, {
      load,
      organizations,
      base,
      target: embeddedAddress(dataDir),
      env: { DATA_DIR: dataDir, MINIMUM_FREE_DISK_MB: '20' },
    })
    const restarts = server.said().split('PostgreSQL is back').length - 1
    const figures = {
      'times full': rounds,
      ...found.figures,
      'PostgreSQL started again': restarts,
      'longest wait once there was room': seconds(longest),
    }
    return { name: 'disk', figures, faults: [...faults, ...found.faults] }
  })
}
