import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { manualMoves } from './moves.ts'

const service = await sharedService()
const board = '/api/v1/dispatch/manifests'
const waiting = '/api/v1/dispatch/orders'

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Json = Record<string, any>

async function made({ call }: Caller, path: string, body: Json): Promise<Json> {
  const answer = await call('POST', `/api/v1/${path}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Json
}

const oakland = { company_name: 'Acme Foods', city: 'Oakland', state: 'CA', latitude: 37.7955, longitude: -122.2791 }
const seattle = {
  company_name: 'Northside Grocers',
  city: 'Seattle',
  state: 'WA',
  latitude: 47.6101,
  longitude: -122.3421,
}

/** A customer, and a way to make orders of it. */
async function shipper(caller: Caller) {
  const customer = await made(caller, 'customers', { name: 'Acme Foods' })
  const order = (more: Json = {}) =>
    made(caller, 'orders', {
      ...{
        customer_id: customer.id,
        pickup: oakland,
        pickup_at: '2026-11-16T08:00:00Z',
        delivery: seattle,
        deliver_by: '2026-11-18T17:00:00Z',
      },
      ...more,
    })
  return { customer, order }
}

async function listed(caller: Caller, path: string): Promise<Json[]> {
  const answer = await caller.get(path)
  assert.equal(answer.statusCode, 200, answer.body)
  const { orders, manifests = orders } = answer.json()
  return manifests
}

const idsOf = (records: readonly Json[]) => records.map(({ id }) => id)

describe('the manifests of the board', { concurrency: true }, () => {
  test('have their carrier, driver, equipment, orders and stops, the last position, and the same expectations as their track', async () => {
    const caller = await newCaller(service)
    const { order } = await shipper(caller)
    const one = await order({ reference_number: 'PO-1' })
    const carrier = await made(caller, 'partner_carriers', { name: 'Cascade Carriers' })
    const unit = await made(caller, 'equipment', { unit_number: 'T-104', equipment_type: 'reefer' })
    const fields = {
      partner_carrier_id: carrier.id,
      driver_name: 'Sam Ortiz',
      equipment_id: unit.id,
      reference_number: 'TRIP-1',
    }
    const planned = await caller.call('POST', board, { order_ids: [one.id], ...fields })
    assert.equal(planned.statusCode, 201, planned.body)
    const { manifest } = planned.json()
    assert.equal(planned.headers.location, `/api/v1/manifests/${manifest.id}`)
    const at = `/api/v1/manifests/${manifest.id}`
    await caller.call('POST', `${at}/dispatch`)
    await caller.call('POST', `${at}/positions`, { latitude: 39, longitude: -122.2, place: 'Williams, CA' })
    const [shown, ...others] = await listed(caller, board)
    assert.deepEqual(others, [])
    const { track } = (await caller.get(`${at}/track`)).json()
    for (const name of [
      'next_stop_id',
      'eta',
      'distance_left_km',
      'delay_minutes',
      'eta_source',
      'last_position',
      'stops',
      'full_id',
      'status',
    ])
      assert.deepEqual(shown?.[name], track[name], name)
    assert.deepEqual(shown?.partner_carrier, { id: carrier.id, full_id: carrier.full_id, name: 'Cascade Carriers' })
    assert.deepEqual(shown?.equipment, { id: unit.id, full_id: unit.full_id, name: 'T-104', equipment_type: 'reefer' })
    assert.deepEqual(shown?.orders, [
      { id: one.id, full_id: one.full_id, reference_number: 'PO-1', status: 'planned', customer_name: 'Acme Foods' },
    ])
    assert.deepEqual(
      [shown?.driver_name, shown?.driver_key, shown?.reference_number],
      ['Sam Ortiz', `${carrier.id} sam ortiz`, 'TRIP-1'],
    )
    assert.deepEqual([shown?.starts_at, shown?.ends_at], ['2026-11-16T08:00:00.000Z', '2026-11-18T17:00:00.000Z'])
    assert.deepEqual(shown?.moves, ['planned', 'in_transit', 'cancelled'])
    assert.equal(shown?.revision, (await caller.get(at)).json().manifest.revision)
  })

  test('are found by state, carrier, equipment, driver, time and words; those that are over only where asked for; what has no times is kept', async () => {
    const caller = await newCaller(service)
    const [carrier, unit] = [
      await made(caller, 'partner_carriers', { name: 'Cascade' }),
      await made(caller, 'equipment', { unit_number: 'T-1' }),
    ]
    const early = await made(caller, 'manifests', {
      start_at: '2026-11-01T00:00:00Z',
      end_at: '2026-11-03T00:00:00Z',
      partner_carrier_id: carrier.id,
    })
    const late = await made(caller, 'manifests', {
      start_at: '2026-11-10T00:00:00Z',
      end_at: '2026-11-12T00:00:00Z',
      driver_name: 'Sam Ortiz',
    })
    const byStops = await made(caller, 'manifests', {
      equipment_id: unit.id,
      stops: [{ kind: 'pickup', window_start: '2026-11-20T00:00:00Z', window_end: '2026-11-20T08:00:00Z' }],
    })
    const timeless = await made(caller, 'manifests', { reference_number: 'Someday' })
    const over = await made(caller, 'manifests', { status: 'completed' })
    const found = async (query: string) => idsOf(await listed(caller, `${board}?${query}`))
    assert.deepEqual(await found(''), idsOf([early, late, byStops, timeless]))
    assert.deepEqual(await found('status=completed'), [over.id])
    assert.deepEqual(await found(`ids=${over.id},${late.id}`), idsOf([late, over]))
    assert.deepEqual(await found(`partner_carrier_ids=${carrier.id}`), [early.id])
    assert.deepEqual(await found(`equipment_ids=${unit.id}`), [byStops.id])
    assert.deepEqual(await found('driver=ortiz'), [late.id])
    assert.deepEqual(await found('q=someday'), [timeless.id])
    assert.deepEqual(await found('from=2026-11-04'), idsOf([late, byStops, timeless]))
    assert.deepEqual(await found('from=2026-11-04&to=2026-11-12'), idsOf([late, timeless]))
    assert.deepEqual(await found('to=2026-11-01'), idsOf([early, timeless]))
    const wrong = await caller.get(`${board}?status=nowhere`)
    assert.deepEqual([wrong.statusCode, wrong.json().details[0].field], [400, 'status_ids.0'], wrong.body)
    assert.deepEqual((await caller.get(`${board}?from=soon`)).json().details[0].field, 'from')
    const page = (await caller.get(`${board}?limit=1&offset=1`)).json()
    assert.deepEqual([idsOf(page.manifests), page.total, page.limit, page.offset], [[late.id], 4, 1, 1])
  })

  test('and the orders are of one organization alone', async () => {
    const [own, other] = [await newCaller(service), await newCaller(service)]
    const { order } = await shipper(own)
    const one = await order()
    const manifest = await made(own, 'manifests', { order_ids: [(await order()).id] })
    for (const path of [board, waiting]) assert.deepEqual(await listed(other, path), [])
    for (const [method, path, body] of [
      ['POST', `${board}/${manifest.id}/orders`, { order_ids: [one.id] }],
      ['POST', `${board}/${manifest.id}/move`, { to: 'planned' }],
      ['PUT', `${board}/${manifest.id}/sequence`, { stop_ids: [newId()] }],
    ] as const)
      assert.equal((await other.call(method, path, body)).statusCode, 404, path)
    const refused = await other.call('POST', board, { order_ids: [one.id] })
    assert.deepEqual([refused.statusCode, refused.json().details[0].field], [400, 'order_ids.0'])
    assert.deepEqual(await listed(other, board), [], 'nothing is left of a plan that was refused')
  })
})

describe('orders to plan', { concurrency: true }, () => {
  test('are those that are open and on no manifest, picked up first first, with their customer', async () => {
    const caller = await newCaller(service)
    const { customer, order } = await shipper(caller)
    const [late, early] = [
      await order({ pickup_at: '2026-11-20T08:00:00Z', equipment_type: 'reefer' }),
      await order({ reference_number: 'PO-9' }),
    ]
    const bySteps = await order({
      pickup_at: null,
      stops: [{ kind: 'pickup', window_start: '2026-11-18T08:00:00Z' }, { kind: 'delivery' }],
    })
    const timeless = await order({ pickup_at: null })
    await order({ status: 'delivered' })
    const carried = await order()
    const manifest = await made(caller, 'manifests', { order_ids: [carried.id] })
    const all = await listed(caller, waiting)
    assert.deepEqual(idsOf(all), idsOf([early, bySteps, late, timeless]))
    assert.deepEqual(all[0]?.customer, { id: customer.id, full_id: customer.full_id, name: 'Acme Foods' })
    assert.deepEqual(
      [all[0]?.pickup.city, all[0]?.delivery.city, all[0]?.pickup_at],
      ['Oakland', 'Seattle', '2026-11-16T08:00:00.000Z'],
    )
    const found = async (query: string) => idsOf(await listed(caller, `${waiting}?${query}`))
    assert.deepEqual(await found('equipment_type=reefer'), [late.id])
    assert.deepEqual(await found(`customer_ids=${newId()}`), [])
    assert.deepEqual(await found('q=po-9'), [early.id])
    assert.deepEqual(await found('from=2026-11-19'), idsOf([bySteps, late, timeless]))
    assert.equal((await caller.get(`${waiting}?equipment_type=balloon`)).statusCode, 400)
    await caller.call('POST', `${board}/${manifest.id}/move`, { to: 'cancelled' })
    assert.ok((await found('')).includes(carried.id), 'a cancelled manifest carries nothing')
  })

  test('give the manifest its start and its end, which follow the stops until somebody enters others', async () => {
    const caller = await newCaller(service)
    const { order } = await shipper(caller)
    const one = await order()
    const { manifest } = (await caller.call('POST', board, { order_ids: [one.id] })).json()
    const at = `/api/v1/manifests/${manifest.id}`
    const frame = async () => {
      const { start, start_at, end, end_at } = (await caller.get(at)).json().manifest
      return [start?.city, start_at, end?.city, end_at]
    }
    assert.deepEqual(await frame(), ['Oakland', '2026-11-16T08:00:00.000Z', 'Seattle', '2026-11-18T17:00:00.000Z'])
    const further = await order({ delivery: { city: 'Bellingham', state: 'WA' }, deliver_by: '2026-11-19T17:00:00Z' })
    assert.equal(
      (await caller.call('POST', `${board}/${manifest.id}/orders`, { order_ids: [further.id] })).statusCode,
      200,
    )
    assert.deepEqual(await frame(), ['Oakland', '2026-11-16T08:00:00.000Z', 'Bellingham', '2026-11-19T17:00:00.000Z'])
    assert.equal((await caller.call('PUT', at, { start: { city: 'Yard' } })).statusCode, 200)
    assert.equal((await caller.call('DELETE', `${at}/orders/${further.id}`)).statusCode, 200)
    assert.deepEqual(await frame(), ['Yard', '2026-11-16T08:00:00.000Z', 'Seattle', '2026-11-18T17:00:00.000Z'])
    assert.equal((await caller.call('DELETE', `${at}/orders/${one.id}`)).statusCode, 200)
    assert.deepEqual(await frame(), ['Yard', null, undefined, null])
  })

  test('are planned with what cannot work said in the answer, on the board and of the manifest, until it is mended; nothing is refused', async () => {
    const caller = await newCaller(service)
    const { order } = await shipper(caller)
    const unit = await made(caller, 'equipment', { unit_number: 'T-104', equipment_type: 'dry_van', capacity: 10_000 })
    const one = await order({
      equipment_type: 'reefer',
      weight: 12_000,
      weight_unit: 'kg',
      deliver_by: '2026-11-16T10:00:00Z',
    })
    const planned = await caller.call('POST', board, { order_ids: [one.id], equipment_id: unit.id })
    assert.equal(planned.statusCode, 201, planned.body)
    const { manifest, planning_findings: findings } = planned.json()
    assert.deepEqual(
      findings.map(({ code, stop_id }: Json) => [code, stop_id]),
      [
        ['not_enough_time', manifest.stops[1].id],
        ['equipment_mismatch', manifest.stops[0].id],
        ['over_capacity', manifest.stops[0].id],
      ],
    )
    assert.deepEqual((await listed(caller, board))[0]?.planning_findings, findings)
    const at = `/api/v1/manifests/${manifest.id}`
    assert.deepEqual((await caller.get(`${at}/planning_findings`)).json(), { planning_findings: findings })
    assert.equal((await caller.get(`/api/v1/manifests/${newId()}/planning_findings`)).statusCode, 404)
    assert.equal((await (await newCaller(service)).get(`${at}/planning_findings`)).statusCode, 404)
    const [pickup, delivery] = manifest.stops
    await caller.call('PUT', at, {
      equipment_id: null,
      stops: [pickup, { ...delivery, window_end: '2026-11-18T17:00:00Z' }],
    })
    assert.deepEqual((await listed(caller, board))[0]?.planning_findings, [])
  })

  test('are put on one manifest only: the second plan is 409 and names the first, also at the same moment, and leaves nothing', async () => {
    const caller = await newCaller(service)
    const { order } = await shipper(caller)
    const [one, two, gone] = [await order(), await order(), await order({ status: 'delivered' })]
    const plans = await Promise.all([1, 2, 3].map(() => caller.call('POST', board, { order_ids: [one.id] })))
    assert.deepEqual(plans.map(({ statusCode }) => statusCode).sort(), [201, 409, 409])
    const first = plans.find(({ statusCode }) => statusCode === 201)?.json().manifest
    assert.equal((await listed(caller, board)).length, 1)
    const again = await caller.call('POST', board, { order_ids: [two.id, one.id] })
    const [detail] = again.json().details
    assert.deepEqual(
      [again.statusCode, again.json().error_code, detail.field, detail.allowed],
      [409, 'order_planned', 'order_ids.1', [first.id]],
    )
    assert.match(again.json().error_message, new RegExp(`${one.full_id} is on ${first.full_id}`))
    const other = await made(caller, 'manifests', {})
    assert.equal(
      (await caller.call('POST', `${board}/${other.id}/orders`, { order_ids: [one.id] })).json().error_code,
      'order_planned',
    )
    assert.equal(
      (await caller.call('POST', `${board}/${other.id}/orders`, { order_ids: [gone.id] })).json().error_code,
      'order_closed',
    )
    const stale = await caller.call(
      'POST',
      `${board}/${other.id}/orders`,
      { order_ids: [two.id] },
      { 'if-match': '"7"' },
    )
    assert.equal(stale.statusCode, 412)
    const put = await caller.call('POST', `${board}/${other.id}/orders`, { order_ids: [two.id] })
    assert.deepEqual(
      [put.statusCode, put.json().manifest.order_ids, put.json().moved[0].to],
      [200, [two.id], 'planned'],
    )
    assert.equal(
      (await caller.call('POST', `${board}/${other.id}/orders`, { order_ids: [two.id] })).statusCode,
      200,
      'said again, nothing changes',
    )
    assert.equal((await caller.call('POST', board, { order_ids: [] })).statusCode, 400)
  })

  test('where the organization refuses double bookings, a plan that takes a driver or equipment twice is 409 and names the other manifest', async () => {
    const caller = await newCaller(service)
    const admin = callerIn(service, caller.org, scopeNames, () => newId(), 'admin')
    assert.equal((await admin.call('PUT', '/api/v1/organization', { double_booking: 'refuse' })).statusCode, 200)
    const { order } = await shipper(caller)
    const unit = await made(caller, 'equipment', { unit_number: 'T-1' })
    const [one, two, later] = [
      await order(),
      await order(),
      await order({ pickup_at: '2026-12-01T08:00:00Z', deliver_by: '2026-12-03T08:00:00Z' }),
    ]
    const first = (await caller.call('POST', board, { order_ids: [one.id], equipment_id: unit.id })).json().manifest
    const second = await caller.call('POST', board, { order_ids: [two.id], equipment_id: unit.id })
    assert.deepEqual(
      [second.statusCode, second.json().error_code, second.json().details[0].allowed],
      [409, 'double_booked', [first.id]],
    )
    assert.match(second.json().error_message, new RegExp(first.full_id))
    assert.deepEqual(idsOf(await listed(caller, waiting)), idsOf([two, later]))
    const apart = await caller.call('POST', board, { order_ids: [later.id], equipment_id: unit.id })
    assert.equal(apart.statusCode, 201, apart.body)
    const added = await caller.call('POST', `${board}/${apart.json().manifest.id}/orders`, { order_ids: [two.id] })
    assert.equal(added.json().error_code, 'double_booked', 'an order that makes the trip longer')
  })
})

describe('a manifest is moved', { concurrency: true }, () => {
  async function planned(caller: Caller) {
    const { order } = await shipper(caller)
    const one = await order()
    const { manifest } = (await caller.call('POST', board, { order_ids: [one.id] })).json()
    const move = (to: string, more: Json = {}) => caller.call('POST', `${board}/${manifest.id}/move`, { to, ...more })
    const state = async () => (await caller.get(`/api/v1/manifests/${manifest.id}`)).json().manifest
    const orderState = async () => (await caller.get(`/api/v1/orders/${one.id}`)).json().order.status
    return { manifest, one, move, state, orderState }
  }

  test('through its states, with what follows for its stops and orders; what it can be moved to is what the board says', async () => {
    const caller = await newCaller(service)
    const { manifest, move, state, orderState } = await planned(caller)
    const allowed = async () =>
      (await listed(caller, `${board}?status=active,planned,dispatched,in_transit,completed,cancelled`))[0]?.moves
    assert.deepEqual(await allowed(), ['active', 'dispatched', 'cancelled'])
    const back = await move('active')
    assert.deepEqual(
      [back.statusCode, back.json().moved],
      [200, [{ type: 'manifest', id: manifest.id, full_id: manifest.full_id, from: 'planned', to: 'active' }]],
    )
    assert.equal((await move('dispatched')).json().manifest.status, 'dispatched')
    assert.deepEqual(await allowed(), ['planned', 'in_transit', 'cancelled'])
    const under = await move('in_transit', { at: '2026-11-16T09:00:00Z' })
    assert.deepEqual(
      [under.json().manifest.status, under.json().manifest.stops[0].departed_at, await orderState()],
      ['in_transit', '2026-11-16T09:00:00.000Z', 'in_transit'],
    )
    assert.deepEqual(await allowed(), ['completed'])
    const { revision } = await state()
    assert.deepEqual(
      [(await move('in_transit')).statusCode, (await state()).revision],
      [200, revision],
      'where it is, nothing changes',
    )
    const refused = await move('planned')
    assert.deepEqual(
      [refused.statusCode, refused.json().error_code, refused.json().details[0].allowed],
      [409, 'move_not_allowed', ['completed']],
    )
    assert.equal((await move('completed')).json().manifest.status, 'completed')
    assert.deepEqual([await orderState(), await allowed()], ['delivered', []])
    assert.equal((await move('nowhere')).statusCode, 400)
  })

  test('not back, and not away, once a stop was reported; a cancelled one can be taken up again', async () => {
    const caller = await newCaller(service)
    const { manifest, move, state } = await planned(caller)
    assert.equal((await move('cancelled')).json().manifest.status, 'cancelled')
    assert.equal((await move('planned')).statusCode, 409)
    assert.equal((await move('active')).json().manifest.status, 'active')
    await move('dispatched')
    await caller.call('POST', `/api/v1/manifests/${manifest.id}/stops/${(await state()).stops[0].id}/arrive`)
    for (const to of ['planned', 'cancelled']) assert.match((await move(to)).json().error_message, /reported/)
    const empty = await made(caller, 'manifests', { status: 'dispatched' })
    const refused = await caller.call('POST', `${board}/${empty.id}/move`, { to: 'in_transit' })
    assert.match(refused.json().error_message, /has no stops/)
    const { revision } = await state()
    const stale = await caller.call(
      'POST',
      `${board}/${manifest.id}/move`,
      { to: 'in_transit' },
      { 'if-match': `"${revision - 1}"` },
    )
    assert.deepEqual([stale.statusCode, (await state()).status], [412, 'dispatched'])
    assert.ok(
      (await caller.events()).some(({ type, subject_id }) => type === 'manifest.updated' && subject_id === manifest.id),
    )
  })

  test('by the table that the guide shows', () => {
    const guide = readFileSync(new URL('../../../../docs/dispatch.md', import.meta.url), 'utf8')
    for (const { from, to, does } of manualMoves)
      assert.ok(guide.includes(`| ${from.join(', ')} | ${to} | ${does} |`), `${from} to ${to}`)
    assert.equal(
      [...guide.matchAll(/^\| [a-z_, ]+ \| [a-z_]+ \| .+ \|$/gm)].length,
      manualMoves.length + 1,
      'with its heading',
    )
  })
})

describe('the stops of a manifest', { concurrency: true }, () => {
  test('are put in order: all of them, once, each order picked up before it is delivered, reported ones where they are', async () => {
    const caller = await newCaller(service)
    const { order } = await shipper(caller)
    const [one, two] = [await order(), await order()]
    const { manifest } = (await caller.call('POST', board, { order_ids: [one.id, two.id] })).json()
    const [first, second, third, fourth] = idsOf(manifest.stops) as [string, string, string, string]
    const put = (stop_ids: string[]) => caller.call('PUT', `${board}/${manifest.id}/sequence`, { stop_ids })
    const sorted = await put([second, fourth, first, third])
    assert.deepEqual(idsOf(sorted.json().manifest.stops), [second, fourth, first, third], sorted.body)
    assert.deepEqual(
      sorted.json().manifest.stops.map(({ sequence }: Json) => sequence),
      [1, 2, 3, 4],
    )
    for (const [ids, code] of [
      [[second, fourth, first], 'not_the_stops'],
      [[second, second, first, third], 'not_the_stops'],
      [[second, fourth, first, newId()], 'not_the_stops'],
      [[third, first, second, fourth], 'wrong_order'],
    ] as const) {
      const refused = await put([...ids])
      assert.deepEqual([refused.statusCode, refused.json().error_code], [400, code], refused.body)
    }
    await caller.call('POST', `/api/v1/manifests/${manifest.id}/stops/${second}/arrive`)
    const refused = await put([first, third, second, fourth])
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'stop_reported'])
    assert.equal((await put([second, first, third, fourth])).statusCode, 200)
  })
})
