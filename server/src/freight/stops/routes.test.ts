import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { listWaiting } from '../../../test/cluster.ts'
import {
  applicationIn,
  type Caller,
  callerIn,
  connectionName,
  newCaller,
  sharedService,
} from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { createObject } from '../../records/single/actions.ts'
import { reindexObjects } from '../../records/upkeep/reindexing.ts'
import { extensions } from '../extension.ts'
import { moves } from './moves.ts'

const service = await sharedService()
const v2 = '/api/v2/platformModel'

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Json = Record<string, any>

function adminOf({ org }: Caller): Caller {
  return callerIn(service, org, scopeNames, () => newId(), 'admin')
}

async function made({ call }: Caller, path: string, body: Json): Promise<Json> {
  const answer = await call('POST', `/api/v1/${path}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Json
}

/** Two orders of a customer on a manifest with a leg for each, dispatched: pickup 1, pickup 2, delivery 1, delivery 2. */
async function dispatched(caller: Caller) {
  const customer = await made(caller, 'customers', { name: 'Acme Foods' })
  const order = (reference_number: string) =>
    made(caller, 'orders', {
      customer_id: customer.id,
      reference_number,
      pickup: { company_name: 'Acme Foods', city: 'Oakland', latitude: 37.7955, longitude: -122.2791 },
      pickup_at: '2026-11-16T08:00:00Z',
      delivery: { company_name: 'Northside Grocers', city: 'Seattle', latitude: 47.6101, longitude: -122.3421 },
      deliver_by: '2026-11-18T17:00:00Z',
    })
  const [one, two] = [await order('PO-1'), await order('PO-2')]
  const manifest = await made(caller, 'manifests', { reference_number: 'TRIP-1', order_ids: [one.id, two.id] })
  const legs = [
    await made(caller, 'legs', { manifest_id: manifest.id, order_id: one.id }),
    await made(caller, 'legs', { manifest_id: manifest.id }),
  ]
  const at = `/api/v1/manifests/${manifest.id}`
  const answer = await caller.call('POST', `${at}/dispatch`)
  assert.equal(answer.statusCode, 200, answer.body)
  const stops: Json[] = answer.json().manifest.stops
  const report = async (index: number, what: string, body?: Json) =>
    caller.call('POST', `${at}/stops/${stops[index]?.id}/${what}`, body)
  const states = async () => {
    const of = async (path: string, id: string) =>
      Object.values<Json>((await caller.get(`/api/v1/${path}/${id}`)).json())[0]?.status
    const all = await Promise.all([
      of('manifests', manifest.id),
      ...legs.map(({ id }) => of('legs', id)),
      of('orders', one.id),
      of('orders', two.id),
    ])
    return all.join(' ')
  }
  return { at, manifest, one, two, legs, stops, report, states, answer }
}

describe('stops', { concurrency: true }, () => {
  test('have the time zone of their place each, or else that of the organization; it follows the place until somebody chooses another', async () => {
    const caller = await newCaller(service)
    assert.equal(
      (await applicationIn(service, caller.org).call('PUT', '/api/v1/organization', { time_zone: 'America/Bogota' }))
        .statusCode,
      200,
    )
    const manifest = await made(caller, 'manifests', {
      stops: [
        { kind: 'pickup', address: { city: 'Phoenix', state: 'AZ', country: 'US' } },
        { kind: 'border', address: { city: 'El Paso', state: 'Texas', postal: '79901', country: 'USA' } },
        { kind: 'delivery', address: { city: 'Toronto', state: 'ON' } },
        { kind: 'other' },
        { kind: 'other', address: { state: 'AZ' }, time_zone: 'america/new_york' },
      ],
    })
    const zones = (of: Json) => of.stops.map(({ time_zone }: Json) => time_zone)
    assert.deepEqual(zones(manifest), [
      'America/Phoenix',
      'America/Denver',
      'America/Toronto',
      'America/Bogota',
      'America/New_York',
    ])
    const [phoenix, elPaso, toronto, unknown, chosen] = manifest.stops
    const moved = { address: { city: 'Winnipeg', state: 'MB', country: 'CA' } }
    const sent = [
      { ...phoenix, ...moved },
      { ...elPaso, time_zone: null },
      { ...toronto, time_zone: 'Europe/London' },
      { ...unknown, ...moved },
      { ...chosen, ...moved },
    ]
    const changed = (await caller.call('PUT', `/api/v1/manifests/${manifest.id}`, { stops: sent })).json().manifest
    assert.deepEqual(zones(changed), [
      'America/Winnipeg',
      'America/Denver',
      'Europe/London',
      'America/Winnipeg',
      'America/New_York',
    ])
    const wrong = await caller.call('PUT', `/api/v1/manifests/${manifest.id}`, {
      stops: [{ kind: 'pickup', time_zone: 'Mars/Olympus' }],
    })
    assert.deepEqual(
      [wrong.statusCode, wrong.json().details[0].field, wrong.json().details[0].code],
      [400, 'stops.0.time_zone', 'unknown_time_zone'],
    )
    assert.match(wrong.json().error_message, /America\/New_York/)
    const order = await made(caller, 'orders', {
      ...{
        customer_id: (await made(caller, 'customers', { name: 'Acme' })).id,
        stops: [{ kind: 'pickup', address: { state: 'NV', country: 'US' } }],
      },
    })
    assert.deepEqual(zones(order), ['America/Los_Angeles'])
  })

  test('are kept in the order of their sequence with ids of their own, shown in both interfaces, found by their parts, and have markers', async () => {
    const caller = await newCaller(service)
    const manifest = await made(caller, 'manifests', {
      stops: [
        {
          kind: 'delivery',
          sequence: 20,
          address: { city: 'Seattle', latitude: 47.6, longitude: -122.3 },
          reference_numbers: ['A-1', 'A-2'],
        },
        {
          kind: 'pickup',
          sequence: 10,
          address: { city: 'Oakland', latitude: 37.8, longitude: -122.2 },
          reference_numbers: ['B-1'],
          window_end: '2026-11-16T12:00:00Z',
        },
      ],
    })
    assert.deepEqual(
      manifest.stops.map(({ kind, sequence }: Json) => [kind, sequence]),
      [
        ['pickup', 10],
        ['delivery', 20],
      ],
    )
    const same = await caller.call('PUT', `/api/v1/manifests/${manifest.id}`, manifest)
    assert.deepEqual([same.statusCode, same.json().manifest.revision], [200, 1])
    assert.deepEqual(
      manifest.map_markers.map(({ id, kind, label }: Json) => [id, kind, label]),
      [
        ['stops.address', 'pickup', 'Oakland'],
        ['stops.address.1', 'delivery', 'Seattle'],
      ],
    )
    const found = await caller.call('POST', `${v2}/objects/search`, {
      objectKey: 'manifest',
      filter: { field: 'stops.referenceNumbers', op: 'eq', value: 'A-2' },
    })
    assert.deepEqual(
      found.json().objects.map(({ id, stops }: Json) => [id, stops[0].referenceNumbers]),
      [[manifest.id, ['B-1']]],
    )
    const unnumbered = await caller.call('PATCH', `${v2}/objects`, {
      objectKey: 'manifest',
      json: { stops: [{ kind: 'other' }, { kind: 'border' }] },
    })
    assert.deepEqual(
      unnumbered.json().stops.map(({ kind, sequence }: Json) => [kind, sequence]),
      [
        ['other', 1],
        ['border', 2],
      ],
    )
  })

  test('are refused where times or places on the way cannot be, in the words of each interface', async () => {
    const caller = await newCaller(service)
    const wrong = [
      { kind: 'pickup', sequence: 1, window_start: '2026-11-16T12:00:00Z', window_end: '2026-11-16T08:00:00Z' },
      { kind: 'delivery', sequence: 1, arrived_at: '2026-11-16T12:00:00Z', departed_at: '2026-11-16T11:00:00Z' },
      { kind: 'elsewhere' },
    ]
    const refused = await caller.call('POST', '/api/v1/manifests', { stops: wrong.slice(0, 2) })
    assert.equal(refused.statusCode, 400)
    assert.deepEqual(
      refused.json().details.map(({ field, code }: Json) => `${field} ${code}`),
      [
        'stops.0.sequence duplicate_sequence',
        'stops.0.window_end wrong_order',
        'stops.1.sequence duplicate_sequence',
        'stops.1.departed_at wrong_order',
      ],
    )
    const inV2 = await caller.call('PATCH', `${v2}/objects`, {
      objectKey: 'order',
      json: {
        customerId: (await made(caller, 'customers', { name: 'A' })).id,
        stops: [{ kind: 'pickup', windowStart: '2026-11-16T12:00:00Z', windowEnd: '2026-11-16T08:00:00Z' }],
      },
    })
    assert.deepEqual([inV2.statusCode, inV2.json().details[0].field], [400, 'json.stops.0.windowEnd'])
    assert.equal(
      (await caller.call('POST', '/api/v1/manifests', { stops: wrong.slice(2) })).json().error_code,
      'unknown_value',
    )
  })

  test('an object that had something else under that name keeps it, and can be changed in everything else', async () => {
    const caller = await newCaller(service)
    const { id } = await made(caller, 'manifests', { reference_number: 'OLD' })
    for (const old of ['"three"', '[{"kind":7,"address":"x"}]', '{"a":1}']) {
      await caller.ctx.transaction(async ({ run, org }) =>
        run(
          sql`update objects set json = json || jsonb_build_object('stops', ${old}::text::jsonb) where org_id = ${org} and id = ${id}`,
        ),
      )
      const changed = await caller.call('PUT', `/api/v1/manifests/${id}`, { driver_name: old })
      assert.deepEqual([changed.statusCode, changed.json().manifest.driver_name], [200, old], changed.body)
      assert.deepEqual((await caller.get(`${v2}/objects/${id}`)).json().stops, JSON.parse(old))
    }
    const sent = await caller.call('PUT', `/api/v1/manifests/${id}`, { stops: 'three' })
    assert.equal(sent.statusCode, 400)
    await reindexObjects(service.database)
  })

  test('an organization that had a field of its own called stops keeps that, and reports are refused with 409', async () => {
    const caller = await newCaller(service)
    // Added before it was built in; now it would be refused.
    const own = await adminOf(caller).call('PUT', `${v2}/definitions/manifest`, {
      fields: [{ key: 'halts', name: 'Stops', type: 'integer' }],
    })
    await caller.ctx.transaction(async ({ run, org }) =>
      run(
        sql`update definitions set definition = replace(definition::text, 'halts', 'stops')::jsonb where org_id = ${org} and object_key = 'manifest'`,
      ),
    )
    assert.equal(own.statusCode, 200, own.body)
    const { id } = (await caller.call('PATCH', `${v2}/objects`, { objectKey: 'manifest', json: { stops: 3 } })).json()
    assert.equal((await caller.get(`${v2}/objects/${id}`)).json().stops, 3)
    const refused = await caller.call('POST', `/api/v1/manifests/${id}/dispatch`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'own_stops'])
  })
})

describe('addresses of stops', { concurrency: true }, () => {
  test('have their postal code under the names that others give it, also where it was kept as a field of its own', async () => {
    const caller = await newCaller(service)
    const names = ['postal', 'postal_code', 'postalCode', 'zip', 'zip_code', 'postcode']
    const manifest = await made(caller, 'manifests', {
      stops: names.map((name) => ({ kind: 'pickup', address: { city: 'El Paso', state: 'TX', [name]: '79901' } })),
    })
    for (const { address, time_zone } of manifest.stops)
      assert.deepEqual(
        [address.postal, time_zone, Object.keys(address).filter((name) => /zip|post/.test(name))],
        ['79901', 'America/Denver', ['postal']],
      )
    const [stop] = manifest.stops
    const at = `/api/v1/manifests/${manifest.id}`
    const whole = (stops: Json[]) => caller.call('PUT', at, { stops })
    const before = await whole([{ ...stop, address: { ...stop.address, postal: null, zip: '79902' } }])
    assert.equal(before.json().manifest.stops[0].address.postal, '79902', before.body)
    const both = await whole([{ ...stop, address: { ...stop.address, zip: '79903' } }])
    assert.deepEqual([both.statusCode, both.json().error_code], [400, 'repeated'])
    const order = await made(caller, 'orders', {
      customer_id: (await made(caller, 'customers', { name: 'Acme' })).id,
      pickup: { city: 'El Paso', zip: '79901' },
    })
    assert.equal(order.pickup.postal, '79901')
  })
})

describe('reports of stops', { concurrency: true }, () => {
  test('docs/movement.md shows the table of moves', () => {
    const page = readFileSync(new URL('../../../../docs/movement.md', import.meta.url), 'utf8')
    const rows = Object.entries(moves).flatMap(([kind, lines]) =>
      lines.map(({ to, when }) => `| ${kind} | \`${to}\` | ${when} |`),
    )
    assert.deepEqual(
      page.split('\n').filter((line) => /^\| (?:manifest|leg|order) \|/.test(line)),
      rows,
    )
  })

  test('a dispatched manifest gets the stops of its orders, pickups first, and its orders and legs are planned', async () => {
    const caller = await newCaller(service)
    const { one, two, stops, states, answer } = await dispatched(caller)
    assert.deepEqual(
      stops.map(({ kind, order_id, sequence, address, reference_numbers }) => [
        kind,
        order_id,
        sequence,
        address.city,
        reference_numbers,
      ]),
      [
        ['pickup', one.id, 1, 'Oakland', ['PO-1']],
        ['pickup', two.id, 2, 'Oakland', ['PO-2']],
        ['delivery', one.id, 3, 'Seattle', ['PO-1']],
        ['delivery', two.id, 4, 'Seattle', ['PO-2']],
      ],
    )
    assert.deepEqual(
      [stops[0]?.window_start, stops[2]?.window_end],
      ['2026-11-16T08:00:00.000Z', '2026-11-18T17:00:00.000Z'],
    )
    assert.equal(await states(), 'dispatched planned planned planned planned')
    assert.deepEqual(
      answer.json().moved.map(({ type, from, to }: Json) => `${type} ${from} ${to}`),
      [
        'manifest active dispatched',
        'leg active planned',
        'leg active planned',
        'order active planned',
        'order active planned',
      ],
    )
  })

  test('departures move manifest, legs and orders on by the table, with an event for each record that changed', async () => {
    const caller = await newCaller(service)
    const { report, states, one } = await dispatched(caller)
    const before = (await caller.events()).length
    assert.equal((await report(0, 'arrive', { at: '2026-11-16T08:30:00Z' })).statusCode, 200)
    assert.equal(await states(), 'dispatched planned planned planned planned')
    const left = await report(0, 'depart', { at: '2026-11-16T09:30:00+00:00' })
    assert.deepEqual(
      [left.json().manifest.stops[0].arrived_at, left.json().manifest.stops[0].departed_at],
      ['2026-11-16T08:30:00.000Z', '2026-11-16T09:30:00.000Z'],
    )
    assert.equal(await states(), 'in_transit in_transit in_transit in_transit planned')
    assert.deepEqual(
      (await caller.events())
        .slice(before)
        .map(({ type }) => type)
        .sort(),
      ['leg.updated', 'leg.updated', 'manifest.updated', 'manifest.updated', 'order.updated'],
    )
    await report(1, 'depart')
    await report(2, 'depart')
    assert.equal(await states(), 'in_transit completed in_transit delivered in_transit')
    const done = await report(3, 'depart')
    assert.equal(await states(), 'completed completed completed delivered delivered')
    assert.deepEqual(
      done
        .json()
        .moved.map(({ type, to }: Json) => `${type} ${to}`)
        .sort(),
      ['leg completed', 'manifest completed', 'order delivered'],
    )
    assert.equal((await caller.get(`/api/v1/orders/${one.id}`)).json().order.stops, null)
  })

  test('a late report of an earlier stop moves nothing back, nor does it move what a person cancelled or set further', async () => {
    const caller = await newCaller(service)
    const { report, states, one, two } = await dispatched(caller)
    await caller.call('PUT', `/api/v1/orders/${one.id}`, { status: 'cancelled' })
    await caller.call('PUT', `/api/v1/orders/${two.id}`, { status: 'invoiced' })
    await report(3, 'depart')
    assert.equal(await states(), 'completed planned completed cancelled invoiced')
    await report(0, 'arrive')
    await report(0, 'depart')
    assert.equal(await states(), 'completed in_transit completed cancelled invoiced')
  })

  test('undo takes back the last report, and the states that it gave, but not what somebody changed since', async () => {
    const caller = await newCaller(service)
    const { report, states, one } = await dispatched(caller)
    await report(0, 'arrive')
    await report(0, 'depart')
    const undone = await report(0, 'undo')
    assert.deepEqual(
      [Boolean(undone.json().manifest.stops[0].arrived_at), undone.json().manifest.stops[0].departed_at],
      [true, null],
    )
    assert.equal(await states(), 'dispatched planned planned planned planned')
    await report(0, 'depart')
    await caller.call('PUT', `/api/v1/orders/${one.id}`, { status: 'delivered' })
    await report(0, 'undo')
    assert.equal(await states(), 'dispatched planned planned delivered planned')
    await report(0, 'undo')
    const nothing = await report(0, 'undo')
    assert.deepEqual([nothing.statusCode, nothing.json().error_code], [409, 'not_reported'])
  })

  test('undo of the first report brings back the states of before, and an earlier stop stays as long as a later one is departed from', async () => {
    const caller = await newCaller(service)
    const order = async (status: string) =>
      made(caller, 'orders', { customer_id: (await made(caller, 'customers', { name: 'Acme' })).id, status })
    const [planned, active] = [await order('planned'), await order('active')]
    const manifest = await made(caller, 'manifests', {
      status: 'planned',
      order_ids: [planned.id, active.id],
      stops: [{ kind: 'pickup' }, { kind: 'other' }, { kind: 'delivery' }],
    })
    const report = (index: number, what: string) =>
      caller.call('POST', `/api/v1/manifests/${manifest.id}/stops/${manifest.stops[index].id}/${what}`)
    const states = async () => {
      const orders = await Promise.all([planned, active].map(({ id }) => caller.get(`/api/v1/orders/${id}`)))
      const { status } = (await caller.get(`/api/v1/manifests/${manifest.id}`)).json().manifest
      return [status, ...orders.map((answer) => answer.json().order.status)].join(' ')
    }
    await report(0, 'arrive')
    assert.equal(await states(), 'dispatched planned planned')
    await report(0, 'undo')
    assert.equal(await states(), 'planned planned active')

    for (const index of [0, 1, 2]) await report(index, 'depart')
    const refused = await report(0, 'undo')
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'later_stop_reported'], refused.body)
    assert.match(refused.json().error_message, /Undo the report of stop 3 \(delivery\), then 2 \(other\) first/)
    assert.deepEqual(
      refused.json().details.map(({ id }: Json) => id),
      [manifest.stops[2].id, manifest.stops[1].id],
    )
    assert.equal(await states(), 'completed delivered delivered')
    for (const index of [2, 1]) await report(index, 'undo')
    assert.equal(await states(), 'in_transit in_transit in_transit')
    const undone = await report(0, 'undo')
    assert.deepEqual(
      undone
        .json()
        .moved.map(({ type, to }: Json) => `${type} ${to}`)
        .sort(),
      ['manifest planned', 'order active', 'order planned'],
    )
    assert.equal(await states(), 'planned planned active')

    // An order that came onto it after the first report is planned since.
    await report(0, 'arrive')
    const late = await order('active')
    await caller.call('POST', `/api/v1/manifests/${manifest.id}/orders`, { order_ids: [late.id] })
    await report(0, 'undo')
    assert.equal((await caller.get(`/api/v1/orders/${late.id}`)).json().order.status, 'planned')
    assert.equal(await states(), 'planned planned active')
  })

  test('a report that is repeated changes nothing, another time corrects it, and times that cannot be are refused', async () => {
    const caller = await newCaller(service)
    const { at, report } = await dispatched(caller)
    const first = await report(0, 'arrive', { at: '2026-11-16T08:30:00Z' })
    const again = await report(0, 'arrive')
    assert.deepEqual([again.json().manifest.revision, again.json().moved], [first.json().manifest.revision, []])
    const corrected = await report(0, 'arrive', { at: '2026-11-16T08:45:00Z' })
    assert.equal(corrected.json().manifest.stops[0].arrived_at, '2026-11-16T08:45:00.000Z')
    assert.deepEqual((await report(0, 'depart', { at: '2026-11-16T08:00:00Z' })).json().error_code, 'wrong_order')
    assert.deepEqual((await report(0, 'depart', { at: '2126-11-16T08:00:00Z' })).json().error_code, 'in_the_future')
    assert.equal((await report(0, 'depart', { at: 'yesterday' })).statusCode, 400)
    const stale = await caller.call('POST', `${at}/stops/${newId()}/arrive`, undefined, { 'if-match': '"1"' })
    assert.equal(stale.statusCode, 412)
    const unknown = await caller.call('POST', `${at}/stops/${newId()}/arrive`)
    assert.deepEqual([unknown.statusCode, /stop/.test(unknown.json().error_message)], [404, true])
    assert.equal((await caller.call('POST', `/api/v1/manifests/${newId()}/dispatch`)).statusCode, 404)
    const stranger = await newCaller(service)
    assert.equal((await stranger.call('POST', `${at}/dispatch`)).statusCode, 404)
    assert.equal((await callerIn(service, caller.org, ['orders']).call('POST', `${at}/dispatch`)).statusCode, 403)
    await caller.call('PUT', at, { status: 'cancelled' })
    const closed = await report(0, 'depart')
    assert.deepEqual([closed.statusCode, closed.json().error_code], [409, 'manifest_closed'])
  })

  test('of reports that come at once none is lost', async () => {
    const caller = await newCaller(service)
    const { report, states, at } = await dispatched(caller)
    const answers = await Promise.all(
      [0, 1, 2, 3].flatMap((index) => [report(index, 'arrive'), report(index, 'depart')]),
    )
    // A departure may come before the arrival, which is then later than it.
    for (const answer of answers) assert.ok([200, 400].includes(answer.statusCode), answer.body)
    const { stops } = (await caller.get(at)).json().manifest
    assert.deepEqual(
      stops.map(({ departed_at }: Json) => typeof departed_at),
      ['string', 'string', 'string', 'string'],
    )
    assert.equal(await states(), 'completed completed completed delivered delivered')
  })

  test('orders are put on a manifest with their own stops, whose times they show too, and taken off until one is reported', async () => {
    const caller = await newCaller(service)
    const { at, one } = await dispatched(caller)
    const order = await made(caller, 'orders', {
      customer_id: one.customer_id,
      stops: [
        { kind: 'pickup', address: { city: 'Fresno' } },
        { kind: 'pickup', address: { city: 'Sacramento' } },
        { kind: 'delivery', address: { city: 'Portland' } },
      ],
    })
    const put = await caller.call('POST', `${at}/orders`, { order_ids: [order.id, one.id] })
    assert.deepEqual(
      put.json().manifest.stops.map(({ address }: Json) => address.city),
      ['Oakland', 'Oakland', 'Fresno', 'Sacramento', 'Seattle', 'Seattle', 'Portland'],
    )
    assert.deepEqual(
      put.json().moved.map(({ type, to }: Json) => `${type} ${to}`),
      ['order planned'],
    )
    const stop = put.json().manifest.stops[2]
    assert.equal(stop.id, order.stops[0].id)
    const off = await caller.call('DELETE', `${at}/orders/${order.id}`)
    assert.deepEqual([off.json().manifest.stops.length, off.json().manifest.order_ids.length], [4, 2])
    await caller.call('POST', `${at}/orders`, { order_ids: [order.id] })
    await caller.call('POST', `${at}/stops/${stop.id}/depart`, { at: '2026-11-16T10:00:00Z' })
    const shown = (await caller.get(`/api/v1/orders/${order.id}`)).json().order
    assert.deepEqual([shown.status, shown.stops[0].departed_at], ['in_transit', '2026-11-16T10:00:00.000Z'])
    assert.equal((await caller.call('DELETE', `${at}/orders/${order.id}`)).json().error_code, 'stop_reported')
    assert.equal(
      (await caller.call('POST', `${at}/orders`, { order_ids: [newId()] })).json().error_code,
      'unknown_reference',
    )
    assert.equal((await caller.call('DELETE', `${at}/orders/${newId()}`)).statusCode, 404)
  })
})

