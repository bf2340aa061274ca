import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { billItemTypes } from '../server/src/books/bill-item-types/record.ts'
import { scopeNames } from '../server/src/platform/access/scopes.ts'
import { signToken } from '../server/src/platform/access/tokens/access-token.ts'
import { openKeyring } from '../server/src/platform/access/tokens/keyring.ts'
import { transaction } from '../server/src/platform/context.ts'
import { newId } from '../server/src/platform/core/values/ids.ts'
import { type Database, openDatabase } from '../server/src/platform/db/database.ts'
import { connect } from '../server/src/platform/db/pool/connect.ts'
import { type Address, embeddedAddress } from '../server/src/platform/db/postgres/embedded.ts'
import { sql } from '../server/src/platform/db/sql/sql.ts'
import { createOrganization, systemContext } from '../server/src/platform/organizations/actions.ts'
import { createRecord } from '../server/src/platform/resource/actions.ts'
import { createWebhook } from '../server/src/platform/webhooks/actions.ts'
import { openBooks, recountBooks } from './books.ts'
import { type Cpu, cpuOf } from './cpu.ts'
import { openClientele } from './customers.ts'
import { openMoving } from './moving.ts'
import { customers, documents, type Tenant } from './rows.ts'

/** An organization full of records, someone with a good token in it, and the token of an application that acts for itself. */
export type Place = { org: string; token: string; application: string; ids: string[] }

/** What the rows have to work with. Books are there where a row needs them. */
export type Seed = Record<Tenant, Place>

export type Product = {
  origin: string
  address: Address
  seed: Seed
  memoryMb(): number
  /** What the process and its PostgreSQL have taken of the processors. */
  cpu(): Cpu | undefined
  recount(): Promise<void>
  /** Another process on the same database with other settings, started when it is first asked for; where it answers. */
  another(settings: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

export type Wishes = {
  profileDir?: string | undefined
  /** A directory that stays, and is used again with what is in it. */
  dataDir?: string | undefined
  tenants: ReadonlySet<Tenant>
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** What `npm start` runs. */
const start = ['server/bin/lading.js', 'start']

/** The program as it is, in a process and a directory of its own. The limits are far away but counted; the log is written, to nowhere. */
export async function startProduct({ profileDir, dataDir: kept, tenants }: Wishes): Promise<Product> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'lading-bench-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const flags = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
  const { child, ended } = run(flags, { PORT: String(port), DATA_DIR: dataDir })
  const others = new Map<string, Other>()
  const stop = async () => {
    for (const other of others.values()) await end(other)
    await end({ child, ended })
    if (!kept) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await Promise.race([isReady(origin), ended.then(() => Promise.reject(new Error('lading start ended by itself')))])
    const address = embeddedAddress(dataDir)
    const seed = await withDatabase(address, (database) => prepare(database, origin, tenants))
    const recount = () => withDatabase(address, (database) => recountBooks(database, seed.million.org))
    const another = async (settings: Record<string, string>) => {
      const key = JSON.stringify(settings)
      const other = others.get(key) ?? (await startOther(address, origin, settings))
      others.set(key, other)
      return other.origin
    }
    const pid = child.pid as number
    const cpu = () => cpuOf(pid, dataDir)
    return { origin, address, seed, memoryMb: () => residentMb(pid), cpu, recount, another, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Running = { child: ChildProcess; ended: Promise<unknown> }
type Other = Running & { origin: string }

function run(flags: string[], settings: Record<string, string>): Running {
  const { PATH, TMPDIR } = process.env
  const env = {
    PATH,
    TMPDIR,
    RATE_LIMIT_TOKEN: '1000000000',
    RATE_LIMIT_ORGANIZATION: '1000000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...settings,
  }
  const child = spawn(process.execPath, [...flags, ...start], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { child, ended: once(child, 'exit') }
}

/** Under the address of the first, so that it takes the same tokens. */
async function startOther(
  { host, port: databasePort, user, database }: Address,
  publicUrl: string,
  settings: Record<string, string>,
): Promise<Other> {
  const port = await freePort()
  const url = `postgres://${user}@${encodeURIComponent(host)}:${databasePort}/${database}`
  const running = run([], { PORT: String(port), PUBLIC_URL: publicUrl, DATABASE_URL: url, ...settings })
  const origin = `http://127.0.0.1:${port}`
  await isReady(origin)
  return { ...running, origin }
}

async function end({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

async function withDatabase<T>(address: Address, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(connect(address, { max: 2, name: 'lading bench' }), { statementMs: 600_000 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function prepare(database: Database, origin: string, tenants: ReadonlySet<Tenant>): Promise<Seed> {
  const keyring = await openKeyring(database.pool)
  const tokenFor = (org: string, sub: string) =>
    signToken(
      keyring,
      { issuer: origin, audience: `${origin}/` },
      { sub, client_id: 'bench', org_id: org, scopes: scopeNames, role: 'member' },
    )
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const place = async (tenant: Tenant, find: () => Promise<{ org: string; ids: string[] }>): Promise<Place> => {
    if (!tenants.has(tenant)) return { org: '', token: '', application: '', ids: [] }
    const { org, ids } = await find()
    return { org, ids, token: tokenFor(org, newId()), application: tokenFor(org, 'bench') }
  }
  return {
    types: await place('types', () => makeTypes(database)),
    noWebhooks: await place('noWebhooks', () => makeTypes(database)),
    manyWebhooks: await place('manyWebhooks', () => makeTypes(database, 50)),
    tenThousand: await place('tenThousand', () => openBooks(database, 'bills', documents.few, say)),
    million: await place('million', () => openBooks(database, 'bills', documents.many, say)),
    millionInvoices: await place('millionInvoices', () => openBooks(database, 'invoices', documents.many, say)),
    fewCustomers: await place('fewCustomers', () => openClientele(database, customers.few, say)),
    moving: await place('moving', () => openMoving(database, say)),
    manyCustomers: await place('manyCustomers', () => openClientele(database, customers.many, say)),
  }
}

/** With so many webhooks, which ask for what does not happen. */
async function makeTypes(database: Database, webhooks = 0): Promise<{ org: string; ids: string[] }> {
  const { id: org } = await createOrganization(database, 'A busy broker')
  const ids = await transaction(systemContext(database, org), async (ctx) => {
    const made: string[] = []
    for (let n = 0; n < 500; n++)
      made.push(
        (
          await createRecord(ctx, billItemTypes, {
            name: `Accessorial ${n}`,
            class: 'Accessorials',
            external_id: `A-${n}`,
          })
        ).id,
      )
    const allowed = { allowPrivate: true, nounsOf: async () => [{ noun: 'bill', verbs: ['paid'] }] }
    for (let n = 0; n < webhooks; n++)
      await createWebhook(ctx, { url: `http://127.0.0.1:9/${n}`, event_types: ['bill.paid'] }, allowed)
    return made
  })
  // What autovacuum would have done a minute later.
  await database.pool.run(sql`vacuum analyze bill_item_types`)
  return { org, ids }
}

async function isReady(origin: string): Promise<void> {
  // A directory that stays may have to be migrated first.
  for (let left = 3000; left > 0; left--) {
    const answer = await fetch(`${origin}/health/ready`).catch(() => null)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('lading start was not ready within five minutes')
}

/** 0 where there is no /proc to read it from. */
function residentMb(pid: number): number {
  try {
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return 0
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
