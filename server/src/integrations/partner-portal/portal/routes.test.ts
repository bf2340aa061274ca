import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freightOrder, houseOf, newCarrier, partnerPortal, portal } from '../../../../test/partners.ts'
import { applicationIn, type Caller, callerIn, newCaller, sharedService } from '../../../../test/service.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

const service = await sharedService()

async function newHouse() {
  const { org, events } = await newCaller(service)
  return {
    ...houseOf(service, org),
    org,
    events,
    carrier: await newCarrier(service, org),
    other: await newCarrier(service, org, 'Other Lines'),
  }
}

/** As if it had been made two days ago and were good for one. */
async function outdate(org: string, table: 'tenders' | 'portal_links', id: string): Promise<void> {
  const update = {
    tenders: sql`update tenders set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where org_id = ${org} and id = ${id}`,
    portal_links: sql`update portal_links set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where org_id = ${org} and id = ${id}`,
  }
  await service.pool.transaction((run) => run(update[table]), `begin; set local app.org_id = '${org}'`)
}

const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [statusCode, JSON.parse(body).error_code]

describe('a tender', { concurrency: true }, () => {
  test('is accepted by the carrier: the manifest is the carrier’s, the other tenders end, and there is an event of each', async () => {
    const { manifest, tender, carrier, other, get, events } = await newHouse()
    const id = await manifest({ reference_number: 'TRIP-1' })
    const [mine, theirs] = [await tender(id, carrier.id), await tender(id, other.id)]
    assert.deepEqual(
      (await carrier.get(`${portal}/tenders`)).json().tenders.map((one: { id: string }) => one.id),
      [mine],
    )
    const numbers = async () => [
      (await carrier.get(`${portal}/manifests/${id}`)).json().manifest.reference_number,
      (await carrier.get(`${portal}/tenders/${mine}`)).json().tender.manifest.reference_number,
    ]
    assert.equal((await carrier.get(`${portal}/manifests/${id}`)).json().manifest.relation, 'tendered')
    assert.deepEqual(await numbers(), [null, null], 'whoever knows the number could name it at the gate')
    const accepted = await carrier.call('POST', `${portal}/tenders/${mine}/accept`, { answer: 'With pleasure' })
    assert.equal(accepted.statusCode, 200, accepted.body)
    assert.deepEqual([accepted.json().tender.state, accepted.json().tender.agreed_rate], ['accepted', 185000])
    assert.deepEqual(await numbers(), ['TRIP-1', 'TRIP-1'])
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.partner_carrier_id, carrier.id)
    assert.equal((await get(`${partnerPortal}/tenders/${theirs}`)).json().tender.state, 'cancelled')
    assert.deepEqual(codeOf(await other.call('POST', `${portal}/tenders/${theirs}/accept`)), [409, 'tender_closed'])
    assert.equal((await other.get(`${portal}/manifests/${id}`)).statusCode, 404)
    const types = (await events()).map(({ type }) => type)
    for (const type of ['tender.created', 'tender.accepted', 'tender.cancelled', 'manifest.updated'])
      assert.ok(types.includes(type), type)
  })

  test('shows the freight to both sides though the manifest has neither start nor end: lane, times at the docks, distance, equipment and weight', async () => {
    const { make, tender, carrier, get } = await newHouse()
    const manifest = await make('/api/v1/manifests', { currency_id: 'usd', order_ids: [await freightOrder(make)] })
    const id = await tender(manifest, carrier.id)
    const whole = (await get(`${partnerPortal}/tenders/${id}`)).json().tender.manifest
    const freight = {
      pickup_window: { from: '2026-11-16T16:00:00Z', until: '2026-11-16T20:00:00Z', time_zone: 'America/Los_Angeles' },
      delivery_window: { from: null, until: '2026-11-20T15:00:00Z', time_zone: 'America/New_York' },
      ...{
        distance_source: 'estimated',
        equipment_types: ['reefer'],
        weight: 18400,
        weight_unit: 'kg',
        weight_complete: true,
      },
      ...{ start_at: '2026-11-16T16:00:00Z', end_at: '2026-11-20T15:00:00Z' },
    }
    assert.deepEqual({ ...whole, ...freight }, whole)
    assert.deepEqual([whole.start.city, whole.start.address_1, whole.end.city], ['Fresno', '9 Fig Street', 'Toledo'])
    assert.ok(whole.distance > 3000 && whole.distance < 5000, whole.distance)
    assert.deepEqual((await get(`${partnerPortal}/tenders`)).json().tenders[0].manifest, whole)
    const { tenders } = (await carrier.get(`${portal}/tenders`)).json()
    const seen = (await carrier.get(`${portal}/tenders/${id}`)).json().tender.manifest
    assert.deepEqual(tenders[0].manifest, seen)
    assert.deepEqual({ ...seen, ...freight }, seen)
    assert.deepEqual(
      [seen.start.city, seen.start.address_1, seen.start.company_name, seen.load],
      ['Fresno', null, null, undefined],
    )
    const load = (await carrier.get(`${portal}/manifests/${manifest}`)).json().manifest
    assert.deepEqual({ ...load, ...freight }, load)
  })

  test('says that its weight is not the whole one where an order has none, and adds pounds to kilograms', async () => {
    const { make, tender, carrier, get } = await newHouse()
    const customer_id = await make('/api/v1/customers', { name: 'Acme Foods' })
    const orders = await Promise.all(
      [{ weight: 1000, weight_unit: 'kg' }, { weight: 1000, weight_unit: 'lb' }, {}].map((order) =>
        make('/api/v1/orders', { customer_id, ...order }),
      ),
    )
    const id = await tender(await make('/api/v1/manifests', { currency_id: 'usd', order_ids: orders }), carrier.id)
    const { weight, weight_unit, weight_complete } = (await get(`${partnerPortal}/tenders/${id}`)).json().tender
      .manifest
    assert.deepEqual([weight, weight_unit, weight_complete], [1453.6, 'kg', false])
  })

  test('that two accept at once is had by one of them, and the manifest by the same', async () => {
    const { org, manifest, tender, carrier, other, get } = await newHouse()
    const carriers = [
      carrier,
      other,
      await newCarrier(service, org, 'Third Lines'),
      await newCarrier(service, org, 'Fourth Lines'),
    ]
    const id = await manifest()
    const tenders = await Promise.all(carriers.map((one) => tender(id, one.id)))
    const answers = await Promise.all(
      carriers.map((one, index) => one.call('POST', `${portal}/tenders/${tenders[index]}/accept`)),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409])
    const winner = carriers[answers.findIndex(({ statusCode }) => statusCode === 200)]
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.partner_carrier_id, winner?.id)
    assert.equal((await get(`${partnerPortal}/tenders?manifest_ids=${id}&states=accepted`)).json().total, 1)
  })

  test('can be accepted after the carrier of an earlier one was taken off the manifest by hand, which ends the earlier one', async () => {
    const { manifest, tender, carrier, other, call, get } = await newHouse()
    const id = await manifest()
    const first = await tender(id, carrier.id)
    assert.equal((await carrier.call('POST', `${portal}/tenders/${first}/accept`)).statusCode, 200)
    assert.equal((await call('PUT', `/api/v1/manifests/${id}`, { partner_carrier_id: null })).statusCode, 200)
    const second = await tender(id, other.id)
    assert.equal((await other.call('POST', `${portal}/tenders/${second}/accept`)).statusCode, 200)
    assert.equal((await get(`${partnerPortal}/tenders/${first}`)).json().tender.state, 'cancelled')
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.partner_carrier_id, other.id)
  })

  test('that one carrier accepts twice at once is accepted once', async () => {
    const { manifest, tender, carrier, events } = await newHouse()
    const id = await tender(await manifest(), carrier.id)
    const answers = await Promise.all([1, 2, 3].map(() => carrier.call('POST', `${portal}/tenders/${id}/accept`)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409])
    assert.equal((await events()).filter(({ type }) => type === 'tender.accepted').length, 1)
  })

  test('is countered, and the counter accepted: the rate that the carrier asked for is agreed', async () => {
    const { manifest, tender, carrier, call, get } = await newHouse()
    const id = await tender(await manifest(), carrier.id)
    const countered = await carrier.call('POST', `${portal}/tenders/${id}/counter`, { rate: 210000, answer: 'Fuel' })
    assert.deepEqual([countered.json().tender.state, countered.json().tender.counter_rate], ['countered', 210000])
    const accepted = await call('POST', `${partnerPortal}/tenders/${id}/accept_counter`, {
      reason: 'Nobody is cheaper',
    })
    assert.deepEqual([accepted.json().tender.state, accepted.json().tender.agreed_rate], ['accepted', 210000])
    const cancelled = await call('POST', `${partnerPortal}/tenders/${id}/cancel`, {
      reason: 'The load moved to Friday',
    })
    assert.deepEqual([cancelled.json().tender.state, cancelled.json().tender.agreed_rate], ['cancelled', null])
    const { events } = (await get(`${partnerPortal}/tenders/${id}/history`)).json()
    assert.deepEqual(
      events.slice(0, 3).map(({ type, data }: { type: string; data: { reason?: string } }) => [type, data.reason]),
      [
        ['tender.cancelled', 'The load moved to Friday'],
        ['tender.accepted', 'Nobody is cheaper'],
        ['tender.countered', undefined],
      ],
    )
  })

  test('that is accepted gives a manifest without payment items the agreed rate, which goes with the tender; what somebody has written stays', async () => {
    const { manifest, tender, carrier, other, call, get } = await newHouse()
    const itemsOf = async (id: string) =>
      (await get(`/api/v1/manifests/${id}`))
        .json()
        .manifest.payment_items?.map((item: Record<string, unknown>) => [item.type, item.unit_price, item.quantity])
    const id = await manifest()
    const accepted = await tender(id, carrier.id)
    await carrier.call('POST', `${portal}/tenders/${accepted}/accept`)
    assert.deepEqual(await itemsOf(id), [['Line haul', 185000, 1]])
    await call('POST', `${partnerPortal}/tenders/${accepted}/cancel`)
    assert.equal((await itemsOf(id))?.length ?? 0, 0)
    const countered = await tender(id, other.id)
    await other.call('POST', `${portal}/tenders/${countered}/counter`, { rate: 210000 })
    await call('POST', `${partnerPortal}/tenders/${countered}/accept_counter`)
    assert.deepEqual(await itemsOf(id), [['Line haul', 210000, 1]])
    await call('PUT', `/api/v1/manifests/${id}`, { partner_carrier_id: null })
    const third = await tender(id, carrier.id, { rate: 190000 })
    await carrier.call('POST', `${portal}/tenders/${third}/accept`)
    assert.deepEqual(await itemsOf(id), [['Line haul', 190000, 1]], 'the rate of another carrier is not kept')
    assert.equal((await call('POST', '/api/v1/bill_item_types', { name: 'Fuel' })).statusCode, 201)
    const own = await manifest({ payment_items: [{ type: 'Fuel', unit_price: 777, quantity: 2 }] })
    const kept = await tender(own, carrier.id)
    await carrier.call('POST', `${portal}/tenders/${kept}/accept`)
    await call('POST', `${partnerPortal}/tenders/${kept}/cancel`)
    assert.deepEqual(await itemsOf(own), [['Fuel', 777, 2]])
  })

  test('in another currency than the manifest writes no payment item; of a manifest without one it gives the currency too', async () => {
    const { manifest, tender, carrier, get } = await newHouse()
    for (const [currency, items, after] of [
      ['cad', 0, 'cad'],
      [null, 1, 'usd'],
    ] as const) {
      const id = await manifest({ currency_id: currency })
      const offered = await tender(id, carrier.id, { currency_id: 'usd' })
      assert.equal((await carrier.call('POST', `${portal}/tenders/${offered}/accept`)).statusCode, 200)
      const kept = (await get(`/api/v1/manifests/${id}`)).json().manifest
      assert.deepEqual([kept.payment_items?.length ?? 0, kept.currency_id], [items, after])
    }
  })

  test('without a rate asks for one: it is countered, not accepted', async () => {
    const { manifest, tender, carrier } = await newHouse()
    const id = await tender(await manifest({ currency_id: null }), carrier.id, { rate: null })
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/tenders/${id}/accept`)), [409, 'rate_required'])
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/tenders/${id}/counter`, { rate: 5 })), [
      400,
      'currency_required',
    ])
    assert.deepEqual(
      codeOf(await carrier.call('POST', `${portal}/tenders/${id}/counter`, { rate: -5, currency_id: 'usd' })),
      [400, 'too_small'],
    )
    assert.equal(
      (await carrier.call('POST', `${portal}/tenders/${id}/counter`, { rate: 5, currency_id: 'usd' })).statusCode,
      200,
    )
  })

  test('is declined once, and then nothing else', async () => {
    const { manifest, tender, carrier, get } = await newHouse()
    const id = await manifest()
    const offered = await tender(id, carrier.id)
    assert.equal((await carrier.call('POST', `${portal}/tenders/${offered}/decline`)).json().tender.state, 'declined')
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/tenders/${offered}/accept`)), [409, 'tender_closed'])
    assert.equal((await carrier.get(`${portal}/manifests/${id}`)).statusCode, 404)
    assert.equal((await carrier.get(`${portal}/tenders/${offered}`)).json().tender.manifest, null)
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.partner_carrier_id, null)
  })

  test('that has expired is expired at once, without anything having run: it cannot be accepted, shows nothing, and makes room for another', async () => {
    const { org, manifest, tender, carrier, get } = await newHouse()
    const id = await manifest()
    const first = await tender(id, carrier.id)
    await outdate(org, 'tenders', first)
    assert.equal((await get(`${partnerPortal}/tenders/${first}`)).json().tender.state, 'expired')
    assert.equal((await carrier.get(`${portal}/tenders?states=expired`)).json().total, 1)
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/tenders/${first}/accept`)), [409, 'tender_expired'])
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/tenders/${first}/counter`, { rate: 1 })), [
      409,
      'tender_expired',
    ])
    assert.equal((await carrier.get(`${portal}/manifests/${id}`)).statusCode, 404)
    const second = await tender(id, carrier.id)
    assert.equal((await carrier.call('POST', `${portal}/tenders/${second}/accept`)).statusCode, 200)
  })

  test('is made once at a time for a carrier, of a manifest without one', async () => {
    const { manifest, tender, carrier, other, call } = await newHouse()
    const id = await manifest()
    await tender(id, carrier.id)
    const make = (body: object) =>
      call('POST', `${partnerPortal}/tenders`, { manifest_id: id, partner_carrier_id: carrier.id, ...body })
    assert.deepEqual(codeOf(await make({})), [409, 'tender_open'])
    assert.deepEqual(codeOf(await make({ manifest_id: await manifest({ partner_carrier_id: other.id }) })), [
      409,
      'manifest_taken',
    ])
    assert.deepEqual(codeOf(await make({ manifest_id: await manifest({ status: 'completed' }) })), [
      409,
      'manifest_closed',
    ])
    assert.deepEqual(codeOf(await make({ manifest_id: newId() })), [400, 'unknown_manifest'])
    assert.deepEqual(codeOf(await make({ partner_carrier_id: newId() })), [400, 'unknown_partner_carrier'])
    assert.deepEqual(codeOf(await make({ partner_carrier_id: other.id, currency_id: 'xyz' })), [
      400,
      'unknown_currency',
    ])
    assert.equal((await make({ partner_carrier_id: other.id, expires_in: 10 })).statusCode, 400)
  })
})

describe('a manifest', { concurrency: true }, () => {
  test('shows a carrier its stops whole once it has it, and before that no more than the towns; never notes, orders or prices', async () => {
    const { manifest, tender, carrier, call } = await newHouse()
    assert.equal((await call('POST', '/api/v1/bill_item_types', { name: 'Line haul' })).statusCode, 201)
    const content = {
      notes: 'Margin 30%',
      payment_items: [{ type: 'Line haul', unit_price: 777 }],
      driver_name: 'Another driver',
    }
    const id = await manifest(content)
    const offered = await tender(id, carrier.id)
    const before = (await carrier.get(`${portal}/manifests/${id}`)).json().manifest
    assert.deepEqual(
      [before.stops[0].address.city, before.stops[0].address.address_1, before.driver_name],
      ['Oakland', null, null],
    )
    await carrier.call('POST', `${portal}/tenders/${offered}/accept`)
    const after = await carrier.get(`${portal}/manifests/${id}`)
    assert.deepEqual(
      [after.json().manifest.relation, after.json().manifest.stops[0].address.address_1],
      ['assigned', '1 Dock Road'],
    )
    assert.doesNotMatch(after.body, /Margin|Line haul|price|payment_items|order/)
  })

  test('is arrived at and departed from by its carrier, and by nobody to whom it is only offered', async () => {
    const { manifest, tender, carrier, other, get } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id, status: 'dispatched' })
    const { stops } = (await carrier.get(`${portal}/manifests/${id}`)).json().manifest
    const arrived = await carrier.call('POST', `${portal}/manifests/${id}/stops/${stops[0].id}/arrive`)
    assert.equal(arrived.statusCode, 200, arrived.body)
    assert.ok(arrived.json().manifest.stops[0].arrived_at)
    const departed = await carrier.call('POST', `${portal}/manifests/${id}/stops/${stops[0].id}/depart`, {})
    assert.equal(departed.json().manifest.status, 'in_transit')
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.status, 'in_transit')
    assert.equal((await other.call('POST', `${portal}/manifests/${id}/stops/${stops[1].id}/arrive`)).statusCode, 404)
    assert.equal((await carrier.call('POST', `${portal}/manifests/${id}/stops/${newId()}/arrive`)).statusCode, 404)
    const offered = await manifest()
    await tender(offered, carrier.id)
    const [stop] = (await carrier.get(`${portal}/manifests/${offered}`)).json().manifest.stops
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/manifests/${offered}/stops/${stop.id}/arrive`)), [
      409,
      'not_assigned',
    ])
  })

  test('is reported in the order of its stops: one is passed over only where the carrier says so, and a repeated report needs no word', async () => {
    const { manifest, carrier, get, call } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id, status: 'dispatched' })
    const [first, last] = (await carrier.get(`${portal}/manifests/${id}`)).json().manifest.stops
    const at = (stop: { id: string }, verb: string) => `${portal}/manifests/${id}/stops/${stop.id}/${verb}`
    for (const verb of ['arrive', 'depart']) {
      const refused = await carrier.call('POST', at(last, verb))
      assert.deepEqual(
        [...codeOf(refused), refused.json().details.map((one: { id: string }) => one.id)],
        [409, 'stops_open', [first.id]],
        verb,
      )
    }
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.status, 'dispatched')
    assert.equal((await carrier.call('POST', at(first, 'arrive'))).statusCode, 200)
    assert.deepEqual(
      codeOf(await carrier.call('POST', at(last, 'arrive'))),
      [409, 'stops_open'],
      'it is still at the first',
    )
    assert.equal((await carrier.call('POST', at(last, 'arrive'), { skip_stops: true })).statusCode, 200)
    assert.equal((await carrier.call('POST', at(last, 'arrive'))).statusCode, 200, 'said before')
    assert.deepEqual(
      codeOf(await carrier.call('POST', at(last, 'depart'))),
      [409, 'stops_open'],
      'it would deliver what was not picked up',
    )
    assert.equal(
      (await carrier.call('POST', at(last, 'depart'), { skip_stops: true })).json().manifest.status,
      'completed',
    )
    // The organization reports in any order, as ever, unless it asks for the order.
    const own = await manifest({ status: 'dispatched' })
    const stops = (await get(`/api/v1/manifests/${own}`)).json().manifest.stops
    const lastOf = `/api/v1/manifests/${own}/stops/${stops[1].id}`
    assert.deepEqual(codeOf(await call('POST', `${lastOf}/depart`, { skip_stops: false })), [409, 'stops_open'])
    assert.equal((await call('POST', `${lastOf}/depart`)).json().manifest.status, 'completed')
  })

  test('lets its carrier take back its own report for ten minutes, a signed link too, and nothing that others wrote', async () => {
    const { org, manifest, carrier, other, link, call, get } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id, status: 'dispatched' })
    const stopNow = async () => (await carrier.get(`${portal}/manifests/${id}`)).json().manifest.stops[0]
    const { id: stop } = await stopNow()
    const at = `${portal}/manifests/${id}/stops/${stop}`
    const own = `/api/v1/manifests/${id}/stops/${stop}`
    assert.deepEqual(codeOf(await carrier.call('POST', `${at}/undo`)), [409, 'not_reported'])
    await carrier.call('POST', `${at}/arrive`)
    await carrier.call('POST', `${at}/depart`)
    assert.ok(Math.abs(Date.parse((await stopNow()).undo_until) - Date.now() - 600_000) < 120_000)
    const { id: second } = (await carrier.get(`${portal}/manifests/${id}`)).json().manifest.stops[1]
    const atSecond = `${portal}/manifests/${id}/stops/${second}`
    await carrier.call('POST', `${atSecond}/depart`)
    assert.deepEqual(
      [(await stopNow()).undo_until, codeOf(await carrier.call('POST', `${at}/undo`))],
      [null, [409, 'later_stop_reported']],
    )
    assert.equal((await carrier.call('POST', `${atSecond}/undo`)).statusCode, 200)
    assert.equal((await other.call('POST', `${at}/undo`)).statusCode, 404)
    assert.deepEqual(codeOf(await carrier.call('POST', `${at}/undo`, { report: 'arrival' })), [409, 'not_reported'])
    const holder = await link({ manifest_id: id, expires_in: 3600 })
    const undone = await holder.call('POST', `${at}/undo`, { report: 'departure' })
    assert.equal(undone.statusCode, 200, undone.body)
    assert.deepEqual([undone.json().manifest.status, undone.json().manifest.stops[0].departed_at], ['dispatched', null])
    assert.equal((await get(`/api/v1/manifests/${id}`)).json().manifest.status, 'dispatched')
    assert.deepEqual(
      codeOf(await carrier.call('POST', `${at}/undo`, { report: 'departure' })),
      [409, 'not_reported'],
      'a second tap takes nothing more back',
    )
    // Ten minutes later.
    const later = sql`update portal_stop_reports set reported_at = reported_at - interval '11 minutes' where org_id = ${org}`
    await service.pool.transaction((run) => run(later), `begin; set local app.org_id = '${org}'`)
    assert.equal((await stopNow()).undo_until, null)
    assert.deepEqual(codeOf(await carrier.call('POST', `${at}/undo`)), [409, 'undo_over'])
    assert.equal((await call('POST', `${own}/undo`)).statusCode, 200, 'the organization can at any time')
    // What the organization reported, or has corrected, is not the carrier's, also where it repeats it.
    await call('POST', `${own}/arrive`)
    await carrier.call('POST', `${at}/arrive`)
    assert.deepEqual(
      [(await stopNow()).undo_until, codeOf(await carrier.call('POST', `${at}/undo`))],
      [null, [409, 'undo_over']],
    )
    await carrier.call('POST', `${at}/depart`)
    await call('POST', `${own}/depart`, { at: '2026-11-16T08:00:00Z' }).then(({ statusCode }) =>
      assert.equal(statusCode, 400),
    )
    await call('POST', `${own}/depart`, { at: new Date().toISOString() })
    assert.deepEqual(codeOf(await carrier.call('POST', `${at}/undo`)), [409, 'undo_over'])
  })

  test('lets its carrier take back nothing of others by giving it another time first, or by having reported the same before', async () => {
    const { manifest, carrier, call, get } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id, status: 'dispatched' })
    const stopOf = async () => (await get(`/api/v1/manifests/${id}`)).json().manifest.stops[0]
    const { id: stop } = await stopOf()
    const at = `${portal}/manifests/${id}/stops/${stop}`
    const own = `/api/v1/manifests/${id}/stops/${stop}`
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const [time, corrected, again] = [minutesAgo(30), minutesAgo(29), minutesAgo(28)]
    await call('POST', `${own}/depart`, { at: time })
    assert.equal(
      (await carrier.call('POST', `${at}/depart`, { at: corrected })).json().manifest.stops[0].undo_until,
      null,
    )
    assert.deepEqual(codeOf(await carrier.call('POST', `${at}/undo`)), [409, 'undo_over'])
    assert.equal((await stopOf()).departed_at, corrected)
    await call('POST', `${own}/undo`)
    // Its own, with another time, it still takes back.
    await carrier.call('POST', `${at}/depart`, { at: time })
    assert.notEqual(
      (await carrier.call('POST', `${at}/depart`, { at: again })).json().manifest.stops[0].undo_until,
      null,
    )
    assert.equal((await carrier.call('POST', `${at}/undo`)).statusCode, 200)
    // What it took back and the organization then reported is the organization's.
    await call('POST', `${own}/depart`, { at: again })
    assert.deepEqual(codeOf(await carrier.call('POST', `${at}/undo`)), [409, 'undo_over'])
    assert.equal((await stopOf()).departed_at, again)
  })

  test('takes documents of its carrier, who sees its own and no other', async () => {
    const { manifest, carrier, other, call, get } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id })
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
    await call('POST', `/api/v1/documents?attached_to=manifest:${id}`, '%PDF-1.4\ninternal\n%%EOF\n', headers)
    const sent = await carrier.call('POST', `${portal}/manifests/${id}/documents`, '%PDF-1.4\n%%EOF\n', headers)
    assert.equal(sent.statusCode, 201, sent.body)
    assert.equal(sent.json().document.document_type, 'pod')
    const listed = (await carrier.get(`${portal}/manifests/${id}/documents`)).json()
    assert.deepEqual(
      listed.documents.map((one: { id: string }) => one.id),
      [sent.json().document.id],
    )
    const { documents } = (await get(`/api/v1/documents?attached_to=manifest:${id}`)).json()
    assert.equal(documents.length, 2)
    const content = (one: string, of = carrier) => of.get(`${portal}/documents/${one}/content`)
    const file = await content(sent.json().document.id)
    assert.deepEqual([file.statusCode, file.body], [200, '%PDF-1.4\n%%EOF\n'])
    assert.match(String(file.headers['content-disposition']), /^attachment;/)
    assert.match(String(file.headers['content-security-policy']), /^sandbox; default-src 'none'/)
    const internal = documents.find((one: { id: string }) => one.id !== sent.json().document.id)
    assert.equal((await content(internal.id)).statusCode, 404)
    assert.equal((await content(sent.json().document.id, other)).statusCode, 404)
    assert.equal(
      (await carrier.call('POST', `${portal}/manifests/${newId()}/documents`, '%PDF-1.4\n%%EOF\n', headers)).statusCode,
      404,
    )
    assert.deepEqual(
      codeOf(await carrier.call('POST', `${portal}/manifests/x/documents`, '%PDF-1.4\n%%EOF\n', headers)),
      [400, 'bad_id'],
    )
  })
})

