import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { createBill } from '../../src/books/kinds/bills.ts'
import { main } from '../../src/main.ts'
import { StartError } from '../../src/platform/core/start-error.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { connect, type Pool } from '../../src/platform/db/pool/connect.ts'
import { makeGuard } from '../../src/platform/db/schema/lock-queue.ts'
import { applyMigration, migrate } from '../../src/platform/db/schema/migrate.ts'
import { contractionOf, migrations } from '../../src/platform/db/schema/migrations.ts'
import { rowsOf } from '../../src/platform/db/sql/query.ts'
import { type Statement, sql } from '../../src/platform/db/sql/sql.ts'
import { health } from '../../src/platform/health/routes.ts'
import { createOrganization, systemContext } from '../../src/platform/organizations/actions.ts'
import { readSettings } from '../../src/settings.ts'
import { processTerminal, type Terminal } from '../../src/tools/cli/terminal.ts'
import { addressWith } from '../cluster.ts'
import { startMigratedServer } from './database.ts'
import { lading, until } from './lading.ts'

let url: string
let pool: Pool
let database: Database
before(async (t) => {
  const server = await startMigratedServer(t as TestContext)
  url = server.url()
  pool = connect(url, { max: 4, waitMs: 60_000 })
  database = openDatabase(pool, { statementMs: 120_000 })
  ;(t as TestContext).after(() => database.close())
})

describe('an empty database', () => {
  for (const [name, made, refusal] of [
    [
      'another encoding than UTF8',
      `encoding 'SQL_ASCII'`,
      /^The encoding of the database is SQL_ASCII; Lading needs UTF8\. Make the database anew: create database [^\n]+$/,
    ],
    [
      'a locale that knows the letters of English alone',
      `encoding 'UTF8'`,
      /^The locale of the database knows upper and lower case from A to Z alone: [^\n]+$/,
    ],
  ] as const) {
    test(`with ${name} is refused in one line, and nothing is made in it`, async (t) => {
      const letters = `letters_${newId().slice(-12)}`
      await pool.run({
        text: `create database ${letters} template template0 ${made} locale_provider libc locale 'C'`,
        values: [],
      })
      const refused = connect(addressWith(url, letters), { max: 1 })
      t.after(() => refused.end())
      await assert.rejects(migrate(refused), (error) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, refusal)
        return true
      })
      assert.deepEqual(
        await refused.run(sql`select relname from pg_class where relnamespace = 'public'::regnamespace`),
        [],
      )
    })
  }
})

