import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, newItemTypes, sharedService } from '../../test/service.ts'
import { newId } from '../platform/core/values/ids.ts'

const service = await sharedService()
const base = '/api/v2/platformModel'

type Json = Record<string, unknown>

async function make(
  { call }: Pick<Caller, 'call'>,
  objectKey: string,
  json: Json,
): Promise<Json & { id: string; version: number }> {
  const answer = await call('PATCH', `${base}/objects`, { objectKey, json })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const customer = {
  name: 'Acme Foods',
  address: '1200 Harbor Way',
  city: 'Oakland',
  state: 'CA',
  postal: '94607',
  currency: 'usd',
}

describe('PATCH /objects and GET /objects/:objectID', { concurrency: true }, () => {
  test('a customer made as the contract says comes back whole, with every field of the contract in its type', async () => {
    const { call, get, org, events } = await newCaller(service)
    const boardId = newId()
    const answer = await call('PATCH', `${base}/objects`, {
      boardId: boardId.toUpperCase(),
      objectKey: 'customer',
      json: { ...customer, loyalty: { tier: 'gold', since: [2019, null] } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const { errors, ...made } = answer.json()
    assert.deepEqual(errors, [])
    const read = await get(`${base}/objects/${made.id}`)
    assert.equal(read.statusCode, 200)
    assert.equal(read.headers.etag, '"1"')
    assert.deepEqual(read.json(), made)
    const { id, createdAt, createdBy, updatedAt, updatedBy, widgets, widgetToOpen, ...rest } = made
    for (const value of [id, createdBy, updatedBy]) assert.match(value, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    for (const value of [createdAt, updatedAt]) assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(
      widgets.length > 0 &&
        widgets.every(
          (widget: Json) =>
            typeof widget.key === 'string' && typeof widget.name === 'string' && Number.isInteger(widget.version),
        ),
    )
    assert.deepEqual(widgetToOpen, widgets[0])
    assert.deepEqual(rest, {
      ...customer,
      loyalty: { tier: 'gold', since: [2019, null] },
      boardId,
      objectKey: 'customer',
      orgId: org,
      source: 'api',
      fullId: 'CUST-1',
      status: 'active',
      mapMarkers: [],
      externalId: null,
      version: 1,
      etaDelayNotifyEnabled: false,
      etaDelayNotifyLabel: 'ETA delay notification',
    })
    const [event] = await events()
    assert.equal(event?.type, 'customer.created')
    assert.deepEqual(event?.data, made)
  })

  test('the board an object was created on stays until another is sent, next to the fields or among them, in bulk, in v1 and in a file', async () => {
    const { call, get } = await newCaller(service)
    const [first, second] = [newId(), newId()]
    const upsert = async (body: Json) =>
      (await call('PATCH', `${base}/objects`, { objectKey: 'customer', ...body })).json()
    const { id, errors: _, ...made } = await upsert({ boardId: first, json: { ...customer, externalId: 'E' } })
    assert.deepEqual([made.boardId, made.version], [first, 1])
    assert.equal((await upsert({ json: { externalId: 'E' } })).version, 1)
    assert.equal((await upsert({ boardId: first, json: { externalId: 'E', boardId: first } })).version, 1)
    const contradiction = await upsert({ boardId: first, json: { externalId: 'E', boardId: second } })
    assert.deepEqual(
      [contradiction.statusCode, contradiction.code, contradiction.details[0].field],
      [400, 'contradiction', 'boardId'],
    )
    for (const boardId of [7, 'x', ['a']]) {
      const bad = await call('PUT', `${base}/objects/${id}`, { boardId, json: {} })
      assert.deepEqual([bad.statusCode, bad.json().details[0].field], [400, 'json.boardId'], bad.body)
    }
    assert.equal((await call('PUT', `${base}/objects/${id}`, { boardId: second, json: {} })).json().boardId, second)
    const same = await call('POST', `${base}/objects/bulk`, {
      objects: [{ id, boardId: second, json: { boardId: second } }],
    })
    assert.equal(same.json().results[0].status, 'unchanged')
    assert.equal((await call('PUT', `/api/v1/customers/${id}`, { board_id: first })).json().customer.board_id, first)
    const csv = (await get(`${base}/objects/export?objectKey=customer`)).body
    assert.match(csv, new RegExp(`,boardId,.*\r\n.*,${first},`))
    assert.equal((await upsert({ boardId: null, json: { externalId: 'E' } })).boardId, null)
  })

  test('keys that the server sets are ignored and named; currency is lower-cased; coordinates become markers', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, 'customer', {
      ...customer,
      currency: 'CAD',
      id: newId(),
      version: 7,
      createdAt: 'x',
      etaDelayNotifyEnabled: true,
      latitude: 37.5,
      longitude: -122,
      billingAddress: { city: 'Reno', latitude: 39.5, longitude: -119.8 },
    })
    assert.deepEqual(
      (made.errors as Json[]).map(({ field }) => field),
      ['json.id', 'json.version', 'json.createdAt'],
    )
    assert.equal(made.currency, 'cad')
    assert.equal(made.version, 1)
    assert.equal(made.etaDelayNotifyEnabled, true)
    assert.deepEqual(made.mapMarkers, [
      { id: 'billingAddress', kind: 'billingAddress', label: 'Reno', latitude: 39.5, longitude: -119.8 },
      { id: 'location', kind: 'location', label: 'Acme Foods', latitude: 37.5, longitude: -122 },
    ])
    const nowhere = (await caller.call('PUT', `${base}/objects/${made.id}`, { json: { latitude: 91 } })).json()
    assert.deepEqual([nowhere.latitude, nowhere.mapMarkers.map(({ id }: Json) => id)], [91, ['billingAddress']])
  })

  test('wrong fields are all named at once, nothing is made, and no number is lost', async () => {
    const caller = await newCaller(service)
    const wrong = {
      name: ' ',
      currency: 'zzz',
      email: 'nobody',
      creditLimit: 1.5,
      status: 'frozen',
      externalId: '',
      billingAddress: { city: 7, latitude: 91 },
      tags: [1],
    }
    const answer = await caller.call('PATCH', `${base}/objects`, { objectKey: 'customer', json: wrong })
    assert.equal(answer.statusCode, 400, answer.body)
    const { statusCode, error, message, code, details, requestId } = answer.json()
    assert.deepEqual([statusCode, error, code, typeof requestId], [400, 'Bad Request', 'invalid_request', 'string'])
    assert.equal(message.length, details.length)
    assert.deepEqual(details.map(({ field }: Json) => field).sort(), [
      'json.billingAddress.city',
      'json.billingAddress.latitude',
      'json.creditLimit',
      'json.currency',
      'json.email',
      'json.externalId',
      'json.name',
      'json.status',
      'json.tags.0',
    ])
    for (const body of [
      { json: customer },
      { objectKey: 'customer' },
      { objectKey: 'customer', json: [] },
      { objectKey: 'customer', json: 'x' },
      { boardId: 'x', objectKey: 'customer', json: customer },
      { objectKey: 'dragon', json: {} },
      [],
    ])
      assert.equal((await caller.call('PATCH', `${base}/objects`, body)).statusCode, 400, JSON.stringify(body))
    assert.equal((await make(caller, 'customer', customer)).fullId, 'CUST-1')
    assert.equal((await caller.events()).length, 1)
  })

  test('an externalId in use changes that object; what changes nothing leaves the version alone', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, 'customer', { ...customer, externalId: 'ERP-1', color: 'red' })
    const again = await make(caller, 'customer', { externalId: 'ERP-1', city: 'Berkeley', phone: null })
    assert.deepEqual(
      [again.id, again.version, again.name, again.city, again.color, again.phone],
      [made.id, 2, 'Acme Foods', 'Berkeley', 'red', null],
    )
    const same = await make(caller, 'customer', { externalId: 'ERP-1', city: 'Berkeley' })
    assert.deepEqual([same.version, same.updatedAt], [2, again.updatedAt])
    const events = await caller.events()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['customer.created', 'customer.updated'],
    )
    assert.deepEqual(events[1]?.previous, { city: 'Oakland', phone: null })
    const found = await caller.get(`${base}/objects/customer/ERP-1/external`)
    assert.equal(found.json().id, made.id)
    assert.equal((await caller.get(`${base}/objects/partner/ERP-1/external`)).statusCode, 404)
    for (const [externalId, status] of [
      ['ERP-1', 412],
      ['ERP-2', 412],
    ] as const)
      assert.equal(
        (
          await caller.call(
            'PATCH',
            `${base}/objects`,
            { objectKey: 'customer', json: { name: 'X', externalId } },
            { 'if-match': '"9"' },
          )
        ).statusCode,
        status,
      )
  })

  test('twenty upserts of one externalId at once make one object; numbers rise without a gap', async () => {
    const caller = await newCaller(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        caller.call('PATCH', `${base}/objects`, {
          objectKey: 'customer',
          json: { name: `N${index}`, externalId: 'one' },
        }),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200])
    assert.equal(new Set(answers.map((answer) => answer.json().id)).size, 1)
    assert.deepEqual(
      answers.map((answer) => answer.json().version).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const more = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        caller.call('PATCH', `${base}/objects`, { objectKey: 'customer', json: index % 2 ? { name: 'x' } : {} }),
      ),
    )
    const numbers = more.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json().fullId)
    assert.deepEqual(numbers.sort(), ['CUST-2', 'CUST-3', 'CUST-4', 'CUST-5', 'CUST-6'])
  })
})