describe('a bill', { concurrency: true }, () => {
  test('is paid on the day on which it is due in the time zone of the organization', async () => {
    const { bill, carrier, org } = await newHouse()
    assert.equal(
      (await applicationIn(service, org).call('PUT', '/api/v1/organization', { time_zone: 'America/New_York' }))
        .statusCode,
      200,
    )
    const late = await bill(carrier.id, { due_date: '2026-12-02T01:00:00Z' })
    assert.equal((await carrier.get(`${portal}/bills/${late}`)).json().bill.expected_pay_date, '2026-12-01')
  })

  test('shows its carrier the state and when it is paid; a draft, a voided one and another’s are nothing', async () => {
    const { bill, make, carrier, other, call } = await newHouse()
    const id = await bill(carrier.id, { notes: 'Internal' })
    const shown = await carrier.get(`${portal}/bills/${id}`)
    const { state, expected_pay_date, amount_due, lines } = shown.json().bill
    assert.deepEqual([state, expected_pay_date, amount_due, lines.length], ['approved', '2026-12-01', 185000, 1])
    assert.doesNotMatch(shown.body, /Internal/)
    await call('POST', `/api/v1/bills/${id}/pay`)
    const paid = (await carrier.get(`${portal}/bills/${id}`)).json().bill
    assert.deepEqual(
      [paid.state, paid.amount_due, paid.expected_pay_date, Boolean(paid.paid_at)],
      ['paid', 0, null, true],
    )
    const draft = await make('/api/v1/bills', { partner_carrier_id: carrier.id })
    const voided = await bill(carrier.id)
    await call('POST', `/api/v1/bills/${voided}/void`, { reason: 'Twice' })
    for (const hidden of [draft, voided, await bill(other.id)])
      assert.equal((await carrier.get(`${portal}/bills/${hidden}`)).statusCode, 404)
    assert.equal((await carrier.get(`${portal}/bills`)).json().total, 1)
  })

  test('is asked about so often: a full thread takes no more of the carrier, and still the answer', async () => {
    const { bill, carrier, get, call } = await newHouse()
    const id = await bill(carrier.id)
    const ask = () => carrier.call('POST', `${portal}/bills/${id}/questions`, { text: 'And now?' })
    for (let n = 0; n < 100; n++) assert.equal((await ask()).statusCode, 201)
    assert.deepEqual(codeOf(await ask()), [409, 'thread_is_full'])
    const [thread] = (await get(`${partnerPortal}/questions`)).json().questions
    const answered = await call('POST', `${partnerPortal}/questions/${thread.id}/answer`, { text: 'Now.' })
    assert.deepEqual([answered.statusCode, answered.json().question.messages.length], [200, 101])
    assert.deepEqual(codeOf(await ask()), [409, 'thread_is_full'])
  })

  test('is asked about: a thread that the clerk sees and answers, and that a further message opens again', async () => {
    const { bill, carrier, get, call, events } = await newHouse()
    const id = await bill(carrier.id)
    assert.deepEqual((await carrier.get(`${portal}/bills/${id}/questions`)).json(), { question: null })
    const asked = await carrier.call('POST', `${portal}/bills/${id}/questions`, { text: 'Where is the detention?' })
    assert.equal(asked.statusCode, 201, asked.body)
    const [thread] = (await get(`${partnerPortal}/questions?states=open`)).json().questions
    assert.deepEqual(
      [thread.bill_id, thread.messages[0].text, thread.messages[0].author_name],
      [id, 'Where is the detention?', 'Lee of Cascade Carriers'],
    )
    const answered = await call('POST', `${partnerPortal}/questions/${thread.id}/answer`, {
      text: 'It comes with the next bill.',
    })
    assert.equal(answered.json().question.state, 'answered')
    const seen = (await carrier.get(`${portal}/bills/${id}/questions`)).json().question
    assert.deepEqual(
      seen.messages.map(({ side, author_name }: { side: string; author_name: string }) => [side, author_name]),
      [
        ['partner', 'Lee of Cascade Carriers'],
        ['organization', 'A test organization'],
      ],
    )
    assert.equal((await call('POST', `${partnerPortal}/questions/${thread.id}/close`)).json().question.state, 'closed')
    await carrier.call('POST', `${portal}/bills/${id}/questions`, { text: 'And when is that?' })
    assert.equal((await get(`${partnerPortal}/questions/${thread.id}`)).json().question.state, 'open')
    assert.deepEqual(
      (await events()).map(({ type }) => type).filter((type) => type.startsWith('bill_question')),
      ['bill_question.created', 'bill_question.answered', 'bill_question.closed', 'bill_question.asked'],
    )
  })

  test('that many ask about at once has one thread with all messages', async () => {
    const { bill, carrier, get } = await newHouse()
    const id = await bill(carrier.id)
    const texts = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      texts.map((text) => carrier.call('POST', `${portal}/bills/${id}/questions`, { text })),
    )
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [201, 201, 201, 201],
    )
    const { questions } = (await get(`${partnerPortal}/questions?bill_ids=${id}`)).json()
    assert.equal(questions.length, 1)
    assert.deepEqual(questions[0].messages.map(({ text }: { text: string }) => text).sort(), texts)
  })
})

