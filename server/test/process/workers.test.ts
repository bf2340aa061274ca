import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isAlive } from '../../src/db/binaries.ts'
import { type Answered, call, newDataDir, postgresOn, startLading, until, usedDataDir } from './lading.ts'

const onLinux = { skip: process.platform === 'linux' ? false : 'finds the workers through /proc' }

test('WORKERS=2, one thing after another on the same data', onLinux, async (t) => {
  const first = startLading(t, newDataDir(t, await usedDataDir(t)), { WORKERS: '2' })
  const url = await first.ready()

  await t.test('both answer on one port, and /metrics adds up what either answered', async () => {
    for (const worker of await workersOf(first.pid)) await answersWithout(worker, url)
    await until(async () => versionsCounted(await call(`${url}/metrics`)) === 6, 'all six are counted')
  })

  await t.test('a worker that is killed is replaced, and the others answer meanwhile', async () => {
    const [victim, other] = await workersOf(first.pid)
    process.kill(victim as number, 'SIGKILL')
    await until(() => !isAlive(victim as number), 'the worker is gone')
    await until(() => isReady(url), 'the other one answers')
    const now = await workersOf(first.pid)
    assert.ok(now.includes(other as number) && !now.includes(victim as number))
    // Also so that there is always one that serves: with the last of them the port would go, which the system chose.
    await answersWithout(other as number, url)
  })

  await t.test('a worker that is killed while the database is away is replaced once it is back', async () => {
    const [victim] = await workersOf(first.pid)
    process.kill(postgresOn(first.dataDir) as number, 'SIGKILL')
    process.kill(victim as number, 'SIGKILL')
    await until(() => !isAlive(victim as number), 'the worker is gone')
    await workersOf(first.pid)
    await until(() => isReady(url), 'it is ready again', first.said)
  })

  await t.test('kill -9 of the primary ends its workers, and the next start works', async (t) => {
    const workers = await workersOf(first.pid)
    first.kill('SIGKILL')
    await until(() => !workers.some(isAlive), 'the workers are gone')
    const next = startLading(t, first.dataDir, { WORKERS: '2' })
    await next.ready()
    const now = await workersOf(next.pid)
    next.kill('SIGTERM')
    assert.equal((await next.ended).code, 0)
    assert.deepEqual([...now.filter(isAlive), postgresOn(next.dataDir)], [null])
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

/** While one worker sleeps, another answers. */
async function answersWithout(asleep: number, url: string): Promise<void> {
  process.kill(asleep, 'SIGSTOP')
  // One of them may have gone to the sleeper; the first answer is the other's.
  const asked = [1, 2, 3].map(() => call(`${url}/api/v1`))
  assert.equal((await Promise.race(asked)).status, 200)
  process.kill(asleep, 'SIGCONT')
  for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200)
}

/** A connection may still be handed to the one that was killed, until its end is noticed: nobody answers on that one. */
async function isReady(url: string): Promise<boolean> {
  return (await call(`${url}/health/ready`, { signal: AbortSignal.timeout(10_000) }).catch(() => null))?.status === 200
}

function versionsCounted({ body }: Answered): number {
  return Number(/^lading_http_request_duration_seconds_count\{[^}]*route="\/api\/v1"[^}]*\} (\d+)$/m.exec(body)?.[1])
}