describe('references', { concurrency: true }, () => {
  test('an order needs a customer that is there; what is referred to cannot be deleted, and the refusal says by what', async () => {
    const caller = await newCaller(service)
    const other = await make(await newCaller(service), 'customer', customer)
    const partner = await make(caller, 'partner', { name: 'Cascade' })
    for (const customerId of [undefined, null, newId(), other.id, partner.id, 'ext:1']) {
      const refused = await caller.call('PATCH', `${base}/objects`, { objectKey: 'order', json: { customerId } })
      assert.equal(refused.statusCode, 400, refused.body)
      assert.equal(refused.json().details[0].field, 'json.customerId')
    }
    const target = await make(caller, 'customer', customer)
    const order = await make(caller, 'order', { customerId: target.id.toUpperCase() })
    assert.deepEqual([order.fullId, order.customerId], ['ORD-1', target.id])
    const contact = await make(caller, 'contact', { name: 'Dana', customerId: target.id })
    const refused = await caller.call('DELETE', `${base}/objects/${target.id}`)
    assert.equal(refused.statusCode, 409, refused.body)
    assert.equal(refused.json().code, 'referenced')
    assert.deepEqual(
      refused.json().details.map(({ field }: Json) => field),
      ['contact', 'order'],
    )
    assert.match(JSON.stringify(refused.json().message), /ORD-1/)
    const moved = await caller.call('PUT', `${base}/objects/${contact.id}`, { json: { customerId: null } })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.equal((await caller.call('DELETE', `${base}/objects/${order.id}`)).statusCode, 204)
    assert.equal((await caller.call('DELETE', `${base}/objects/${target.id}`)).statusCode, 204)
    assert.equal((await caller.call('POST', `${base}/objects/${order.id}/restore`)).json().code, 'reference_is_gone')
    assert.equal((await caller.call('POST', `${base}/objects/${target.id}/restore`)).statusCode, 200)
    const back = await caller.call('POST', `${base}/objects/${order.id}/restore`)
    assert.deepEqual([back.statusCode, back.json().version, back.json().fullId], [200, 3, 'ORD-1'])
  })

  test('a reference may end in Id, ID or id: one at a time, in bulk, in a change, and in a list', async () => {
    const caller = await newCaller(service)
    const { call } = caller
    const [one, two] = [await make(caller, 'customer', customer), await make(caller, 'customer', customer)]
    const order = await make(caller, 'order', { customerID: one.id })
    assert.equal(order.customerId, one.id)
    assert.equal(Object.hasOwn(order, 'customerID'), false)
    assert.equal((await make(caller, 'quote', { customerid: two.id.toUpperCase() })).customerId, two.id)
    assert.equal((await make(caller, 'manifest', { orderIDs: [order.id] })).orderIds?.toString(), order.id)
    const changed = await call('PUT', `${base}/objects/${order.id}`, { json: { customerID: two.id } })
    assert.equal(changed.json().customerId, two.id)
    const bulk = await call('POST', `${base}/objects/bulk`, {
      objects: [{ objectKey: 'order', json: { customerID: one.fullId } }],
    })
    assert.equal(bulk.json().results[0].status, 'created', bulk.body)
    // The same twice is no harm, two different ones are a contradiction, and other fields keep their spelling.
    const kept = await make(caller, 'order', { customerID: one.id, customerId: one.id, dockID: 'D4', carrierid: 7 })
    assert.deepEqual([kept.customerId, kept.dockID, kept.carrierid], [one.id, 'D4', 7])
    const both = await call('PATCH', `${base}/objects`, {
      objectKey: 'order',
      json: { customerID: one.id, customerId: two.id },
    })
    assert.equal(both.statusCode, 400)
    assert.deepEqual([both.json().code, both.json().details[0].field], ['contradiction', 'json.customerId'])
  })

  test('deleting a customer and restoring an order of it at once: one of the two, and the other is a conflict', async () => {
    const caller = await newCaller(service)
    for (let round = 0; round < 5; round++) {
      const customer = await make(caller, 'customer', { name: 'Ann' })
      const order = await make(caller, 'order', { customerId: customer.id })
      await caller.call('DELETE', `${base}/objects/${order.id}`)
      const [restored, deleted] = await Promise.all([
        caller.call('POST', `${base}/objects/${order.id}/restore`),
        caller.call('DELETE', `${base}/objects/${customer.id}`),
      ])
      const outcome = `${restored.statusCode} ${restored.json().code ?? ''} ${deleted.statusCode} ${deleted.body && deleted.json().code}`
      assert.ok(['200  409 referenced', '409 reference_is_gone 204 '].includes(outcome), outcome)
    }
  })

  test('deleting a customer and making an order for it at once: one of the two, never both', async () => {
    const caller = await newCaller(service)
    for (let round = 0; round < 8; round++) {
      const { id } = await make(caller, 'customer', { name: `R${round}` })
      const [gone, ...orders] = await Promise.all([
        caller.call('DELETE', `${base}/objects/${id}`),
        ...Array.from({ length: 3 }, () =>
          caller.call('PATCH', `${base}/objects`, { objectKey: 'order', json: { customerId: id } }),
        ),
      ])
      const made = orders.filter(({ statusCode }) => statusCode === 200).length
      for (const { statusCode, body } of orders) assert.ok(statusCode === 200 || statusCode === 400, body)
      assert.equal(gone?.statusCode, made > 0 ? 409 : 204, `${made} orders: ${gone?.body}`)
    }
  })
})

