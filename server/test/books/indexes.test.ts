import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { billItemTypes } from '../../src/books/bill-item-types/record.ts'
import {
  ConsolidatedBillSearch,
  findConsolidatedBill,
  listConsolidatedBills,
} from '../../src/books/consolidated-bills/store.ts'
import type { Kind } from '../../src/books/documents/model/kind/kind.ts'
import { listLines } from '../../src/books/documents/store/line-store.ts'
import { findDocument, listDocuments } from '../../src/books/documents/store/store.ts'
import { bills, credits, invoices } from '../../src/books/kinds/kinds.ts'
import { ofCustomers } from '../../src/books/party-statements/sides.ts'
import { statementOf } from '../../src/books/party-statements/statement.ts'
import { payTerms } from '../../src/books/pay-terms/record.ts'
import type { Context } from '../../src/platform/context.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import type { Run } from '../../src/platform/db/sql/rows.ts'
import type { Statement } from '../../src/platform/db/sql/sql.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { listHistory } from '../../src/platform/events/history/history-store.ts'
import { createOrganization } from '../../src/platform/organizations/actions.ts'
import { listRecords } from '../../src/platform/resource/store.ts'
import { deepOnly, isDeep, some } from '../depth.ts'
import { callerIn, sharedService } from '../service.ts'

const service = await sharedService()
const { pool } = service

type Schema = { properties: Record<string, { examples?: unknown[]; enum?: unknown[] }> }
type Search = { [name: string]: unknown }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  'Actual Rows'?: number
  'Actual Loops'?: number
  Plans?: Plan[]
}
type Explained = { 'QUERY PLAN': [{ Plan: Plan }] }

const filled = [
  'bills',
  'bill_approvals',
  'invoices',
  'credits',
  'document_texts',
  'bill_items',
  'invoice_items',
  'credit_items',
  'consolidated_bills',
  'bill_item_types',
  'pay_terms',
  'pay_term_connector_mappings',
  'events',
  'tallies',
  'tally_changes',
]

let org = ''
let owned = new Set<string>()

