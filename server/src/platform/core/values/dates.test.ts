import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasOffset, isForDatabase, parseDate, toWire } from './dates.ts'

const times = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

test('a time that went out comes back the same', () => {
  fc.assert(fc.property(times, (time) => assert.deepEqual(parseDate(toWire(time)), time)))
})

test('the same instant is read from any offset', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -23 * 60, max: 23 * 60 }), (time, minutes) => {
      const there = new Date(time.getTime() + minutes * 60_000)
      const year = there.getUTCFullYear()
      fc.pre(year >= 1 && year <= 9999)
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const offset = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
      assert.deepEqual(parseDate(toWire(there).replace('Z', offset)), time)
    }),
  )
})

test('what is read can always be written in four digits of a year', () => {
  assert.equal(parseDate('0001-01-01T00:00:00+14:00'), null)
  assert.equal(parseDate('9999-12-31T23:59:59-01:00'), null)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const time = parseDate(text)
      assert.ok(time === null || /^\d{4}-/.test(toWire(time)))
    }),
  )
})

test('a bare date is its first instant, or as the end of a range its last', () => {
  assert.equal(parseDate('2026-11-15')?.toISOString(), '2026-11-15T00:00:00.000Z')
  assert.equal(parseDate('2026-11-15', 'end')?.toISOString(), '2026-11-15T23:59:59.999Z')
  assert.equal(parseDate('2026-11-15T10:00:00Z', 'end')?.toISOString(), '2026-11-15T10:00:00.000Z')
})

test('a time without an offset is in UTC, with a T or a space before it', () => {
  for (const text of [
    '2026-11-15T10:00:00',
    '2026-11-15 10:00:00',
    '2026-11-15t10:00:00.000',
    '2026-11-15 10:00:00Z',
    '2026-11-15 11:30:00+01:30',
  ])
    assert.equal(parseDate(text)?.toISOString(), '2026-11-15T10:00:00.000Z', text)
})

test('a plus sign that a query string turned into a space is one', () => {
  assert.equal(parseDate('2026-11-15T12:00:00 02:00')?.toISOString(), '2026-11-15T10:00:00.000Z')
})

test('only a time with an offset says by itself which moment it means', () => {
  assert.deepEqual(
    ['2026-11-15T10:00:00', '2026-11-15', '2026-11-15T10:00:00Z', '2026-11-15T10:00:00-05:00'].map(hasOffset),
    [false, false, true, true],
  )
})

test('a fraction of any length is cut to milliseconds', () => {
  assert.equal(parseDate('2026-11-15T10:00:00.5Z')?.toISOString(), '2026-11-15T10:00:00.500Z')
  assert.equal(parseDate('2026-11-15T10:00:00.123999999Z')?.toISOString(), '2026-11-15T10:00:00.123Z')
})

test('of what is a time the database reads all but odd offsets and long fractions', () => {
  const odd = ['+16:00', '-23:59', ' 05:00'].map((offset) => `2026-11-15T10:00:00${offset}`)
  for (const text of [...odd, `2026-11-15T10:00:00.${'1'.repeat(10)}Z`])
    assert.deepEqual([parseDate(text) !== null, isForDatabase(text)], [true, false], text)
  for (const text of ['2026-11-15T10:00:00-15:59', '2026-11-15T10:00:00.123456789Z', '2026-11-15'])
    assert.ok(isForDatabase(text), text)
  assert.ok(!isForDatabase('2026-02-30'))
})

test('what is no date is none', () => {
  for (const text of [
    ...[
      '',
      'today',
      '2026',
      '2026-11',
      '15.11.2026',
      '2026-13-01',
      '2026-00-10',
      '2026-02-30',
      '2025-02-29',
      '2026-11-31',
      '0000-01-01',
      '-2026-01-01',
    ],
    ...[
      '2026-11-15T10:00:00 ',
      '2026-11-15T24:00:00Z',
      '2026-11-15T10:60:00Z',
      '2026-11-15T10:00:60Z',
      '2026-11-15T10:00Z',
      '2026-11-15T10:00:00+99:99',
    ],
    ...[
      '2026-11-15T10:00:00+0200',
      '2026-11-15T10:00:00.Z',
      ' 2026-11-15',
      '2026-11-15\n',
      '1763200000',
      '+002026-11-15T10:00:00Z',
    ],
  ]) {
    assert.equal(parseDate(text), null, JSON.stringify(text))
  }
  assert.ok(parseDate('2024-02-29'))
})
