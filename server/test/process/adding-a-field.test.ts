import assert from 'node:assert/strict'

import { setTimeout as sleep } from 'node:timers/promises'
import { createBill, updateBill } from '../../src/books/kinds/bills.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { applyMigration } from '../../src/platform/db/schema/migrate.ts'
import { rowsOf } from '../../src/platform/db/sql/query.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { createOrganization, systemContext } from '../../src/platform/organizations/actions.ts'
import { deepTest } from '../depth.ts'
import { startMigratedServer } from './database.ts'
import { until } from './lading.ts'

/** As docs/decisions/reads.md says: the column, and the view that appends it to the stored text. */
const addingAField = `
  alter table bills add column po_number text;
  create or replace view bills_wire with (security_invoker = true) as
  select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id, own.text || '}' as json, b.external_id, b.created_by, b.pay_term_id, b.currency_id, own.text as open_json
  from bills b
  cross join lateral (
    select b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
        || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
        || ',"po_number":' || coalesce(to_json(b.po_number)::text, 'null') || ',"available_actions":[]' as text
  ) own`

const addingAnIndex = `-- outside of a transaction
drop index concurrently if exists bills_po_number;
create index concurrently bills_po_number on bills (org_id, po_number);
`

deepTest(
  'migrations that add a field to bills, and an index on it, rewrite nothing, make no writer wait for a stalled other, and lose no write',
  async (t) => {
    const server = await startMigratedServer(t)
    const pool = connect(server.url(), { max: 18, waitMs: 60_000 })
    const database = openDatabase(pool, { statementMs: 120_000 })
    t.after(() => database.close())
    const { id: org } = await createOrganization(database, 'A test organization')
    const ctx = systemContext(database, org)
    const bills = await Promise.all(
      Array.from({ length: 16 }, async () => (await createBill(ctx, { currency_id: 'usd' })).id),
    )
    const fileOfBills = async () => (await pool.run(sql`select pg_relation_filenode('bills') as file`))[0]?.file
    const before = await fileOfBills()

    const written = new Map(bills.map((id) => [id, 0]))
    let busy = true
    const writers = bills.map(async (id) => {
      while (busy) {
        const next = (written.get(id) as number) + 1
        await updateBill(ctx, { by: 'id', id }, { notes: String(next) }, null)
        written.set(id, next)
        // Sixteen without a pause would keep the migrations from the processor.
        await sleep(20)
      }
    })
    const atLeast = (more: number) => {
      const from = new Map(written)
      return until(
        async () => bills.every((id) => (written.get(id) as number) >= (from.get(id) as number) + more),
        'every writer has written again',
      )
    }

    const reader = await pool.open()
    await reader.query('begin; select count(*) from bills')
    const client = await pool.open()
    let applied = false
    const migration = applyMigration((statement) => rowsOf(client, statement), {
      name: 'test.sql',
      text: addingAField,
      checksum: '',
    }).then(() => {
      applied = true
    })
    await atLeast(5)
    assert.equal(applied, false)
    await reader.query('commit')
    await migration
    await atLeast(5)

    await reader.query('begin; lock table bills in row exclusive mode')
    let indexed = false
    const apply = (name: string) =>
      applyMigration((statement) => rowsOf(client, statement), { name, text: addingAnIndex, checksum: '' })
    const indexing = apply('index.sql').then(() => {
      indexed = true
    })
    await atLeast(5)
    assert.equal(indexed, false)
    await reader.query('commit')
    await indexing
    // As after one that was cut off: what it left is made anew.
    await apply('index again.sql')
    const [index] = await pool.run(
      sql`select indisvalid as valid from pg_index where indexrelid = 'bills_po_number'::regclass`,
    )
    assert.equal(index?.valid, true)

    busy = false
    await Promise.all([...writers, reader.end(), client.end()])

    assert.equal(await fileOfBills(), before)
    const rows = await ctx.run<{ id: string; json: string }>(sql`select id, json from bills_wire where org_id = ${org}`)
    assert.deepEqual(
      rows
        .map(({ json }) => JSON.parse(json))
        .map(({ id, notes, po_number }) => [id, notes, po_number])
        .sort(),
      [...written].map(([id, count]) => [id, String(count), null]).sort(),
    )
  },
)
