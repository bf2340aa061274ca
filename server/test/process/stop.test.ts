import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { before, describe, type TestContext, test } from 'node:test'
import { call, demoToken, newDataDir, postgresOn, startLading, until, usedDataDir } from './lading.ts'

let used: string
before(async (t) => {
  used = await usedDataDir(t as TestContext)
})

describe('a signal', { concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} stops HTTP, then PostgreSQL, with exit code 0, though a client holds its connection open and says nothing`, async (t) => {
      const started = startLading(t, newDataDir(t, used))
      const url = await started.ready()
      const agent = new Agent({ keepAlive: true })
      t.after(() => agent.destroy())
      await send(agent, `${url}/health/live`, {})
      assert.notEqual(postgresOn(started.dataDir), null)
      started.kill(signal)
      const { code, stderr } = await started.ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.equal(postgresOn(started.dataDir), null)
      await assert.rejects(call(`${url}/health/live`), { code: 'ECONNREFUSED' })
    })
  }

  for (const WORKERS of ['1', '2']) {
    test(`Ctrl-C, which reaches every process of the terminal, answers what is under way and stops cleanly with WORKERS=${WORKERS}`, async (t) => {
      const started = startLading(t, newDataDir(t, used), { WORKERS }, { detached: true })
      const load = await loadOn(t, started.dataDir, await started.ready())
      process.kill(-started.pid, 'SIGINT')
      await load.over
      assert.deepEqual(load.failures, [])
      assert.equal((await started.ended).code, 0)
      assert.equal(postgresOn(started.dataDir), null)
    })

    test(`SIGTERM under load gives every request that was sent its whole answer with WORKERS=${WORKERS}`, async (t) => {
      const started = startLading(t, newDataDir(t, used), { WORKERS, RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' })
      const load = await loadOn(t, started.dataDir, await started.ready())
      started.kill('SIGTERM')
      await load.over
      assert.deepEqual(load.failures, [])
      assert.equal((await started.ended).code, 0)
    })
  }
})

type Load = { over: Promise<unknown>; failures: string[] }

/** Connections that send reads and writes one after another until the server asks them to close; resolves once they are all at it. */
async function loadOn(t: TestContext, dataDir: string, url: string): Promise<Load> {
  const token = await demoToken(t, dataDir)
  const failures: string[] = []
  const counts = Array.from({ length: 12 }, () => 0)
  const over = Promise.all(
    counts.map(async (_, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.after(() => agent.destroy())
      for (let closing = false; !closing; counts[index] = (counts[index] as number) + 1) {
        const body = index % 3 === 0 ? { name: `Type ${index} ${counts[index]}` } : undefined
        const answer = await send(agent, `${url}/api/v1/bill_item_types`, { token, body }).catch((error) => error as Error)
        closing = answer instanceof Error || answer.closing
        if (answer instanceof Error || answer.status !== (body ? 201 : 200)) failures.push(JSON.stringify(answer instanceof Error ? String(answer) : answer))
      }
    }),
  )
  await until(() => failures.length > 0 || counts.every((count) => count >= 5), 'every connection is busy')
  return { over, failures }
}

function send(agent: Agent, url: string, { token, body }: { token?: string; body?: unknown }): Promise<{ status: number; closing: boolean; text: string }> {
  return new Promise((done, failed) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body !== undefined && { 'content-type': 'application/json' }) }
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('error', failed)
      // A cut answer ends with an error, and JSON that is not whole does not parse.
      response.on('end', () => {
        JSON.parse(text)
        done({ status: response.statusCode as number, closing: response.headers.connection === 'close', text })
      })
    })
    sent.on('error', failed)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
