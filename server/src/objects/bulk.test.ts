import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, openService } from '../../test/service.ts'
import { newId } from '../core/ids.ts'
import { faultsOf } from './verify.ts'

const service = await openService()
const base = '/api/v2/platformModel'

type Json = Record<string, unknown>
type Result = {
  status: string
  id: string
  fullId: string
  externalId: string
  version: number
  errors: Json[]
  error?: Json & { code: string; statusCode: number }
}
type Answer = { applied: boolean; counts: Record<string, number>; results: Result[] }

async function bulk({ call }: Pick<Caller, 'call'>, objects: unknown[], mode?: string): Promise<Answer> {
  const answer = await call('POST', `${base}/objects/bulk`, { ...(mode && { mode }), objects })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const told = ({ results }: Answer) => results.map(({ status, error }) => (error ? `${status} ${error.statusCode} ${error.code}` : status))
const customers = (...names: string[]) => names.map((name) => ({ objectKey: 'customer', json: { name, externalId: `E-${name}` } }))

describe('POST /objects/bulk', { concurrency: true }, () => {
  test('creates, changes, leaves alone and deletes in one request, with a result for each row in order and an event for each change', async () => {
    const caller = await newCaller(service)
    const first = await bulk(caller, [
      ...customers('Ann', 'Bo', 'Cy'),
      { objectKey: 'partner', externalId: 'P-1', json: { name: 'Cascade', equipmentTypes: ['reefer'], latitude: 1 } },
    ])
    assert.deepEqual(first.counts, { created: 4, updated: 0, unchanged: 0, deleted: 0, failed: 0 })
    assert.deepEqual(
      first.results.map(({ fullId, externalId, version }) => [fullId, externalId, version]),
      [
        ['CUST-1', 'E-Ann', 1],
        ['CUST-2', 'E-Bo', 1],
        ['CUST-3', 'E-Cy', 1],
        ['PART-1', 'P-1', 1],
      ],
    )
    const [ann, bo, cy] = first.results as [Result, Result, Result]
    const second = await bulk(caller, [
      { op: 'delete', objectKey: 'customer', externalId: 'E-Cy' },
      { objectKey: 'customer', json: { externalId: 'E-Ann', city: 'Oakland', id: newId() } },
      { id: bo.id, json: { name: 'Bo' }, version: 1 },
      { objectKey: 'order', json: { customerId: ann.id, referenceNumber: 'PO-1' } },
    ])
    assert.deepEqual(told(second), ['deleted', 'updated', 'unchanged', 'created'])
    assert.deepEqual(
      second.results.map(({ version, errors }) => [version, errors.map(({ field }) => field)]),
      [
        [2, []],
        [2, ['json.id']],
        [1, []],
        [1, []],
      ],
    )
    assert.equal((await caller.get(`${base}/objects/${cy.id}`)).statusCode, 404)
    const read = await caller.get(`${base}/objects/${ann.id}`)
    assert.deepEqual([read.json().city, read.json().name, read.headers.etag], ['Oakland', 'Ann', '"2"'])
    const events = (await caller.events()).slice(4)
    assert.deepEqual(
      events.map(({ type, revision, previous }) => [type, revision, previous]),
      [
        ['order.created', 1, null],
        ['customer.updated', 2, { city: null }],
        ['customer.deleted', 2, null],
      ],
    )
    assert.deepEqual(events[1]?.data, read.json())
  })

  test('what is written at once is kept as what is written alone: found by every filter and word, restored, changed and deleted', async () => {
    const caller = await newCaller(service)
    const json = { name: 'Grünwald & Söhne', city: 'Wien', creditLimit: 700, tags: ['a', 'b'], billingAddress: { city: 'Linz', latitude: 48, longitude: 14 } }
    const alone = (await caller.call('PATCH', `${base}/objects`, { objectKey: 'customer', json })).json()
    const { results } = await bulk(caller, [
      { objectKey: 'customer', json },
      { objectKey: 'customer', json: { ...json, name: 'Other', externalId: 'x' } },
    ])
    await bulk(caller, [{ objectKey: 'customer', json: { ...json, externalId: 'x', notes: null } }])
    assert.ok(alone.id)
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
    const search = async (body: Json) =>
      (await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', ...body })).json().objects.map(({ fullId }: Json) => fullId)
    assert.deepEqual(await search({ q: 'grün söh cust 2' }), ['CUST-2'])
    assert.deepEqual(await search({ filter: { field: 'billingAddress.city', op: 'eq', value: 'Linz' }, sort: 'fullId' }), ['CUST-1', 'CUST-2', 'CUST-3'])
    await bulk(caller, [{ op: 'delete', id: results[1]?.id }])
    assert.deepEqual(await search({ filter: { field: 'tags', op: 'eq', value: 'b' }, sort: '-fullId' }), ['CUST-2', 'CUST-1'])
    const back = await caller.call('POST', `${base}/objects/${results[1]?.id}/restore`)
    assert.deepEqual([back.statusCode, back.json().version, back.json().mapMarkers.length], [200, 4, 1])
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
  })

  test('each row fails on its own, in the words of v2; the others are kept, or with all_or_nothing nothing is', async () => {
    const caller = await newCaller(service)
    const [ann] = (await bulk(caller, customers('Ann'))).results as [Result]
    const rows = [
      ...customers('Bo', 'Bo'),
      { objectKey: 'order', json: { customerId: newId() } },
      { objectKey: 'customer', json: { name: 7 } },
      { objectKey: 'nonsense', json: {} },
      { id: newId(), json: {} },
      { id: ann.id, objectKey: 'order', json: {} },
      { id: ann.id, version: 9, json: { city: 'x' } },
      { op: 'delete', objectKey: 'customer' },
      'row',
      { objectKey: 'customer', json: { name: 'Cy', externalId: 7 } },
      { objectKey: 'customer', externalId: 'a', json: { name: 'Cy', externalId: 'b' } },
    ]
    const expected = [
      'created',
      'failed 409 duplicate_row',
      'failed 400 unknown_reference',
      'failed 400 wrong_type',
      'failed 400 unknown_object_key',
      'failed 404 not_found',
      'failed 400 wrong_kind',
      'failed 409 duplicate_row',
      'failed 400 required',
      'failed 400 wrong_type',
      'failed 400 bad_external_id',
      'failed 400 contradiction',
    ]
    const tried = await bulk(caller, rows, 'all_or_nothing')
    assert.deepEqual(told(tried), expected)
    assert.deepEqual([tried.applied, tried.results[0]?.id, tried.results[0]?.externalId], [false, null, 'E-Bo'])
    assert.equal((await caller.events()).length, 1)
    const kept = await bulk(caller, rows)
    assert.deepEqual([kept.applied, told(kept)], [true, expected])
    assert.equal(kept.results[0]?.fullId, 'CUST-2', 'what failed took no number')
    assert.match(
      JSON.stringify(kept.results[3]?.error),
      /"statusCode":400,"error":"Bad Request","message":"\\"json.name\\" must be a text.*"details":\[\{"field":"json.name"/,
    )
    const alone = await bulk(caller, [{ id: ann.id, version: 9, json: { city: 'x' } }])
    assert.deepEqual([told(alone), alone.results[0]?.version], [['failed 412 stale'], 1])
    for (const body of [{ objects: 'x' }, {}, { objects: Array(501).fill({}) }, { objects: [], mode: 'some' }])
      assert.equal((await caller.call('POST', `${base}/objects/bulk`, body)).statusCode, 400)
  })

  test('the scope of its kind is asked of each row', async () => {
    const caller = await newCaller(service)
    const [ann] = (await bulk(caller, customers('Ann'))).results as [Result]
    const narrow = callerIn(service, caller.org, ['orders'])
    const answer = await bulk(narrow, [
      { objectKey: 'order', json: { customerId: ann.id } },
      ...customers('Bo'),
      { id: ann.id, json: { city: 'x' } },
      { op: 'delete', id: ann.id },
    ])
    assert.deepEqual(told(answer), ['created', ...Array(2).fill('failed 403 insufficient_scope'), 'failed 409 duplicate_row'])
    assert.equal((await callerIn(service, caller.org, ['bills']).call('POST', `${base}/objects/bulk`, { objects: [] })).statusCode, 403)
    const other = await newCaller(service)
    assert.deepEqual(told(await bulk(other, [{ id: ann.id, json: {} }])), ['failed 404 not_found'])
  })

  test('what is referred to stays, saying by what, unless all that refer go in the same request', async () => {
    const caller = await newCaller(service)
    const [ann, bo] = (await bulk(caller, customers('Ann', 'Bo'))).results as [Result, Result]
    const [order] = (await bulk(caller, [{ objectKey: 'order', json: { customerId: ann.id } }])).results as [Result]
    const [manifest] = (await bulk(caller, [{ objectKey: 'manifest', json: { orderIds: [order.id] } }])).results as [Result]
    const remove = (...ids: string[]) => ids.map((id) => ({ op: 'delete', id }))
    const refused = await bulk(caller, remove(ann.id, order.id, bo.id))
    assert.deepEqual(told(refused), ['failed 409 referenced', 'failed 409 referenced', 'deleted'])
    assert.match(String(refused.results[0]?.error?.message), /ORD-1/)
    assert.deepEqual(told(await bulk(caller, [...remove(order.id), { id: manifest.id, json: { orderIds: [] } }])), ['deleted', 'updated'])
    const [again] = (await bulk(caller, [{ objectKey: 'order', json: { customerId: ann.id } }])).results as [Result]
    assert.deepEqual(told(await bulk(caller, remove(ann.id, again.id), 'all_or_nothing')), ['deleted', 'deleted'])
  })

  test('an Idempotency-Key replays the answer, and is refused for other rows', async () => {
    const { call } = await newCaller(service)
    const send = (name: string) => call('POST', `${base}/objects/bulk`, { objects: customers(name) }, { 'idempotency-key': 'k' })
    const first = await send('Ann')
    const again = await send('Ann')
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true'])
    assert.equal((await send('Bo')).statusCode, 422)
  })

  test('side by side, in whatever order, every external id makes one object, no number is left out, and nobody waits in a circle', async () => {
    const caller = await newCaller(service)
    const rows = Array.from({ length: 30 }, (_, index) => ({
      objectKey: index % 2 ? 'customer' : 'partner',
      json: { name: `N${index}`, externalId: `E${index}` },
    }))
    const shuffled = (turn: number) => rows.map((_, index) => ({ ...(rows[(index * 7 + turn * 11) % 30] as (typeof rows)[0]) }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        bulk(
          caller,
          shuffled(turn).map(({ objectKey, json }) => ({ objectKey, json: { ...json, notes: `turn ${turn}` } })),
        ),
      ),
    )
    const results = answers.flatMap(({ results }) => results)
    assert.equal(results.filter(({ status }) => status === 'created').length, 30)
    assert.equal(results.filter(({ status }) => status === 'failed').length, 0)
    assert.equal(new Set(results.map(({ id }) => id)).size, 30)
    assert.deepEqual(
      [...new Set(results.map(({ fullId }) => fullId))].sort(),
      Array.from({ length: 15 }, (_, index) => [`CUST-${index + 1}`, `PART-${index + 1}`])
        .flat()
        .sort(),
    )
    const deletes = await Promise.all(
      [0, 1].map((turn) =>
        bulk(
          caller,
          shuffled(turn).map(({ objectKey, json }) => ({ op: 'delete', objectKey, externalId: json.externalId })),
        ),
      ),
    )
    assert.deepEqual(deletes.map(({ counts }) => counts.deleted).sort(), [0, 30])
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
  })
})