describe('a migration', () => {
  test('that fails names itself in one line, leaves nothing, and is applied when its cause is gone', async (t) => {
    const apply = await applier(t)
    const text = `
      create table colours (name text);
      insert into colours values ('red');
      alter table bills add column colour text;
      select 1 / (select count(*) from organizations where name = 'The cause is gone');`
    await assert.rejects(apply('9001_colours.sql', text), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(
        error.message,
        /^The migration 9001_colours\.sql failed, it has left nothing behind: division by zero\. Correct the cause.*$/,
      )
      return true
    })
    assert.deepEqual(
      [await exists('colours'), await hasColumn('bills', 'colour'), await isNoted('9001_colours.sql')],
      [false, false, false],
    )
    await createOrganization(database, 'The cause is gone')
    await apply('9001_colours.sql', text)
    assert.deepEqual(
      [await exists('colours'), await hasColumn('bills', 'colour'), await isNoted('9001_colours.sql')],
      [true, true, true],
    )
  })

  test('that makes indexes concurrently and fails removes all that it has made, also the index that is invalid, and can be run again', async (t) => {
    const apply = await applier(t)
    await pool.run({
      text: `create table twice (n int); insert into twice values (1), (1); create index twice_before on twice (n)`,
      values: [],
    })
    // As after a process that was killed between the two.
    await pool.run({ text: 'create index twice_plain on twice (n)', values: [] })
    const text = `-- outside of a transaction
drop index concurrently if exists twice_plain;
create index concurrently twice_plain on twice (n);
drop index concurrently if exists twice_unique;
create unique index concurrently twice_unique on twice (n);
`
    await assert.rejects(
      apply('9002_twice.sql', text),
      /The migration 9002_twice\.sql failed, it has left nothing behind: could not create unique index "twice_unique"/,
    )
    assert.deepEqual(await indexesOf('twice'), [['twice_before', true]])
    assert.equal(await isNoted('9002_twice.sql'), false)
    await pool.run({ text: 'delete from twice where ctid = (select max(ctid) from twice)', values: [] })
    await apply('9002_twice.sql', text)
    assert.deepEqual(await indexesOf('twice'), [
      ['twice_before', true],
      ['twice_plain', true],
      ['twice_unique', true],
    ])
    assert.equal(await isNoted('9002_twice.sql'), true)
  })

  test('that fills a new column in lots fills every organization, goes on after a failure where it was, and holds no lock on more than a lot', async (t) => {
    const apply = await applier(t)
    const orgs = await Promise.all(['North', 'South'].map((name) => createOrganization(database, name)))
    for (const { id } of orgs)
      for (let n = 0; n < 5; n++) await createBill(systemContext(database, id), { currency_id: 'usd' })
    await pool.run({
      text: 'alter table bills add column filled int; create table lots (n int); create table broken (n int); insert into broken values (0)',
      values: [],
    })
    const text = `-- in lots for each organization
with lot as (select id from bills where org_id = current_setting('app.org_id')::uuid and filled is null limit 2),
noted as (insert into lots select count(*) from lot)
update bills set filled = 1 / (select n from broken limit 1) where org_id = current_setting('app.org_id')::uuid and id in (select id from lot) returning 1;
`
    await assert.rejects(
      apply('9003_filled.sql', text),
      /The migration 9003_filled\.sql failed, what it has filled stays: division by zero/,
    )
    await pool.run({ text: 'update broken set n = 1', values: [] })
    await apply('9003_filled.sql', text)
    const filled = await Promise.all(
      orgs.map(({ id }) =>
        systemContext(database, id).run<{ n: number }>(
          sql`select count(*)::int as n from bills where org_id = ${id} and filled = 1`,
        ),
      ),
    )
    assert.deepEqual(
      filled.map(([row]) => row?.n),
      [5, 5],
    )
    const lots = await pool.run<{ n: number }>(sql`select n from lots where n > 0`)
    assert.deepEqual(lots.map(({ n }) => n).sort(), [1, 1, 2, 2, 2, 2])
    assert.equal(await isNoted('9003_filled.sql'), true)
  })

  test('that waits behind a stalled export, or works for long with a lock in its hand, lets readers go first until it can be applied', async (t) => {
    const apply = await applier(t)
    const { id: org } = await createOrganization(database, 'Readers')
    const ctx = systemContext(database, org)
    await createBill(ctx, { currency_id: 'usd' })
    let reads = 0
    let reading = true
    const readers = [1, 2].map(async () => {
      for (; reading; reads++) await ctx.run(sql`select json from bills_wire where org_id = ${org}`)
    })
    t.after(() => (reading = false))
    const readOn = async () => {
      const from = reads
      await until(() => reads > from + 20, 'readers read on')
    }

    const stalled = await pool.open()
    t.after(() => stalled.end())
    await stalled.query('begin; declare rows cursor for select * from bills; fetch 1 from rows')
    await pool.run({ text: 'create table busy (n int); insert into busy values (1)', values: [] })
    let applied = false
    const applying = apply(
      '9004_locks.sql',
      'alter table bills add column locked int; select pg_sleep(600) from busy;',
    ).then(() => {
      applied = true
    })
    await until(
      () =>
        holds(
          sql`select from pg_locks where relation = 'bills'::regclass and not granted and mode = 'AccessExclusiveLock'`,
        ),
      'it waits',
    )
    await readOn()
    await stalled.query('rollback')
    await until(
      () => holds(sql`select from pg_stat_activity where wait_event = 'PgSleep'`),
      'it has its lock, and keeps it for as long as it is let',
    )
    await readOn()
    assert.equal(applied, false)
    await pool.run({ text: 'delete from busy', values: [] })
    await applying
    await readOn()
    reading = false
    await Promise.all(readers)
  })

  test('of a newer version: older code refuses in one line to start and to run commands; a process that runs serves on until what it needs is gone', async (t) => {
    await pool.run(sql`delete from schema_migrations where name > '9'`)
    const apply = await applier(t)
    const ready = await readiness(t)
    assert.deepEqual(await ready(), [200, 'The schema is current.'])

    await apply('9005_expands.sql', 'select 1;')
    assert.deepEqual(await ready(), [
      200,
      'The schema is newer than this version: it has 9005_expands.sql. This process can go on serving, but would not start again; replace it by the newer version.',
    ])
    const refused =
      /^lading: The schema of the database is newer than this version of Lading: it has 9005_expands\.sql\. Use the version [^\n]+\n$/
    for (const args of [['migrate'], ['migrate', '--dry-run'], ['org', 'list'], ['org', 'create', 'Late']]) {
      const { code, out, err } = await command(args)
      assert.deepEqual([code, out], [1, ''], args.join(' '))
      assert.match(err, refused)
    }
    const { code, out } = await command(['doctor'])
    assert.deepEqual(
      [code, /^✗ version: .*9005_expands\.sql/m.test(out), /^. (?:tenancy|books):/m.test(out)],
      [1, true, false],
    )
    const start = await lading(['start'], { DATABASE_URL: url, PORT: '0' })
    assert.deepEqual([start.code, start.stderr.replace(refused, '')], [1, ''])

    await apply(
      '9006_contracts.sql',
      '-- contracts for code before 0000_baseline: nothing has used it since.\nselect 1;',
    )
    assert.equal((await ready())[0], 200)
    await apply(
      '9007_contracts.sql',
      '-- contracts for code before 9005_expands.sql: the code that came with it was the first to do without.\nselect 1;',
    )
    assert.deepEqual(await ready(), [
      503,
      'This version is too old for the schema, which has 9007_contracts.sql. Stop it and start the newer version.',
    ])
  })

  test('that is not applied yet is shown by migrate --dry-run, and changes nothing', async () => {
    const { name: last, text } = migrations.at(-1) as (typeof migrations)[number]
    await pool.run(sql`delete from schema_migrations where name > '9' or name = ${last}`)
    const { code, out } = await command(['migrate', '--dry-run', '--json'])
    assert.deepEqual([code, JSON.parse(out)], [0, { pending: [{ name: last, contracts: contractionOf(text) }] }])
    assert.equal(await isNoted(last), false)
  })
})

