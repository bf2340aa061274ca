import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { createApplication } from '../src/identity/applications/actions.ts'
import { createUser } from '../src/identity/users/actions.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { placementFaults } from '../src/platform/db/cluster/placement.ts'
import { clusterFaults, sharedTables, tenancyFaults } from '../src/platform/db/cluster/tenancy.ts'
import type { Run } from '../src/platform/db/sql/rows.ts'
import { sql } from '../src/platform/db/sql/sql.ts'
import { statementsOf } from '../src/platform/db/sql/statements.ts'
import { type Caller, newCaller, sharedService } from './service.ts'

const service = await sharedService()
const { pool } = service

test('every table of the schema keeps organizations apart', async () => {
  assert.deepEqual(await tenancyFaults(pool.run), [])
})

test('every view and function of the schema can be sent to the nodes of a cluster, and every foreign key holds on one', async () => {
  assert.deepEqual(await clusterFaults(pool.run), [])
})

test('every table is where it belongs, where there is a cluster', async () => {
  assert.deepEqual(await placementFaults(pool.run), [])
})

test('a table that a migration makes says where it is on a cluster, before it refers to others', () => {
  const folder = new URL('../migrations/', import.meta.url)
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const statements = statementsOf(readFileSync(new URL(name, folder), 'utf8'))
    for (const statement of statements) {
      assert.ok(
        (statement.match(/\badd constraint\b/gi)?.length ?? 0) < 2,
        `${name}: on a cluster a statement adds one constraint`,
      )
      const table = /^(?:\s*--[^\n]*\n)*\s*create table (\w+)/i.exec(statement)?.[1]
      if (!table) continue
      assert.doesNotMatch(
        statement,
        /\breferences\b/i,
        `${name}: the foreign keys of ${table} are added after it has its place`,
      )
      const placed = new RegExp(`call (?:keep_apart|keep_on_every_node|keep_on_first_node)\\('${table}'\\)`)
      assert.ok(
        statements.some((one) => placed.test(one)),
        `${name}: ${table} has no place on a cluster: call keep_apart, keep_on_every_node or keep_on_first_node`,
      )
    }
  }
})

describe('the check of the catalogue', () => {
  const sound = `create table scratch (org_id uuid not null, id uuid not null, other_id uuid, primary key (org_id, id)); call keep_apart('scratch')`

  test('finds no fault with a table that is made as all others are', async () => {
    assert.deepEqual(await faultsAfter(sound), [])
  })

  for (const [what, ddl, fault] of [
    ['a table without org_id', 'create table scratch (id uuid primary key)', /^scratch has no org_id/],
    [
      'a table whose org_id may be null',
      'create table scratch (org_id uuid, id uuid primary key)',
      /^scratch has no org_id/,
    ],
    [
      'a table without row-level security',
      'create table scratch (org_id uuid primary key)',
      /^scratch is not under forced row-level security/,
    ],
    [
      'row-level security that spares the owner',
      `${sound}; alter table scratch no force row level security`,
      /^scratch is not under forced/,
    ],
    [
      'a table without a policy',
      `${sound}; drop policy own_organization on scratch`,
      /^scratch has no policy for its organization/,
    ],
    [
      'a policy that allows more than it seems to',
      `${sound}; alter policy own_organization on scratch using (org_id = nullif(current_setting('app.org_id', true), '')::uuid or true)`,
      /^scratch has no policy for its organization/,
    ],
    [
      'a policy next to the one',
      `${sound}; create policy wide on scratch for select using (true)`,
      /^scratch: the policy wide lets requests see more/,
    ],
    [
      'a primary key that begins with something else',
      'create table scratch (id uuid, org_id uuid, primary key (id, org_id))',
      /^scratch has no primary key that begins/,
    ],
    [
      'an index that begins with something else',
      `${sound}; create index astray on scratch (other_id, org_id)`,
      /^scratch: the index astray/,
    ],
    [
      'an index over an expression',
      `${sound}; create index astray on scratch (lower(id::text))`,
      /^scratch: the index astray/,
    ],
    [
      'a foreign key without org_id',
      `${sound}; create unique index astray on scratch (id); create table pointer (org_id uuid, id uuid, primary key (org_id, id)); call keep_apart('pointer'); alter table pointer add constraint loose foreign key (id) references scratch (id)`,
      /^pointer: the foreign key loose does not carry org_id/,
    ],
    ['a right to truncate', `${sound}; grant truncate on scratch to lading_app`, /^scratch lets requests truncate it/],
    [
      'a trigger',
      `${sound}; create function nothing() returns trigger language plpgsql as 'begin return new; end'; create trigger astray before insert on scratch for each row execute function nothing()`,
      /^scratch has the trigger astray/,
    ],
    [
      'a view with the rights of its owner',
      `${sound}; create view peek as select * from scratch`,
      /^The view peek reads with its owner's rights/,
    ],
    [
      'a materialized view',
      `${sound}; create materialized view peek as select * from scratch; grant select on peek to lading_app`,
      /^Requests may read peek/,
    ],
    [
      'a table in another schema',
      'create schema elsewhere; create table elsewhere.scratch (id int); grant usage on schema elsewhere to lading_app; grant select on elsewhere.scratch to lading_app',
      /^Requests may read elsewhere\.scratch/,
    ],
    [
      'a function with the rights of its owner',
      `create function peek() returns int language sql security definer as 'select 1'`,
      /^The function peek\(\) runs with its owner/,
    ],
    [
      'a table of the serving role',
      `${sound}; grant create on schema public to lading_app; alter table scratch owner to lading_app`,
      /^scratch is owned by the serving role/,
    ],
  ] as const) {
    test(`names ${what}`, async () => {
      const faults = await faultsAfter(ddl)
      assert.ok(
        faults.some((found) => fault.test(found)),
        `${fault} is not among: ${faults.join(' ')}`,
      )
    })
  }

  /** Nobody else sees the change: it is never committed. A cluster is given one statement after the other, as in a migration, and would refuse some. */
  async function faultsAfter(ddl: string): Promise<string[]> {
    const undo = new Error('undo')
    let faults: string[] = []
    await pool
      .transaction(async (run) => {
        for (const text of statementsOf(ddl)) await run({ text, values: [] })
        faults = await tenancyFaults(run)
        throw undo
      }, `begin; set local citus.multi_shard_modify_mode = 'sequential'; set local citus.enable_ddl_propagation = off`)
      .catch((error) => assert.equal(error, undo))
    return faults
  }
})

