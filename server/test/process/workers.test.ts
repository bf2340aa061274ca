import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { test } from 'node:test'
import { isAlive } from '../../src/platform/db/postgres/binaries.ts'
import { deepOnly, runs } from '../depth.ts'
import { type Answered, call, demoTokens, newDataDir, postgresOn, startLading, until, usedDataDir } from './lading.ts'

const onLinux = { skip: process.platform === 'linux' ? false : 'finds the workers through /proc' }

test('WORKERS=2, one thing after another on the same data', onLinux, async (t) => {
  // On a busy machine a connection may wait long for a worker, and is not to be given up meanwhile.
  const first = startLading(t, newDataDir(t, await usedDataDir(t)), { WORKERS: '2', REQUEST_TIMEOUT_MS: '240000' })
  const url = await first.ready()

  await t.test('both answer on one port, and /metrics adds up what either answered', async () => {
    for (const worker of await workersOf(first.pid)) await answersWithout(worker, url)
    await until(async () => versionsCounted(await call(`${url}/metrics`)) === 6, 'all six are counted')
  })

  await t.test(
    'no request that begins after a user was disabled succeeds, on either process, in many rounds',
    async () => {
      const tokenFor = await demoTokens(t, first.dataDir)
      const leaked: number[] = []
      for (let round = 0; round < runs(50); round++) {
        const { id, token } = await newMember(url, tokenFor, round)
        // Connections go to the workers in turn: each has checked the token before, and is asked again.
        assert.deepEqual(await statusesOf(url, token), [200, 200, 200, 200])
        assert.equal(
          (await call(`${url}/api/v1/users/${id}/disable`, { method: 'POST', token: tokenFor('test') })).status,
          200,
        )
        if ((await statusesOf(url, token)).some((status) => status !== 401)) leaked.push(round)
      }
      assert.deepEqual(leaked, [])
    },
  )

  await t.test(
    'nor on one that was stopped while the user was disabled, and goes on afterwards',
    deepOnly,
    async () => {
      const tokenFor = await demoTokens(t, first.dataDir)
      for (const [index, asleep] of (await workersOf(first.pid)).entries()) {
        const { id, token } = await newMember(url, tokenFor, 50 + index)
        assert.deepEqual(await statusesOf(url, token), [200, 200, 200, 200])
        process.kill(asleep, 'SIGSTOP')
        // Some of them wait in line at the one that sleeps; the first to be answered was so by the other.
        const disabling = [1, 2, 3].map(() =>
          call(`${url}/api/v1/users/${id}/disable`, { method: 'POST', token: tokenFor('test') }),
        )
        assert.equal((await Promise.race(disabling)).status, 200)
        const asked = statusesOf(url, token)
        process.kill(asleep, 'SIGCONT')
        assert.deepEqual(await asked, [401, 401, 401, 401])
        await Promise.all(disabling)
      }
    },
  )

  await t.test(
    'a worker that is killed is replaced: its requests fail at once, and those that it had not begun are answered by the other',

    async () => {
      const [victim, other] = (await workersOf(first.pid)) as [number, number]
      const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
      t.after(() => agents.forEach((agent) => void agent.destroy()))
      // One after the other: each worker has one of the connections.
      for (const agent of agents) await call(`${url}/api/v1`, { agent })
      process.kill(victim, 'SIGSTOP')
      const begun = agents.map((agent) => call(`${url}/api/v1`, { agent }))
      await Promise.race(begun)
      // Of new connections one is given to the sleeper, which does not take it.
      const fresh = [1, 2, 3].map(() => call(`${url}/api/v1`))
      await Promise.race(fresh)
      process.kill(victim, 'SIGKILL')
      const ends = (await Promise.allSettled(begun)).map((end) =>
        end.status === 'fulfilled' ? end.value.status : end.reason.code,
      )
      assert.deepEqual(ends.sort(), [200, 'ECONNRESET'])
      for (const answer of await Promise.all(fresh)) assert.equal(answer.status, 200)
      await until(() => !isAlive(victim), 'the worker is gone')
      assert.ok(await isReady(url))
      const now = await workersOf(first.pid)
      assert.ok(now.includes(other) && !now.includes(victim))
      // Also so that there is always one that serves: with the last of them the port would go, which the system chose.
      await answersWithout(other, url)
    },
  )

  await t.test('a worker that is killed while the database is away is replaced once it is back', deepOnly, async () => {
    const [victim] = await workersOf(first.pid)
    process.kill(postgresOn(first.dataDir) as number, 'SIGKILL')
    process.kill(victim as number, 'SIGKILL')
    await until(() => !isAlive(victim as number), 'the worker is gone')
    await workersOf(first.pid)
    await until(() => isReady(url), 'it is ready again', first.said)
  })

  await t.test('kill -9 of the primary ends its workers, and the next start works', deepOnly, async (t) => {
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

async function newMember(
  url: string,
  tokenFor: (sub: string) => string,
  round: number,
): Promise<{ id: string; token: string }> {
  const body = { email: `round-${round}@example.com`, name: `Round ${round}` }
  const made = await call(`${url}/api/v1/users`, { method: 'POST', token: tokenFor('test'), body })
  assert.equal(made.status, 201, made.body)
  const { id } = JSON.parse(made.body).user
  return { id, token: tokenFor(id) }
}

/** What a token is answered on four connections at once. */
async function statusesOf(url: string, token: string): Promise<number[]> {
  return (await Promise.all([1, 2, 3, 4].map(() => call(`${url}/api/v1/me`, { token })))).map(({ status }) => status)
}

/** The pids of both, once there are two that serve. */
async function workersOf(primary: number): Promise<number[]> {
  let workers: number[] = []
  await until(() => {
    const children = readFileSync(`/proc/${primary}/task/${primary}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
    workers = children.filter(
      (pid) => isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lading.js'),
    )
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

async function isReady(url: string): Promise<boolean> {
  return (await call(`${url}/health/ready`).catch(() => null))?.status === 200
}

function versionsCounted({ body }: Answered): number {
  return Number(/^lading_http_request_duration_seconds_count\{[^}]*route="\/api\/v1"[^}]*\} (\d+)$/m.exec(body)?.[1])
}
