/** One organization does everything at once that used to stop the others, while another one works quietly and is measured. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { openKeyring } from '../../src/platform/access/tokens/keyring.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { createOrganization } from '../../src/platform/organizations/actions.ts'
import { freePort } from '../process/database.ts'

const objects = 20_000
const searchers = 30
const writers = 30
const creators = 10
const stalledExports = 3
const importedRows = 5_000
const warmUpMs = 3_000
const calmMs = 15_000
const loudMs = 25_000
/** The quiet organization sends a request every so often, whether or not the last one has been answered. */
const quietEveryMs = 80
/** Below this a percentile says more about the machine than about the server. */
const leastP99 = 20
const allowedTimes = 5

type Answered = { asked: string; status: number; ms: number; body: string }
/** One user of an organization. `stall` asks for an answer and never reads it; the way to give up is returned. */
type Caller = {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  stall(path: string): () => void
}
type Product = { database: Database; callerIn(org: string): Caller; stop(): Promise<void> }

export async function neighbours(): Promise<{
  name: string
  figures: Record<string, string | number>
  faults: string[]
}> {
  const dir = mkdtempSync(join(tmpdir(), 'lading-neighbours-'))
  // PostgreSQL may have to enter as another user.
  chmodSync(dir, 0o711)
  const product = await startProduct(join(dir, 'data'))
  try {
    return await measure(product)
  } finally {
    await product.stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function startProduct(dataDir: string): Promise<Product> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { DATABASE_URL: _, LADING_TEST_DATABASE: __, ...inherited } = process.env
  const env = { ...inherited, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const program = fileURLToPath(new URL('../../bin/lading.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await Promise.race([isReady(origin), ended.then(() => Promise.reject(new Error('lading start ended by itself')))])
  const database = openDatabase(connect(embeddedAddress(dataDir), { max: 3 }), { statementMs: 600_000 })
  const keyring = await openKeyring(database.pool)
  return {
    database,
    callerIn: (org) =>
      callerWith(
        origin,
        signToken(
          keyring,
          { issuer: origin, audience: `${origin}/` },
          { sub: newId(), client_id: 'faults', org_id: org, scopes: scopeNames, role: 'member' },
        ),
      ),
    async stop() {
      await database.close()
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function isReady(origin: string): Promise<void> {
  for (let left = 1200; left > 0; left--) {
    if ((await fetch(`${origin}/health/ready`).catch(() => null))?.ok) return
    await sleep(100)
  }
  throw new Error('lading start was not ready within two minutes')
}

function callerWith(origin: string, token: string): Caller {
  const agent = new Agent({ keepAlive: true })
  const authorization = `Bearer ${token}`
  return {
    send(method, path, body, headers = {}) {
      const isText = typeof body === 'string'
      const type = body === undefined ? {} : { 'content-type': isText ? 'text/csv' : 'application/json' }
      const asked = `${method} ${path.replace(/[0-9a-f]{8}-.{27}|\?.*/g, '…')}`
      const since = performance.now()
      return new Promise((done) => {
        // A connection that breaks counts as an answer that nobody wants.
        const failed = (error: Error) =>
          done({ asked, status: 599, ms: performance.now() - since, body: error.message })
        const sent = request(
          `${origin}${path}`,
          { method, agent, headers: { authorization, ...type, ...headers } },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
            response.on('end', () =>
              done({ asked, status: response.statusCode as number, ms: performance.now() - since, body: text }),
            )
            response.on('error', failed)
          },
        )
        sent.on('error', failed)
        sent.end(body === undefined || isText ? body : JSON.stringify(body))
      })
    },
    stall(path) {
      const sent = request(`${origin}${path}`, { agent: false, headers: { authorization } }, (response) =>
        response.pause().on('error', () => {}),
      )
      sent.on('error', () => {}).end()
      return () => sent.destroy()
    },
  }
}

async function measure({ database, callerIn }: Product) {
  const [loud, quiet] = [await createOrganization(database, 'Loud'), await createOrganization(database, 'Quiet')]
  const someone = callerIn(quiet.id)
  await addCustomers(callerIn(loud.id), objects)
  await addCustomers(someone, 200)
  const [lockedBill, readBill] = [await addBill(callerIn(loud.id)), await addBill(someone)]
  await database.pool.run(sql`analyze`)
  await workQuietly(someone, readBill, warmUpMs)
  const calm = await workQuietly(someone, readBill, calmMs)
  const unlock = await lockBill(database, loud.id, lockedBill)
  const noise = makeNoise(() => callerIn(loud.id), lockedBill)
  await sleep(1_000)
  const during = await workQuietly(someone, readBill, loudMs)
  unlock()
  return report(calm, during, await noise.stop())
}

async function addCustomers({ send }: Caller, count: number): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
      objectKey: 'customer',
      externalId: `C-${first + index}`,
      json: {
        name: `Customer ${first + index} ${randomUUID()}`,
        city: `City ${randomUUID()}`,
        notes: `${randomUUID()} `.repeat(4),
      },
    }))
    await required(send('POST', '/api/v2/platformModel/objects/bulk', { objects: rows }))
  }
}

async function addBill({ send }: Caller): Promise<string> {
  return JSON.parse((await required(send('POST', '/api/v1/bills', { currency_id: 'usd' }))).body).bill.id
}

async function required(sent: Promise<Answered>): Promise<Answered> {
  const answer = await sent
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body}`)
  return answer
}

/** What people do all day: reads, searches, writes, now and then an export. */
async function workQuietly({ send }: Caller, bill: string, forMs: number): Promise<Answered[]> {
  const kinds = [
    () => send('GET', `/api/v1/bills/${bill}`),
    () => send('GET', '/api/v1/bills?limit=20'),
    () => send('POST', '/api/v2/platformModel/objects/search', { objectKey: 'customer', q: 'Customer', limit: 20 }),
    () => send('GET', '/api/v1/pay_terms'),
    () => send('POST', '/api/v1/bills', { currency_id: 'usd' }),
    () => send('PUT', `/api/v1/bills/${bill}`, { notes: randomUUID() }),
    () => send('GET', '/api/v2/platformModel/objects/export?objectKey=customer'),
  ]
  const sent: Promise<Answered>[] = []
  const until = performance.now() + forMs
  for (let turn = 0; performance.now() < until; turn++) {
    sent.push((kinds[turn % kinds.length] as (typeof kinds)[number])())
    await sleep(quietEveryMs)
  }
  return Promise.all(sent)
}

/** As a transaction of somebody who does not finish would. */
async function lockBill(database: Database, org: string, bill: string): Promise<() => void> {
  const { promise: wanted, resolve: unlock } = Promise.withResolvers<void>()
  const { promise: locked, resolve: done, reject } = Promise.withResolvers<void>()
  database
    .transaction(org, async (run) => {
      await run(sql`select from bills where org_id = ${org} and id = ${bill} for update`)
      done()
      await wanted
    })
    .catch(reject)
  await locked
  return unlock
}

/** All attacks at once, until stopped; then what they were answered. */
function makeNoise(newCaller: () => Caller, bill: string) {
  const stopping = new AbortController()
  const answers: Answered[] = []
  const attack = async (work: (caller: Caller) => Promise<Answered>) => {
    const caller = newCaller()
    while (!stopping.signal.aborted) {
      const answer = await work(caller)
      answers.push(answer)
      // Less patient than Retry-After asks for, more patient than a flood, which the rate limits are for.
      if (answer.status >= 400) await sleep(100)
    }
  }
  const times = (count: number, work: (caller: Caller) => Promise<Answered>) =>
    Array.from({ length: count }, () => attack(work))
  const giveUps = Array.from({ length: stalledExports }, () =>
    newCaller().stall('/api/v2/platformModel/objects/export?objectKey=customer'),
  )
  const v2 = '/api/v2/platformModel/objects'
  const attacks = [
    ...times(searchers, ({ send }) =>
      send('POST', `${v2}/search`, {
        objectKey: 'customer',
        filter: { field: 'notes', op: 'contains', value: twoLetters() },
      }),
    ),
    ...times(writers, ({ send }) => send('PUT', `/api/v1/bills/${bill}`, { notes: randomUUID() })),
    ...times(creators, ({ send }) => send('PATCH', v2, { objectKey: 'customer', json: { name: randomUUID() } })),
    ...times(1, ({ send }) =>
      send('POST', `${v2}/import?objectKey=customer`, customersAsCsv(importedRows), {
        'idempotency-key': randomUUID(),
      }),
    ),
  ]
  return {
    async stop() {
      stopping.abort()
      for (const giveUp of giveUps) giveUp()
      await Promise.all(attacks)
      return answers
    },
  }
}

/** Too short for the index of words: every value is read. */
function twoLetters(): string {
  return randomUUID().slice(0, 2)
}

function customersAsCsv(count: number): string {
  return `name,city\n${Array.from({ length: count }, () => `Imported ${randomUUID()},Oakland\n`).join('')}`
}

function report(calm: Answered[], during: Answered[], noise: Answered[]) {
  const [calmP99, loudP99] = [p99(calm), p99(during)]
  const errors = [...calm, ...during].filter(({ status }) => status >= 400)
  const times = Math.round((loudP99 / Math.max(calmP99, leastP99)) * 10) / 10
  const faults: string[] = []
  if (times > allowedTimes)
    faults.push(`the p99 of the quiet organization was ${loudP99} ms among loud neighbours, and ${calmP99} ms without`)
  if (errors.length > 0)
    faults.push(
      `${errors.length} requests of the quiet organization failed: ${statusesOf(errors)}, such as ${errors[0]?.asked} ${errors[0]?.body}`,
    )
  const broken = noise.filter(({ status }) => status >= 500)
  if (broken.some(({ status }) => status !== 503))
    faults.push(`the loud organization was answered ${statusesOf(broken)}`)
  if (!noise.some(({ status }) => status === 429)) faults.push('nobody was told to slow down with 429')
  return {
    name: 'noisy neighbours',
    figures: {
      'quiet requests': during.length,
      'calm p99, ms': calmP99,
      'loud p99, ms': loudP99,
      times,
      'quiet errors': errors.length,
      'answers to the loud': statusesOf(noise),
    },
    faults,
  }
}

function p99(answers: Answered[]): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
}

function statusesOf(answers: Answered[]): string {
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .sort()
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