describe('entries of a list of records', { concurrency: true }, () => {
  test('get ids where they come without, keep those they have, and no two the same', async () => {
    const caller = await newCaller(service)
    await newItemTypes(caller, 'Line haul', 'Fuel')
    const made = await make(caller, 'manifest', {
      paymentItems: [
        { type: 'Line haul', unitPrice: 100 },
        { id: newId().toUpperCase(), type: 'Fuel', unitPrice: 5, note: 'x' },
      ],
    })
    const items = made.paymentItems as (Json & { id: string })[]
    for (const { id } of items) assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal(items[1]?.note, 'x')
    const put = await caller.call('PUT', `${base}/objects/${made.id}`, { json: { paymentItems: items } })
    assert.equal(put.json().version, 1)
    const twice = await caller.call('PUT', `${base}/objects/${made.id}`, {
      json: { paymentItems: [items[0], items[0]] },
    })
    assert.deepEqual([twice.statusCode, twice.json().details[0].field], [400, 'json.paymentItems.1.id'])
    const bad = await caller.call('PUT', `${base}/objects/${made.id}`, {
      json: { paymentItems: [{ id: 'x', unitPrice: 1 }, null] },
    })
    assert.deepEqual(
      bad.json().details.map(({ field }: Json) => field),
      ['json.paymentItems.0.id', 'json.paymentItems.0.type', 'json.paymentItems.1'],
    )
  })
})

