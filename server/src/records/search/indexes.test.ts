import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { callerIn, sharedService } from '../../../test/service.ts'
import type { Context } from '../../platform/context.ts'
import { writeCursor } from '../../platform/core/schema/cursors.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import { listHistory } from '../../platform/events/history/history-store.ts'
import { createOrganization } from '../../platform/organizations/actions.ts'
import { findObject } from '../single/store.ts'
import { findChosen, type Search, searchObjects } from './search.ts'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  'Actual Rows'?: number
  'Actual Loops'?: number
  Plans?: Plan[]
}

const service = await sharedService()
const { pool } = service
const large = ['objects', 'object_values', 'object_words', 'object_word_ends', 'object_references', 'events']
const [server] = await pool.run(sql`select current_setting('server_version_num')::int >= 160000 as newer`)
let org = ''

/** Among enough others that reading a whole table to find one organization's part of it would be the dearer way. */
before(async () => {
  for (let n = 0; n < 8; n++) {
    org = (await createOrganization(service.database, `Filled ${n}`)).id
    await pool.transaction(async (run) => {
      // Other files of this process may keep it busy for long between two statements.
      await run({
        text: `set local app.org_id = '${org}'; set local idle_in_transaction_session_timeout = 0`,
        values: [],
      })
      for (const statement of fillings) await run({ text: statement, values: [org] })
    })
  }
  await pool.run(sql`analyze objects, object_values, object_words, object_word_ends, definitions, events`)
})

const id = 'md5($1::text || n)::uuid'
const fillings = [
  `insert into definitions (org_id, object_key, prefix) values ($1, 'customer', 'CUST')`,
  `insert into objects (org_id, id, object_key, number, full_id, external_id, name, status, source, json, created_at, created_by, updated_at, updated_by)
    select $1::uuid, ${id}, 'customer', n, 'CUST-' || n, 'E-' || n, 'Name ' || n, (array['active', 'active', 'active', 'inactive'])[1 + n % 4], 'api', '{}', now(), gen_random_uuid(), now() - n * interval '1 hour', gen_random_uuid()
    from generate_series(1, 1500) n`,
  `insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, number_value)
    select $1::uuid, ${id}, 'customer', field, 0, case when field <> 'creditLimit' then field || n end, case when field <> 'creditLimit' then lower(field) || n end, case when field = 'creditLimit' then n end
    from generate_series(1, 1500) n, unnest(array['name', 'fullId', 'externalId', 'city', 'creditLimit', 'notes']) as field`,
  `insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, number_value)
    select $1::uuid, ${id}, 'customer', field, 0, case when field <> 'billingAddress.latitude' then field || n end, case when field = 'extra.tier' then field || n end, case when field = 'billingAddress.latitude' then n end
    from generate_series(1, 9) n, unnest(array['extra.tier', 'boardId', 'billingAddress.latitude']) as field`,
  `insert into object_words (org_id, object_key, word, object_id) select $1::uuid, 'customer', word || n, ${id} from generate_series(1, 1500) n, unnest(array['city', 'name', 'way']) as word`,
  `insert into object_word_ends (org_id, object_key, ending, word, object_id) select org_id, object_key, ending, word, object_id from object_words cross join word_ends(word) as ending where org_id = $1`,
  `insert into events (org_id, id, type, actor, subject_type, subject_id, data) select $1::uuid, gen_random_uuid(), 'customer.created', '{}', 'customer', ${id}, '{}' from generate_series(1, 1500) n`,
]

