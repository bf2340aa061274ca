import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { openKeyring } from '../../src/platform/access/tokens/keyring.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { deepTest } from '../depth.ts'
import { testTarget } from '../service.ts'
import { createDatabase, freePort, startDatabaseServer, startMigratedServer } from './database.ts'
import { type Answered, call, databaseOf, lading, newDataDir, startLading, until } from './lading.ts'

const issuer = 'http://127.0.0.1:0'

describe('DATABASE_URL', { concurrency: 2 }, () => {
  deepTest(
    'three that start at once on an empty database all come up, with one schema and one signing key, no demo and no embedded server',
    async (t) => {
      const DATABASE_URL = await emptyDatabase(t)
      const all = [1, 2, 3].map(() => startLading(t, newDataDir(t), { DATABASE_URL }))
      await Promise.all(all.map(({ ready }) => ready()))
      assert.equal(all.filter(({ said }) => said().includes('Brought the schema up to date')).length, 1)
      const [counts] = await databaseOf(t, DATABASE_URL).run(sql`
      select (select count(*)::int from organizations) as organizations, (select count(*)::int from signing_keys) as keys`)
      assert.deepEqual({ ...counts }, { organizations: 0, keys: 1 })
      assert.deepEqual(
        all.map(({ dataDir }) => existsSync(dataDir)),
        [false, false, false],
      )
      for (const each of all) each.kill('SIGTERM')
      for (const each of all) assert.equal((await each.ended).code, 0)
    },
  )

  deepTest(
    'waits at the start for a database that comes up a little later, and stops when told to meanwhile; then restarts of it under load give 503s with Retry-After at worst',
    async (t) => {
      const server = await startMigratedServer(t)
      await server.stop()
      const DATABASE_URL = server.url()
      const started = startLading(t, newDataDir(t), {
        DATABASE_URL,
        RATE_LIMIT_TOKEN: '0',
        RATE_LIMIT_ORGANIZATION: '0',
      })
      const impatient = startLading(t, newDataDir(t), { DATABASE_URL })
      for (const each of [started, impatient])
        await until(() => each.said().includes('Trying again'), 'it waits for its database')
      impatient.kill('SIGTERM')
      assert.equal((await impatient.ended).code, 0)
      await server.start()
      const { pid, ready, said, kill, ended } = started
      const url = await ready()
      const token = await tokenFor(t, DATABASE_URL)
      const seen = { done: 0, away: 0, surprises: [] as string[] }
      let loading = true
      const load = Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          while (loading && seen.surprises.length === 0) {
            const [method, body, good] = index % 4 === 0 ? ['POST', { name: 'x' }, 201] : ['GET', undefined, 200]
            const answer = await call(`${url}/api/v1/bill_item_types`, { method: method as string, token, body }).catch(
              (error) => ({
                status: 0,
                headers: {} as Answered['headers'],
                body: String(error),
              }),
            )
            if (answer.status === good) seen.done++
            else if (answer.status === 503 && answer.headers['retry-after']) seen.away++
            else seen.surprises.push(`${answer.status} ${answer.body}`)
            // Sixteen that ask without a pause would keep from its work what is to come back.
            await sleep(20)
          }
        }),
      )
      for (let restart = 0; restart < 2; restart++) {
        const before = { ...seen }
        await until(() => seen.surprises.length > 0 || seen.done > before.done + 50, 'requests are answered')
        await server.stop()
        await until(() => seen.surprises.length > 0 || seen.away > before.away, 'the database is found to be away')
        assert.equal((await call(`${url}/health/live`)).status, 200)
        assert.equal((await call(`${url}/health/ready`)).status, 503)
        await server.start()
        const back = seen.done
        await until(() => seen.surprises.length > 0 || seen.done > back + 50, 'requests are answered again')
        await until(async () => (await call(`${url}/health/ready`)).status === 200, 'it is ready again')
      }
      loading = false
      await load
      assert.deepEqual(seen.surprises, [], said())
      assert.doesNotThrow(() => process.kill(pid, 0))
      kill('SIGTERM')
      assert.equal((await ended).code, 0)
    },
  )

  deepTest(
    'takes the host that answers where several are named and the first is down, and comes back to it after both were',
    async (t) => {
      const server = await startMigratedServer(t)
      const DATABASE_URL = server.url().replace('127.0.0.1', `127.0.0.1:${await freePort()},127.0.0.1`)
      const url = await startLading(t, newDataDir(t), { DATABASE_URL }).ready()
      await server.stop()
      await until(async () => (await call(`${url}/health/ready`)).status === 503, 'it has noticed')
      await server.start()
      await until(async () => (await call(`${url}/health/ready`)).status === 200, 'it is ready again')
    },
  )

  deepTest(
    'starts while a node of a cluster is away, says so, and serves the organizations of the others',
    async (t) => {
      const server = await startMigratedServer(t)
      const DATABASE_URL = server.url()
      const pool = databaseOf(t, DATABASE_URL)
      const token = await tokenFor(t, DATABASE_URL)
      // As what asks all nodes fails on a cluster: an error of the statement, on a connection that is whole.
      await pool.run({
        text: `create function away() returns uuid language plpgsql as $$ begin raise exception 'connection to the remote node failed' using errcode = '08006'; end $$;
        alter table object_renewals rename to hidden; create view object_renewals as select away() as org_id, 'customer' as object_key`,
        values: [],
      })
      const { ready, said } = startLading(t, newDataDir(t), { DATABASE_URL })
      const url = await ready()
      assert.match(said(), /A node of the database is away/)
      assert.equal((await call(`${url}/api/v1/bills`, { token })).status, 200)
    },
  )

  deepTest(
    'where nobody listens, on one host or several, start gives up after half a minute and other commands at once, in one line each',
    async (t) => {
      const addresses = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`]
      const ends = addresses.flatMap((address) => {
        const DATABASE_URL = `postgres://${address}/x`
        return [startLading(t, newDataDir(t), { DATABASE_URL }).ended, lading(['org', 'list'], { DATABASE_URL })]
      })
      for (const { code, stderr } of await Promise.all(ends)) {
        assert.equal(code, 1)
        assert.match(stderr, /^lading: The database cannot be reached \(connect ECONNREFUSED [^\n]+\n$/)
      }
    },
  )

  test('a database that does not exist, and an address that is none, are refused in one line without the password', async (t) => {
    const server = await startDatabaseServer(t)
    for (const [DATABASE_URL, message] of [
      [server.url('nowhere').replace('tester@', 'tester:s3cret@'), /does not exist/],
      ['mysql://tester:s3cret@127.0.0.1/x', /DATABASE_URL is not of the form/],
    ] as const) {
      const { code, stderr } = await startLading(t, newDataDir(t), { DATABASE_URL }).ended
      assert.equal(code, 1)
      assert.match(stderr, /^lading: [^\n]+\n$/)
      assert.match(stderr, message)
      assert.ok(!stderr.includes('s3cret'))
    }
  })
})

/** On the server that the tests were given, where it can be named by an address; else on one of our own. */
async function emptyDatabase(t: TestContext): Promise<string> {
  const given = testTarget()
  if (typeof given !== 'string') return (await startDatabaseServer(t)).url()
  const name = `lading_process_${randomBytes(6).toString('hex')}`
  await createDatabase(given, name)
  t.after(async () => {
    const pool = databaseOf(t, given)
    await pool.run({ text: `drop database ${name} with (force)`, values: [] })
    await pool.end()
  })
  const url = new URL(given)
  url.pathname = `/${name}`
  return url.href
}

async function tokenFor(t: TestContext, DATABASE_URL: string): Promise<string> {
  const { code, stdout, stderr } = await lading(['org', 'create', 'Under load', '--json'], { DATABASE_URL })
  assert.equal(code, 0, stderr)
  const keyring = await openKeyring(databaseOf(t, DATABASE_URL))
  return signToken(
    keyring,
    { issuer, audience: `${issuer}/` },
    { sub: newId(), client_id: 'test', org_id: JSON.parse(stdout).id, scopes: scopeNames, role: 'member' },
  )
}
