import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Caller, callerIn, newCaller, newItemTypes, sharedService } from '../../../test/service.ts'
import { createUser } from '../../identity/users/actions.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { signToken } from '../../platform/access/tokens/access-token.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { builtInKinds } from '../kinds/built-in.ts'

type Json = Record<string, unknown>
type Answer = Awaited<ReturnType<Caller['call']>>

const service = await sharedService()
const base = '/api/v2/platformModel'

/** Someone in a new organization, with the role. */
async function newUser(role: 'admin' | 'member') {
  const caller = await newCaller(service)
  const { id } = await createUser(caller.ctx, { email: `${newId()}@example.com`, name: 'Sam', role })
  const { keyring, settings } = service
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: id, client_id: 'test', org_id: caller.org, scopes: scopeNames },
  )
  const call: Caller['call'] = (method, url, body, headers) =>
    caller.call(method, base + url, body, { authorization: `Bearer ${token}`, ...headers })
  const define = (body: Json) => call('POST', '/definitions', body)
  const change = (key: string, body: Json, headers?: Record<string, string>) =>
    call('PUT', `/definitions/${key}`, body, headers)
  const make = async (objectKey: string, json: Json) => ok(await call('PATCH', '/objects', { objectKey, json })).json()
  return { ...caller, call, define, change, make, id }
}

function ok(answer: Answer, status = 200): Answer {
  assert.equal(answer.statusCode, status, answer.body)
  return answer
}

const inspection = {
  objectKey: 'inspection2',
  name: 'Inspection',
  prefix: 'INSP',
  title: 'number',
  statuses: ['open', 'closed'],
  fields: [
    { key: 'number', name: 'Number', type: 'text', unique: true },
    { key: 'equipmentId', name: 'Equipment', type: 'reference', objectKey: 'equipment', required: true },
    { key: 'score', name: 'Score', type: 'integer' },
    { key: 'result', name: 'Result', type: 'select', options: ['pass', 'fail'] },
    { key: 'flaws', name: 'Flaws', type: 'multi-select', options: ['tires', 'lights'] },
    {
      key: 'findings',
      name: 'Findings',
      type: 'list',
      items: {
        fields: [
          { key: 'text', name: 'Text', type: 'text', required: true },
          { key: 'cost', name: 'Cost', type: 'money' },
        ],
      },
    },
    { key: 'place', name: 'Place', type: 'address' },
    { key: 'doneOn', name: 'Done', type: 'date' },
    { key: 'inspector', name: 'Inspector', type: 'email' },
  ],
}

