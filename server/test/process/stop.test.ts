import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { deepTest, some } from '../depth.ts'
import { call, demoOf, demoToken, newDataDir, postgresOn, startLading, until, usedDataDir } from './lading.ts'

let used: string
before(async (t) => {
  used = await usedDataDir(t as TestContext)
})

const unlimited = { RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' }
/** Longer than any answer takes on a crowded machine: who waited for it waited for a client that says nothing. */
const drainMs = 120_000
const sigterm = (pid: number) => process.kill(pid, 'SIGTERM')
const ctrlC = (pid: number) => process.kill(-pid, 'SIGINT')
const ways = [
  { title: 'SIGTERM', signal: sigterm, WORKERS: '1' },
  { title: 'SIGTERM to npm start', signal: sigterm, WORKERS: '2', through: 'npm start' },
  { title: 'Ctrl-C, which reaches every process of the terminal,', signal: ctrlC, WORKERS: '2' },
] as const

describe('a signal', { concurrency: 2 }, () => {
  for (const { title, signal, WORKERS, ...through } of some(ways))
    test(`${title} under load gives every request its whole answer, resets no connection, waits for no silent client, then stops PostgreSQL, with WORKERS=${WORKERS}`, async (t) => {
      const env = { WORKERS, DRAIN_TIMEOUT_MS: String(drainMs), LOG_FORMAT: 'json', ...unlimited }
      const started = startLading(t, newDataDir(t, used), env, { detached: true, ...through })
      const url = await started.ready()
      const silent = new Agent({ keepAlive: true })
      t.after(() => silent.destroy())
      const load = await loadOn(t, started.dataDir, url)
      await send(silent, `${url}/health/live`, {})
      const speechless = connect(Number(new URL(url).port), '127.0.0.1')
      t.after(() => speechless.destroy())
      await once(speechless, 'connect')
      assert.notEqual(postgresOn(started.dataDir), null)
      const asked = Date.now()
      signal(started.pid)
      await load.over
      assert.deepEqual(load.failures, [])
      const { code, stderr } = await started.ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.ok(Date.now() - asked < drainMs)
      assert.equal(postgresOn(started.dataDir), null)
      await assert.rejects(call(`${url}/health/live`), { code: 'ECONNREFUSED' })
    })
})

for (const WORKERS of ['1', '2'])
  deepTest(
    `a signal while papers are drawn and a mail is read that takes long waits for them no longer than for requests, with WORKERS=${WORKERS}`,
    async (t) => {
      const dataDir = newDataDir(t, used)
      const inbox = join(dataDir, 'inbox')
      mkdirSync(inbox)
      const env = { WORKERS, DRAIN_TIMEOUT_MS: '1000', INBOX_DIR: inbox, ...unlimited }
      const started = startLading(t, dataDir, env)
      const url = await started.ready()
      const token = await demoToken(t, dataDir)
      const items = Array.from({ length: 1_000 }, (_, n) => ({
        unit_price: 100 + n,
        quantity: 1,
        description: `Stop ${n}`,
      }))
      const bills = await Promise.all(
        Array.from(
          { length: 4 },
          async () =>
            JSON.parse(
              (await call(`${url}/api/v1/bills`, { method: 'POST', token, body: { currency_id: 'usd', items } })).body,
            ).bill,
        ),
      )
      const { org_id } = demoOf(dataDir)
      mkdirSync(join(inbox, org_id as string), { recursive: true })
      writeFileSync(
        join(inbox, org_id as string, 'long.eml'),
        `From: a@example.com\nSubject: Invoice\n${'\n'.repeat(20 * 2 ** 20)}`,
      )
      const threads = async () =>
        Number(
          /^lading_share_places_in_use\{share="threads"[^}]*\} (\d+)/m.exec((await call(`${url}/metrics`)).body)?.[1],
        )
      await until(async () => (await threads()) > 0, 'the mail is read')
      const asked = bills.map(({ id }) =>
        call(`${url}/api/v1/bills/${id}/pdf`, { token }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      await until(async () => (await threads()) >= Number(WORKERS), 'papers are drawn or wait')
      const since = Date.now()
      started.kill('SIGTERM')
      const { code, stderr } = await started.ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.ok(Date.now() - since < 20_000, `${Date.now() - since} ms`)
      for (const status of await Promise.all(asked))
        assert.ok([0, 200, 503].includes(status), `a paper was answered ${status}`)
      assert.equal(postgresOn(dataDir), null)
    },
  )

type Load = { over: Promise<unknown>; failures: string[] }

/** Callers who send reads and writes one after another, and come back with a new connection after each that is closed, until they are refused. */
async function loadOn(t: TestContext, dataDir: string, url: string): Promise<Load> {
  const token = await demoToken(t, dataDir)
  const failures: string[] = []
  const counts = Array.from({ length: 24 }, () => 0)
  const over = Promise.all(
    counts.map(async (_, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.after(() => agent.destroy())
      for (let isOver = false; !isOver; counts[index] = (counts[index] as number) + 1) {
        const body = index % 3 === 0 ? { name: `Type ${index} ${counts[index]}` } : undefined
        const answer = await send(agent, `${url}/api/v1/bill_item_types`, { token, body }).catch(
          (error) => error as Error & { code?: string },
        )
        isOver = answer instanceof Error
        if (answer instanceof Error && answer.code === 'ECONNREFUSED') continue
        if (answer instanceof Error || answer.status !== (body ? 201 : 200))
          failures.push(JSON.stringify(answer instanceof Error ? String(answer) : answer))
      }
    }),
  )
  await until(() => failures.length > 0 || counts.every((count) => count >= 5), 'every connection is busy')
  return { over, failures }
}

function send(
  agent: Agent,
  url: string,
  { token, body }: { token?: string; body?: unknown },
): Promise<{ status: number; text: string }> {
  return new Promise((done, failed) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('error', failed)
      // A cut answer ends with an error, and JSON that is not whole does not parse.
      response.on('end', () => {
        JSON.parse(text)
        done({ status: response.statusCode as number, text })
      })
    })
    sent.on('error', failed)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
