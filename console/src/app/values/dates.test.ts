import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calendarDayOf,
  dayIn,
  dockTimeOf,
  momentOn,
  momentTyped,
  sevenDaysIn,
  today,
  todayIn,
  typedDayOf,
  typedTimeIn,
} from './dates.ts'

test('the day that a bill is due is the same wherever one looks from', () => {
  const zone = process.env.TZ
  try {
    for (const TZ of ['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati']) {
      process.env.TZ = TZ
      assert.equal(calendarDayOf('2026-03-01T00:00:00.000Z', 'en'), 'Mar 1, 2026')
      assert.equal(typedDayOf('2026-03-01T00:00:00.000Z', 'America/New_York'), '2026-03-01')
      assert.equal(typedDayOf('2026-03-01T01:00:00.000Z', 'America/New_York'), '2026-02-28')
      assert.equal(today(new Date(2026, 2, 1, 23, 59)), '2026-03-01')
      for (const zone of ['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])
        assert.equal(dayIn(momentOn('2026-03-08', zone), zone), '2026-03-08', `entered in ${TZ} for ${zone}`)
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
  assert.equal(typedDayOf(null, 'UTC'), '')
})

test('a day is that of the time zone asked for, and a calendar day is the same in every one', () => {
  assert.equal(dayIn('2026-03-01T00:00:00.000Z', 'America/Los_Angeles'), '2026-03-01')
  assert.equal(dayIn('2026-03-01T05:00:00.000Z', 'America/Los_Angeles'), '2026-02-28')
  assert.equal(todayIn('Pacific/Kiritimati', new Date('2026-03-01T10:00:00.000Z')), '2026-03-02')
  const evening = new Date('2026-11-19T01:00:00.000Z')
  assert.deepEqual(sevenDaysIn('America/New_York', evening), ['2026-11-18', '2026-11-24'])
  assert.deepEqual(sevenDaysIn('UTC', evening), ['2026-11-19', '2026-11-25'])
})

test('a time is typed and shown by the clock of a place, also where clocks change', () => {
  assert.equal(momentTyped('2027-01-11T08:00', 'America/Phoenix'), '2027-01-11T15:00:00.000Z')
  assert.equal(typedTimeIn('2027-01-11T15:00:00Z', 'America/Phoenix'), '2027-01-11T08:00')
  assert.equal(momentTyped('2027-03-14T02:30', 'America/New_York'), '2027-03-14T06:30:00.000Z')
  for (const moment of [
    '2027-03-14T05:30:00.000Z',
    '2027-03-14T07:30:00.000Z',
    '2027-11-07T07:30:00.000Z',
    '2026-07-01T12:00:09.000Z',
  ])
    assert.equal(momentTyped(typedTimeIn(moment, 'America/New_York'), 'America/New_York'), moment)
  assert.equal(momentTyped('soon', 'UTC'), null)
  const at = '2027-01-11T15:00:00Z'
  assert.equal(dockTimeOf(at, 'America/Phoenix', { locale: 'en-US' }), 'Jan 11, 08:00 MST')
  assert.equal(dockTimeOf(at, 'America/Phoenix', { locale: 'en-US', withYear: true }), 'Jan 11, 2027, 08:00 MST')
})
