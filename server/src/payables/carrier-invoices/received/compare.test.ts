import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AgreedTrip,
  type AuditedInvoice,
  type Checks,
  compare,
  isTolerated,
  judge,
  type Tolerance,
} from './compare.ts'
import { overchargeIn } from './model.ts'
import { stopsIn, waitedHours } from './movement.ts'
import { amountWriter } from './words.ts'

const carrier = '01900000-0000-7000-8000-000000000001'
const trip: AgreedTrip = {
  ...{
    id: '01900000-0000-7000-8000-00000000000a',
    name: 'MAN-1',
    partner_carrier_id: carrier,
    currency_id: 'usd',
    distance_km: 804.672,
    stops: [],
    billed_by: null,
    undelivered: null,
    has_pod: true,
  },
  items: [
    { id: null, type: 'line haul', amount: 100000 },
    { id: null, type: 'fuel surcharge', amount: 28000 },
  ],
}
type Line = AuditedInvoice['lines'][number]
const line = (type: string | null, amount: number, more: Partial<Line> = {}): Line => ({
  type,
  typeId: null,
  amount,
  ...more,
})
const invoice = (lines: Line[], more: Partial<AuditedInvoice> = {}): AuditedInvoice => ({
  ...{
    partner_carrier_id: carrier,
    currency_id: 'usd',
    has_pod: false,
    lines,
    total_amount: lines.reduce((sum, { amount }) => sum + amount, 0),
  },
  ...more,
})
const none: Tolerance = { over_percent: null, over_amount: null, under_percent: null, under_amount: null }
const haul = line('line haul', 100000)
const fuel = line('fuel surcharge', 28000)

function findingsOf(
  audited: AuditedInvoice,
  agreed: AgreedTrip[] = [trip],
  tolerance = none,
  checks: Checks = { check_delivery: true, check_pod: true },
) {
  const money = amountWriter(audited.currency_id, new Map([['usd', 2]]))
  const compared = compare(audited, { agreed, typeIds: new Map(), sameInvoice: null, money })
  return judge(compared, () => ({ ...tolerance, ...checks })).map(({ line, code, message, difference_amount }) => [
    code,
    line,
    difference_amount,
    message,
  ])
}

test('an invoice as it was agreed has no findings, with its lines in any order, or as one sum', () => {
  assert.deepEqual(findingsOf(invoice([fuel, haul])), [])
  assert.deepEqual(findingsOf(invoice([line('freight', 128000)])), [])
  assert.deepEqual(findingsOf(invoice([], { total_amount: 128000 })), [])
  assert.deepEqual(findingsOf(invoice([line(null, 28000), haul])), [])
})

test('an invoice of one line is compared as a whole, whatever the line is called', () => {
  const [item] = trip.items
  const one = { ...trip, items: [{ ...item, id: null, type: 'line haul', amount: 190000 }] }
  for (const called of [line('freight', 210000), line(null, 210000), line('line haul', 210000)]) {
    const [found, ...more] = findingsOf(invoice([called]), [one])
    assert.deepEqual([found?.slice(0, 3), more], [['over', 1, 20000], []])
  }
  assert.deepEqual(findingsOf(invoice([line('freight', 190000)]), [one]), [])
  assert.deepEqual(findingsOf(invoice([line('line haul', 128000)])), [])
  assert.deepEqual(
    findingsOf(invoice([line('line haul', 130000)])).map((found) => found.slice(0, 3)),
    [['over', 1, 2000]],
  )
  // Waiting is never the whole load.
  assert.deepEqual(
    findingsOf(invoice([line('detention', 20000)]), [one]).map(([code]) => code),
    ['detention', 'missing_line'],
  )
})

