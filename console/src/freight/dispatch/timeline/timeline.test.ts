import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trip } from '../trips/trip.ts'
import { daysOf, placeOf, rowsOf, timelessOf } from './timeline.ts'

const range = { first: '2026-11-16', days: 4 }
const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).toISOString()

function trip(full_id: string, from: string | null, until: string | null, more: Partial<Trip> = {}): Trip {
  const unit = { id: 'u1', full_id: 'EQP-1', name: 'T-104', equipment_type: null }
  return {
    ...{
      id: full_id,
      full_id,
      status: 'planned',
      starts_at: from,
      ends_at: until,
      driver_key: 'own sam',
      driver_name: 'Sam',
      equipment: unit,
    },
    ...{ partner_carrier: null, ...more },
  } as Trip
}

test('a booking is a bar from its start to its end, cut off where the days end', () => {
  const { drivers, equipment } = rowsOf(
    [trip('A', at(17), at(18)), trip('B', at(14), at(16, 12)), trip('C', at(25), at(26))],
    [],
    range,
  )
  assert.deepEqual(
    drivers.map(({ label, bars }) => [label, bars.map(({ trip, left, width }) => [trip.full_id, left, width])]),
    [
      [
        'Sam',
        [
          ['B', 0, 12.5],
          ['A', 25, 25],
        ],
      ],
    ],
  )
  assert.deepEqual([equipment.length, equipment[0]?.label, equipment[0]?.lines], [1, 'T-104', 1])
  assert.equal(placeOf(new Date(2026, 10, 18).getTime(), range), 50)
  assert.deepEqual(daysOf(range), ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'])
})

test('bookings that overlap stand below each other and are marked, unless one of them is over', () => {
  const double = rowsOf([trip('A', at(16), at(18)), trip('B', at(17), at(19))], [], range).drivers[0]
  assert.deepEqual(
    [double?.lines, double?.bars.map(({ line, isDouble }) => [line, isDouble])],
    [
      2,
      [
        [0, true],
        [1, true],
      ],
    ],
  )
  const done = rowsOf([trip('A', at(16), at(18), { status: 'completed' }), trip('B', at(17), at(19))], [], range)
    .drivers[0]
  assert.deepEqual(
    done?.bars.map(({ isDouble }) => isDouble),
    [false, false],
  )
})

test('units without a booking have a row too, and what has no times is named apart', () => {
  const { equipment } = rowsOf(
    [],
    [
      { id: 'u2', name: 'T-20', status: 'active' },
      { id: 'u1', name: 'T-3', status: 'maintenance' },
    ],
    range,
  )
  assert.deepEqual(
    equipment.map(({ label, detail, bars }) => [label, detail, bars.length]),
    [
      ['T-3', 'In maintenance', 0],
      ['T-20', '', 0],
    ],
  )
  assert.deepEqual(
    timelessOf([trip('A', null, null), trip('B', at(1), at(2))]).map(({ id }) => id),
    ['A'],
  )
})
