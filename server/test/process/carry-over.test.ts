import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createBill, moveBill } from '../../src/books/kinds/bills.ts'
import { requirePayments } from '../../src/platform/backup/before.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { readAllOrganizations } from '../../src/platform/db/schema/organizations.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { publishAll } from '../../src/platform/events/feed/publishing.ts'
import { listOrganizations, systemContext } from '../../src/platform/organizations/actions.ts'
import { createDatabase, type DatabaseServer, startDatabaseServer } from './database.ts'
import { lading, newDataDir } from './lading.ts'

/** Made by `lading backup` of the last 0.1, of an organization with something of each kind. */
const backup = fileURLToPath(new URL('before.tar', import.meta.url))
/** The key of its made-up bank details. */
const BANK_DETAILS_KEYS = 'before:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s='

let server: DatabaseServer
before(async (t) => {
  server = await startDatabaseServer(t as TestContext)
})

test('a backup of the last 0.1 is restored whole by one command, adds up, and is written on', async (t) => {
  const env = { DATABASE_URL: server.url(), DATA_DIR: newDataDir(t), BANK_DETAILS_KEYS }
  const restored = await lading(['restore', backup, '--json'], env)
  assert.equal(restored.code, 0, restored.stderr)
  const { rows, tables } = JSON.parse(restored.stdout)
  assert.deepEqual([rows, tables], [1414, 109])
  await passesTheDoctor()

  const database = openDatabase(connect(env.DATABASE_URL, { max: 4 }))
  t.after(() => database.close())
  const [organization] = await listOrganizations(database)
  const ctx = systemContext(database, organization?.id as string)
  const [sums] = await ctx.run(sql`
    select (select count(*)::int from bills) as bills, (select sum(total_amount)::int from bills) as billed, (select sum(amount)::int from payments) as paid,
      (select sum(total_amount)::int from invoices) as invoiced, (select sum(amount_paid)::int from invoices) as received,
      (select sum(total_amount)::int from credits) as credited, (select count(*)::int from consolidated_bills where status_id = 'paid') as statements,
      (select count(*)::int from carrier_invoices where state = 'billed') as carrier_invoices, (select count(*)::int from payment_run_items) as run_items,
      (select count(*)::int from webhooks) as webhooks, (select count(*)::int from emanifest_acknowledgements) as acknowledgements,
      (select count(*)::int from objects) as objects, (select count(*)::int from document_files) as files
    where ${ctx.org}::uuid is not null`)
  assert.deepEqual(sums, {
    ...{ bills: 10, billed: 821_640, paid: 791_000, invoiced: 300_000, received: 75_000, credited: 10_000 },
    ...{ statements: 1, carrier_invoices: 1, run_items: 5, webhooks: 1, acknowledgements: 4, objects: 8, files: 2 },
  })

  const parties = await ctx.run(sql`
    select s -> 'shipper' ->> 'address_1' as shipper, s -> 'consignee' ->> 'address_1' as consignee, s::text ~ 'address[12]' as has_other_names
    from emanifests, jsonb_array_elements(shipments) s where org_id = ${ctx.org} order by trip_number`)
  const [works, glazier] = ['640 Front St', '75 Commissioners St']
  assert.deepEqual(parties, [
    { shipper: works, consignee: glazier, has_other_names: false },
    { shipper: glazier, consignee: works, has_other_names: false },
  ])

  const goods = await ctx.run(sql`
    select g ? 'currency_id' and not g ? 'currency' as is_renamed from emanifests, jsonb_array_elements(shipments) s, jsonb_array_elements(s -> 'commodities') g
    where org_id = ${ctx.org}`)
  assert.ok(goods.length > 0 && goods.every(({ is_renamed }) => is_renamed))

  const { id } = await createBill(ctx, { currency_id: 'usd', items: [{ unit_price: 100, quantity: 1 }] })
  await moveBill(ctx, { by: 'id', id }, 'save', {}, null)
  await moveBill(ctx, { by: 'id', id }, 'pay', {}, null)
  const [written] = await ctx.run(
    sql`select b.number, (select max(p.number) from payments p where p.org_id = ${ctx.org}) as payment from bills b where b.org_id = ${ctx.org} and b.id = ${id}`,
  )
  assert.deepEqual(written, { number: 10, payment: 7 })
  await publishAll(database)
  const [feed] = await ctx.run<{ position: number }>(
    sql`select last_position::int as position from feeds where org_id = ${ctx.org}`,
  )
  assert.ok(feed && feed.position > 148, `the feed goes on from 148, not to ${feed?.position}`)
  await passesTheDoctor()

  await database.pool.transaction(async (run) => {
    await readAllOrganizations(run)
    await requirePayments(run, backup)
  })
  await ctx.transaction((ctx) =>
    ctx.run(sql`update bills set unpaid_status_id = null where org_id = ${ctx.org} and id = ${id}`),
  )
  await assert.rejects(
    database.pool.transaction(async (run) => {
      await readAllOrganizations(run)
      await requirePayments(run, backup)
    }),
    /1 paid bills wait for their payment to be recorded/,
  )

  async function passesTheDoctor(): Promise<void> {
    const { code, stdout } = await lading(['doctor', '--deep'], env)
    assert.equal(code, 0, stdout)
  }
})

test('a backup of an older 0.1 is refused, and nothing of it is restored', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lading-older-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('tar', ['-xf', backup, '-C', folder])
  const file = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, migrations: manifest.migrations.slice(0, -1) }))
  await createDatabase(server.url(), 'older')
  const { code, stderr } = await lading(['restore', folder], {
    DATABASE_URL: server.url('older'),
    DATA_DIR: newDataDir(t),
  })
  assert.equal(code, 1)
  assert.match(stderr, /^lading: The backup \S+ was made by a version before the last 0\.1\. Restore it [^\n]+\n$/)
  assert.deepEqual(await relationsOf('older'), [])
})

test('a database of 0.1 is left as it is, and a line says how it is carried over', async (t) => {
  await createDatabase(server.url(), 'of_before')
  const pool = connect(server.url('of_before'), { max: 1 })
  t.after(() => pool.end())
  await pool.run({
    text: `
      create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now(), oldest_code text);
      insert into schema_migrations values ('0001_tenancy.sql', 'x')`,
    values: [],
  })
  const there = await relationsOf('of_before')
  const env = { DATABASE_URL: server.url('of_before'), DATA_DIR: newDataDir(t), PORT: '0' }
  for (const args of [['start'], ['migrate'], ['migrate', '--dry-run'], ['org', 'list'], ['restore', backup]]) {
    const { code, stderr } = await lading(args, env)
    assert.equal(code, 1, args.join(' '))
    assert.match(
      stderr,
      /^lading: This database was made by Lading 0\.1, [^\n]*lading backup[^\n]*lading restore[^\n]+\n$/,
    )
  }
  const { code, stdout } = await lading(['doctor'], env)
  assert.equal(code, 1)
  assert.match(stdout, /^✗ migrations: This database was made by Lading 0\.1,/m)
  assert.deepEqual(await relationsOf('of_before'), there)
})

async function relationsOf(database: string): Promise<unknown[]> {
  const pool = connect(server.url(database), { max: 1 })
  try {
    return await pool.run(
      sql`select relname from pg_class where relnamespace = 'public'::regnamespace order by relname`,
    )
  } finally {
    await pool.end()
  }
}