test('a load that is not delivered and one without a proof of it are findings, unless the policy switches them off', () => {
  const underway = { ...trip, undelivered: 'in transit', has_pod: false }
  assert.deepEqual(findingsOf(invoice([haul, fuel]), [underway]), [
    ['not_delivered', null, null, 'MAN-1 is not delivered yet: it is in transit.'],
    ['no_pod', null, null, 'There is no proof of delivery of MAN-1.'],
  ])
  const codes = (checks: Checks, more: Partial<AuditedInvoice> = {}) =>
    findingsOf(invoice([haul, fuel], more), [underway], none, checks).map(([code]) => code)
  assert.deepEqual(codes({ check_delivery: false, check_pod: true }), ['no_pod'])
  assert.deepEqual(codes({ check_delivery: true, check_pod: false }), ['not_delivered'])
  assert.deepEqual(codes({ check_delivery: true, check_pod: true }, { has_pod: true }), ['not_delivered'])
})

test('what is too much is what was not agreed, and a line of no known type may be an item that seems to be missing', () => {
  const overcharge = (audited: AuditedInvoice, agreed: AgreedTrip[] = [trip]) => {
    const compared = compare(audited, { agreed, typeIds: new Map(), sameInvoice: null, money: String })
    return overchargeIn(
      judge(compared, () => ({ ...none, under_percent: '100', check_delivery: true, check_pod: true })),
      compared,
    )
  }
  assert.equal(overcharge(invoice([line('freight', 100000), line('surcharge', 28000)])), 0)
  assert.equal(overcharge(invoice([line('freight', 110000), line('surcharge', 28000)])), 10000)
  // The rest of an item may be called otherwise too.
  assert.equal(overcharge(invoice([line('line haul', 60000), line('freight', 45000), fuel])), 5000)
  const lumper = line('lumper', 15000, { typeId: carrier })
  assert.equal(overcharge(invoice([haul, lumper])), 15000)
  assert.equal(overcharge(invoice([line('freight', 210000)]), [{ ...trip, items: [] }]), 210000)
})

test('lines and items of one type are compared as sums, on the first line of the type', () => {
  const split = { ...trip, items: [100000, 90000].map((amount) => ({ id: null, type: 'line haul', amount })) }
  const one = { ...trip, items: [{ id: null, type: 'line haul', amount: 190000 }] }
  const brief = (lines: Line[], agreed: AgreedTrip[]) =>
    findingsOf(invoice(lines), agreed).map((found) => found.slice(0, 3))
  assert.deepEqual(brief([haul, line('line haul', 90000)], [one]), [])
  assert.deepEqual(brief([line('line haul', 190000), line('fuel surcharge', 20000)], [split]), [
    ['unexpected_line', 2, 20000],
  ])
  assert.deepEqual(brief([line('line haul', 95000), line('line haul', 95000)], [split]), [])
  assert.deepEqual(findingsOf(invoice([line('lumper', 100), haul, line('line haul', 98000)]), [one]), [
    ['unexpected_line', 1, 100, 'Lumper of 1.00 USD was not agreed.'],
    ['over', 2, 8000, 'Line haul is 1,980.00 USD, 80.00 USD over the 1,900.00 USD agreed.'],
  ])
  assert.deepEqual(brief([line('line haul', 50000), line('line haul', 90000)], [one]), [['under', 1, -50000]])
  // A line that is an item to the cent leaves the others missing.
  assert.deepEqual(brief([haul], [split]), [['missing_line', null, -90000]])
  assert.deepEqual(brief([haul, line(null, 90000)], [split]), [])
  assert.deepEqual(brief([line('line haul', 190000), line(null, 90000)], [split]), [['unexpected_line', 2, 90000]])
})

