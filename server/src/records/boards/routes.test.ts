import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { createDefinition, updateDefinition } from '../definitions/actions.ts'

const service = await sharedService()
const base = '/api/v2/platformModel'
const view = {
  name: 'Customers in Oakland',
  objectKey: 'customer',
  filter: { and: [{ field: 'city', op: 'eq', value: 'Oakland' }] },
  columns: ['fullId', 'name', 'billingAddress.city'],
  sort: '-name',
}

type Json = Record<string, unknown>

async function make({ call }: Pick<Caller, 'call'>, body: Json = view): Promise<Json & { id: string }> {
  const answer = await call('POST', `${base}/boards`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

describe('boards', { concurrency: true }, () => {
  test('a board is made, read, listed, changed under its ETag and deleted, and every change leaves its event', async () => {
    const caller = await newCaller(service)
    const { call, get, org } = caller
    const answer = await call('POST', `${base}/boards`, view)
    const made = answer.json()
    const { id, createdAt, createdBy, updatedAt, updatedBy, ...rest } = made
    assert.deepEqual(rest, { ...view, orgId: org, description: null, version: 1 })
    assert.deepEqual([answer.headers.location, answer.headers.etag], [`${base}/boards/${id}`, '"1"'])
    assert.deepEqual((await get(`${base}/boards/${id}`)).json(), made)
    const plain = await make(caller, { name: 'All orders', objectKey: 'order' })
    assert.deepEqual([plain.filter, plain.columns, plain.sort], [null, [], null])
    const list = (await get(`${base}/boards?limit=1`)).json()
    assert.deepEqual([list.boards.map(({ name }: Json) => name), list.total, list.limit], [['All orders'], 2, 1])
    assert.equal((await get(`${base}/boards?objectKey=customer`)).json().total, 1)
    const same = await call('PUT', `${base}/boards/${id}`, made)
    assert.deepEqual([same.statusCode, same.json().version], [200, 1])
    const changed = await call(
      'PUT',
      `${base}/boards/${id}`,
      { sort: null, columns: null, name: 'Oakland' },
      { 'if-match': '"1"' },
    )
    assert.deepEqual([changed.json().sort, changed.json().columns, changed.json().version], [null, [], 2])
    assert.equal((await call('PUT', `${base}/boards/${id}`, { name: 'x' }, { 'if-match': '"1"' })).statusCode, 412)
    assert.equal((await call('DELETE', `${base}/boards/${id}`, undefined, { 'if-match': '"1"' })).statusCode, 412)
    assert.equal((await call('DELETE', `${base}/boards/${id}`)).statusCode, 204)
    assert.equal((await get(`${base}/boards/${id}`)).statusCode, 404)
    const events = (await caller.events()).filter(({ subject_id }) => subject_id === id)
    assert.deepEqual(
      events.map(({ type, revision, previous }) => [type, revision, previous]),
      [
        ['board.created', 1, null],
        ['board.updated', 2, { name: view.name, columns: view.columns, sort: view.sort }],
        ['board.deleted', 2, null],
      ],
    )
  })

  test('what a search would refuse a board refuses, pointing at the spot; its kind stays', async () => {
    const { call, get } = await newCaller(service)
    const refused = async (part: Json) => {
      const answer = await call('POST', `${base}/boards`, { ...view, ...part })
      assert.equal(answer.statusCode, 400, answer.body)
      return answer.json().details[0].field
    }
    assert.equal(await refused({ filter: { and: [{ field: 'cty', op: 'eq', value: 'x' }] } }), 'filter.and[0].field')
    assert.equal(await refused({ filter: { field: 'creditLimit', op: 'contains', value: 'x' } }), 'filter.op')
    assert.equal(await refused({ filter: [] }), 'filter')
    assert.equal(await refused({ sort: 'nothing' }), 'sort')
    assert.equal(await refused({ sort: 'billingAddress' }), 'sort')
    assert.equal(await refused({ columns: ['nobody.name'] }), 'columns')
    assert.equal(await refused({ columns: Array(101).fill('name') }), 'columns')
    assert.equal(await refused({ objectKey: 'nonsense' }), 'objectKey')
    assert.equal(await refused({ name: '' }), 'name')
    const { id } = await make({ call })
    for (const body of [{ objectKey: 'order' }, { sort: 'nothing' }, { filter: {} }, { name: null }])
      assert.equal((await call('PUT', `${base}/boards/${id}`, body)).statusCode, 400, JSON.stringify(body))
    for (const [path, status] of [
      ['nonsense', 400],
      [newId(), 404],
    ] as const)
      assert.equal((await get(`${base}/boards/${path}`)).statusCode, status)
    assert.equal((await get(`${base}/boards/${id}`)).json().version, 1)
  })

  test('it shows what a search with its filter, columns and order finds, by pages, with the exact total', async () => {
    const caller = await newCaller(service)
    const objects = ['Ann', 'Bo', 'Cy', 'Di'].map((name) => ({
      objectKey: 'customer',
      json: { name, city: name === 'Bo' ? 'Reno' : 'Oakland' },
    }))
    assert.equal((await caller.call('POST', `${base}/objects/bulk`, { objects })).json().counts.created, 4)
    const { id } = await make(caller)
    const run = async (query = '') => (await caller.get(`${base}/boards/${id}/objects${query}`)).json()
    const found = await run('?limit=2')
    assert.deepEqual([found.objects.map(({ name }: Json) => name), found.total, found.limit], [['Di', 'Cy'], 3, 2])
    assert.deepEqual(Object.keys(found.objects[0]).sort(), ['billingAddress', 'fullId', 'id', 'name', 'objectKey'])
    assert.deepEqual(
      (await run('?sort=name&offset=1')).objects.map(({ name }: Json) => name),
      ['Cy', 'Di'],
    )
    assert.deepEqual((await run('?q=ann')).total, 1)
    assert.equal((await caller.get(`${base}/boards/${id}/objects?sort=x`)).statusCode, 400)
    const onIt = await caller.call('PATCH', `${base}/objects`, {
      boardId: id,
      objectKey: 'customer',
      json: { name: 'Ed', city: 'Oakland' },
    })
    assert.equal(onIt.statusCode, 200)
    assert.equal((await run()).total, 4)
  })

  test('it needs the scope of its kind, and of those its columns lead to; another organization’s is not there', async () => {
    const caller = await newCaller(service)
    const board = await make(caller, {
      name: 'Orders',
      objectKey: 'order',
      columns: ['referenceNumber', 'customerId.name'],
    })
    await make(caller)
    const narrow = callerIn(service, caller.org, ['customers'])
    assert.equal((await narrow.get(`${base}/boards`)).json().total, 1)
    assert.equal((await narrow.get(`${base}/boards?objectKey=order`)).statusCode, 403)
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/objects'],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
    ] as const)
      assert.equal((await narrow.call(method, `${base}/boards/${board.id}${path}`, body)).statusCode, 403)
    assert.equal((await narrow.call('POST', `${base}/boards`, { name: 'x', objectKey: 'order' })).statusCode, 403)
    const orders = callerIn(service, caller.org, ['orders'])
    assert.equal((await orders.get(`${base}/boards/${board.id}/objects`)).statusCode, 403)
    assert.equal((await (await newCaller(service)).get(`${base}/boards/${board.id}`)).statusCode, 404)
  })

  test('a board that no longer fits its definition is refused when it is run, and can be changed to fit', async () => {
    const { org, ctx, call } = await newCaller(service)
    await createDefinition(ctx, {
      objectKey: 'crate',
      name: 'Crate',
      prefix: 'CR',
      fields: [{ key: 'size', name: 'Size', type: 'integer' }],
    } as never)
    const board = await make(
      { call },
      { name: 'Big ones', objectKey: 'crate', filter: { field: 'size', op: 'gt', value: 3 }, sort: 'size' },
    )
    const run = () => callerIn(service, org).get(`${base}/boards/${board.id}/objects`)
    assert.equal((await run()).json().total, 0)
    await updateDefinition(ctx, 'crate', { fields: [] } as never, null)
    const answer = await run()
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'board_does_not_fit'])
    assert.equal((await call('PUT', `${base}/boards/${board.id}`, { filter: null, sort: null })).statusCode, 200)
    assert.equal((await run()).json().total, 0)
  })
})
