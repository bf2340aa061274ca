import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/core/values/ids.ts'
import type { Fields } from '../../records/model/object.ts'
import { findingsOf } from './findings.ts'
import type { Load } from './model.ts'

const settings = { eta_detour_factor: 1.2, eta_average_speed_kmh: 80, time_zone: 'UTC' }
const fresno = { city: 'Fresno', state: 'CA', country: 'US', latitude: 36.74, longitude: -119.79 }
const toledo = { city: 'Toledo', state: 'OH', country: 'US', latitude: 41.65, longitude: -83.54 }
const reno = { city: 'Reno', state: 'NV', country: 'US', latitude: 39.53, longitude: -119.81 }

function loadOf(stops: Fields[], more: Partial<Load> & { distance?: number } = {}): Load {
  const { distance, ...rest } = more
  const listed = stops.map((stop, index) => ({
    id: newId(),
    sequence: index + 1,
    kind: index === 0 ? 'pickup' : 'delivery',
    ...stop,
  }))
  return { manifest: { stops: listed, ...(distance && { distance }) }, orders: [], unit: null, settings, ...rest }
}

const codes = (load: Load, status = 'planned') => findingsOf(load, status).map(({ code }) => code)
const at = (windowStart: string | null, windowEnd: string | null = windowStart) => ({ windowStart, windowEnd })

test('Fresno at 8:00 and Toledo at 10:00 the same day is said, with the miles and the hours, at the clocks of the docks', () => {
  const load = loadOf([
    { address: fresno, ...at('2026-11-16T16:00:00Z') },
    { address: toledo, ...at('2026-11-17T15:00:00Z') },
  ])
  const [finding, ...more] = findingsOf(load, 'planned')
  assert.deepEqual([finding?.code, more], ['not_enough_time', []])
  assert.equal(finding?.stop_id, (load.manifest.stops as { id: string }[])[1]?.id)
  assert.match(
    finding?.message ?? '',
    /^Stop 2, Toledo, OH: 2,\d{3} miles \(\d,\d{3} km\) from stop 1 take \d\d h .*at 50 mph \(80 km\/h\), .*17 Nov 2026, 10:00 EST, 23 h after/,
  )
})

test('without coordinates the states tell how far it is at least, and an entered distance tells it for one leg', () => {
  const town = ({ city, state, country }: Fields) => ({ city, state, country })
  const [from, to] = [
    { address: town(fresno), ...at('2026-11-16T16:00:00Z') },
    { address: town(toledo), ...at('2026-11-16T18:00:00Z') },
  ]
  const [finding] = findingsOf(loadOf([from, to]), 'planned')
  assert.equal(finding?.code, 'not_enough_time')
  assert.match(finding?.message ?? '', /at least 1,\d{3} miles/)
  assert.deepEqual(
    codes(
      loadOf([
        { ...from, address: { city: 'A' } },
        { ...to, address: { city: 'B' } },
      ]),
    ),
    [],
  )
  assert.deepEqual(
    codes(
      loadOf(
        [
          { ...from, address: { city: 'A' } },
          { ...to, address: { city: 'B' } },
        ],
        { distance: 900 },
      ),
    ),
    ['not_enough_time'],
  )
  const neighbours = loadOf([from, { ...to, address: { city: 'Reno', state: 'NV' } }])
  assert.deepEqual(codes(neighbours), [], 'states that touch may be a mile apart')
})

test('one driver rests ten hours after eleven at the wheel, and a long wait at a dock is such a rest', () => {
  const far = { ...settings, eta_average_speed_kmh: 100 }
  // About 3,700 km: 37 hours at the wheel, three rests.
  const until = (windowEnd: string) =>
    loadOf(
      [
        { address: fresno, ...at('2026-11-16T16:00:00Z') },
        { address: toledo, windowEnd },
      ],
      { settings: far },
    )
  assert.deepEqual(codes(until('2026-11-18T16:00:00Z')), ['hours_of_service'])
  assert.deepEqual(codes(until('2026-11-19T16:00:00Z')), [])
  const waits = (windowStart: string) =>
    loadOf([
      { address: fresno, ...at('2026-11-16T16:00:00Z') },
      { address: { city: 'M', latitude: 36.74, longitude: -112 }, windowStart },
      { address: { city: 'N', latitude: 36.74, longitude: -119.79 }, windowEnd: '2026-11-17T23:30:00Z' },
    ])
  // 10.4 hours there and 10.4 back: after a wait of ten hours it is back at 22:55; after a short one the driver rests on the way, and is back the next day.
  assert.deepEqual(codes(waits('2026-11-17T12:30:00Z')), [])
  assert.deepEqual(codes(waits('2026-11-17T04:30:00Z')), ['late_stop'])
})

