import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.ts'
import { documentTransfers } from '../../src/books/documents/exchange/transfers.ts'
import { searchStatement } from '../../src/books/documents/search/page-sql.ts'
import { tallies } from '../../src/books/documents/search/tallies-sql.ts'
import { documentFaults } from '../../src/books/documents/store/faults-sql.ts'
import { findDocument } from '../../src/books/documents/store/store.ts'
import { bills, documentKinds } from '../../src/books/kinds/kinds.ts'
import type { Context } from '../../src/platform/context.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { foldTallies } from '../../src/platform/db/counts/tally-folding.ts'
import type { Run } from '../../src/platform/db/sql/rows.ts'
import type { Statement } from '../../src/platform/db/sql/sql.ts'
import { statementsOf } from '../../src/platform/db/sql/statements.ts'
import { documentText } from '../../src/platform/http/openapi/openapi.ts'
import { makeLog } from '../../src/platform/observe/log.ts'
import { makeMetrics } from '../../src/platform/observe/metrics.ts'
import { workLot } from '../../src/platform/transfers/lots.ts'
import { inPlace } from '../described.ts'
import { type Caller, newCaller, sharedService } from '../service.ts'
import { estimates, estimateTables } from './estimates.ts'

const service = await sharedService()
const path = '/api/v1/estimates'
let app: FastifyInstance

before(async () => {
  // One by one, as a migration is applied to a cluster.
  const make = async (run: Run) => {
    for (const text of statementsOf(estimateTables)) await run({ text, values: [] })
  }
  await service.pool.transaction(make, `begin; set local citus.multi_shard_modify_mode = 'sequential'`)
  const { settings, database, authority, draining } = service
  app = await buildApp({ settings, database, authority, draining, log: makeLog(settings), metrics: makeMetrics() }, [
    ...documentKinds,
    estimates,
  ])
  await app.ready()
})
after(() => app.close())

type Json = { id: string; revision: number; [field: string]: unknown }

/** Someone with a token in an organization of their own, who calls the app that knows estimates. */
const newClerk = (scopes?: Parameters<typeof newCaller>[1]): Promise<Caller> => newCaller({ ...service, app }, scopes)

async function make(caller: Caller, body: object = {}): Promise<Json> {
  const answer = await caller.call('POST', path, { currency_id: 'usd', ...body })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().estimate
}