describe('an invoice of a carrier', { concurrency: true }, () => {
  test('comes into the inbox as one from the portal, with its document; the same number a second time is refused', async () => {
    const { manifest, carrier, other, get } = await newHouse()
    const manifest_id = await manifest({ partner_carrier_id: carrier.id })
    const body = { invoice_number: 'INV-1', currency_id: 'usd', total_amount: 185000, manifest_id }
    const sent = await carrier.call('POST', `${portal}/carrier_invoices`, body)
    assert.equal(sent.statusCode, 201, sent.body)
    const { id } = sent.json().carrier_invoice
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="invoice.pdf"' }
    const attached = await carrier.call(
      'POST',
      `${portal}/carrier_invoices/${id}/documents`,
      '%PDF-1.4\n%%EOF\n',
      headers,
    )
    assert.equal(attached.statusCode, 201, attached.body)
    const kept = (await get(`/api/v1/carrier_invoices/${id}`)).json().carrier_invoice
    assert.deepEqual(
      [kept.source, kept.partner_carrier_id, kept.manifest_ids, kept.documents.length],
      ['portal', carrier.id, [manifest_id], 1],
    )
    assert.equal((await carrier.get(`${portal}/carrier_invoices/${id}`)).json().carrier_invoice.documents.length, 1)
    assert.deepEqual(codeOf(await carrier.call('POST', `${portal}/carrier_invoices`, body)), [
      409,
      'invoice_sent_before',
    ])
    assert.equal(
      (await other.call('POST', `${portal}/carrier_invoices`, { ...body, manifest_id: null })).statusCode,
      201,
    )
    assert.equal(
      (await other.call('POST', `${portal}/carrier_invoices`, { ...body, invoice_number: 'X' })).statusCode,
      404,
    )
    assert.equal((await other.get(`${portal}/carrier_invoices/${id}`)).statusCode, 404)
  })
})