describe('the serving role', { concurrency: true }, () => {
  let tables: string[] = []
  let ours: Caller
  let theirs: Caller

  before(async () => {
    const rows = await pool.run<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'org_id' order by 1`)
    tables = rows.map(({ name }) => name)
    ;[ours, theirs] = await Promise.all([newCaller(service), newCaller(service)])
    await Promise.all([fill(ours), fill(theirs)])
  })

  test('sees the rows of its organization and none of another, in any table', async () => {
    let seen = 0
    for (const table of tables) {
      const rows = await as(ours.org, (run) => run({ text: `select org_id from ${table}`, values: [] }))
      assert.deepEqual(
        rows.filter(({ org_id }) => org_id !== ours.org),
        [],
        table,
      )
      assert.equal(
        (await as(ours.org, (run) => run({ text: `select from ${table} where org_id = $1`, values: [theirs.org] })))
          .length,
        0,
        table,
      )
      if (rows.length > 0) seen += 1
    }
    assert.ok(seen >= 8, `only ${seen} tables had rows to look at`)
  })

  test('sees nothing without an organization, in any table or view', async () => {
    const views = await pool.run<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and a.attname = 'org_id'`)
    for (const name of [...tables, ...views.map((view) => view.name)]) {
      for (const org of [null, '']) {
        const seen = as(org, (run) => run({ text: `select from ${name}`, values: [] })).catch(
          nothingWhere(await refusal()),
        )
        assert.equal((await seen).length, 0, name)
      }
    }
  })

  test('changes and deletes no row of another organization, in any table', async () => {
    for (const table of tables) {
      const before = await count(theirs.org, table)
      for (const statement of [
        `update ${table} set org_id = org_id where org_id = $1 returning 1`,
        `delete from ${table} where org_id = $1 returning 1`,
      ]) {
        const touched = await as(ours.org, (run) => run({ text: statement, values: [theirs.org] })).then(
          (rows) => rows.length,
          (error) => assert.equal(error.code, '42501', `${statement}: ${error.message}`),
        )
        assert.ok(!touched, `${statement} touched ${touched}`)
      }
      assert.equal(await count(theirs.org, table), before, table)
    }
  })

  test('adds no row to another organization and moves none of its own there, in any table', async () => {
    for (const table of tables) {
      const columns = await pool.run(sql`
        select a.attname as name from pg_attribute a
        where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`)
      const names = columns.map(({ name }) => `"${name}"`)
      const copied = names.map((name) => (name === '"org_id"' ? '$1::uuid' : name))
      for (const statement of [
        `insert into ${table} (${names.join(', ')}) select ${copied.join(', ')} from ${table} limit 1`,
        `update ${table} set org_id = $1`,
      ]) {
        const rows = await count(ours.org, table)
        const tried = as(ours.org, (run) => run({ text: statement, values: [theirs.org] }))
        // Without a row of our own to copy there is nothing to refuse.
        if (rows > 0) await assert.rejects(tried, { code: await refusal() }, statement)
        else await tried.catch(nothingWhere(await refusal()))
      }
    }
  })

  test('reaches neither the keys that sign tokens nor anyone’s password', async () => {
    for (const statement of [
      'select kid from signing_keys',
      "insert into signing_keys (kid, private_jwk) values ('x', '{}')",
      'update signing_keys set retired_at = now()',
      'delete from signing_keys',
      'select password_hash from people',
      'select * from people',
      'update people set password_hash = null',
      'delete from people',
      'select from schema_migrations',
    ]) {
      await assert.rejects(
        as(ours.org, (run) => run({ text: statement, values: [] })),
        { code: '42501' },
        statement,
      )
    }
  })

  test('adds events, and neither changes nor removes one', async () => {
    for (const statement of ["update events set type = 'bill.forged'", 'delete from events', 'truncate events']) {
      await assert.rejects(
        as(ours.org, (run) => run({ text: statement, values: [] })),
        { code: '42501' },
        statement,
      )
    }
  })

  test('cannot take more rights, make objects or read files', async () => {
    for (const statement of [
      'create table public.own (id int)',
      'alter table bills disable row level security',
      'alter role lading_app bypassrls',
      "select pg_read_file('/etc/passwd')",
    ]) {
      await assert.rejects(
        as(ours.org, (run) => run({ text: statement, values: [] })),
        { code: '42501' },
        statement,
      )
    }
  })

  /** One row at least in what can be reached through actions, and in what stands behind them. */
  async function fill({ ctx, org, call }: Caller): Promise<void> {
    await call('POST', '/api/v1/bill_item_types', { name: 'A type' }, { 'idempotency-key': 'k' })
    await createUser(ctx, { email: `${newId()}@example.com`, name: 'A user', role: 'member', password: newId() })
    await createApplication(ctx, {
      name: 'An application',
      type: 'confidential',
      redirect_uris: [],
      scopes: ['bills'],
      grant_types: ['client_credentials'],
    })
    await pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${org}'`, values: [] })
      const [term, bill] = [newId(), newId()]
      await run(sql`insert into pay_terms (org_id, id, name, number_of_days) values (${org}, ${term}, 'Net 30', 30)`)
      await run(
        sql`insert into pay_term_connector_mappings (org_id, pay_term_id, connector_id, vendor_pay_term_id) values (${org}, ${term}, 'c', 'v')`,
      )
      await run(sql`insert into bills (org_id, id, full_id, created_by) values (${org}, ${bill}, ${newId()}, 'test')`)
      await run(
        sql`insert into bill_items (org_id, id, bill_id, position, unit_price, quantity, total_amount) values (${org}, ${newId()}, ${bill}, 1, 1, 1, 1)`,
      )
      await run(
        sql`insert into rate_limits (org_id, bucket, window_start, most, granted, last_share) values (${org}, 'organization', now(), 1, 1, 1)`,
      )
    })
  }

  /** What the serving role can do in an organization; undone afterwards. */
  async function as<T>(org: string | null, work: (run: Run) => Promise<T>): Promise<T> {
    const undo = new Error('undo')
    let result: T | undefined
    await pool
      .transaction(async (run) => {
        await run({ text: 'set local role lading_app', values: [] })
        if (org !== null) await run({ text: `set local app.org_id = '${org}'`, values: [] })
        result = await work(run)
        throw undo
      })
      .catch((error) => {
        if (error !== undo) throw error
      })
    return result as T
  }

  /** A cluster refuses some statements before it looks at rights, because they cannot be sent to one node. */
  async function refusal(): Promise<RegExp> {
    return (await pool.distributed()) ? /^(42501|0A000|XX000)$/ : /^42501$/
  }

  function nothingWhere(code: RegExp): (error: { code: string }) => [] {
    return (error) => {
      assert.match(error.code, code)
      return []
    }
  }

  async function count(org: string, table: string): Promise<number> {
    return (await as(org, (run) => run({ text: `select from ${table} where org_id = $1`, values: [org] }))).length
  }
})

test('the tables that belong to no organization are the ones on the list, each with a reason', async () => {
  const names = await pool.run(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  for (const [table, reason] of Object.entries(sharedTables)) {
    assert.ok(reason.length > 10, table)
    assert.ok(
      names.some(({ name }) => name === table),
      `${table} is on the list but not in the schema`,
    )
  }
})
