import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLot, lotsOf, nextLot, restAfter } from './lots.ts'

test('a lot grows while it is quick, shrinks when it is slow, and stays within its bounds', () => {
  assert.equal(nextLot(50, 100), 100)
  assert.equal(nextLot(50, 300), 50)
  assert.equal(nextLot(100, 500), 50)
  assert.equal(nextLot(50, 5000), 25)
  assert.equal(nextLot(25, 5000), 25)
  assert.equal(nextLot(400, 1), 400)
  assert.equal(nextLot(400, 1, 800), 800)
  // One that became smaller than the least because it failed stays as it is until it is quick.
  assert.equal(nextLot(1, 5000), 1)
  assert.equal(nextLot(1, 1), 2)
})

test('rows are put together in lots, in their order, each row once', async () => {
  async function* rows() {
    for (let row = 0; row < 1000; row += 1) yield row
  }
  const lots = await Array.fromAsync(lotsOf(rows(), { dryRun: false }))
  assert.equal(lots[0]?.length, firstLot)
  assert.deepEqual(
    (await Array.fromAsync(lotsOf(rows(), { dryRun: true }))).map(({ length }) => length),
    [500, 500],
  )
  assert.deepEqual(
    lots.flat(),
    Array.from({ length: 1000 }, (_, row) => row),
  )
})

test('after a lot background work rests for as long as it took, within bounds', () => {
  assert.deepEqual([restAfter(0), restAfter(80), restAfter(10_000)], [5, 80, 500])
})