/** The status of /health/ready and what it says of the migrations. */
async function readiness(t: TestContext): Promise<() => Promise<[number, string]>> {
  const app = Fastify()
  t.after(() => app.close())
  await app.register(health, { database, settings: readSettings({ DATABASE_URL: url }), draining: { now: false } })
  return async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json().checks.migrations.message]
  }
}

/** The command line tool in this process. */
async function command(args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const terminal: Terminal = {
    ...processTerminal({ DATABASE_URL: url }),
    out(text) {
      said.out += text
    },
    err(text) {
      said.err += text
    },
  }
  return { code: await main(args, terminal), ...said }
}

/** Applies a text as a migration, through a guarded connection of its own. */
async function applier(t: TestContext): Promise<(name: string, text: string) => Promise<void>> {
  const [client, watcher] = await Promise.all([pool.open(), pool.open()])
  t.after(() => Promise.all([client.end(), watcher.end()]))
  return (name, text) =>
    applyMigration((statement) => rowsOf(client, statement), { name, text, checksum: '' }, makeGuard(watcher))
}

async function holds(statement: Statement): Promise<boolean> {
  return (await pool.run(statement)).length > 0
}

function exists(table: string): Promise<boolean> {
  return holds(sql`select from pg_class where relname = ${table}`)
}

function hasColumn(table: string, column: string): Promise<boolean> {
  return holds(sql`select from pg_attribute where attrelid = ${table}::regclass and attname = ${column}`)
}

function isNoted(name: string): Promise<boolean> {
  return holds(sql`select from schema_migrations where name = ${name}`)
}

async function indexesOf(table: string): Promise<[string, boolean][]> {
  const rows = await pool.run<{ name: string; valid: boolean }>(
    sql`select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = ${table}::regclass order by 1`,
  )
  return rows.map(({ name, valid }) => [name, valid])
}
