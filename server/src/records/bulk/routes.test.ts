import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { createDefinition } from '../definitions/actions.ts'
import { faultsOf } from '../upkeep/verify.ts'

const service = await sharedService()
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

const outcomes = ({ results }: Answer) =>
  results.map(({ status, error }) => (error ? `${status} ${error.statusCode} ${error.code}` : status))
const customers = (...names: string[]) =>
  names.map((name) => ({ objectKey: 'customer', json: { name, externalId: `E-${name}` } }))

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
    assert.deepEqual(outcomes(second), ['deleted', 'updated', 'unchanged', 'created'])
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

  test('objects written in bulk are the same as those written one by one: found by every filter and word, restored, changed and deleted', async () => {
    const caller = await newCaller(service)
    const json = {
      name: 'Grünwald & Söhne',
      city: 'Wien',
      creditLimit: 700,
      tags: ['a', 'b'],
      billingAddress: { city: 'Linz', latitude: 48, longitude: 14 },
    }
    const alone = (await caller.call('PATCH', `${base}/objects`, { objectKey: 'customer', json })).json()
    const { results } = await bulk(caller, [
      { objectKey: 'customer', json },
      { objectKey: 'customer', json: { ...json, name: 'Other', externalId: 'x' } },
    ])
    await bulk(caller, [{ objectKey: 'customer', json: { ...json, externalId: 'x', notes: null } }])
    assert.ok(alone.id)
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
    const search = async (body: Json) =>
      (await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', ...body }))
        .json()
        .objects.map(({ fullId }: Json) => fullId)
    assert.deepEqual(await search({ q: 'grün söh cust 2' }), ['CUST-2'])
    assert.deepEqual(
      await search({ filter: { field: 'billingAddress.city', op: 'eq', value: 'Linz' }, sort: 'fullId' }),
      ['CUST-1', 'CUST-2', 'CUST-3'],
    )
    await bulk(caller, [{ op: 'delete', id: results[1]?.id }])
    assert.deepEqual(await search({ filter: { field: 'tags', op: 'eq', value: 'b' }, sort: '-fullId' }), [
      'CUST-2',
      'CUST-1',
    ])
    const back = await caller.call('POST', `${base}/objects/${results[1]?.id}/restore`)
    assert.deepEqual([back.statusCode, back.json().version, back.json().mapMarkers.length], [200, 4, 1])
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
  })

  test('references can be by id, external id and fullId, to existing objects and to those of earlier rows; one statement looks all of them up', async () => {
    const caller = await newCaller(service)
    const [ann] = (await bulk(caller, customers('Ann'))).results as [Result]
    const written = await bulk(caller, [
      { objectKey: 'order', externalId: 'O-1', json: { customerId: 'ext:E-Ann' } },
      { objectKey: 'order', externalId: 'O-2', json: { customerId: 'CUST-1' } },
      ...customers('Bo'),
      { objectKey: 'order', externalId: 'O-3', json: { customerId: 'external_id:E-Bo' } },
      { objectKey: 'manifest', externalId: 'M-1', json: { orderIds: ['ext:O-1', ann.id, 'ext:O-3'] } },
      { objectKey: 'manifest', externalId: 'M-1b', json: { orderIds: ['ext:O-3', 'ext:O-1'] } },
      { id: ann.id, json: { externalId: 'E-Anne' } },
      { objectKey: 'order', json: { customerId: 'ext:E-Anne' } },
      { objectKey: 'order', json: { customerId: 'ext:E-Ann' } },
    ])
    assert.deepEqual(outcomes(written), [
      ...Array(4).fill('created'),
      'failed 400 unknown_reference',
      'created',
      'updated',
      'created',
      'failed 400 unknown_reference',
    ])
    const [first, , bo, third, , manifest] = written.results as Result[]
    const read = async (id: string | undefined) => (await caller.get(`${base}/objects/${id}`)).json()
    assert.deepEqual([(await read(first?.id)).customerId, (await read(third?.id)).customerId], [ann.id, bo?.id])
    assert.deepEqual((await read(manifest?.id)).orderIds, [third?.id, first?.id])
    assert.equal((await caller.call('DELETE', `${base}/objects/${bo?.id}`)).json().code, 'referenced')
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
    const again = await bulk(caller, [
      { objectKey: 'manifest', externalId: 'M-1b', json: { orderIds: ['ext:O-3', 'ORD-1'] } },
    ])
    assert.deepEqual(outcomes(again), ['unchanged'])
  })

  test('a reference to nothing is refused with its path: unknown, of a later row, of a row that failed, of another organization', async () => {
    const caller = await newCaller(service)
    const stranger = await newCaller(service)
    await bulk(stranger, customers('Far'))
    await bulk(caller, customers('Gone', 'Ann'))
    await bulk(caller, [{ op: 'delete', objectKey: 'customer', externalId: 'E-Gone' }])
    const order = (customerId: unknown) => ({ objectKey: 'order', json: { customerId } })
    const rows = [
      ...[
        'ext:E-Far',
        'ext:E-Gone',
        'CUST-1',
        'CUST-9999999999',
        'CUST-3',
        'ORD-1',
        'ext:E-Later',
        'ext:',
        'cust-2',
        7,
      ].map(order),
      { objectKey: 'customer', json: { externalId: 'E-Bad' } },
      order('ext:E-Bad'),
      { objectKey: 'manifest', json: { orderIds: ['ext:x', 'ext:y'] } },
      ...customers('Later'),
    ]
    const { results } = await bulk(caller, rows)
    const spots = results.map(({ error }) =>
      (error?.details as { field: string; code: string }[] | undefined)
        ?.map(({ field, code }) => `${field} ${code}`)
        .join(),
    )
    const [unknown, bad] = ['json.customerId unknown_reference', 'json.customerId bad_uuid']
    assert.deepEqual(spots, [
      ...[unknown, unknown, unknown, bad, unknown, unknown, unknown, bad, bad, bad],
      'json.name required',
      unknown,
      'json.orderIds.0 unknown_reference,json.orderIds.1 unknown_reference',
      undefined,
    ])
    assert.deepEqual((await caller.get(`${base}/objects?objectKey=order`)).json().total, 0)
  })

  test('a row that refers to an object of a row that fails, fails with it, and with all_or_nothing so do all', async () => {
    const caller = await newCaller(service)
    const { ctx } = caller
    await createDefinition(ctx, {
      objectKey: 'crate',
      name: 'Crate',
      prefix: 'CR',
      fields: [
        { key: 'code', name: 'Code', type: 'text', unique: true },
        { key: 'parentId', name: 'Parent', type: 'reference', objectKey: 'crate' },
      ],
    } as never)
    const crate = (externalId: string, json: Json) => ({ objectKey: 'crate', externalId, json })
    await bulk(caller, [crate('a', { code: '1' })])
    const rows = [
      crate('b', { code: '1' }),
      crate('c', { parentId: 'ext:b' }),
      crate('d', { parentId: 'ext:a' }),
      crate('e', { parentId: 'ext:d' }),
      crate('f', { parentId: 'ext:c' }),
    ]
    const some = [
      'failed 409 value_taken',
      'failed 400 unknown_reference',
      'created',
      'created',
      'failed 400 unknown_reference',
    ]
    const tried = await bulk(caller, rows, 'all_or_nothing')
    assert.deepEqual([tried.applied, outcomes(tried)], [false, some])
    assert.match(
      String(tried.results[1]?.error?.message),
      /"json.parentId" refers to the crate "ext:b", which an earlier row was to create, and that row failed/,
    )
    assert.deepEqual(outcomes(await bulk(caller, rows)), some)
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
  })

  test('requests that write the same customers and their orders at once, in any order, create each once, and every order finds its customer', async () => {
    const caller = await newCaller(service)
    const numbers = Array.from({ length: 12 }, (_, index) => index)
    const answers = await Promise.all(
      numbers.slice(0, 8).map((turn) => {
        const order = turn % 2 ? numbers : numbers.toReversed()
        return bulk(caller, [
          ...order.map((n) => ({ objectKey: 'customer', externalId: `C-${n}`, json: { name: `Customer ${n}` } })),
          ...order.toReversed().map((n) => ({
            objectKey: 'order',
            externalId: `O-${n}`,
            json: { customerId: `ext:C-${n}`, notes: `turn ${turn}` },
          })),
        ])
      }),
    )
    assert.deepEqual([...new Set(answers.map(({ counts }) => counts.failed))], [0])
    const orders = (
      await caller.get(`${base}/objects?objectKey=order&limit=50&paths=externalId,customerId.externalId`)
    ).json().objects
    assert.deepEqual(
      orders
        .map(
          ({ externalId, customer }: { externalId: string; customer: Json }) => `${externalId} ${customer.externalId}`,
        )
        .sort(),
      numbers.map((n) => `O-${n} C-${n}`).sort(),
    )
    assert.equal((await caller.get(`${base}/objects?objectKey=customer`)).json().total, 12)
    assert.deepEqual(await faultsOf(service.database, caller.org), [])
  })

  test('a reference by name reveals an id, so it needs the scope of its kind; by id it does not', async () => {
    const caller = await newCaller(service)
    const [ann] = (await bulk(caller, customers('Ann'))).results as [Result]
    const clerk = callerIn(service, caller.org, ['orders'])
    const rows = ['ext:E-Ann', 'CUST-1', 'ext:nobody', ann.id].map((customerId) => ({
      objectKey: 'order',
      json: { customerId },
    }))
    const refused = 'failed 403 insufficient_scope'
    assert.deepEqual(outcomes(await bulk(clerk, rows)), [refused, refused, refused, 'created'])
    assert.equal((await clerk.call('PATCH', `${base}/objects`, rows[0])).statusCode, 403)
    const alone = await caller.call('PATCH', `${base}/objects`, rows[0])
    assert.deepEqual([alone.statusCode, alone.json().customerId], [200, ann.id])
    const changed = await caller.call('PUT', `${base}/objects/${alone.json().id}`, { json: { customerId: 'CUST-1' } })
    assert.deepEqual([changed.statusCode, changed.json().version], [200, 1])
    const nobody = await caller.call('PATCH', `${base}/objects`, rows[2])
    assert.deepEqual([nobody.statusCode, nobody.json().details[0].field], [400, 'json.customerId'])
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
    assert.deepEqual(outcomes(tried), expected)
    assert.deepEqual([tried.applied, tried.results[0]?.id, tried.results[0]?.externalId], [false, null, 'E-Bo'])
    assert.equal((await caller.events()).length, 1)
    const kept = await bulk(caller, rows)
    assert.deepEqual([kept.applied, outcomes(kept)], [true, expected])
    assert.equal(kept.results[0]?.fullId, 'CUST-2', 'what failed took no number')
    assert.match(
      JSON.stringify(kept.results[3]?.error),
      /"statusCode":400,"error":"Bad Request","message":"\\"json.name\\" must be a text.*"details":\[\{"field":"json.name"/,
    )
    const alone = await bulk(caller, [{ id: ann.id, version: 9, json: { city: 'x' } }])
    assert.deepEqual([outcomes(alone), alone.results[0]?.version], [['failed 412 stale'], 1])
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
    assert.deepEqual(outcomes(answer), [
      'created',
      ...Array(2).fill('failed 403 insufficient_scope'),
      'failed 409 duplicate_row',
    ])
    assert.equal(
      (await callerIn(service, caller.org, ['bills']).call('POST', `${base}/objects/bulk`, { objects: [] })).statusCode,
      403,
    )
    const other = await newCaller(service)
    assert.deepEqual(outcomes(await bulk(other, [{ id: ann.id, json: {} }])), ['failed 404 not_found'])
  })

  test('an object that is referred to is not deleted, saying by what, unless all that refer to it are deleted in the same request', async () => {
    const caller = await newCaller(service)
    const [ann, bo] = (await bulk(caller, customers('Ann', 'Bo'))).results as [Result, Result]
    const [order] = (await bulk(caller, [{ objectKey: 'order', json: { customerId: ann.id } }])).results as [Result]
    const [manifest] = (await bulk(caller, [{ objectKey: 'manifest', json: { orderIds: [order.id] } }])).results as [
      Result,
    ]
    const remove = (...ids: string[]) => ids.map((id) => ({ op: 'delete', id }))
    const refused = await bulk(caller, remove(ann.id, order.id, bo.id))
    assert.deepEqual(outcomes(refused), ['failed 409 referenced', 'failed 409 referenced', 'deleted'])
    assert.match(String(refused.results[0]?.error?.message), /ORD-1/)
    assert.deepEqual(outcomes(await bulk(caller, [...remove(order.id), { id: manifest.id, json: { orderIds: [] } }])), [
      'deleted',
      'updated',
    ])
    const [again] = (await bulk(caller, [{ objectKey: 'order', json: { customerId: ann.id } }])).results as [Result]
    assert.deepEqual(outcomes(await bulk(caller, remove(ann.id, again.id), 'all_or_nothing')), ['deleted', 'deleted'])
  })

  test('an Idempotency-Key replays the answer, and is refused for other rows', async () => {
    const { call } = await newCaller(service)
    const send = (name: string) =>
      call('POST', `${base}/objects/bulk`, { objects: customers(name) }, { 'idempotency-key': 'k' })
    const first = await send('Ann')
    const again = await send('Ann')
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [first.body, 'true'])
    assert.equal((await send('Bo')).statusCode, 422)
  })

  test('concurrent requests, in whatever order, create one object for every external id, leave out no number and do not deadlock', async () => {
    const caller = await newCaller(service)
    const rows = Array.from({ length: 30 }, (_, index) => ({
      objectKey: index % 2 ? 'customer' : 'partner',
      json: { name: `N${index}`, externalId: `E${index}` },
    }))
    const shuffled = (turn: number) =>
      rows.map((_, index) => ({ ...(rows[(index * 7 + turn * 11) % 30] as (typeof rows)[0]) }))
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