describe('double booking', { concurrency: true }, () => {
  const from = { start_at: '2026-11-16T06:00:00Z', end_at: '2026-11-18T20:00:00Z' }
  const later = { start_at: '2026-11-18T20:00:00Z', end_at: '2026-11-19T20:00:00Z' }

  async function refusing() {
    const caller = await newCaller(service)
    const equipment = await made(caller, 'equipment', { unit_number: 'T-1' })
    const manifest = await made(caller, 'manifests', { equipment_id: equipment.id, driver_name: 'Sam Ortiz', ...from })
    const on = await adminOf(caller).call('PUT', '/api/v1/organization', { double_booking: 'refuse' })
    assert.equal(on.statusCode, 200, on.body)
    return { caller, equipment, manifest }
  }

  test('is not refused unless the organization wants it', async () => {
    const caller = await newCaller(service)
    assert.equal((await caller.get('/api/v1/organization')).json().organization.double_booking, 'off')
    const equipment = await made(caller, 'equipment', { unit_number: 'T-1' })
    for (const _ of [1, 2]) await made(caller, 'manifests', { equipment_id: equipment.id, ...from })
  })

  test('is refused with 409 that names the other, whichever way the manifest is written', async () => {
    const { caller, equipment, manifest } = await refusing()
    const refused = await caller.call('POST', '/api/v1/manifests', { equipment_id: equipment.id, ...from })
    assert.deepEqual(
      [refused.statusCode, refused.json().error_code, refused.json().details[0].allowed],
      [409, 'double_booked', [manifest.id]],
    )
    const json = { driverName: ' sam  ORTIZ', startAt: from.start_at, endAt: from.end_at }
    assert.equal(
      (await caller.call('PATCH', `${v2}/objects`, { objectKey: 'manifest', json })).json().code,
      'double_booked',
    )
    const second = await made(caller, 'manifests', { equipment_id: equipment.id, ...later })
    assert.equal(
      (await caller.call('PUT', `/api/v1/manifests/${second.id}`, { start_at: '2026-11-18T19:59:00Z' })).json()
        .error_code,
      'double_booked',
    )
    const bulk = await caller.call('POST', `${v2}/objects/bulk`, {
      objects: [
        { objectKey: 'manifest', json },
        { objectKey: 'manifest', json: { driverName: 'A', startAt: from.start_at, endAt: from.end_at } },
        { objectKey: 'manifest', json: { driverName: 'A', startAt: from.start_at, endAt: from.end_at } },
      ],
    })
    assert.deepEqual(
      bulk.json().results.map(({ status, error }: Json) => error?.code ?? error?.error_code ?? status),
      ['double_booked', 'created', 'double_booked'],
    )
    const csv = `driverName,startAt,endAt\nSam Ortiz,${from.start_at},${from.end_at}\n`
    const imported = await caller.call('POST', `${v2}/objects/import?objectKey=manifest`, csv, {
      'content-type': 'text/csv',
    })
    assert.deepEqual([imported.json().counts.failed, imported.json().counts.created], [1, 0], imported.body)
  })

  test('refuses no report: that a vehicle came while another manifest had it is a fact', async () => {
    const { caller, equipment } = await refusing()
    await made(caller, 'manifests', {
      equipment_id: equipment.id,
      start_at: '2025-03-10T06:00:00Z',
      end_at: '2025-03-12T20:00:00Z',
    })
    const stops = [
      { kind: 'pickup', window_start: '2025-03-12T20:00:00Z' },
      { kind: 'delivery', window_end: '2025-03-13T20:00:00Z' },
    ]
    const next = await made(caller, 'manifests', { equipment_id: equipment.id, stops })
    const [pickup] = (await caller.get(`/api/v1/manifests/${next.id}`)).json().manifest.stops
    const early = await caller.call('POST', `/api/v1/manifests/${next.id}/stops/${pickup.id}/arrive`, {
      at: '2025-03-12T19:00:00Z',
    })
    assert.equal(early.statusCode, 200, early.body)
  })

  test('ends with the manifest: cancelled, completed or deleted it frees what it took, and restored it needs it again', async () => {
    const { caller, equipment, manifest } = await refusing()
    const at = `/api/v1/manifests/${manifest.id}`
    await caller.call('PUT', at, { status: 'cancelled' })
    const other = await made(caller, 'manifests', { equipment_id: equipment.id, ...from })
    assert.equal((await caller.call('PUT', at, { status: 'active' })).json().error_code, 'double_booked')
    await caller.call('DELETE', `/api/v1/manifests/${other.id}`)
    assert.equal((await caller.call('PUT', at, { status: 'active' })).statusCode, 200)
    assert.equal((await caller.call('POST', `${v2}/objects/${other.id}/restore`)).json().code, 'double_booked')
    assert.equal((await caller.call('PUT', at, { notes: 'x', driver_name: 'Sam Ortiz' })).statusCode, 200)
  })

  test('is refused of a manifest too that was being written when that was switched on', async () => {
    const caller = await newCaller(service)
    const taking = { driverName: 'Sam Ortiz', startAt: from.start_at, endAt: from.end_at }
    let answered = false
    let on: Promise<{ statusCode: number }> | undefined
    await caller.ctx.transaction(async (ctx) => {
      await createObject(ctx, 'manifest', taking, { extensions })
      on = adminOf(caller)
        .call('PUT', '/api/v1/organization', { double_booking: 'refuse' })
        .finally(() => {
          answered = true
        })
      while (!answered && (await listWaiting(service.pool, connectionName)).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 5))
    })
    assert.equal((await on)?.statusCode, 200)
    const second = await caller.call('POST', '/api/v1/manifests', { driver_name: 'Sam Ortiz', ...from })
    assert.deepEqual([second.statusCode, second.json().error_code], [409, 'double_booked'])
  })

  test('of many that want the same at once one gets it', async () => {
    const { caller, equipment } = await refusing()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        caller.call('POST', '/api/v1/manifests', { equipment_id: equipment.id, ...later }),
      ),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array(7).fill(409)])
  })
})
