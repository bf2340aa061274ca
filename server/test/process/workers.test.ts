import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, type TestContext, test } from 'node:test'
import { isAlive } from '../../src/db/binaries.ts'
import { type Answered, call, newDataDir, postgresOn, startLading, until, usedDataDir } from './lading.ts'

let used: string
before(async (t) => {
  used = await usedDataDir(t as TestContext)
})

describe('WORKERS=2', { concurrency: 2, skip: process.platform === 'linux' ? false : 'finds the workers through /proc' }, () => {
  test('both answer on one port, and /metrics adds up what either answered', async (t) => {
    const { pid, ready } = startLading(t, newDataDir(t, used), { WORKERS: '2' })
    const url = await ready()
    const workers = await workersOf(pid)
    for (const asleep of workers) {
      process.kill(asleep, 'SIGSTOP')
      // One of them may have gone to the sleeper; the first answer is the other's.
      const asked = [1, 2, 3].map(() => call(`${url}/api/v1`))
      assert.equal((await Promise.race(asked)).status, 200)
      process.kill(asleep, 'SIGCONT')
      for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200)
    }
    await until(async () => versionsCounted(await call(`${url}/metrics`)) === 6, 'all six are counted')
  })

  test('a worker that is killed is replaced, and the others answer meanwhile', async (t) => {
    const started = startLading(t, newDataDir(t, used), { WORKERS: '2' })
    const url = await started.ready()
    const [victim, other] = await workersOf(started.pid)
    process.kill(victim as number, 'SIGKILL')
    await until(() => !isAlive(victim as number), 'the worker is gone')
    await until(() => isReady(url), 'the other one answers')
    const now = await workersOf(started.pid)
    assert.ok(now.includes(other as number) && !now.includes(victim as number))
    started.kill('SIGTERM')
    assert.equal((await started.ended).code, 0)
    assert.deepEqual([...now.filter(isAlive), postgresOn(started.dataDir)], [null])
  })

  test('a worker that is killed while the database is away is replaced once it is back', async (t) => {
    const started = startLading(t, newDataDir(t, used), { WORKERS: '2' })
    const url = await started.ready()
    const [victim] = await workersOf(started.pid)
    process.kill(postgresOn(started.dataDir) as number, 'SIGKILL')
    process.kill(victim as number, 'SIGKILL')
    await until(() => !isAlive(victim as number), 'the worker is gone')
    await workersOf(started.pid)
    await until(() => isReady(url), 'it is ready again')
  })

  test('kill -9 of the primary ends its workers, and the next start works', async (t) => {
    const victim = startLading(t, newDataDir(t, used), { WORKERS: '2' })
    await victim.ready()
    const workers = await workersOf(victim.pid)
    victim.kill('SIGKILL')
    await until(() => !workers.some(isAlive), 'the workers are gone')
    await startLading(t, victim.dataDir, { WORKERS: '2' }).ready()
  })
})

/** The pids of both, once there are two that serve. */
async function workersOf(primary: number): Promise<number[]> {
  let workers: number[] = []
  await until(() => {
    const children = readFileSync(`/proc/${primary}/task/${primary}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    workers = children.filter((pid) => isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lading.js'))
    return workers.length === 2
  }, 'there are two workers')
  return workers
}

/** A connection may still be handed to the one that was killed, until its end is noticed: nobody answers on that one. */
async function isReady(url: string): Promise<boolean> {
  return (await call(`${url}/health/ready`, { signal: AbortSignal.timeout(10_000) }).catch(() => null))?.status === 200
}

function versionsCounted({ body }: Answered): number {
  return Number(/^lading_http_request_duration_seconds_count\{[^}]*route="\/api\/v1"[^}]*\} (\d+)$/m.exec(body)?.[1])
}
