import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trip } from '../trips/trip.ts'
import { drawnOf, placesIn } from './markers.ts'

const stop = (id: string, latitude: number | null, more: object = {}) => ({
  id,
  sequence: 1,
  kind: 'pickup',
  address: { city: id, latitude, longitude: -122 },
  ...more,
})
const trip = (more: object) =>
  ({
    id: 'm',
    full_id: 'MAN-1',
    status: 'planned',
    stops: [],
    last_position: null,
    delay_minutes: null,
    ...more,
  }) as unknown as Trip

test('a manifest is drawn where it was last, or else at the stop that it goes to; one without a place is not drawn', () => {
  const stops = [stop('a', 37.8, { arrived_at: '2026-11-16T08:00:00Z' }), stop('b', null), stop('c', 47.6)]
  assert.deepEqual(
    drawnOf([trip({ stops })]).map(({ at, standing, stops }) => [at.latitude, standing, stops.length]),
    [[47.6, 'waiting', 2]],
  )
  const last_position = { latitude: 40, longitude: -121 }
  assert.deepEqual(drawnOf([trip({ stops, last_position })])[0]?.at, last_position)
  assert.deepEqual(
    drawnOf([trip({ last_position, delay_minutes: 5 }), trip({ last_position, delay_minutes: 0 })]).map(
      ({ standing }) => standing,
    ),
    ['late', 'moving'],
  )
  assert.deepEqual(drawnOf([trip({ stops: [stop('b', null)] })]), [])
})

test('the map shows all places with something around them, and without any the United States', () => {
  assert.deepEqual(placesIn([])[0], [-125, 24])
  const [[west, south], [east, north]] = placesIn(
    drawnOf([trip({ last_position: { latitude: 40, longitude: -120 } })]),
  ) as [[number, number], [number, number]]
  assert.deepEqual([west, south, east, north], [-126, 36.5, -114, 43.5])
})