/** Among enough others that reading a whole table to find one organization's part of it would be the dearer way. */
before(async () => {
  const tables = await pool.run<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'org_id'`)
  // The organizations of a test are a page or two, which nothing reads faster than whole.
  owned = new Set(tables.map(({ name }) => name).filter((name) => name !== 'organizations'))
  for (let n = 0; n < 7; n += 1) {
    org = (await createOrganization(service.database, `Filled ${n}`)).id
    await pool.transaction(async (run) => {
      // Other files of this process may keep it busy for long between two statements.
      await run({
        text: `set local app.org_id = '${org}'; set local idle_in_transaction_session_timeout = 0`,
        values: [],
      })
      await trustReferences(run)
      for (const statement of fillings) await run({ text: statement, values: [org] })
    })
  }
  await pool.run({ text: `analyze ${filled.join(', ')}`, values: [] })
})

/** What is filled in refers to what is there; asking the database for each row whether that is so takes most of the time. Only a superuser may go without. */
async function trustReferences(run: Run): Promise<void> {
  await run(
    sql`select set_config('session_replication_role', 'replica', true) from pg_roles where rolname = current_user and rolsuper`,
  )
}

const id = (what: string) => `md5($1::text || '${what}' || n)::uuid`
const fillings = [
  `insert into pay_terms (org_id, id, name, number_of_days) select $1::uuid, ${id('term')}, 'Term ' || n, 30 from generate_series(1, 300) n`,
  `insert into pay_term_connector_mappings (org_id, pay_term_id, connector_id, vendor_pay_term_id) select $1::uuid, ${id('term')}, 'quickbooks', 'x' from generate_series(1, 300) n`,
  `insert into bill_item_types (org_id, id, name, external_id) select $1::uuid, ${id('type')}, 'Type ' || n, 'T-' || n from generate_series(1, 500) n`,
  `insert into consolidated_bills (org_id, id, full_id, consolidated_bill_type_id, partner_carrier_id, driver_id, pay_period_start, pay_period_end, currency_id, created_by, created_at)
    select $1::uuid, ${id('statement')}, gen_random_uuid(), case when n % 9 = 0 then 'driver_settlement' else 'carrier_statement' end, md5('partner' || n % 50)::uuid,
      case when n % 9 = 0 then md5('driver' || n % 20)::uuid end, now() - n * interval '5 hours', now() - n * interval '5 hours' + interval '7 days', 'usd', 'test', now() - n * interval '5 hours'
    from generate_series(1, 600) n`,
  ...documentFillings('bill', {
    party: 'partner_carrier_id',
    more: ['master_trip_id', 'case when n % 4 = 0 then gen_random_uuid() end'],
    ofLine: 'manifest_payment_item_id',
    rows: 1500,
  }),
  `insert into bill_approvals (org_id, id, bill_id, content, decision, user_id, rule_ids) select $1::uuid, ${id('approval')}, ${id('bill')}, 'x', 'approve', gen_random_uuid(), '{}' from generate_series(1, 1500) n`,
  ...(isDeep ? documentFillings('invoice', { party: 'customer_id', more: null, ofLine: 'order_id', rows: 1500 }) : []),
  ...(isDeep
    ? documentFillings('credit', { party: 'customer_id', more: ['direction', "'in'"], ofLine: 'order_id', rows: 1500 })
    : []),
]

/** Filling the tables takes most of the time, and the others are of the same code as bills. */
const kinds = isDeep ? [bills, invoices, credits] : [bills]

/** What a kind of document has that others do not: who its party is, a column and its value, and what a line is for. */
type Own = { party: string; more: [column: string, value: string] | null; ofLine: string; rows: number }

function documentFillings(noun: string, { party, more, ofLine, rows }: Own): string[] {
  const [column, value] = more ? [`${more[0]}, `, `${more[1]}, `] : ['', '']
  return [
    `insert into ${noun}s (org_id, id, full_id, number, external_id, status_id, currency_id, pay_term_id, ${column}${party}, ${noun}_date, due_date, sent_at, paid_at, reference_number,
        sub_total_amount, total_amount, amount_paid, unpaid_status_id, created_by, created_at, updated_at)
      select $1::uuid, ${id(noun)}, gen_random_uuid(), n, 'E-' || n, (array['saved', 'sent', 'edited', 'paid', 'paid', 'paid'])[1 + n % 6], (array['usd', 'usd', 'usd', 'cad'])[1 + n % 4],
        md5($1::text || 'term' || 1 + n % 300)::uuid, ${value}md5('party' || n % 50)::uuid, at, at + interval '30 days', at,
        case when n % 6 >= 3 then at end, 'INV-' || n, n, n, case when n % 6 >= 3 then n else 0 end, case when n % 6 >= 3 then 'sent' end, 'test', at, at + interval '3 days'
      from (select n, now() - n * interval '3 hours' - interval '3 days' as at from generate_series(1, ${rows}) n) made`,
    `insert into document_texts (org_id, kind, id, text, partner_id) select $1::uuid, '${noun}', ${id(noun)}, '${noun}-' || n, md5('party' || n % 50)::uuid from generate_series(1, ${rows}) n`,
    `insert into ${noun}_items (org_id, id, ${noun}_id, position, bill_item_type_id, ${ofLine}, unit_price, quantity, total_amount)
      select $1::uuid, ${id(`${noun} line`)}, ${id(noun)}, 1, md5($1::text || 'type' || 1 + n % 500)::uuid, gen_random_uuid(), n, 1, n from generate_series(1, ${rows}) n`,
    `insert into events (org_id, id, type, actor, subject_type, subject_id, data) select $1::uuid, gen_random_uuid(), '${noun}.created', '{}', '${noun}', ${id(noun)}, '{}' from generate_series(1, ${rows}) n`,
    `insert into tallies (org_id, tally, level, bucket, label, n)
      select $1::uuid, '${noun}.' || time, level, timestamptz '2025-01-01' + n * interval '1 hour', 'paid', 1 from generate_series(1, 100) n, unnest(array['created_at', 'updated_at']) time, generate_series(0, 5) level`,
    `insert into tally_changes (org_id, tally, label, at, n) select $1::uuid, '${noun}.' || time, 'paid', now(), 1 from generate_series(1, 200) n, unnest(array['created_at', 'updated_at']) time`,
  ]
}

/** Each documented parameter with its own example, alone and in some of the pairs, and each order. */
function searchesOf({ properties }: Schema, { inPairs } = { inPairs: true }): Search[] {
  const parts = Object.entries(properties).flatMap(([name, { examples = [], enum: values }]) => {
    if (name === 'limit' || name === 'offset' || name === 'after') return []
    assert.ok(values || examples.length > 0, `${name} has no example`)
    return (values ?? examples.slice(0, 1)).map((value): Search => ({ [name]: value }))
  })
  const filters = parts.filter((part) => !('sort' in part))
  const pairs = filters.flatMap((one, index) => filters.slice(index + 1).map((other) => ({ ...one, ...other })))
  return [
    {},
    { offset: 40 },
    { offset: 5000 },
    ...parts,
    ...(inPairs ? some(pairs) : []),
    ...filters.map((part) => ({ ...part, offset: 5000 })),
  ]
}

/** What a store would send, without sending it. */
async function sentBy(read: (ctx: Context) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const run = async (statement: Statement) => {
    statements.push(statement)
    return []
  }
  await read({ org, run, actor: { type: 'user', id: newId() } } as never)
  assert.ok(statements.length > 0)
  return statements
}

/** A filter that keeps very few finds them by an index; row-level security keeps an index from being used through a function, so it is easily lost. */
async function assertFindsFew(what: string, read: (ctx: Context) => Promise<unknown>): Promise<void> {
  const statements = await sentBy(read)
  await pool.transaction(async (run) => {
    await run(sql`set transaction read only`)
    await run({ text: `set local role lading_app; set local app.org_id = '${org}'`, values: [] })
    for (const { text, values } of statements) {
      const [row] = await run<Explained>({ text: `explain (analyze, format json) ${text}`, values })
      assert.equal(removedIn((row as Explained)['QUERY PLAN'][0].Plan), 0, `${what} reads more than it keeps`)
    }
  })
}

/** How many rows of bills a search reads for its page; what it counts for the total is the same for every page. */
async function billsRead(read: (ctx: Context) => Promise<unknown>): Promise<number> {
  const [statement] = await sentBy(read)
  return pool.transaction(async (run) => {
    await run(sql`set transaction read only`)
    await run({ text: `set local role lading_app; set local app.org_id = '${org}'`, values: [] })
    const [row] = await run<Explained>({
      text: `explain (analyze, format json) ${statement?.text}`,
      values: statement?.values ?? [],
    })
    return rowsIn((row as Explained)['QUERY PLAN'][0].Plan)
  })
}

function rowsIn(plan: Plan): number {
  const { 'Actual Rows': rows = 0, 'Actual Loops': loops = 0, 'Rows Removed by Filter': removed = 0, Plans = [] } = plan
  const own = plan['Relation Name'] === 'bills' ? (rows + removed) * loops : 0
  return Plans.reduce((sum, inner) => sum + rowsIn(inner), own)
}

/** Of the tables that are filled here: others may be a page, which is sooner read than looked up in. */
function removedIn({
  'Relation Name': relation = '',
  'Rows Removed by Filter': removed = 0,
  Plans = [],
}: Plan): number {
  return Plans.reduce((sum, plan) => sum + removedIn(plan), filled.includes(relation) ? removed : 0)
}

/** As the server runs it: by the serving role, under row-level security, planned for these values and for any. */
async function assertByIndex(what: string, read: (ctx: Context) => Promise<unknown>): Promise<void> {
  const statements = await sentBy(read)
  await pool.transaction(async (run) => {
    await run(sql`set transaction read only`)
    await run({ text: `set local role lading_app; set local app.org_id = '${org}'`, values: [] })
    for (const { text, values } of statements) {
      const rows = [...(await run<Explained>({ text: `explain (format json) ${text}`, values }))]
      if (forAny)
        rows.push(...(await run<Explained>({ text: `explain (generic_plan, format json) ${text}`, values: [] })))
      for (const row of rows) {
        const whole = seqScans(row['QUERY PLAN'][0].Plan)
        assert.deepEqual(whole, [], `${what} reads ${whole.join(' and ')} from end to end`)
      }
    }
  })
}

const [server] = await pool.run(sql`select current_setting('server_version_num')::int >= 160000 as newer`)
const forAny = server?.newer === true

function seqScans({ 'Node Type': type, 'Relation Name': table = '', Plans = [] }: Plan): string[] {
  return [...(type === 'Seq Scan' && owned.has(table) ? [table] : []), ...Plans.flatMap(seqScans)]
}

describe('no documented read goes through a whole table', () => {
  for (const [name, schema, list] of [
    ['bills', bills.schemas.Search, (ctx: Context, search: never) => listDocuments(ctx, bills, search)],
    ['consolidated_bills', ConsolidatedBillSearch, listConsolidatedBills],
    ...[billItemTypes, payTerms].map(
      (plain) =>
        [plain.plural, plain.search, (ctx: Context, search: Search) => listRecords(ctx, plain, search)] as const,
    ),
  ] as const) {
    test(`GET /${name}, with every filter, two of them, and every order`, async () => {
      for (const search of searchesOf(schema as never))
        await assertByIndex(`GET /${name} ${JSON.stringify(search)}`, (ctx) => list(ctx, search as never))
    })
  }

  // Of the same code as bills, in other tables: that each filter and each order has its index is theirs to show.
  for (const kind of [invoices, credits]) {
    test(`GET /${kind.plural}, with every filter and every order`, deepOnly, async () => {
      const searches = searchesOf(kind.schemas.Search as never, { inPairs: false })
      for (const search of searches)
        await assertByIndex(`GET /${kind.plural} ${JSON.stringify(search)}`, (ctx) =>
          listDocuments(ctx, kind, search as never),
        )
    })
  }

  test('GET /customers/{id}/statement, as of now and as of a past day', deepOnly, async () => {
    const [customer] = await pool.run<{ id: string }>(sql`select md5('party1')::uuid as id`)
    for (const as_of of [undefined, new Date(Date.now() - 86_400_000).toISOString()])
      await assertByIndex(`a statement as of ${as_of}`, (ctx) =>
        statementOf(
          ctx,
          ofCustomers,
          { id: customer?.id as string, name: 'A' },
          as_of === undefined ? {} : { as_of },
        ).catch(() => {}),
      )
  })

  test('GET /bills behind a cursor, in every order, reads no more rows than the first page', async () => {
    const caller = callerIn(service, org)
    for (const filter of ['', 'status_ids=saved,sent&', 'exported=false&', 'currency_ids=usd&'])
      for (const sort of [
        '-created_at',
        'created_at',
        '-updated_at',
        'due_date',
        '-bill_date',
        'total_amount',
        '-number',
      ]) {
        const search = { ...Object.fromEntries(new URLSearchParams(filter)), sort } as Search
        if (search.status_ids) search.status_ids = String(search.status_ids).split(',')
        if (search.exported) search.exported = false
        if (search.currency_ids) search.currency_ids = ['usd']
        const deep = (await caller.get(`/api/v1/bills?${filter}sort=${sort}&limit=20&offset=190`)).json()
        const after = deep.next_after as string
        assert.equal(deep.bills.length, 20)
        const list = (more: Search) => (ctx: Context) =>
          listDocuments(ctx, bills, { ...search, limit: 20, ...more } as never)
        await assertByIndex(`GET /bills?${filter}sort=${sort} behind a cursor`, list({ after }))
        const [first, behind] = [await billsRead(list({})), await billsRead(list({ after }))]
        // No index has bills of a currency in an order: PostgreSQL may as well read all that match, which the total does anyway, and sort them.
        const more = search.currency_ids ? deep.total : 40
        assert.ok(
          behind <= first + more,
          `${filter}${sort}: ${behind} rows behind a cursor, ${first} on the first page`,
        )
      }
  })

  test('what keeps very few reads very few', async () => {
    const few = [newId(), newId()]
    for (const search of [{ reference_number: 'inv-77' }, { in_manifest_ids: few }, { consolidated_bill_ids: few }])
      await assertFindsFew(`GET /bills ${JSON.stringify(search)}`, (ctx) => listDocuments(ctx, bills, search as never))
    // Where no invoices are filled in, their table is a page, which is sooner read than looked up in.
    for (const search of isDeep ? [{ reference_number: 'inv-77' }, { in_order_ids: few }, { customer_ids: few }] : [])
      await assertFindsFew(`GET /invoices ${JSON.stringify(search)}`, (ctx) =>
        listDocuments(ctx, invoices, search as never),
      )
    await assertFindsFew('GET /bill_item_types with names', (ctx) =>
      listRecords(ctx, billItemTypes, { names: ['TYPE 7', 'type 8'] }),
    )
  })

  test('a record by its id or external id, its lines and its history', async () => {
    for (const reference of [{ by: 'id', id: newId() } as const, { by: 'external_id', external_id: 'E-7' } as const]) {
      for (const kind of kinds)
        await assertByIndex(`GET /${kind.plural}/{id}`, (ctx) => findDocument(ctx, kind as Kind, reference))
      await assertByIndex('GET /consolidated_bills/{id}', (ctx) => findConsolidatedBill(ctx, reference))
    }
    for (const kind of kinds)
      await assertByIndex(`GET /${kind.plural}/{id}/items`, (ctx) => listLines(ctx, kind as Kind, newId(), {}))
    await assertByIndex('GET /bills/{id}/history', (ctx) => listHistory(ctx, { type: 'bill', id: newId() }, {}))
  })
})