describe('a kind of the organization’s own', { concurrency: true }, () => {
  test('is defined, used, described and deleted', async () => {
    const { call, define, make, events } = await newUser('admin')
    const made = ok(await define(inspection), 201)
    assert.deepEqual([made.headers.etag, made.headers.location], ['"1"', `${base}/definitions/inspection2`])
    const facts = made.json().$defs.definition.const
    assert.deepEqual(
      [facts.scope, facts.builtIn, facts.plural, facts.fields.length],
      ['services', false, 'Inspections', 9],
    )
    const { id: equipmentId } = await make('equipment', { unitNumber: 'T-1' })
    const first = await make('inspection2', {
      equipmentId,
      number: 'A',
      score: 3,
      result: 'pass',
      flaws: ['tires'],
      findings: [{ text: 'worn', cost: 100 }],
      place: { latitude: 1, longitude: 2 },
    })
    assert.deepEqual(
      [first.fullId, first.name, first.status, first.source, first.mapMarkers.length],
      ['INSP-1', 'A', 'open', 'api', 1],
    )
    const wrong = await call('PATCH', '/objects', {
      objectKey: 'inspection2',
      json: {
        score: 1.5,
        result: 'x',
        flaws: ['tires', 'tires'],
        findings: [{}],
        doneOn: '2026-02-30',
        inspector: 'x',
      },
    })
    assert.deepEqual(
      wrong
        .json()
        .details.map(({ field }: Json) => field)
        .sort(),
      [
        'json.doneOn',
        'json.equipmentId',
        'json.findings.0.text',
        'json.flaws.1',
        'json.inspector',
        'json.result',
        'json.score',
      ],
    )
    const twin = await call('PATCH', '/objects', { objectKey: 'inspection2', json: { equipmentId, number: 'A' } })
    assert.deepEqual(
      [twin.statusCode, twin.json().code, twin.json().details[0].field],
      [409, 'value_taken', 'json.number'],
    )
    assert.equal((await call('DELETE', `/objects/${equipmentId}`)).json().code, 'referenced')
    const inUse = await call('DELETE', '/definitions/inspection2')
    assert.deepEqual([inUse.statusCode, inUse.json().code], [409, 'kind_in_use'])
    assert.match(inUse.json().message, /1 objects/)
    ok(await call('DELETE', `/objects/${first.id}`), 204)
    ok(await call('DELETE', '/definitions/inspection2'), 204)
    assert.equal((await call('GET', '/definitions/inspection2')).statusCode, 404)
    assert.equal(
      (await call('PATCH', '/objects', { objectKey: 'inspection2', json: {} })).json().code,
      'unknown_object_key',
    )
    ok(await define({ ...inspection, fields: [] }), 201)
    assert.equal(ok(await call('POST', `/objects/${first.id}/restore`)).json().fullId, 'INSP-1')
    const types = (await events()).map(({ type }) => type)
    assert.deepEqual(
      types.filter((type) => type.startsWith('def')),
      ['definition.created', 'definition.deleted', 'definition.created'],
    )
    assert.ok(types.includes('inspection2.created'))
  })

  test('needs a good key, a prefix of its own, good fields, and the role admin', async () => {
    const { define, call } = await newUser('admin')
    const field = { key: 'f', name: 'F', type: 'text' }
    const bad: [Json, string][] = [
      [{ objectKey: 'Upper' }, 'objectKey'],
      [{ objectKey: 'bill' }, 'objectKey'],
      [{ objectKey: '__proto__x' }, 'objectKey'],
      [{ prefix: 'cust' }, 'prefix'],
      [{ prefix: 'CUST' }, 'prefix'],
      [{ fields: [{ ...field, key: 'id' }] }, 'fields.0.key'],
      [{ fields: [{ ...field, key: 'constructor' }] }, 'fields.0.key'],
      [{ fields: [field, field] }, 'fields.1.key'],
      [{ fields: [{ ...field, type: 'blob' }] }, 'fields.0.type'],
      [{ fields: [{ ...field, type: 'select' }] }, 'fields.0.options'],
      [{ fields: [{ ...field, type: 'reference' }] }, 'fields.0.objectKey'],
      [{ fields: [{ ...field, type: 'reference', objectKey: '' }] }, 'fields.0.objectKey'],
      [{ fields: [{ ...field, type: 'reference', objectKey: 'nothing' }] }, 'fields'],
      [{ fields: [{ ...field, type: 'list' }] }, 'fields.0.items'],
      [{ fields: [{ ...field, type: 'list', items: { type: 'list' } }] }, 'fields.0.items.type'],
      [{ fields: [{ ...field, type: 'address', unique: true }] }, 'fields.0.unique'],
      [{ fields: [{ ...field, type: 'list', items: { fields: [field, field] } }] }, 'fields.0.items.fields.1.key'],
      [{ statuses: ['open', 'open'] }, 'statuses.1'],
    ]
    for (const [part, spot] of bad) {
      const refused = await define({ objectKey: 'thing', name: 'Thing', prefix: 'TH', ...part })
      assert.deepEqual(
        [refused.statusCode, refused.json().details?.[0]?.field],
        [400, spot],
        `${JSON.stringify(part)} ${refused.body}`,
      )
    }
    ok(await define({ objectKey: 'thing', name: 'Thing', prefix: 'TH' }), 201)
    assert.equal(
      (await call('PUT', '/definitions/thing', { statuses: ['a', 'a'] })).json().details[0].field,
      'statuses.1',
    )
    assert.equal((await define({ objectKey: 'thing', name: 'Thing', prefix: 'TI' })).json().code, 'object_key_taken')
    assert.equal((await define({ objectKey: 'customer', name: 'X', prefix: 'X' })).json().code, 'object_key_taken')
    assert.equal((await define({ objectKey: 'other', name: 'Other', prefix: 'TH' })).json().code, 'prefix_taken')
    assert.equal((await call('DELETE', '/definitions/customer')).json().code, 'built_in')
    for (const [kind, key] of [
      ['manifest', 'billId'],
      ['customer', 'boardId'],
      ['customer', 'otherFields'],
    ] as const)
      assert.equal((await call('PUT', `/definitions/${kind}`, { fields: [{ ...field, key }] })).json().code, 'reserved')
    ok(await call('PUT', '/definitions/customer', { fields: [{ ...field, key: 'billId' }] }))
    const member = await newUser('member')
    for (const [method, url, body] of [
      ['POST', '/definitions', inspection],
      ['PUT', '/definitions/customer', { fields: [] }],
      ['DELETE', '/definitions/customer', undefined],
    ] as const)
      assert.equal((await member.call(method, url, body)).json().code, 'admin_required', method)
    assert.equal(ok(await member.call('GET', '/definitions')).json().total, builtInKinds.length)
  })

  test('can refer to other kinds, and cannot be deleted while other kinds refer to it', async () => {
    const { define, call, change } = await newUser('admin')
    ok(await define({ objectKey: 'depot', name: 'Depot', prefix: 'DEP' }), 201)
    ok(await change('customer', { fields: [{ key: 'depotId', name: 'Depot', type: 'reference', objectKey: 'depot' }] }))
    const refused = await call('DELETE', '/definitions/depot')
    assert.deepEqual([refused.statusCode, /customer/.test(refused.json().message)], [409, true])
    ok(await change('customer', { fields: [] }))
    ok(await call('DELETE', '/definitions/depot'), 204)
  })
})