describe('a signed link', { concurrency: true }, () => {
  test('of a manifest shows it and lets it be worked on, and shows nothing else of the carrier', async () => {
    const { manifest, bill, link, carrier } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id, status: 'dispatched' })
    const another = await manifest({ partner_carrier_id: carrier.id })
    const holder = await link({ manifest_id: id, expires_in: 3600 })
    const me = (await holder.get(`${portal}/me`)).json()
    assert.deepEqual([me.carrier.id, me.link.record], [carrier.id, { type: 'manifest', id }])
    assert.deepEqual(
      (await holder.get(`${portal}/manifests`)).json().manifests.map((one: { id: string }) => one.id),
      [id],
    )
    assert.equal((await holder.get(`${portal}/manifests/${another}`)).statusCode, 404)
    assert.equal((await holder.get(`${portal}/bills/${await bill(carrier.id)}`)).statusCode, 404)
    const [stop] = (await holder.get(`${portal}/manifests/${id}`)).json().manifest.stops
    assert.equal((await holder.call('POST', `${portal}/manifests/${id}/stops/${stop.id}/arrive`)).statusCode, 200)
    const sent = await holder.call('POST', `${portal}/carrier_invoices`, {
      invoice_number: 'L-1',
      currency_id: 'usd',
      total_amount: 1,
    })
    assert.equal(sent.statusCode, 201, sent.body)
    const events = (await houseOf(service, (await newCaller(service)).org).get('/api/v1/events')).json().events
    assert.deepEqual(
      events.filter(({ actor }: { actor: { id: string } }) => actor.id === holder.id),
      [],
    )
  })

  test('of a bill shows it and takes questions, and neither manifests nor invoices', async () => {
    const { manifest, bill, link, carrier, get } = await newHouse()
    const id = await bill(carrier.id)
    await manifest({ partner_carrier_id: carrier.id })
    const holder = await link({ bill_id: id })
    assert.equal((await holder.get(`${portal}/bills/${id}`)).statusCode, 200)
    assert.equal((await holder.get(`${portal}/manifests`)).json().total, 0)
    assert.equal((await holder.call('POST', `${portal}/bills/${id}/questions`, { text: 'When?' })).statusCode, 201)
    assert.equal(
      (await get(`${partnerPortal}/questions`)).json().questions[0].messages[0].author_name,
      'Cascade Carriers',
    )
    assert.deepEqual(
      codeOf(
        await holder.call('POST', `${portal}/carrier_invoices`, {
          invoice_number: 'L-1',
          currency_id: 'usd',
          total_amount: 1,
        }),
      ),
      [409, 'link_limited'],
    )
  })

  test('that is revoked ends at once, for whoever has opened it and for whoever opens it', async () => {
    const { manifest, link, carrier, call, get } = await newHouse()
    const holder = await link({ manifest_id: await manifest({ partner_carrier_id: carrier.id }) })
    assert.equal((await call('DELETE', `${partnerPortal}/links/${holder.id}`)).statusCode, 204)
    assert.equal((await holder.get(`${portal}/me`)).statusCode, 401)
    const again = await service.app.inject({
      method: 'POST',
      url: `${portal}/link_sessions`,
      payload: { token: holder.secret },
    })
    assert.deepEqual(codeOf(again), [410, 'link_revoked'])
    assert.equal((await get(`${partnerPortal}/links/${holder.id}`)).json().link.state, 'revoked')
    assert.equal((await call('DELETE', `${partnerPortal}/links/${holder.id}`)).statusCode, 204)
  })

  test('that has expired cannot be opened, and what was opened before shows nothing', async () => {
    const { org, manifest, link, carrier, get } = await newHouse()
    const holder = await link({ manifest_id: await manifest({ partner_carrier_id: carrier.id }) })
    await outdate(org, 'portal_links', holder.id)
    assert.deepEqual(codeOf(await holder.get(`${portal}/manifests`)), [410, 'link_gone'])
    const again = await service.app.inject({
      method: 'POST',
      url: `${portal}/link_sessions`,
      payload: { token: holder.secret },
    })
    assert.deepEqual(codeOf(again), [410, 'link_expired'])
    assert.equal((await get(`${partnerPortal}/links?states=expired`)).json().total, 1)
  })

  test('takes so many files, however many are sent at once, and the next is told whom to ask', async () => {
    const { manifest, link, carrier, get } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id })
    const holder = await link({ manifest_id: id })
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
    const send = (n: number) =>
      holder.call('POST', `${portal}/manifests/${id}/documents`, `%PDF-1.4\n${n}\n%%EOF\n`, headers)
    const most = service.settings.fileLimits.link.files
    for (let n = 0; n < most - 5; n += 9) await Promise.all(Array.from({ length: 9 }, (_, more) => send(n + more)))
    const answers = await Promise.all(Array.from({ length: 12 }, (_, more) => send(1000 + more)))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    assert.ok(refused.length >= 7)
    for (const answer of refused) assert.deepEqual(codeOf(answer), [409, 'too_many_files'])
    assert.match(refused[0]?.json().error_message, /Ask whoever sent the link/)
    assert.equal((await get(`/api/v1/documents?attached_to=manifest:${id}&limit=0`)).json().total, most)
    const another = await link({ manifest_id: id })
    assert.equal(
      (await another.call('POST', `${portal}/manifests/${id}/documents`, '%PDF-1.4\nanother\n%%EOF\n', headers))
        .statusCode,
      201,
    )
  })

  test('takes so many invoices, which count with its files; an account of the carrier still sends one', async () => {
    const { manifest, link, carrier } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id })
    const holder = await link({ manifest_id: id })
    const send = (by: Pick<Caller, 'call'>, n: number) =>
      by.call('POST', `${portal}/carrier_invoices`, {
        invoice_number: `L-${n}`,
        currency_id: 'usd',
        total_amount: 100,
        manifest_id: id,
      })
    const most = service.settings.fileLimits.link.files
    const sent = await Promise.all(Array.from({ length: most + 3 }, (_, n) => send(holder, n)))
    const refused = sent.filter(({ statusCode }) => statusCode !== 201)
    assert.deepEqual(refused.map(codeOf), Array(3).fill([409, 'too_many_files']))
    assert.equal((await send(carrier, 1000)).statusCode, 201)
  })

  test('keeps no secret: it is in no row, no event and no later answer; and what is no link is 404, after many attempts 429', async () => {
    const { org, manifest, link, carrier, get, events } = await newHouse()
    const holder = await link({ manifest_id: await manifest({ partner_carrier_id: carrier.id }) })
    const random = holder.secret.split('.')[1] as string
    assert.equal(Buffer.from(random, 'base64url').length, 32)
    assert.doesNotMatch(
      JSON.stringify(await events()) + (await get(`${partnerPortal}/links`)).body,
      new RegExp(random.slice(0, 20)),
    )
    const rows = await service.pool.transaction(
      (run) => run(sql`select l::text as text from portal_links l where org_id = ${org}`),
      `begin; set local app.org_id = '${org}'`,
    )
    assert.ok(!JSON.stringify(rows).includes(random))
    const remoteAddress = '203.0.113.77'
    const attempt = (token: string) =>
      service.app.inject({ method: 'POST', url: `${portal}/link_sessions`, payload: { token }, remoteAddress })
    for (const token of ['x', `${holder.secret}x`, holder.secret.replace(/^./, 'Z')])
      assert.deepEqual(codeOf(await attempt(token)), [404, 'no_such_link'])
    let last = await attempt('x')
    for (let count = 0; count < 30 && last.statusCode === 404; count += 1) last = await attempt('x')
    assert.deepEqual(codeOf(last), [429, 'too_many_attempts'])
    assert.ok(last.headers['retry-after'])
  })

  test('is of a record that carriers may see, as its carrier', async () => {
    const { manifest, tender, bill, make, call, carrier, other } = await newHouse()
    const linked = (body: object) => call('POST', `${partnerPortal}/links`, body)
    const free = await manifest()
    assert.deepEqual(codeOf(await linked({})), [400, 'one_record'])
    assert.deepEqual(codeOf(await linked({ manifest_id: free, bill_id: newId() })), [400, 'one_record'])
    assert.deepEqual(codeOf(await linked({ manifest_id: newId() })), [400, 'unknown_manifest'])
    assert.deepEqual(codeOf(await linked({ bill_id: newId() })), [400, 'unknown_bill'])
    assert.deepEqual(codeOf(await linked({ manifest_id: free })), [409, 'no_carrier'])
    assert.deepEqual(codeOf(await linked({ manifest_id: free, partner_carrier_id: carrier.id })), [
      400,
      'other_carrier',
    ])
    await tender(free, carrier.id)
    assert.equal((await linked({ manifest_id: free, partner_carrier_id: carrier.id })).statusCode, 201)
    assert.deepEqual(
      codeOf(await linked({ bill_id: await make('/api/v1/bills', { partner_carrier_id: carrier.id }) })),
      [409, 'bill_not_shown'],
    )
    assert.deepEqual(codeOf(await linked({ bill_id: await bill(carrier.id), partner_carrier_id: other.id })), [
      400,
      'other_carrier',
    ])
  })

  test('of a manifest that gets another carrier shows nothing from then on', async () => {
    const { manifest, link, carrier, other, call } = await newHouse()
    const id = await manifest({ partner_carrier_id: carrier.id })
    const holder = await link({ manifest_id: id })
    await call('PUT', `/api/v1/manifests/${id}`, { partner_carrier_id: other.id })
    assert.equal((await holder.get(`${portal}/manifests/${id}`)).statusCode, 404)
  })
})

