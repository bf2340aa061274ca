import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { DestinationStream } from 'pino'
import { buildApp } from '../src/app.ts'
import { errorCodes } from '../src/error-codes.ts'
import { hashCheaply } from '../src/identity/passwords/passwords.ts'
import { type Authority, openAuthority } from '../src/identity/server/authority.ts'
import type { Role } from '../src/platform/access/roles.ts'
import { type Scope, scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import type { Keyring } from '../src/platform/access/tokens/keyring.ts'
import type { Context } from '../src/platform/context.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { statementFault } from '../src/platform/db/cluster/cluster-rules.ts'
import { unspreadTables } from '../src/platform/db/cluster/tenancy.ts'
import { type Database, openDatabase } from '../src/platform/db/database.ts'
import { connect, type Pool } from '../src/platform/db/pool/connect.ts'
import type { WaitSignal } from '../src/platform/db/pool/shares.ts'
import type { Patience } from '../src/platform/db/pool/silence.ts'
import type { Address } from '../src/platform/db/postgres/embedded.ts'
import type { Run } from '../src/platform/db/sql/rows.ts'
import { type Statement, sql } from '../src/platform/db/sql/sql.ts'
import { makeLog } from '../src/platform/observe/log.ts'
import { makeMetrics } from '../src/platform/observe/metrics.ts'
import { createOrganization, systemContext } from '../src/platform/organizations/actions.ts'
import { readSettings, type Settings } from '../src/settings.ts'

hashCheaply(true)

export type Service = {
  app: FastifyInstance
  database: Database
  pool: Pool
  keyring: Keyring
  authority: Authority
  settings: Settings
  draining: { now: boolean }
}

/** A machine that does much else may be slow to answer. */
const unhurried = { quietMs: 20_000, answerMs: 20_000 }

/** Tells the connections of this test file from those of the others on the same server. */
export const connectionName = `lading test ${process.pid}`

let shared: Promise<Service> | undefined

/**
 * The service of all test files that share a process. Each makes organizations of its own in it, so they do not meet; a test that needs other
 * settings, closes the service or makes it fail opens one of its own.
 */
export function sharedService(): Promise<Service> {
  shared ??= openService()
  return shared
}

/**
 * The whole server but its port, on the test database; closed when the tests of the process are done. `alone`: an organization may have all of its few
 * connections, so that what a test does at the same time does happen at the same time.
 */
export async function openService(
  env: Record<string, string> = {},
  logTo?: DestinationStream,
  clock?: () => Date,
  {
    target = testTarget(),
    patience = unhurried,
    alone = true,
  }: { target?: Address | string; patience?: Partial<Patience>; alone?: boolean } = {},
): Promise<Service> {
  const settings = readSettings({
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    RATE_LIMIT_TOKEN: '0',
    RATE_LIMIT_ORGANIZATION: '0',
    REQUEST_LOG_DAYS: '0',
    // The bank details of tests, whose key would be made in the data directory otherwise.
    BANK_DETAILS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    DATA_DIR: join(process.env.LADING_TEST_SHARED ?? tmpdir(), 'lading-files'),
    ...env,
  })
  // Patience for a machine that does much else: what a test states is never how quick it is.
  const pool = connect(target, { max: 5, name: connectionName, waitMs: 240_000, patience })
  const database = refusingUnplaced(
    refusingNow(openDatabase(pool, { statementMs: 240_000, searchMs: 240_000, lockMs: 240_000, alone })),
  )
  const log = makeLog(settings, logTo)
  const authority = await openAuthority({ database, settings, log, ...(clock && { clock }) })
  const draining = { now: false }
  const app = await buildApp({ settings, database, authority, log, metrics: makeMetrics(), draining })
  await app.ready()
  after(async () => {
    await app.close()
    await authority.close()
    await database.close()
  })
  return { app, database, pool, authority, keyring: authority.keyring, settings, draining }
}

/**
 * Looks at every read as it is sent, whatever pieces it was put together from: its transaction may have begun for an earlier read, so the time in it
 * is statement_timestamp(), and every other name of the time is that of the transaction.
 */
export function refusingNow(database: Database): Database {
  const { read } = database
  return Object.assign(database, {
    read: (org: string, statement: Statement, waits?: WaitSignal) =>
      saysNow(statement.text)
        ? Promise.reject(new Error(`what is read must say statement_timestamp(): ${statement.text}`))
        : read(org, statement, waits),
  })
}

/** The statements that were looked at and would find their way: services that share a process send the same ones. */
const sound = new Set<string>()

/** Looks at every statement of an organization as it is sent: on a cluster it must find its way to one node. */
export function refusingUnplaced(database: Database): Database {
  const { read, transaction, urgently } = database
  const tables = listSpread(database.pool)
  const check = async ({ text }: Statement) => {
    if (sound.has(text)) return
    const fault = statementFault(text, await tables)
    if (fault) throw new Error(`on a cluster this would fail, it ${fault}: ${text}`)
    sound.add(text)
  }
  const checking = (run: Run): Run =>
    (async (statement: Statement) => {
      // Sent at once, so that the order of what is sent together stays.
      const [, rows] = await Promise.all([check(statement), run(statement)])
      return rows
    }) as Run
  return Object.assign(database, {
    read: async (org: string, statement: Statement, waits?: WaitSignal) => {
      await check(statement)
      return read(org, statement, waits)
    },
    transaction: <T>(org: string, work: (run: Run) => Promise<T>, waits?: WaitSignal) =>
      transaction(org, (run) => work(checking(run)), waits),
    urgently: <T>(org: string, work: (run: Run) => Promise<T>) => urgently(org, (run) => work(checking(run))),
  })
}

let spread: Promise<ReadonlySet<string>> | undefined

/** The tables that are spread over the nodes of a cluster, and the views, all of which read such tables. */
function listSpread(pool: Pool): Promise<ReadonlySet<string>> {
  spread ??= pool
    .run<{ name: string }>(
      sql`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and c.relname <> all (${Object.keys(unspreadTables)}::text[])`,
    )
    .then((rows) => new Set(rows.map(({ name }) => name)))
  return spread
}

export function saysNow(text: string): boolean {
  return /\b(?:now\s*\(|transaction_timestamp\s*\(|(?:current_date|current_time|current_timestamp|localtime|localtimestamp)\b)|'(?:now|today|tomorrow|yesterday)'/i.test(
    text,
  )
}

export function testTarget() {
  const target = process.env.LADING_TEST_DATABASE
  if (!target) throw new Error('Run the tests with npm test: it brings the database.')
  return JSON.parse(target)
}

export type Caller = {
  org: string
  ctx: Context
  token: string
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  events(): Promise<
    {
      type: string
      subject_id: string
      occurred_at: Date
      revision: number | null
      data: never
      previous: never
      actor: never
    }[]
  >
}

/** A new organization and someone with a good token in it. The token is signed with the service's own key, and checked like any other. */
export async function newCaller(service: Service, scopes: readonly Scope[] = scopeNames): Promise<Caller> {
  const { id } = await createOrganization(service.database, 'A test organization')
  return callerIn(service, id, scopes)
}

/** Makes bill item types by these names, for payment items and charges to name. */
export async function newItemTypes({ call }: Pick<Caller, 'call'>, ...names: string[]): Promise<void> {
  for (const name of names) {
    const { statusCode, body } = await call('POST', '/api/v1/bill_item_types', { name })
    if (statusCode !== 201) throw new Error(body)
  }
}

/** An application that acts for itself: what its scopes allow needs no role. */
export function applicationIn(service: Service, org: string, scopes: readonly Scope[] = scopeNames): Caller {
  return callerIn(service, org, scopes, (client_id) => client_id)
}

export function callerIn(
  { app, database, pool, keyring, settings }: Service,
  org: string,
  scopes: readonly Scope[] = scopeNames,
  subject: (client_id: string) => string = () => newId(),
  role: Role = 'member',
): Caller {
  const client_id = `test-${newId()}`
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: subject(client_id), client_id, org_id: org, scopes, role },
  )
  const call: Caller['call'] = async (method, url, body, headers = {}) => {
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    })
    requireListed(answer)
    return answer
  }
  return {
    org,
    ctx: systemContext(database, org),
    token,
    call,
    get: (url, headers) => call('GET', url, undefined, headers),
    events: () =>
      pool.transaction(
        (run) =>
          run(sql`select * from events where org_id = ${org} and type <> 'organization.created' order by id`) as never,
        `begin; set local app.org_id = '${org}'`,
      ),
  }
}

/** Whatever a test provokes: the code of a refusal is in the table, with the status that it came with. */
function requireListed({ statusCode, body, headers }: LightMyRequestResponse): void {
  if (statusCode < 400 || body === '' || !String(headers['content-type']).startsWith('application/json')) return
  const { error_code, code = error_code, details = [] } = JSON.parse(body)
  if (!errorCodes[code]?.statuses.includes(statusCode))
    throw new Error(`the table of error codes does not list ${code} with the status ${statusCode}`)
  for (const detail of details)
    if (!errorCodes[detail.code]) throw new Error(`the table of error codes does not list ${detail.code}`)
}

/** The database as background work sees it that looks for what is to be done: in these organizations alone, so that tests leave each other's work alone. */
export function databaseOf({ database }: Pick<Service, 'database'>, organizations: ReadonlySet<string>): Database {
  const { pool } = database
  const run = (async (statement) =>
    (await pool.run(statement)).filter(({ org_id }) => organizations.has(org_id as string))) as typeof pool.run
  return { ...database, pool: { ...pool, run } }
}