const is = (field: string, op: string, value: unknown) => ({ field, op, value }) as never
const few: Search[] = [
  { filter: is('city', 'eq', 'city7') },
  { filter: is('city', 'in', ['city7', 'city8']) },
  { filter: is('city', 'startsWith', 'city77') },
  { filter: is('creditLimit', 'lt', 9) },
  { filter: is('externalId', 'eq', 'externalId7') },
  { filter: { and: [is('city', 'eq', 'city7'), is('creditLimit', 'gte', 1)] } },
  { filter: { or: [is('city', 'eq', 'city7'), is('creditLimit', 'lt', 3)] } },
  { filter: is('otherFields.extra.tier', 'eq', 'extra.tier7') },
  { filter: is('otherFields.extra.tier', 'in', ['extra.tier7', 7, true]) },
  { filter: is('otherFields.extra', 'exists', true) },
  { filter: is('billingAddress', 'exists', true) },
  { filter: is('billingAddress.latitude', 'gte', 1) },
  { filter: is('boardId', 'exists', true) },
  { filter: is('etaDelayNotifyEnabled', 'eq', true) },
  { q: 'city777' },
  { filter: is('city', 'contains', 'ty777') },
  { filter: is('name', 'contains', 'xname9') },
]
/** Few, together with what very many meet. */
const selective: Search[] = [
  { filter: { and: [is('city', 'eq', 'city7'), is('etaDelayNotifyLabel', 'contains', 'delay')] } },
  { filter: { and: [is('city', 'eq', 'city7'), { or: [is('creditLimit', 'gte', 1), is('city', 'exists', true)] }] } },
]
const searches: Search[] = [
  ...few,
  {},
  { sort: 'name' },
  { sort: '-creditLimit' },
  { sort: 'updatedAt' },
  { sort: 'fullId' },
  { filter: is('status', 'eq', 'inactive'), sort: 'city' },
  { filter: is('city', 'ne', 'city7') },
  { filter: is('updatedAt', 'lt', '2001-01-01') },
  { filter: is('createdAt', 'gt', '2001-01-01') },
  { filter: is('createdBy', 'eq', newId()) },
  { filter: is('id', 'in', [newId(), newId()]) },
  { filter: is('notes', 'contains', 'otes7') },
  { filter: is('version', 'gt', 3) },
  { sort: '-version' },
  { sort: '-creditLimit,name,status' },
  { sort: 'status,-creditLimit' },
  { sort: 'otherFields.extra.tier' },
  { sort: '-etaDelayNotifyEnabled' },
  { filter: is('etaDelayNotifyEnabled', 'eq', false) },
  { filter: is('status', 'eq', 'active'), sort: 'city,-updatedAt' },
  { deleted: 'only' },
  { deleted: 'only', filter: is('name', 'eq', 'Name 7') },
  { offset: 1000 },
  { offset: 1000, sort: 'updatedAt' },
  { offset: 1000, sort: '-updatedAt', filter: is('status', 'in', ['active', 'inactive']) },
  { filter: is('city', 'eq', 'city7'), sort: '-name', paths: ['name', 'billingAddress.city'] },
]

/** What a read would send, without sending it. */
async function sentBy(read: (ctx: Context) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const run = async (statement: Statement) => {
    statements.push(statement)
    return [{ revision: 1, list: '[]', total: 0, object_key: 'customer', prefix: 'CUST', definition: {} }]
  }
  await read({ org, run } as never)
  assert.ok(statements.length > 0)
  return statements
}

async function plansOf(read: (ctx: Context) => Promise<unknown>, how: string, settings?: string): Promise<Plan[]> {
  const statements = await sentBy(read)
  return pool.transaction(async (run) => {
    await run(sql`set transaction read only`)
    if (settings) await run({ text: settings, values: [] })
    await run({ text: `set local role lading_app; set local app.org_id = '${org}'`, values: [] })
    const rows = []
    for (const { text, values } of statements)
      rows.push(
        ...(await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
          text: `explain (${how}, format json) ${text}`,
          values: how === 'generic_plan' ? [] : values,
        })),
      )
    return rows.map((row) => row['QUERY PLAN'][0].Plan)
  })
}

function nodesIn(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesIn)]
}

/** How many rows of objects and their values the first page of 20 reads, and one behind a cursor. */
async function rowsOfPages(sort: string, settings?: string): Promise<[number, number]> {
  const rowsRead = async (after: string | undefined) => {
    const plans = await plansOf(
      (ctx) => searchObjects(ctx, 'customer', { sort, limit: 20, ...(after && { after }) }, { extensions: [] }),
      'analyze',
      settings,
    )
    const nodes = plans
      .flatMap(nodesIn)
      .filter((node) => ['objects', 'object_values'].includes(node['Relation Name'] ?? ''))
    return nodes.reduce(
      (sum, node) =>
        sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0),
      0,
    )
  }
  const deep = (
    await callerIn(service, org).get(
      `/api/v2/platformModel/objects?objectKey=customer&sort=${sort}&limit=20&offset=190`,
    )
  ).json()
  assert.equal(deep.objects.length, 20)
  return [await rowsRead(undefined), await rowsRead(deep.nextAfter)]
}

