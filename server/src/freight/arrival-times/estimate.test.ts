import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stop } from '../stops/itinerary/model.ts'
import { announcementOf } from './delays.ts'
import { estimate, greatCircleKm } from './estimate.ts'
import { paceOf } from './pace.ts'

const oakland = { latitude: 37.7955, longitude: -122.2791 }
const portland = { latitude: 45.5152, longitude: -122.6784 }
const seattle = { latitude: 47.6062, longitude: -122.3321 }
const pace = { detourFactor: 1.25, speedKmh: 70, source: 'great_circle' } as const
const stop = (sequence: number, more: Partial<Stop> = {}): Stop => ({
  id: `stop-${sequence}`,
  sequence,
  kind: 'delivery',
  ...more,
})

test('the great circle from Oakland to Seattle is 1,091 km long', () => {
  assert.equal(Math.round(greatCircleKm(oakland, seattle)), 1091)
  assert.equal(greatCircleKm(oakland, oakland), 0)
})

test('each stop that is left has the time of the way to it, and the delay against its window', () => {
  const at = '2026-11-16T08:00:00.000Z'
  const stops = [
    stop(1, { address: portland, windowEnd: '2026-11-16T22:00:00Z' }),
    stop(2),
    stop(3, { address: seattle, windowEnd: '2026-11-17T08:00:00+00:00' }),
  ]
  const result = estimate(stops, { ...oakland, at }, pace)
  const toPortland = greatCircleKm(oakland, portland) * 1.25
  assert.deepEqual([result?.next_stop_id, result?.eta_source, result?.stops.length], ['stop-1', 'great_circle', 2])
  assert.equal(result?.eta, new Date(Date.parse(at) + (toPortland / 70) * 3_600_000).toISOString())
  assert.equal(result?.distance_left_km, Math.round((toPortland + greatCircleKm(portland, seattle) * 1.25) * 10) / 10)
  assert.deepEqual(
    result?.stops.map(({ delay_minutes }) => delay_minutes),
    [80, 0],
  )
  assert.equal(result?.delay_minutes, 80)
})

test('a delay of thousands of years is as long as the database can keep', () => {
  const stops = [
    stop(1, { address: portland, windowStart: '9999-12-31T23:00:00Z', windowEnd: '9999-12-31T23:59:59Z' }),
    stop(2, { address: seattle, windowEnd: '0001-01-01T00:00:00Z' }),
  ]
  assert.equal(estimate(stops, { ...oakland, at: '2026-11-16T08:00:00.000Z' }, pace)?.delay_minutes, 2 ** 31 - 1)
})

test('a stop that was reported is behind, with all before it; where it is and when is where the way begins', () => {
  const stops = [
    stop(1, { address: oakland }),
    stop(2, { address: portland, departedAt: '2026-11-16T20:00:00Z' }),
    stop(3, { address: seattle }),
  ]
  const result = estimate(stops, { ...oakland, at: '2026-11-16T08:00:00.000Z' }, pace)
  assert.deepEqual(
    result?.stops.map(({ stop_id, distance_km }) => [stop_id, distance_km]),
    [['stop-3', Math.round(greatCircleKm(portland, seattle) * 12.5) / 10]],
  )
  assert.equal(estimate([stop(1, { address: oakland, departedAt: '2026-11-16T20:00:00Z' })], null, pace), null)
  assert.equal(estimate([stop(1, { address: oakland })], null, pace), null)
})

test('a vehicle that comes early leaves when the window begins', () => {
  const stops = [stop(1, { address: portland, windowStart: '2026-11-18T08:00:00Z' }), stop(2, { address: portland })]
  const result = estimate(stops, { ...oakland, at: '2026-11-16T08:00:00.000Z' }, pace)
  assert.equal(result?.stops[1]?.eta, '2026-11-18T08:00:00.000Z')
})

test('a delay is announced once, again when it has grown by another limit, and anew when it had fallen to half the limit', () => {
  const seen: (number | null)[] = []
  let announced: number | null = null
  for (const delay of [10, 30, 31, 35, 29, 31, 60, 61, 62, 20, 31, 15, 31, null, 31]) {
    const next = announcementOf(delay, announced, 30)
    announced = next.announced
    if (next.announce) seen.push(delay)
  }
  assert.deepEqual(seen, [31, 61, 31, 31])
})

test('what a routing service said holds for an hour, then the settings of the organization do', () => {
  const settings = { eta_detour_factor: 1.3, eta_average_speed_kmh: 60 }
  const route = { factor: 1.1, speed_kmh: 90, at: '2026-11-16T08:00:00.000Z' }
  assert.deepEqual(paceOf({ settings, route }, { ...oakland, at: '2026-11-16T08:59:00.000Z' }), {
    detourFactor: 1.1,
    speedKmh: 90,
    source: 'routing',
  })
  assert.equal(paceOf({ settings, route }, { ...oakland, at: '2026-11-16T09:01:00.000Z' }).source, 'great_circle')
  assert.deepEqual(paceOf({ settings, route: null }, null), { detourFactor: 1.3, speedKmh: 60, source: 'great_circle' })
})
