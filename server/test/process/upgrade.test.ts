import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyBooks } from '../../src/books/verify.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { contractionOf, migrations } from '../../src/platform/db/schema/migrations.ts'
import { verifyObjects } from '../../src/records/upkeep/verify.ts'
import { deepOnly } from '../depth.ts'
import { startDatabaseServer } from './database.ts'
import { lading, newDataDir, startLading, until } from './lading.ts'
import { versionBefore } from './version-before.ts'

type Json = Record<string, unknown>

test('the version before and this one serve one database side by side under load, through the migration, with no failed request and no lost write', async (t) => {
  if (deepOnly.skip) return t.skip(deepOnly.skip)
  const before = versionBefore()
  if (typeof before === 'string') return t.skip(before)
  const stop = migrations.find(({ name, text }) => {
    const contraction = contractionOf(text)
    return contraction && ![name, contraction.before].some((known) => before.migrations.includes(known))
  })
  if (stop) return t.skip(`${stop.name} says that the version before, ${before.commit}, cannot serve next to this one`)

  const server = await startDatabaseServer(t)
  const env = {
    DATABASE_URL: server.url(),
    PUBLIC_URL: 'http://127.0.0.1:8080',
    RATE_LIMIT_TOKEN: '0',
    RATE_LIMIT_ORGANIZATION: '0',
    DATABASE_POOL: '6',
  }
  // All of them have the documents of the demo: machines on one database share these.
  const shared = newDataDir(t)
  const made = await lading(['demo', '--json'], { ...env, DATA_DIR: shared }, { program: before.program })
  assert.equal(made.code, 0, made.stderr)
  const older = startLading(
    t,
    withDocuments(shared, newDataDir(t)),
    { ...env, LADING_COMPILED: 'yes' },
    { program: before.program },
  )
  const servers = [await older.ready()]
  const load = await startLoad(servers, JSON.parse(made.stdout))
  t.after(load.stop)
  await load.rounds(2)

  const newer = startLading(t, withDocuments(shared, newDataDir(t)), env)
  servers.push(await newer.ready())
  assert.match(newer.said(), /Brought the schema up to date/)
  await load.rounds(4)
  assert.equal((await fetch(`${servers[0]}/health/ready`)).status, 200)

  servers.shift()
  await load.rounds(1)
  older.kill('SIGTERM')
  assert.equal((await older.ended).code, 0)
  await load.stop()

  assert.deepEqual(load.failures, [])
  assert.deepEqual(await load.lost(), [])
  const database = openDatabase(connect(server.url(), { max: 2 }), { statementMs: 120_000 })
  t.after(() => database.close())
  assert.deepEqual([await verifyBooks(database.pool), await verifyObjects(database)], [[], []])
})

/** Reads and writes of three clients, each request to the next of the servers. */
async function startLoad(servers: readonly string[], { client_id, client_secret, audience }: Record<string, string>) {
  const failures: string[] = []
  const written: { path: string; expected: Json }[] = []
  const done = [0, 0, 0]
  let turn = 0
  let loading = true

  async function send(
    method: string,
    path: string,
    { body, token, good = 200 }: { body?: Json; token?: string; good?: number } = {},
  ): Promise<Json> {
    const url = `${servers[turn++ % servers.length]}${path}`
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (answer.status !== good) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
    return answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : { text }
  }

  async function newToken(): Promise<string> {
    return (
      await send('POST', '/oauth2/token', {
        body: { grant_type: 'client_credentials', client_id, client_secret, audience },
      })
    ).access_token as string
  }

  async function round(name: string): Promise<void> {
    const token = await newToken()
    const { bill } = (await send('POST', '/api/v1/bills', {
      token,
      good: 201,
      body: { currency_id: 'usd', sub_total_amount: 1200, external_id: name },
    })) as {
      bill: Json
    }
    const path = `/api/v1/bills/${bill.id}`
    await send('PUT', path, { token, body: { notes: name } })
    const item = { description: 'Line haul', unit_price: 1500, quantity: 2 }
    await send('POST', `${path}/items`, { token, good: 201, body: item })
    await send('POST', `${path}/save`, { token })
    const { bill: read } = (await send('GET', path, { token })) as { bill: Json }
    written.push({
      path,
      expected: { external_id: name, notes: name, status_id: 'saved', revision: read.revision as number },
    })
    const { customer } = (await send('POST', '/api/v1/customers', { token, good: 201, body: { name } })) as {
      customer: Json
    }
    await send('PUT', `/api/v1/customers/${customer.id}`, { token, body: { name: `${name} & Sons` } })
    written.push({ path: `/api/v1/customers/${customer.id}`, expected: { name: `${name} & Sons` } })
    await Promise.all([
      send('GET', '/api/v1/bills?limit=20&status_id=saved', { token }),
      send('GET', `/api/v1/bills?search_term=${name}`, { token }),
      send('GET', '/api/v1/bills/export?format=csv', { token }),
      send('GET', '/api/v2/platformModel/objects?objectKey=customer&limit=20', { token }),
      send('GET', '/api/v1/currencies', { token }),
    ])
  }

  const clients = done.map(async (_, client) => {
    while (loading && failures.length === 0) {
      await round(`${client}-${done[client]}`).catch((error) => failures.push(String(error.cause ?? error)))
      done[client] = (done[client] as number) + 1
      // So that those who start meanwhile have a part of the machine.
      await sleep(100)
    }
  })

  return {
    failures,
    /** Until every client has done that many more. */
    async rounds(count: number): Promise<void> {
      const goals = done.map((rounds) => rounds + count)
      await until(
        () => failures.length > 0 || done.every((rounds, client) => rounds >= (goals[client] as number)),
        'every client was answered',
      )
    },
    async stop(): Promise<void> {
      loading = false
      await Promise.all(clients)
    },
    /** What was acknowledged and is not there, or not so. */
    async lost(): Promise<string[]> {
      const token = await newToken()
      const found = await Promise.all(
        written.map(async ({ path, expected }) => {
          const [record] = Object.values(await send('GET', path, { token })) as [Json]
          return Object.entries(expected).every(([field, value]) => record[field] === value)
            ? []
            : [`${path}: ${JSON.stringify(record)}`]
        }),
      )
      return found.flat()
    },
  }
}

/** A data directory of its own, whose documents are those of another. */
function withDocuments(other: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  symlinkSync(join(other, 'documents'), join(dataDir, 'documents'))
  return dataDir
}