test('what is listed of partners goes page by page with a cursor that is good for nobody else', async () => {
  const { manifest, tender, bill, carrier, other, get } = await newHouse()
  for (const _ of [1, 2, 3]) {
    await tender(await manifest(), carrier.id)
    await carrier.call('POST', `${portal}/bills/${await bill(carrier.id)}/questions`, { text: 'Why?' })
    await carrier.call('POST', `${portal}/carrier_invoices`, {
      invoice_number: newId(),
      currency_id: 'usd',
      total_amount: 1,
    })
  }
  for (const [ask, list, path] of [
    [carrier.get, 'manifests', `${portal}/manifests`],
    [carrier.get, 'tenders', `${portal}/tenders`],
    [carrier.get, 'bills', `${portal}/bills`],
    [carrier.get, 'carrier_invoices', `${portal}/carrier_invoices`],
    [get, 'tenders', `${partnerPortal}/tenders`],
    [get, 'questions', `${partnerPortal}/questions`],
  ] as const) {
    const whole = (await ask(path)).json()
    assert.equal(whole.total, 3, path)
    const seen: string[] = []
    let after = ''
    do {
      const page = (await ask(`${path}?limit=2&after=${after}`)).json()
      assert.equal(page.total, 3)
      seen.push(...page[list].map(({ id }: { id: string }) => id))
      after = page.next_after
    } while (after)
    assert.deepEqual(
      seen,
      whole[list].map(({ id }: { id: string }) => id),
    )
  }
  const { next_after } = (await carrier.get(`${portal}/tenders?limit=1`)).json()
  assert.deepEqual(codeOf(await other.get(`${portal}/tenders?limit=1&after=${next_after}`)), [400, 'invalid_cursor'])
})