describe('a changed definition', { concurrency: true }, () => {
  const field = (more: Json = {}) => ({ key: 'region', name: 'Region', type: 'text', ...more })

  test('hides a removed field and brings it back with its values', async () => {
    const { change, make, call } = await newUser('admin')
    ok(await change('customer', { fields: [field({ unique: true })] }, { 'if-match': '"1"' }))
    const { id } = await make('customer', { name: 'A', region: 'west' })
    const find = async () =>
      ok(
        await call('POST', '/objects/search', {
          objectKey: 'customer',
          filter: { field: 'region', op: 'eq', value: 'west' },
        }),
      ).json().total
    assert.equal(await find(), 1)
    assert.equal((await change('customer', { fields: [] }, { 'if-match': '"1"' })).statusCode, 412)
    const removed = ok(await change('customer', { fields: [] }, { 'if-match': '"2"' }))
    assert.deepEqual(
      removed.json().$defs.definition.const.removedFields.map(({ key }: Json) => key),
      ['region'],
    )
    assert.equal('region' in ok(await call('GET', `/objects/${id}`)).json(), false)
    assert.equal(
      (
        await call('POST', '/objects/search', {
          objectKey: 'customer',
          filter: { field: 'region', op: 'eq', value: 'west' },
        })
      ).statusCode,
      400,
    )
    assert.equal(ok(await call('POST', '/objects/search', { objectKey: 'customer', q: 'west' })).json().total, 0)
    const ignored = ok(await call('PUT', `/objects/${id}`, { json: { region: 'east', city: 'X' } })).json()
    assert.deepEqual(
      ignored.errors.map(({ code }: Json) => code),
      ['removed_field'],
    )
    await make('customer', { name: 'B' })
    ok(await change('customer', { fields: [field()] }))
    assert.deepEqual([ok(await call('GET', `/objects/${id}`)).json().region, await find()], ['west', 1])
    assert.equal(ok(await call('POST', '/objects/search', { objectKey: 'customer', q: 'west' })).json().total, 1)
  })

  test('that the objects would not fit is refused, saying how many; unknown fields become known with their values', async () => {
    const { change, make, call } = await newUser('admin')
    const a = await make('customer', { name: 'A', region: 'north' })
    await make('customer', { name: 'B', region: 5 })
    await make('customer', { name: 'C' })
    const gone = await make('customer', { name: 'D' })
    ok(await call('DELETE', `/objects/${gone.id}`), 204)
    const refusals: [Json, string, RegExp][] = [
      [field(), 'values_do_not_fit', /^1 objects/],
      [field({ type: 'integer' }), 'values_do_not_fit', /^1 objects/],
      [field({ type: 'reference', objectKey: 'customer' }), 'values_do_not_fit', /^2 objects/],
      [field({ required: true }), 'values_are_missing', /^1 objects/],
    ]
    for (const [wanted, code, message] of refusals) {
      const refused = await change('customer', { fields: [wanted] })
      assert.deepEqual([refused.statusCode, refused.json().code], [409, code], refused.body)
      assert.match(refused.json().message, message)
    }
    const b = ok(
      await call('POST', '/objects/search', { objectKey: 'customer', filter: { field: 'name', op: 'eq', value: 'B' } }),
    ).json().objects[0]
    ok(await call('PUT', `/objects/${b.id}`, { json: { region: 'north' } }))
    const twins = await change('customer', { fields: [field({ unique: true })] })
    assert.deepEqual([twins.statusCode, twins.json().code], [409, 'values_are_not_unique'])
    ok(await change('customer', { fields: [field()] }))
    assert.equal(
      ok(
        await call('POST', '/objects/search', {
          objectKey: 'customer',
          filter: { field: 'region', op: 'eq', value: 'north' },
        }),
      ).json().total,
      2,
    )
    ok(await call('PUT', `/objects/${a.id}`, { json: { region: 'south' } }))
    ok(await change('customer', { fields: [field({ unique: true })] }))
    const taken = await call('PUT', `/objects/${a.id}`, { json: { region: 'north' } })
    assert.deepEqual([taken.statusCode, taken.json().code], [409, 'value_taken'])
    ok(await change('customer', { fields: [field({ type: 'select', options: ['north', 'south'] })] }))
    assert.equal(
      (await change('customer', { fields: [field({ type: 'select', options: ['north'] })] })).json().code,
      'values_do_not_fit',
    )
    const c = ok(
      await call('POST', '/objects/search', {
        objectKey: 'customer',
        filter: { field: 'region', op: 'exists', value: false },
      }),
    ).json().objects[0]
    ok(await call('PUT', `/objects/${c.id}`, { json: { region: 'south' } }))
    ok(await change('customer', { fields: [field({ required: true })] }))
    assert.equal(
      (await call('PATCH', '/objects', { objectKey: 'customer', json: { name: 'E' } })).json().code,
      'required',
    )
    const restored = await call('POST', `/objects/${gone.id}/restore`)
    assert.deepEqual([restored.statusCode, restored.json().code], [409, 'does_not_fit'])
  })

  test('that makes names unique, or no longer, does so for objects that are named by the title of their kind', async () => {
    const { define, change, make, call } = await newUser('admin')
    const number = { key: 'number', name: 'Number', type: 'text' }
    const name = (unique: boolean) => ({ key: 'name', name: 'Name', type: 'text', unique })
    ok(
      await define({ objectKey: 'gate', name: 'Gate', prefix: 'GATE', title: 'number', fields: [number, name(false)] }),
      201,
    )
    await make('gate', { number: 'North' })
    const twin = await make('gate', { number: 'North' })
    const twins = await change('gate', { fields: [number, name(true)] })
    assert.deepEqual([twins.statusCode, twins.json().code], [409, 'values_are_not_unique'], twins.body)
    ok(await call('PUT', `/objects/${twin.id}`, { json: { number: 'South' } }))
    ok(await change('gate', { fields: [number, name(true)] }))
    const taken = await call('PATCH', '/objects', { objectKey: 'gate', json: { number: 'North' } })
    assert.deepEqual([taken.statusCode, taken.json().code], [409, 'value_taken'], taken.body)
    ok(await change('gate', { fields: [number, name(false)] }))
    await make('gate', { number: 'North' })
    assert.equal((await change('gate', { fields: [number, name(true)] })).json().code, 'values_are_not_unique')
  })

  test('keeps the built-in fields and states as they are; what was read can be sent back', async () => {
    const { change, call, make } = await newUser('admin')
    assert.equal(
      (await change('customer', { fields: [{ key: 'city', name: 'City', type: 'integer' }] })).statusCode,
      400,
    )
    assert.equal((await change('customer', { statuses: ['active'] })).statusCode, 400)
    ok(
      await change('customer', {
        statuses: ['active', 'inactive', 'prospect'],
        widgets: [{ key: 'w', name: 'W', version: 3 }],
      }),
    )
    const made = await make('customer', { name: 'A', status: 'prospect' })
    assert.deepEqual(made.widgetToOpen, { key: 'w', name: 'W', version: 3 })
    assert.equal((await change('customer', { statuses: ['active', 'inactive'] })).json().code, 'status_in_use')
    const read = ok(await call('GET', '/definitions/customer'))
    const back = ok(await change('customer', read.json(), { 'if-match': String(read.headers.etag) }))
    assert.equal(back.headers.etag, read.headers.etag)
    ok(await change('customer', { widgets: null }))
    assert.equal(ok(await call('GET', `/objects/${made.id}`)).json().widgets.length, 4)
    ok(await call('DELETE', `/objects/${made.id}`), 204)
    ok(await change('customer', { statuses: ['active', 'inactive'] }))
    const restored = await call('POST', `/objects/${made.id}/restore`)
    assert.deepEqual(
      [restored.statusCode, restored.json().code, restored.json().details[0].field],
      [409, 'does_not_fit', 'status'],
    )
    assert.equal((await change('nothing', {})).statusCode, 404)
  })

  test('becoming required at the moment objects are written: never both an object without it and the rule', async () => {
    const { change, call } = await newUser('admin')
    for (let round = 0; round < 6; round++) {
      const key = `must${round}`
      const [changed, ...written] = await Promise.all([
        change('service', { fields: [{ key, name: 'Must', type: 'text', required: true }] }),
        ...Array.from({ length: 4 }, () => call('PATCH', '/objects', { objectKey: 'service', json: { name: 'S' } })),
      ])
      const made = written.filter(({ statusCode }) => statusCode === 200)
      for (const { statusCode, body } of [changed as Answer, ...written])
        assert.ok([200, 400, 409].includes(statusCode), body)
      assert.equal(changed?.statusCode === 200 && made.length > 0, false, 'the rule holds and an object breaks it')
      for (const answer of made) ok(await call('DELETE', `/objects/${answer.json().id}`), 204)
      ok(await change('service', { fields: [] }))
    }
  })
})

