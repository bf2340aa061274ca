import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDayOf, dayIn, momentOn, today, todayIn, typedDayOf } from './dates.ts'

test('the day that a bill is due is the same wherever one looks from', () => {
  const zone = process.env.TZ
  try {
    for (const TZ of ['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati']) {
      process.env.TZ = TZ
      assert.equal(calendarDayOf('2026-03-01T00:00:00.000Z', 'en'), 'Mar 1, 2026')
      assert.equal(typedDayOf('2026-03-01T00:00:00.000Z'), '2026-03-01')
      assert.equal(today(new Date(2026, 2, 1, 23, 59)), '2026-03-01')
      assert.equal(today(new Date(momentOn('2026-03-01'))), '2026-03-01')
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
  assert.equal(typedDayOf(null), '')
})

test('a day is that of the time zone asked for, and a calendar day is the same in every one', () => {
  assert.equal(dayIn('2026-03-01T00:00:00.000Z', 'America/Los_Angeles'), '2026-03-01')
  assert.equal(dayIn('2026-03-01T05:00:00.000Z', 'America/Los_Angeles'), '2026-02-28')
  assert.equal(todayIn('Pacific/Kiritimati', new Date('2026-03-01T10:00:00.000Z')), '2026-03-02')
})
