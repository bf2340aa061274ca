import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piled, ticksFor } from './scale.ts'

test('the axis has round figures that enclose all values, and zero', () => {
  assert.deepEqual(ticksFor([1, 9]), [0, 2.5, 5, 7.5, 10])
  assert.deepEqual(ticksFor([820, 12_345]), [0, 5000, 10_000, 15_000])
  assert.deepEqual(ticksFor([-300, 500]), [-400, -200, 0, 200, 400, 600])
  assert.deepEqual(ticksFor([-7]), [-8, -6, -4, -2, 0])
  assert.deepEqual(ticksFor([0, 0]), [0, 1])
  assert.deepEqual(ticksFor([]), [0, 1])
  for (const most of [0.03, 1, 3, 7.7, 99, 101, 4e12]) {
    const ticks = ticksFor([most])
    assert.ok(ticks[0] === 0 && (ticks.at(-1) as number) >= most && ticks.length <= 6, `${most}: ${ticks}`)
  }
})

test('values stand on each other, and those below zero hang down', () => {
  assert.deepEqual(piled([2, 3, -1, 4, -2]), [
    { from: 0, to: 2 },
    { from: 2, to: 5 },
    { from: 0, to: -1 },
    { from: 5, to: 9 },
    { from: -1, to: -3 },
  ])
})