describe('PUT, DELETE, restore, history', { concurrency: true }, () => {
  test('fields are sent in json or by themselves, not both; an object with a field of that name can be sent back', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, 'customer', { ...customer, json: { a: 1 } })
    const at = `${base}/objects/${made.id}`
    const both = await caller.call('PUT', at, { json: { city: 'Alameda' }, version: 1 })
    assert.deepEqual([both.statusCode, both.json().code, both.json().details[0].field], [400, 'ambiguous', 'json'])
    const whole = (await caller.get(at)).json()
    const put = await caller.call('PUT', at, { ...whole, city: 'Alameda' })
    assert.deepEqual([put.statusCode, put.json().city, put.json().json], [200, 'Alameda', { a: 1 }])
  })

  test('a whole object as it was read can be put back; If-Match guards; null clears', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, 'customer', { ...customer, extra: 1 })
    const at = `${base}/objects/${made.id}`
    const whole = (await caller.get(at)).json()
    const put = await caller.call('PUT', at, { ...whole, city: 'Alameda' }, { 'if-match': '"1"' })
    assert.equal(put.statusCode, 200, put.body)
    assert.deepEqual(
      [put.json().version, put.json().city, put.json().extra, put.headers.etag],
      [2, 'Alameda', 1, '"2"'],
    )
    const stale = await caller.call('PUT', at, { json: { city: 'X' } }, { 'if-match': '"1"' })
    assert.deepEqual([stale.statusCode, stale.json().code], [412, 'stale'])
    assert.equal((await caller.call('DELETE', at, undefined, { 'if-match': '"1"' })).statusCode, 412)
    const cleared = await caller.call('PUT', at, { json: { city: null, name: null } })
    assert.equal(cleared.json().code, 'required')
    assert.equal((await caller.get(at, { 'if-none-match': '"2"' })).statusCode, 304)
  })

  test('a deleted object is gone everywhere but in its history, and its externalId is free', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, 'customer', { ...customer, externalId: 'E' })
    const at = `${base}/objects/${made.id}`
    assert.equal((await caller.call('POST', `${at}/restore`)).json().code, 'not_deleted')
    assert.equal((await caller.call('DELETE', at)).statusCode, 204)
    for (const url of [at, `${base}/objects/customer/E/external`]) assert.equal((await caller.get(url)).statusCode, 404)
    for (const method of ['PUT', 'DELETE'])
      assert.equal((await caller.call(method, at, method === 'PUT' ? { json: {} } : undefined)).statusCode, 404)
    assert.equal((await caller.get(`${base}/objects?objectKey=customer`)).json().total, 0)
    const successor = await make(caller, 'customer', { ...customer, externalId: 'E' })
    assert.notEqual(successor.id, made.id)
    assert.equal((await caller.call('POST', `${at}/restore`)).json().code, 'external_id_taken')
    await caller.call('PUT', `${base}/objects/${successor.id}`, { json: { externalId: null } })
    const restored = await caller.call('POST', `${at}/restore`)
    assert.deepEqual([restored.statusCode, restored.json().externalId, restored.json().version], [200, 'E', 3])
    const history = (await caller.get(`${at}/history`)).json()
    assert.deepEqual(
      [history.total, history.events.map(({ type }: Json) => type)],
      [3, ['customer.restored', 'customer.deleted', 'customer.created']],
    )
  })

  test('an Idempotency-Key makes a retry safe', async () => {
    const caller = await newCaller(service)
    const send = () =>
      caller.call('PATCH', `${base}/objects`, { objectKey: 'customer', json: customer }, { 'idempotency-key': 'k' })
    const [first, second] = [await send(), await send()]
    assert.equal(first.body, second.body)
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })
})