async function found(caller: Caller, query: string): Promise<{ names: string[]; total: number }> {
  const answer = await caller.get(`${path}?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const { estimates: list, total } = answer.json() as { estimates: { external_id: string }[]; total: number }
  return { names: list.map(({ external_id }) => external_id), total }
}

describe('a second kind of document, of which the machinery knows nothing but its description', {
  concurrency: true,
}, () => {
  test('is created with lines, read whole, and changed with PUT under its ETag', async () => {
    const caller = await newClerk()
    const term = (await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 10', number_of_days: 10 })).json()
      .pay_term.id
    const customer = newId()
    const answer = await caller.call('POST', path, {
      currency_id: 'USD',
      pay_term_id: term,
      customer_id: customer.toUpperCase(),
      ship_to: { city: 'Reno' },
      revision: 9,
      items: [{ unit_price: 200, quantity: 3, order_id: newId() }, { unit_price: -50 }],
    })
    assert.equal(answer.statusCode, 201, answer.body)
    assert.equal(answer.headers['x-ignored-fields'], 'revision')
    const { estimate, estimate_item, estimate_items, pay_term, currency_info } = answer.json()
    assert.equal(answer.headers.location, `${path}/${estimate.id}`)
    assert.deepEqual(
      [estimate.sub_total_amount, estimate.total_amount, estimate.customer_id, estimate.currency_id],
      [550, 550, customer, 'usd'],
    )
    assert.deepEqual(
      [estimate_item.total_amount, estimate_items.length, pay_term.id, currency_info.id],
      [600, 2, term, 'usd'],
    )
    assert.deepEqual((await caller.get(`${path}/${estimate.id}`)).json(), answer.json())

    const put = await caller.call(
      'PUT',
      `${path}/${estimate.id}`,
      { estimate: { ship_to: { state: 'NV' }, tracking: 'x', total_amount: 1 } },
      { 'if-match': '"1"' },
    )
    assert.equal(put.statusCode, 200, put.body)
    assert.equal(put.headers['x-ignored-fields'], 'total_amount')
    assert.deepEqual(
      [put.json().estimate.ship_to.city, put.json().estimate.ship_to.state, put.json().estimate.revision],
      ['Reno', 'NV', 2],
    )
    assert.equal(
      (await caller.call('PUT', `${path}/${estimate.id}`, { tracking: 'y' }, { 'if-match': '"1"' })).statusCode,
      412,
    )
    assert.equal(
      (await caller.call('PUT', `${path}/${estimate.id}`, { currency_id: 'xyz' })).json().error_code,
      'unknown_currency',
    )
    assert.equal(
      (await caller.call('PUT', `${path}/${estimate.id}`, { pay_term_id: newId() })).json().error_code,
      'unknown_pay_term',
    )
    assert.equal((await (await newClerk()).get(`${path}/${estimate.id}`)).statusCode, 404)
    assert.equal((await (await newClerk(['bills'])).get(path)).statusCode, 403)
  })

  test('has lines that are added, changed, ordered and removed, and sums that follow', async () => {
    const caller = await newClerk()
    const { id } = await make(caller)
    const lines = `${path}/${id}/items`
    const added = await caller.call('POST', lines, { unit_price: 5, quantity: 2 })
    assert.equal(added.statusCode, 201, added.body)
    const [first, second] = [
      added.json().estimate_item.id,
      (await caller.call('POST', lines, { unit_price: 7 })).json().estimate_item.id,
    ]
    assert.equal((await caller.call('PUT', `${lines}/${second}`, { quantity: 3 })).json().estimate.sub_total_amount, 31)
    await caller.call('PUT', `${lines}/order`, { item_ids: [second, first] })
    const listed = (await caller.get(lines)).json()
    assert.deepEqual(
      listed.estimate_items.map((line: Json) => line.id),
      [second, first],
    )
    assert.equal((await caller.call('DELETE', `${lines}/${second}`)).json().estimate.total_amount, 10)
    assert.equal((await caller.get(`${lines}/${first}`)).json().estimate_item.position, 1)
  })

  test('goes through the same states, with numbers and a history of its own', async () => {
    const caller = await newClerk()
    const term = (await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 10', number_of_days: 10 })).json()
      .pay_term.id
    const { id } = await make(caller, { estimate_date: '2026-03-01', pay_term_id: term, sub_total_amount: 100 })
    assert.equal((await caller.call('POST', `${path}/${id}/pay`)).json().error_code, 'invalid_status_transition')
    const saved = (await caller.call('POST', `${path}/${id}/save`)).json().estimate
    assert.deepEqual(
      [saved.number, saved.due_date, saved.status_id],
      ['EST-000001', '2026-03-11T00:00:00.000Z', 'saved'],
    )
    await caller.call('POST', `${path}/${id}/send`)
    await caller.call('PUT', `${path}/${id}`, { tracking: 'no content' })
    assert.equal((await caller.get(`${path}/${id}`)).json().estimate.status_id, 'sent')
    await caller.call('PUT', `${path}/${id}`, { sub_total_amount: 90 })
    await caller.call('POST', `${path}/${id}/pay`, { paid_at: '2026-03-20' })
    assert.equal((await caller.call('PUT', `${path}/${id}`, { customer_id: newId() })).json().error_code, 'is_paid')
    await caller.call('POST', `${path}/${id}/reopen`, { reason: 'Customer changed the order' })
    const history = (await caller.get(`${path}/${id}/history?limit=50`)).json()
    assert.deepEqual(history.events.map(({ type }: { type: string }) => type).reverse(), [
      'estimate.created',
      ...['estimate.status_updated', 'estimate.saved', 'estimate.status_updated', 'estimate.sent', 'estimate.updated'],
      ...['estimate.updated', 'estimate.status_updated', 'estimate.edited', 'estimate.status_updated', 'estimate.paid'],
      ...['estimate.status_updated', 'estimate.reopened'],
    ])
    assert.equal(history.events[0].data.reason, 'Customer changed the order')
    assert.deepEqual(history.events[0].data.estimate_items, [])
    assert.equal((await caller.call('DELETE', `${path}/${id}`)).json().error_code, 'not_a_draft')
    assert.equal((await caller.call('DELETE', `${path}/${(await make(caller)).id}`)).statusCode, 204)
  })

  test('is searched with filters, orders and pages, and its totals come from tallies of its own', async () => {
    const caller = await newClerk()
    const [customer, order] = [newId(), newId()]
    for (let n = 0; n < 6; n += 1) {
      const items = [{ unit_price: n * 10, ...(n === 3 && { order_id: order }) }]
      const made = await make(caller, {
        external_id: `E-${n}`,
        ...(n % 2 === 0 && { customer_id: customer }),
        estimate_date: `2026-0${6 - n}-01`,
        items,
      })
      if (n > 3) await caller.call('POST', `${path}/${made.id}/save`)
    }
    assert.deepEqual(await found(caller, 'limit=2&offset=1'), { names: ['E-4', 'E-3'], total: 6 })
    await foldTallies(
      service.database,
      (name) => Object.values(tallies(estimates)).find((tally) => tally.name === name),
      caller.org,
    )
    assert.deepEqual(await found(caller, 'status_ids=saved&sort=created_at'), { names: ['E-4', 'E-5'], total: 2 })
    assert.deepEqual(await found(caller, `customer_ids=${customer}&sort=-total_amount`), {
      names: ['E-4', 'E-2', 'E-0'],
      total: 3,
    })
    assert.deepEqual(await found(caller, `in_order_ids=${order}`), { names: ['E-3'], total: 1 })
    assert.deepEqual(await found(caller, 'search_term=est-000002'), { names: ['E-5'], total: 1 })
    assert.deepEqual((await caller.get(`${path}/totals?status_ids=saved`)).json().totals, [
      { status_id: 'saved', currency_id: 'usd', count: 2, total_amount: 90 },
    ])
    assert.deepEqual(await found(caller, 'sort=estimate_date&limit=2'), { names: ['E-5', 'E-4'], total: 6 })
    assert.deepEqual(await found(caller, 'min_total_amount=20&max_total_amount=30&sort=total_amount'), {
      names: ['E-2', 'E-3'],
      total: 2,
    })
    assert.deepEqual(await found(caller, 'unpaid=true&currency_ids=USD&limit=0'), { names: [], total: 6 })
    assert.equal((await caller.get(`${path}?sort=bill_date`)).statusCode, 400)
  })

  test('comes in by the hundred, by bulk and by CSV, and its export can be imported again', async () => {
    const caller = await newClerk()
    const rows = [
      {
        external_id: 'A',
        currency_id: 'usd',
        items: [{ unit_price: 3, quantity: 2 }],
        status_id: 'paid',
        sent_at: '2026-01-05',
        paid_at: '2026-02-01',
      },
      { external_id: 'B', currency_id: 'eur', sub_total_amount: 40, ship_to: { city: 'Reno' } },
      { external_id: 'C', currency_id: 'xyz' },
      { external_id: 'B' },
    ]
    const bulk = (await caller.call('POST', `${path}/bulk`, { estimates: rows })).json()
    assert.deepEqual(
      bulk.results.map(
        ({ status, revision, error }: { status: string; revision: number; error?: { error_code: string } }) => [
          status,
          revision,
          error?.error_code,
        ],
      ),
      [
        ['created', 4, undefined],
        ['created', 1, undefined],
        ['failed', null, 'unknown_currency'],
        ['failed', null, 'duplicate_row'],
      ],
    )
    const again = (
      await caller.call('POST', `${path}/bulk`, {
        mode: 'all_or_nothing',
        estimates: [{ external_id: 'B', tracking: 'here' }, rows[0]],
      })
    ).json()
    assert.deepEqual(again.counts, { created: 0, updated: 1, unchanged: 1, failed: 0 })

    const csv = (await caller.get(`${path}/export?sort=created_at`)).body
    assert.match(csv, /^id,org_id,.*ship_to_city.*,estimate_items,currency,home_currency,[a-z_,]+\r\n/)
    const send = (body: string) => caller.call('POST', `${path}/import`, body, { 'content-type': 'text/csv' })
    assert.deepEqual((await send(csv)).json().counts, { created: 0, updated: 0, unchanged: 2, failed: 0 })
    const report = (
      await send(
        'external_id,currency_id,ship_to_city,estimate_items\nB,eur,Elko,\nD,usd,,"[{""unit_price"":8}]"\nE,usd,,"[{}]"\n',
      )
    ).json()
    assert.deepEqual(report.counts, { created: 1, updated: 1, unchanged: 0, failed: 1 })
    assert.equal(report.results[2].error.details[0].field, 'estimate_items.0.unit_price')
    const queued = await caller.call('POST', `${path}/imports?dry_run=true`, 'external_id,currency_id\nF,usd\n', {
      'content-type': 'text/csv',
    })
    const { id } = queued.json().transfer
    assert.equal(await workLot(caller.ctx, [documentTransfers(estimates)], id), true)
    assert.deepEqual((await caller.get(`/api/v1/transfers/${id}`)).json().transfer.counts, {
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: 0,
    })
    const lines = (await caller.get(`${path}/export?format=ndjson&sort=created_at`)).body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ external_id, total_amount, ship_to, estimate_items }) => [
        external_id,
        total_amount,
        ship_to?.city ?? null,
        estimate_items.length,
      ]),
      [
        ['A', 6, null, 1],
        ['B', 40, 'Elko', 0],
        ['D', 8, null, 1],
      ],
    )
  })

  test('is described in the OpenAPI document, in its own words', () => {
    const document = inPlace<{
      paths: Record<string, Record<string, { operationId: string; summary: string }>>
      components: Record<string, Record<string, unknown>>
    }>(JSON.parse(documentText(app)))
    const operations = Object.entries(document.paths).filter(([name]) => name.startsWith(path))
    assert.equal(operations.length, 20)
    assert.equal(document.paths[`${path}/{estimateID}/save`]?.post?.summary, 'Save an estimate')
    const ids = operations.flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
    assert.ok(
      ['searchEstimates', 'addEstimateItem', 'bulkEstimates', 'getEstimateHistory'].every((id) => ids.includes(id)),
      ids.join(' '),
    )
    const bodies = ['CreateEstimate', 'UpdateEstimate'].map((name) => document.components.schemas?.[name])
    const descriptions = JSON.stringify([operations, bodies]).match(/"(?:description|summary)":"[^"]*"/g) ?? []
    assert.ok(descriptions.length > 100)
    assert.deepEqual(
      descriptions.filter((text) => /\bbills?\b|\ba estimate/i.test(text)),
      [],
    )
  })
})

test('the statements of a kind are the same texts every time, and differ from those of another', async () => {
  const texts = async (kind: typeof estimates | typeof bills) => {
    const sent: Statement[] = []
    const run = async (statement: Statement) => {
      sent.push(statement)
      return []
    }
    const ctx = { org: newId(), run } as unknown as Context
    await findDocument(ctx, kind, { by: 'id', id: newId() })
    sent.push(searchStatement(kind, newId(), { status_ids: ['sent'], sort: 'due_date', offset: 3 }))
    return sent.map(({ text, together }) => [text, together?.text])
  }
  const [one, same, other] = [await texts(estimates), await texts(estimates), await texts(bills)]
  assert.deepEqual(one, same)
  assert.ok(one[0]?.[1], 'reads of single documents that arrive together are asked as one')
  for (const [index, [text]] of one.entries()) assert.notEqual(text, other[index]?.[0])
})

test('the verification of the books reads it too', async () => {
  assert.deepEqual(await service.pool.run(documentFaults(estimates)), [])
})