describe('a definition as JSON Schema', { concurrency: true }, () => {
  const examples: Record<string, Json> = {
    customer: {
      name: 'A',
      currency: 'usd',
      email: 'a@b.example',
      billingAddress: { city: 'X', latitude: 1, longitude: 2 },
      tags: ['a'],
      externalId: 'E',
      unknown: { x: [1] },
    },
    partner: { name: 'P', partnerType: 'carrier', equipmentTypes: ['reefer'], insuranceExpiresOn: '2027-03-31' },
    service: { name: 'S', price: 5, taxable: true },
    equipment: { unitNumber: 'T', year: 2020, latitude: 1.5, longitude: 2.5 },
    contact: { name: 'C', notify: ['delay'] },
    manifest: {
      paymentItems: [{ type: 'Line haul', unitPrice: 5 }],
      startAt: '2026-01-01T00:00:00+01:00',
      start: { city: null },
    },
    leg: { sequence: 1, origin: {} },
  }

  test('is what strict validators take, fits real objects of every built-in kind, and refuses others', async () => {
    const { call, make, org } = await newUser('admin')
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
    addFormats.default(ajv as never)
    await newItemTypes(callerIn(service, org), 'Line haul')
    const { id: customerId } = await make('customer', examples.customer as Json)
    for (const { objectKey } of builtInKinds) {
      const { errors: _, ...made } = await make(objectKey, { customerId, ...examples[objectKey] })
      const validate = ajv.compile(ok(await call('GET', `/definitions/${objectKey}`)).json())
      assert.ok(validate(made), `${objectKey}: ${JSON.stringify(validate.errors)}`)
      assert.equal(validate({ ...(made as Json), version: 'x' }), false)
      assert.equal(validate({ ...(made as Json), status: 'nothing' }), false)
    }
    const validate = ajv.compile(ok(await call('GET', '/definitions/order')).json())
    assert.equal(validate(ok(await call('GET', `/objects/${customerId}`)).json()), false)
  })

  test('the widgets that the database knows are those of the kinds', async () => {
    const { call, make } = await newUser('admin')
    const { id: customerId } = await make('customer', { name: 'A' })
    for (const kind of builtInKinds) {
      const made = await make(kind.objectKey, { customerId, name: 'x', unitNumber: 'x' })
      assert.deepEqual(made.widgets, kind.widgets, kind.objectKey)
    }
    const list = ok(await call('GET', '/definitions?limit=2')).json()
    assert.deepEqual(
      [list.definitions.map(({ objectKey }: Json) => objectKey), list.total],
      [['customer', 'partner'], builtInKinds.length],
    )
  })
})