describe('who may', { concurrency: true }, () => {
  test('objects of another organization are 404, whatever is done with them', async () => {
    const caller = await newCaller(service)
    const { id } = await make(await newCaller(service), 'customer', { ...customer, externalId: 'E' })
    const tries: [string, string, Json?][] = [
      ['GET', `/objects/${id}`],
      ['GET', `/objects/${id}/history`],
      ['GET', '/objects/customer/E/external'],
      ['PUT', `/objects/${id}`, { json: { city: 'x' } }],
      ['DELETE', `/objects/${id}`],
      ['POST', `/objects/${id}/restore`],
    ]
    for (const [method, path, body] of tries)
      assert.equal((await caller.call(method, base + path, body)).statusCode, 404, `${method} ${path}`)
    assert.equal((await caller.get(`${base}/objects/nonsense`)).statusCode, 400)
    assert.equal((await caller.get(`${base}/objects?objectKey=customer`)).json().total, 0)
  })

  test('a token needs the scope of the kind, for what it expands too, and learns no more than that', async () => {
    const all = await newCaller(service)
    const { id } = await make(all, 'customer', customer)
    const order = await make(all, 'order', { customerId: id })
    const orders = callerIn(service, all.org, ['orders'])
    const tries: [string, string, Json?][] = [
      ['PATCH', '/objects', { objectKey: 'customer', json: customer }],
      ['PATCH', '/objects', { objectKey: 'noSuchKind', json: {} }],
      ['GET', `/objects/${id}`],
      ['GET', `/objects/${id}/history`],
      ['GET', '/objects?objectKey=customer'],
      ['GET', '/objects/customer/E/external'],
      ['POST', '/objects/search', { objectKey: 'customer' }],
      ['POST', '/objects/search', { objectKey: 'order', paths: ['customer.name'] }],
      ['GET', `/objects/${order.id}?paths=customerId.name`],
      ['PUT', `/objects/${id}`, { json: { city: 'x' } }],
      ['DELETE', `/objects/${id}`],
      ['POST', `/objects/${id}/restore`],
    ]
    for (const [method, path, body] of tries) {
      const refused = await orders.call(method, base + path, body)
      assert.deepEqual(
        [refused.statusCode, refused.json().code, refused.json().statusCode],
        [403, 'insufficient_scope', 403],
        `${method} ${path} ${refused.body}`,
      )
    }
    assert.equal((await orders.get(`${base}/objects/${order.id}`)).statusCode, 200)
    assert.equal((await callerIn(service, all.org, ['bills']).get(`${base}/objects/${order.id}`)).statusCode, 403)
  })

  test('refusals are in the shape of v2, from wherever they come', async () => {
    const caller = await newCaller(service)
    const statuses: [number, Promise<{ statusCode: number; json(): Json }>][] = [
      [401, service.app.inject({ url: `${base}/objects/${newId()}` })],
      [404, caller.get(`${base}/nothing`)],
      [405, caller.call('POST', `${base}/objects`, {})],
      [406, caller.get(`${base}/objects?objectKey=customer`, { accept: 'text/csv' })],
      [
        413,
        caller.call(
          'PATCH',
          `${base}/objects`,
          JSON.stringify({ objectKey: 'customer', json: { name: 'x'.repeat(2 ** 20) } }),
        ),
      ],
      [415, caller.call('PATCH', `${base}/objects`, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' })],
    ]
    for (const [status, answer] of statuses) {
      const { statusCode, json } = await answer
      assert.equal(statusCode, status)
      const body = (await answer).json()
      assert.deepEqual(
        Object.keys(body).sort(),
        ['code', 'details', 'docUrl', 'error', 'message', 'requestId', 'statusCode'],
        json.name,
      )
      assert.equal(body.statusCode, status)
    }
  })
})

describe('hostile input', { concurrency: true }, () => {
  const send = (caller: Caller, json: string) =>
    caller.call('PATCH', `${base}/objects`, `{"objectKey":"customer","json":${json}}`)

  test('odd keys, odd texts and odd numbers come back as they were sent', async () => {
    const caller = await newCaller(service)
    const odd = {
      name: '"; drop table objects; --',
      constructor: { prototype: { polluted: true } },
      toString: 'x',
      hasOwnProperty: 1,
      valueOf: null,
      '': 'empty',
      'a.b': 1,
      $ref: '#',
      '😀 key': '\u{10ffff}\u202e\u0001\ufeff',
      numbers: [5e-324, 1.7976931348623157e308, 9007199254740992, 0.1, -1e-7, 0.30000000000000004],
      nested: Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], 'deep'),
    }
    const made = await send(caller, JSON.stringify(odd))
    assert.equal(made.statusCode, 200, made.body)
    const read = (await caller.get(`${base}/objects/${made.json().id}`)).json()
    for (const [key, value] of Object.entries(odd)) assert.deepEqual(read[key], value, key)
    const put = await caller.call('PUT', `${base}/objects/${read.id}`, { json: { constructor: 1, toString: 2 } })
    assert.deepEqual([put.json().constructor, put.json().toString, put.json().version], [1, 2, 2])
    assert.equal(({} as Json).polluted, undefined)
    assert.equal(
      (await caller.call('PUT', `${base}/objects/${read.id}`, { json: { constructor: 1 } })).json().version,
      2,
    )
  })

  test('what cannot be kept unchanged is a 400 that names it, and nothing is written', async () => {
    const caller = await newCaller(service)
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`
    const bad: [string, string][] = [
      ['{"name":"a","x":1e400}', 'inexact_number'],
      ['{"name":"a","x":12345678901234567890}', 'inexact_number'],
      ['{"name":"a","x":0.1000000000000000055511151231257827}', 'inexact_number'],
      ['{"name":"a","name":"b"}', 'duplicate_key'],
      ['{"name":"a","__proto__":{"x":1}}', 'bad_key'],
      ['{"name":"a","x":{"__proto__":{"x":1}}}', 'bad_key'],
      ['{"name":"a\\u0000"}', 'bad_text'],
      ['{"name":"\\ud800"}', 'bad_text'],
      ['{"name":"a","x\\u0000":1}', 'bad_key'],
      [`{"name":"a","x":${deep}}`, 'too_deep'],
      ['{"name":{"x":1}}', 'wrong_type'],
      ['{"name":"a","etaDelayNotifyEnabled":"yes"}', 'wrong_type'],
    ]
    for (const [json, code] of bad) {
      const refused = await send(caller, json)
      assert.deepEqual([refused.statusCode, refused.json().code], [400, code], `${json.slice(0, 60)} ${refused.body}`)
    }
    assert.equal((await caller.get(`${base}/objects?objectKey=customer`)).json().total, 0)
    for (const url of [
      `${base}/objects/customer/%00/external`,
      `${base}/objects?objectKey=%00`,
      `${base}/objects?objectKey=customer&paths=%00`,
      `${base}/definitions/%00`,
    ]) {
      const { statusCode, body } = await caller.get(url)
      assert.ok(statusCode === 400 || statusCode === 404, `${url} ${body}`)
    }
  })

  test('records in place of texts are a 400, whatever methods they imitate', async () => {
    const caller = await newCaller(service)
    const odd = { toString: 1, valueOf: 1 }
    const board = {
      objectKey: 'customer',
      boardId: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e17',
      json: { name: 'X', boardId: odd },
    }
    assert.equal((await caller.call('PATCH', `${base}/objects`, board)).statusCode, 400)
    await newItemTypes(caller, 'Line haul')
    const items = (id: unknown) => [{ id, type: 'Line haul', unitPrice: 1 }]
    const made = await caller.call('PATCH', `${base}/objects`, {
      objectKey: 'manifest',
      json: { paymentItems: items(undefined) },
    })
    assert.equal(
      (await caller.call('PUT', `${base}/objects/${made.json().id}`, { json: { paymentItems: items(odd) } }))
        .statusCode,
      400,
    )
  })

  test('a megabyte of text comes back whole, and is found', async () => {
    const caller = await newCaller(service)
    const notes = `${'lorem ipsum dolor '.repeat(57_000)}needle`
    const made = await send(caller, JSON.stringify({ name: 'Large', notes, more: {} }))
    assert.equal(made.statusCode, 200, made.body.slice(0, 300))
    const read = (await caller.get(`${base}/objects/${made.json().id}`)).json()
    assert.equal(read.notes, notes)
    const found = await caller.call('POST', `${base}/objects/search`, {
      objectKey: 'customer',
      filter: { field: 'notes', op: 'contains', value: 'NEEDLE' },
      paths: ['name'],
    })
    assert.equal(found.json().total, 1)
    const wide = await send(
      caller,
      JSON.stringify(
        Object.fromEntries([['name', 'Wide'], ...Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index])]),
      ),
    )
    assert.equal(wide.statusCode, 200, wide.body.slice(0, 300))
    assert.equal(wide.json().k9999, 9_999)
  })
})