test('a stop that is late because of those before it is said once, and what follows is measured from its window', () => {
  const stops = [
    { address: fresno, ...at('2026-11-16T16:00:00Z') },
    { address: reno, windowEnd: '2026-11-17T00:00:00Z' },
    { address: fresno, ...at('2026-11-16T20:00:00Z', '2026-11-17T01:00:00Z') },
    { address: fresno, windowEnd: '2026-11-17T03:00:00Z' },
  ]
  assert.deepEqual(codes(loadOf(stops)), ['not_enough_time'])
})

test('times that run backwards are said, and nothing is said of a manifest that is over or of stops that were passed', () => {
  const stops = [
    { address: fresno, ...at('2026-11-17T16:00:00Z') },
    { address: fresno, ...at('2026-11-16T16:00:00Z') },
  ]
  assert.deepEqual(codes(loadOf(stops)), ['times_out_of_order'])
  assert.deepEqual(codes(loadOf(stops), 'completed'), [])
  assert.deepEqual(codes(loadOf(stops.map((stop) => ({ ...stop, arrivedAt: '2026-11-16T16:00:00Z' })))), [])
  assert.deepEqual(codes(loadOf([])), [])
  assert.deepEqual(codes(loadOf([{ windowStart: 'soon' }, { windowEnd: 'later' }])), [])
})

test('equipment that an order does not need, and more weight than the unit takes, are said; what a tractor pulls is not known', () => {
  const order = (json: Fields) => ({ id: newId(), full_id: 'ORD-1', json })
  const unit = (equipment_type: string, capacity: number | null = null) => ({ name: 'T-104', equipment_type, capacity })
  const frozen = [order({ equipmentType: 'reefer', weight: 30_000, weightUnit: 'lb' })]
  assert.deepEqual(codes(loadOf([], { orders: frozen, unit: unit('dry_van') })), ['equipment_mismatch'])
  assert.match(
    findingsOf(loadOf([], { orders: frozen, unit: unit('dry_van') }), 'planned')[0]?.message ?? '',
    /^ORD-1 needs a reefer, and T-104 is a dry van\.$/,
  )
  assert.deepEqual(codes(loadOf([], { orders: frozen, unit: unit('tractor') })), [])
  assert.deepEqual(codes(loadOf([], { orders: [order({ equipmentType: 'dry_van' })], unit: unit('reefer') })), [])
  assert.deepEqual(codes(loadOf([], { orders: [...frozen, order({ equipmentType: 'flatbed' })] })), [
    'equipment_conflict',
  ])
  assert.deepEqual(codes(loadOf([], { orders: frozen, unit: unit('reefer', 13_000) })), ['over_capacity'])
  assert.deepEqual(codes(loadOf([], { orders: frozen, unit: unit('reefer', 14_000) })), [])
})

test('of orders that are not on the vehicle at the same time, each counts while it is', () => {
  const [one, other] = [newId(), newId()]
  const orders = [one, other].map((id) => ({ id, full_id: 'ORD-1', json: { weight: 10_000, weightUnit: 'kg' } }))
  const unit = { name: 'T-104', equipment_type: 'dry_van', capacity: 15_000 }
  const stop = (kind: string, orderId: string) => ({ kind, orderId })
  const turns = [stop('pickup', one), stop('delivery', one), stop('pickup', other), stop('delivery', other)]
  assert.deepEqual(codes(loadOf(turns, { orders, unit })), [])
  const together = loadOf(
    [stop('pickup', one), stop('pickup', other), stop('delivery', one), stop('delivery', other)],
    { orders, unit },
  )
  const [finding] = findingsOf(together, 'planned')
  assert.deepEqual(
    [finding?.code, finding?.stop_id],
    ['over_capacity', (together.manifest.stops as { id: string }[])[1]?.id],
  )
  assert.match(finding?.message ?? '', /From stop 2 on it carries 20,000 kg, and T-104 takes 15,000 kg/)
})

test('formatters are made for each time zone, and not for each stop: making one blocks everybody for as long as reading hundreds of stops', (t) => {
  const Real = Intl.DateTimeFormat
  let made = 0
  const Counted = class extends Real {
    constructor(...sent: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...sent)
      made++
    }
  }
  t.after(() => {
    Intl.DateTimeFormat = Real
  })
  Intl.DateTimeFormat = Counted as typeof Intl.DateTimeFormat
  const stops = Array.from({ length: 300 }, (_, index) => ({
    address: index % 2 ? fresno : toledo,
    ...at('2026-11-16T16:00:00Z', '2026-11-16T17:00:00Z'),
  }))
  assert.equal(findingsOf(loadOf(stops), 'planned').length, 299)
  assert.ok(made <= 20, `${made} formatters for two time zones`)
})