async function assertByIndex(what: string, read: (ctx: Context) => Promise<unknown>): Promise<void> {
  for (const how of server?.newer ? ['costs', 'generic_plan'] : ['costs']) {
    const whole = (await plansOf(read, how))
      .flatMap(nodesIn)
      .filter((node) => node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'] ?? ''))
    assert.deepEqual(whole, [], `${what} reads a table from end to end (${how})`)
  }
}

describe('no read of objects goes through a whole table', () => {
  test('searches with every kind of condition and order', async () => {
    for (const search of searches)
      await assertByIndex(JSON.stringify(search), (ctx) => searchObjects(ctx, 'customer', search, { extensions: [] }))
  })

  test('pages behind a cursor, in every order', async () => {
    const values: Record<string, unknown[]> = {
      name: ['name77'],
      '-creditLimit': [77],
      updatedAt: ['2026-01-01T00:00:00.000Z'],
      fullId: [77],
      '-createdAt': [newId()],
      '-version': [1],
      '-creditLimit,name,status': [77, 'name77', 'active'],
      'status,-creditLimit': ['active', 77],
      'city,-updatedAt': [null, '2026-01-01T00:00:00.000Z'],
      '-createdAt,name': ['2026-01-01T00:00:00.000Z', 'name77'],
    }
    for (const filter of [undefined, is('status', 'eq', 'active'), is('creditLimit', 'gte', 9)] as (
      | Search['filter']
      | undefined
    )[])
      for (const [sort, keys] of Object.entries(values)) {
        const search: Search = filter ? { filter, sort } : { sort }
        const after = writeCursor(
          JSON.stringify(['objects customer', Object.entries(search)]),
          JSON.stringify([...keys, newId()]),
        )
        await assertByIndex(`behind a cursor ${JSON.stringify(search)}`, (ctx) =>
          searchObjects(ctx, 'customer', { ...search, after }, { extensions: [] }),
        )
      }
  })

  test('a page behind a cursor needs no more rows than the first', async () => {
    // Depending on what other tests wrote, the planner may read and sort all of these few objects: what has to be there is a way without.
    const settings = 'set local enable_sort = off; set local enable_bitmapscan = off; set local jit = off'
    for (const sort of ['-createdAt', 'name', '-creditLimit', 'updatedAt', '-version']) {
      const [first, behind] = await rowsOfPages(sort, settings)
      assert.ok(behind <= first * 3 + 100, `${sort}: ${behind} rows behind a cursor, ${first} on the first page`)
    }
  })

  test('a page behind a cursor of several keys reads what the organization has a few times at most', async () => {
    for (const sort of ['status,name', 'city,-creditLimit']) {
      const [first, behind] = await rowsOfPages(sort)
      // A first key that many share is read from its group and from those behind it, and each of these may be sorted whole.
      assert.ok(behind <= first * 3 + 3 * 1500, `${sort}: ${behind} rows behind a cursor, ${first} on the first page`)
    }
  })

  test('an object by its id, its externalId, its paths, and its history', async () => {
    await assertByIndex('by id', (ctx) => findObject(ctx, { by: 'id', id: newId() }))
    await assertByIndex('by externalId', (ctx) =>
      findObject(ctx, { by: 'externalId', objectKey: 'customer', externalId: 'E-7' }),
    )
    await assertByIndex('paths', (ctx) =>
      findChosen(ctx, { id: newId(), object_key: 'customer' }, ['name', 'billingAddress.city'], () => {}),
    )
    await assertByIndex('history', (ctx) => listHistory(ctx, { type: 'customer', id: newId() }, {}))
  })

  test('a search that finds few rows reads few: under row-level security few functions can use an index', async () => {
    for (const search of few) {
      const read = (await plansOf((ctx) => searchObjects(ctx, 'customer', search, { extensions: [] }), 'analyze'))
        .flatMap(nodesIn)
        .filter((node) => large.includes(node['Relation Name'] ?? ''))
      assert.deepEqual(
        read.filter((node) => (node['Rows Removed by Filter'] ?? 0) > 20).map((node) => node['Relation Name']),
        [],
        `${JSON.stringify(search)} reads more than it keeps`,
      )
    }
  })

  test('a condition that few objects meet is fast next to one that very many meet', async () => {
    for (const search of selective) {
      const read = (
        await plansOf((ctx) => searchObjects(ctx, 'customer', search, { extensions: [] }), 'analyze')
      ).flatMap(nodesIn)
      const rows = read
        .filter((node) => large.includes(node['Relation Name'] ?? ''))
        .map((node) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0))
      assert.ok(Math.max(...rows) < 400, `${JSON.stringify(search)} reads ${Math.max(...rows)} rows of one table`)
    }
  })
})