test('lines that name their manifests are compared with the items of these', () => {
  const other = {
    ...trip,
    id: '01900000-0000-7000-8000-00000000000b',
    name: 'MAN-2',
    items: [{ id: null, type: 'line haul', amount: 90000 }],
  }
  const first = { ...trip, items: trip.items.slice(0, 1) }
  const of = (manifest_id: string, amount: number) => line('line haul', amount, { manifest_id })
  const brief = (...lines: Line[]) => findingsOf(invoice(lines), [first, other]).map((found) => found.slice(0, 3))
  assert.deepEqual(brief(of(first.id, 60000), of(other.id, 90000), of(first.id, 40000)), [])
  assert.deepEqual(brief(of(first.id, 90000), of(other.id, 100000)), [
    ['under', 1, -10000],
    ['over', 2, 10000],
  ])
  assert.deepEqual(brief(of(first.id, 150000), line('line haul', 40000)), [])
})

test('a tax is not freight: it is left out, and one line next to it is compared as a whole', () => {
  const gst = line('gst', 6400, { is_tax: true })
  assert.deepEqual(findingsOf(invoice([haul, fuel, gst])), [])
  assert.deepEqual(findingsOf(invoice([gst, line(null, 128000)])), [])
  assert.deepEqual(findingsOf(invoice([gst, line(null, 130000)])), [
    ['over', 2, 2000, 'The freight is 1,300.00 USD, 20.00 USD over the 1,280.00 USD agreed.'],
  ])
  const agreed = { ...trip, items: [...trip.items, { id: null, type: 'gst', amount: 6400 }] }
  assert.deepEqual(findingsOf(invoice([haul, fuel, gst]), [agreed]), [])
  // Nothing but tax is no tax on an invoice.
  assert.deepEqual(
    findingsOf(invoice([gst])).map(([code]) => code),
    ['under'],
  )
})

test('every difference is a sentence with its line and its amounts', () => {
  assert.deepEqual(findingsOf(invoice([line('line haul', 108000), fuel])), [
    ['over', 1, 8000, 'Line haul is 1,080.00 USD, 80.00 USD over the 1,000.00 USD agreed.'],
  ])
  assert.deepEqual(findingsOf(invoice([line('line haul', 99000), fuel])), [
    ['under', 1, -1000, 'Line haul is 990.00 USD, 10.00 USD under the 1,000.00 USD agreed.'],
  ])
  assert.deepEqual(findingsOf(invoice([haul, fuel, line('lumper', 15000)])), [
    ['unexpected_line', 3, 15000, 'Lumper of 150.00 USD was not agreed.'],
  ])
  assert.deepEqual(findingsOf(invoice([haul])), [
    [
      'missing_line',
      null,
      -28000,
      'MAN-1 was agreed with Fuel surcharge of 280.00 USD, which the invoice does not have.',
    ],
  ])
  assert.deepEqual(findingsOf(invoice([haul, fuel], { total_amount: 130000 })), [
    ['wrong_total', null, 2000, 'The lines come to 1,280.00 USD, and the total is 1,300.00 USD.'],
  ])
  assert.deepEqual(findingsOf(invoice([haul, fuel]), []), [
    ['no_manifest', null, null, 'The invoice is matched with no manifest, so there is nothing to hold it against.'],
  ])
})

test('fuel is held against the line haul, miles against the distance', () => {
  assert.deepEqual(findingsOf(invoice([haul, line('fuel surcharge', 32000)])), [
    [
      'fuel',
      2,
      4000,
      'Fuel surcharge is 320.00 USD, 40.00 USD over the 280.00 USD agreed. Fuel is 32 % of the line haul, and 28 % was agreed.',
    ],
  ])
  const miles = line('line haul', 110000, { quantity: 550, unit: 'mile', unit_price: 200 })
  assert.deepEqual(findingsOf(invoice([miles, fuel])), [
    [
      'mileage',
      1,
      10000,
      'Line haul is 1,100.00 USD, 100.00 USD over the 1,000.00 USD agreed. Line haul is billed for 550 miles, and MAN-1 is 500.',
    ],
  ])
})

