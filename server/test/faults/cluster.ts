import { execSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { revoke } from '../../src/platform/access/tokens/revocations.ts'
import { transaction } from '../../src/platform/context.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { insertJobs, takeDueJobs } from '../../src/platform/work/store.ts'
import { addressWith, makeDatabase, nodesOf } from '../cluster.ts'
import { lading, newDataDir, startLading, until } from '../process/lading.ts'
import { openClient, type Reply, type Sent } from './client.ts'
import { newOrganizations, type Organization } from './organizations.ts'
import { inPlace, type Result, seconds } from './place.ts'

const limit = 120
/** One installation behind a balancer has one public address. */
const issuer = 'http://127.0.0.1:1'
const needed =
  'needs a cluster: its workers in DATABASE_URL, and in STOP_NODE and START_NODE commands that stop and start the last of them'

type Placed = Organization & { node: string }

/**
 * On a cluster of Citus that is given, in a database of its own: a server on each worker, whose callers meet; then the last worker is stopped, a server
 * is started without it, and it comes back.
 */
export function cluster(): Promise<Result> {
  const { DATABASE_URL: url, STOP_NODE: stop, START_NODE: start } = process.env
  if (!url || !stop || !start) return Promise.resolve({ name: 'cluster', figures: { skipped: needed }, faults: [] })
  return inPlace(async (t) => {
    const faults: string[] = []
    const [coordinator = '', ...workers] = await nodesOf(url)
    const last = workers.at(-1) ?? ''
    const name = `lading_faults_${randomBytes(6).toString('hex')}`
    t.after(await makeDatabase(url, name))
    const servers = workers.map((host) => startServer(t, addressWith(url, name, host)))
    const bases = await Promise.all(servers.map((server) => server.ready()))
    const databases = workers.map((host) => databaseAt(t, addressWith(url, name, host)))
    const [first] = databases as [Database]
    const keys = await first.pool.run(sql`select from signing_keys`)
    if (keys.length !== 1) faults.push(`The servers made ${keys.length} signing keys.`)

    const through = await throughEveryNode(
      await newOrganizations(t, addressWith(url, name, coordinator), issuer, 4),
      bases,
      databases,
    )
    faults.push(...through.faults)
    const organizations = await placeOrganizations(t, addressWith(url, name, coordinator), last)

    await end(servers.at(-1))
    const [base = ''] = bases
    execSync(stop)
    const away = await whileAway(organizations, base, last)
    const fresh = startServer(t, addressWith(url, name))
    const begun = performance.now()
    const started = await whileAway(organizations, await fresh.ready(), last)
    const startMs = performance.now() - begun
    faults.push(...away.faults, ...started.faults)
    execSync(start)
    const since = performance.now()
    await until(
      async () => (await askAll(organizations, base)).every(({ status }) => status < 300),
      'all organizations are served again',
    )
    const backMs = performance.now() - since
    const { pool } = databaseAt(t, addressWith(url, name, coordinator))
    const failed = () => pool.run(sql`select from background_jobs where failures > 0`)
    await until(async () => (await failed()).length === 0, 'background jobs that failed meanwhile have succeeded again')
    const workMs = performance.now() - since
    const { stdout, code } = await lading(['doctor'], { DATABASE_URL: addressWith(url, name, coordinator) })
    if (code !== 0) faults.push(`The doctor finds fault: ${stdout}`)
    const figures = {
      ...through.figures,
      'refused while the node was away': `${away.refused} of its ${away.its}, ${away.others} of others`,
      'slowest answer': seconds(Math.max(away.slowestMs, started.slowestMs)),
      'start while the node was away': seconds(startMs),
      'all served after its return': seconds(backMs),
      'no background job failing after its return': seconds(workMs),
    }
    return { name: 'cluster', figures, faults }
  })
}

function startServer(t: TestContext, DATABASE_URL: string) {
  return startLading(t, newDataDir(t), {
    DATABASE_URL,
    PUBLIC_URL: issuer,
    RATE_LIMIT_TOKEN: '0',
    RATE_LIMIT_ORGANIZATION: String(limit),
  })
}

function databaseAt(t: TestContext, url: string): Database {
  const database = openDatabase(connect(url, { max: 2, name: 'faults' }))
  t.after(() => database.close())
  return database
}

async function end(server: ReturnType<typeof startServer> | undefined): Promise<void> {
  server?.kill('SIGTERM')
  await server?.ended
}

/** At least three of the node that will be away and three of others. */
async function placeOrganizations(t: TestContext, coordinator: string, last: string): Promise<Placed[]> {
  const { pool } = databaseAt(t, coordinator)
  const placed: Placed[] = []
  const enough = () =>
    [true, false].every((isIts) => placed.filter(({ node }) => (node === last) === isIts).length >= 3)
  while (!enough() && placed.length < 60) {
    const [made] = await newOrganizations(t, coordinator, issuer, 1)
    const [row] = await pool.run<{ node: string }>(sql`
      select n.nodename || ':' || n.nodeport as node from pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('organizations', ${made?.id}::uuid)`)
    placed.push({ ...(made as Organization), node: row?.node ?? '' })
  }
  return placed
}

/** Idempotency, limits, revocations and background jobs of some organizations, each through all servers at the same time. */
async function throughEveryNode(
  organizations: readonly Organization[],
  bases: readonly string[],
  databases: readonly Database[],
) {
  const faults: string[] = []
  const seen = { bills: 0, passed: 0, revocationMs: 0 }
  for (const organization of organizations) {
    const key = newId()
    const answers = await Promise.all([...bases, ...bases, ...bases].map((base) => post(organization, base, key)))
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => JSON.parse(body).bill.id))
    if (ids.size !== 1)
      faults.push(`One idempotency key made ${ids.size} bills: ${answers.map(({ status }) => status).join(', ')}.`)
    seen.bills += ids.size

    const passed = await countPassed(organization, bases)
    if (passed > limit || passed < limit / 2)
      faults.push(`Of ${2 * limit} requests in a minute ${passed} were let through, with a limit of ${limit}.`)
    seen.passed = Math.max(seen.passed, passed)

    const since = performance.now()
    await revokeToken(databases[0] as Database, organization)
    seen.revocationMs = Math.max(seen.revocationMs, performance.now() - since)
    for (const base of bases)
      if ((await get(organization, base)).status !== 401)
        faults.push('A token was taken after it had been revoked through another node.')

    const taken = await takeJob(databases)
    if (taken !== 1) faults.push(`A background job was taken by ${taken} processes.`)
  }
  const figures = {
    'bills made by a key each, through all nodes at once': `${seen.bills} by ${organizations.length}`,
    'let through by a limit, most on all nodes': `${seen.passed} of ${limit}`,
    'slowest revocation': seconds(seen.revocationMs),
  }
  return { faults, figures }
}

