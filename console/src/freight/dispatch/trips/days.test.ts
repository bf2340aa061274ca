import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionOf } from './days.ts'

test('a position says of when it is, and how long ago that was', () => {
  const now = new Date(2026, 10, 18, 14, 30).getTime()
  const before = (minutes: number) => positionOf(new Date(now - minutes * 60_000).toISOString(), now)
  assert.match(before(0), /^Position of 2:30\sPM, just now$|^Position of 14:30, just now$/)
  assert.match(before(14), /, 14 min ago$/)
  assert.match(before(125), /, 2 h 5 min ago$/)
  assert.match(before(3 * 24 * 60), /^Position of .*15.*, 3 d ago$/)
  // The clock of a device may be fast.
  assert.match(before(-3), /, just now$/)
})