describe('a partner', { concurrency: true }, () => {
  test('is invited by an admin, as a user of one carrier; without a carrier nobody is a partner, and nobody else has one', async () => {
    const { org, carrier, call, other } = await newHouse()
    const admin = applicationIn(service, org)
    const email = `${newId()}@example.com`
    const invited = await admin.call('POST', `${partnerPortal}/invitations`, {
      email,
      name: 'Pat',
      partner_carrier_id: carrier.id,
    })
    assert.equal(invited.statusCode, 201, invited.body)
    const { user, invitation_url } = invited.json()
    assert.deepEqual([user.role, user.partner_carrier_id, typeof invitation_url], ['partner', carrier.id, 'string'])
    assert.deepEqual(
      codeOf(
        await call('POST', `${partnerPortal}/invitations`, { email, name: 'Pat', partner_carrier_id: carrier.id }),
      ),
      [403, 'admin_required'],
    )
    const listed = (await admin.get(`${partnerPortal}/invitations?partner_carrier_ids=${carrier.id}`)).json()
    assert.deepEqual([listed.total, listed.invitations[0].partner_carrier_name], [2, 'Cascade Carriers'])
    const users = (body: object) =>
      admin.call('POST', '/api/v1/users', { email: `${newId()}@example.com`, name: 'X', ...body })
    assert.deepEqual(codeOf(await users({ role: 'partner' })), [400, 'partner_carrier_required'])
    assert.deepEqual(codeOf(await users({ role: 'clerk', partner_carrier_id: carrier.id })), [400, 'not_a_partner'])
    assert.deepEqual(codeOf(await users({ role: 'partner', partner_carrier_id: newId() })), [
      400,
      'unknown_partner_carrier',
    ])
    const put = (body: object) => admin.call('PUT', `/api/v1/users/${user.id}`, body)
    assert.equal((await put({ partner_carrier_id: other.id })).json().user.partner_carrier_id, other.id)
    const clerk = (await put({ role: 'clerk' })).json().user
    assert.deepEqual([clerk.role, clerk.partner_carrier_id], ['clerk', null])
    assert.deepEqual(codeOf(await put({ role: 'partner' })), [400, 'partner_carrier_required'])
  })

  test('cannot be without a carrier, nor another role with one, whatever writes it', async () => {
    const { org, carrier } = await newHouse()
    for (const set of [sql`update users set partner_carrier_id = null`, sql`update users set role = 'admin'`])
      await assert.rejects(
        service.pool.transaction(
          (run) => run(sql`${set} where org_id = ${org} and id = ${carrier.user}`),
          `begin; set local app.org_id = '${org}'`,
        ),
        /user_partner_has_a_carrier/,
      )
  })

  test('who is disabled, whose carrier is deleted or who is given another carrier reaches nothing of the old one', async () => {
    const { org, manifest, carrier, other } = await newHouse()
    const admin = applicationIn(service, org)
    const id = await manifest({ partner_carrier_id: carrier.id })
    assert.equal((await carrier.get(`${portal}/manifests/${id}`)).statusCode, 200)
    await admin.call('PUT', `/api/v1/users/${carrier.user}`, { partner_carrier_id: other.id })
    assert.equal((await carrier.get(`${portal}/manifests/${id}`)).statusCode, 404)
    assert.equal((await admin.call('DELETE', `/api/v1/partner_carriers/${other.id}`)).statusCode, 204)
    assert.deepEqual(codeOf(await carrier.get(`${portal}/manifests`)), [403, 'no_carrier_of_user'])
  })

  test('is the only role that the portal is for: members, admins and applications are refused', async () => {
    const { org } = await newHouse()
    for (const caller of [callerIn(service, org), applicationIn(service, org)])
      assert.deepEqual(codeOf(await caller.get(`${portal}/me`)), [403, 'right_required'])
  })
})
