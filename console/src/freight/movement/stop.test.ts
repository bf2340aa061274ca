import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coordinatesIn } from './coordinates.ts'
import { durationOf, stopIn } from './stop.ts'

test('a stop is read in the names of both interfaces, and late is who arrived after the window', () => {
  const one = stopIn({
    id: 'a',
    sequence: 1,
    kind: 'pickup',
    address: { companyName: 'Acme', city: 'Oakland' },
    windowEnd: '2026-11-16T12:00:00Z',
    arrivedAt: '2026-11-16T13:30:00Z',
  })
  const other = stopIn({
    id: 'a',
    sequence: 1,
    kind: 'pickup',
    address: { company_name: 'Acme', city: 'Oakland' },
    window_end: '2026-11-16T12:00:00Z',
    arrived_at: '2026-11-16T13:30:00Z',
  })
  assert.deepEqual(one, other)
  assert.deepEqual([one.place, one.delayMinutes], ['Acme · Oakland', 90])
  assert.equal(stopIn({ delay_minutes: 5 }).delayMinutes, 5)
  assert.deepEqual(stopIn(null).referenceNumbers, [])
})

test('a duration is in hours and minutes', () => {
  assert.deepEqual([0, 5, 60, 125].map(durationOf), ['0 min', '5 min', '1 h', '2 h 5 min'])
})

test('coordinates are read as maps show them', () => {
  assert.deepEqual(coordinatesIn(' 44.05, -123.09 '), { latitude: 44.05, longitude: -123.09 })
  assert.equal(coordinatesIn(''), null)
  for (const wrong of ['44.05', 'north', '91, 0', '10, 181']) assert.equal(coordinatesIn(wrong), 'wrong')
})