test('detention is held against the times of the stops, and says where there are none', () => {
  const detention = line('detention', 20000, { quantity: 4, unit: 'hour', unit_price: 5000 })
  const [unknown] = findingsOf(invoice([haul, fuel, detention]))
  assert.deepEqual(unknown, [
    'detention',
    3,
    20000,
    'Detention of 200.00 USD was not agreed, and cannot be checked: the manifest has no stop times.',
  ])
  const stops = [
    { arrived_at: '2026-11-02T08:00:00Z', departed_at: '2026-11-02T13:00:00Z', window_end: null },
    { arrived_at: '2026-11-03T08:00:00Z', departed_at: '2026-11-03T09:00:00Z', window_end: null },
  ]
  const [known] = findingsOf(invoice([haul, fuel, detention]), [{ ...trip, stops }])
  assert.deepEqual(known, [
    ...['detention', 3, 5000],
    'Detention of 200.00 USD was not agreed; the stops show 3 hours of waiting beyond the free time, and 4 are billed.',
  ])
  const three = line('layover', 15000, { quantity: 3, unit: 'hour', unit_price: 5000 })
  assert.deepEqual(findingsOf(invoice([haul, fuel, three]), [{ ...trip, stops }]), [])
})

test('another currency, another carrier and a bill that is there are found whatever is tolerated', () => {
  const wide: Tolerance = { over_percent: '100', over_amount: null, under_percent: '100', under_amount: null }
  const codes = (audited: AuditedInvoice, agreed: AgreedTrip) =>
    findingsOf(audited, [agreed], wide).map(([code]) => code)
  assert.deepEqual(codes(invoice([haul, fuel]), { ...trip, currency_id: 'cad' }), ['wrong_currency'])
  assert.deepEqual(codes(invoice([haul, fuel]), { ...trip, partner_carrier_id: null }), [])
  assert.deepEqual(codes(invoice([haul, fuel], { partner_carrier_id: null }), trip), ['other_carrier'])
  assert.deepEqual(codes(invoice([haul, fuel]), { ...trip, billed_by: 'BILL-000001' }), ['already_billed'])
})

test('a tolerance is exact to the cent; a percent and an amount both have to hold', () => {
  const over = (over_percent: string | null, over_amount: number | null) => ({ ...none, over_percent, over_amount })
  assert.equal(isTolerated(100000, 2500, over('2.5', null)), true)
  assert.equal(isTolerated(100000, 2501, over('2.5', null)), false)
  assert.equal(isTolerated(100000, 2500, over('2.5', 2499)), false)
  assert.equal(isTolerated(0, 1, over('50', null)), false)
  assert.equal(isTolerated(0, 1500, over(null, 1500)), true)
  assert.equal(isTolerated(100000, 1, none), false)
  assert.equal(isTolerated(100000, -1, over('50', null)), false)
  assert.equal(isTolerated(100000, -500, { ...none, under_percent: '0.5' }), true)
})

test('waiting is read from the stops as they were reported, and begins with the window for who comes early', () => {
  const stop = (more: object) => ({ id: 'a', sequence: 1, kind: 'pickup', ...more })
  const waited = (...stops: object[]) => waitedHours(stopsIn({ stops }))
  assert.equal(waited(stop({ arrivedAt: '2026-11-16T08:00:00Z', departedAt: '2026-11-16T13:00:00Z' })), 3)
  assert.equal(
    waited(
      stop({
        arrivedAt: '2026-11-16T08:00:00Z',
        departedAt: '2026-11-16T13:00:00Z',
        windowStart: '2026-11-16T10:00:00Z',
      }),
    ),
    1,
  )
  assert.equal(waited(stop({ arrivedAt: '2026-11-16T08:00:00Z' })), null)
  // Of a field that an organization had before: entries without ids and sequence.
  assert.equal(waited({ arrived_at: '2026-11-16T08:00:00Z', departed_at: '2026-11-16T13:00:00Z' }), 3)
  assert.deepEqual(stopsIn({ stops: 3 }), [])
})