/** Limits count by the minute: the requests are sent within one. They ask for a record that is not there, which counts as one, where a search may be more. */
async function countPassed(organization: Organization, bases: readonly string[]): Promise<number> {
  const second = (Date.now() / 1000) % 60
  if (second > 40) await sleep((61 - second) * 1000)
  const ask = (base: string) =>
    sendOnce(base, { method: 'GET', path: `/api/v1/bills/${newId()}`, token: organization.token })
  const answers = await Promise.all(
    Array.from({ length: 2 * limit }, (_, turn) => ask(bases[turn % bases.length] as string)),
  )
  return answers.filter(({ status }) => status === 404).length
}

function revokeToken(database: Database, { id, token }: Organization): Promise<void> {
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
  return transaction(systemContext(database, id), (ctx) => revoke(ctx, 'user', sub))
}

/** By how many processes a job is taken that is due for all of them. */
async function takeJob(databases: readonly Database[]): Promise<number> {
  const job = { name: `faults ${newId()}`, everySeconds: 60 }
  const [{ pool }] = databases as [Database]
  await insertJobs(pool, [job.name])
  const taken = await Promise.all(
    [...databases, ...databases].map(({ pool }, turn) => takeDueJobs(pool, [job], `runner ${turn}`, 10_000)),
  )
  await pool.run(sql`delete from background_jobs where name = ${job.name}`)
  return taken.flat().length
}

/** The organizations of that node are refused, with the time to come back, and nobody else is. */
async function whileAway(organizations: readonly Placed[], base: string, node: string) {
  const faults: string[] = []
  const answers = await askAll(organizations, base)
  for (const { status, headers, body, organization } of answers) {
    const isIts = organization.node === node
    if (isIts ? status !== 503 || !headers['retry-after'] : status >= 300)
      faults.push(
        `An organization of ${isIts ? 'the node that is away' : 'another node'} was answered ${status}: ${body.slice(0, 200)}`,
      )
  }
  const refusedOf = (isIts: boolean) =>
    answers.filter(({ status, organization }) => status === 503 && (organization.node === node) === isIts).length
  const its = answers.filter(({ organization }) => organization.node === node).length
  return {
    faults,
    its,
    refused: refusedOf(true),
    others: refusedOf(false),
    slowestMs: Math.max(...answers.map(({ ms }) => ms)),
  }
}

/** A read and a write of each. */
async function askAll(organizations: readonly Placed[], base: string): Promise<(Reply & { organization: Placed })[]> {
  const answers = organizations.flatMap((organization) =>
    [get(organization, base), post(organization, base, newId())].map(async (reply) => ({
      ...(await reply),
      organization,
    })),
  )
  return Promise.all(answers)
}

function get({ token }: Organization, base: string): Promise<Reply> {
  return sendOnce(base, { method: 'GET', path: '/api/v1/bills?limit=1', token })
}

function post({ token }: Organization, base: string, key: string): Promise<Reply> {
  return sendOnce(base, {
    method: 'POST',
    path: '/api/v1/bills',
    token,
    body: { currency_id: 'usd' },
    headers: { 'idempotency-key': key },
  })
}

async function sendOnce(base: string, sent: Sent): Promise<Reply> {
  const client = openClient()
  try {
    return await client.send(base, sent)
  } finally {
    client.close()
  }
}
