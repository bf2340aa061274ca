import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oldestFirst, readParts } from './allocating.ts'

const dollar = { id: 'usd', iso_4217: 'USD', minor_units: 2, name: 'US Dollar' }
const open = [
  { id: 'a', amount_due: 10_000 },
  { id: 'b', amount_due: 5_000 },
  { id: 'c', amount_due: 7_500 },
]

test('an amount is divided among documents, the first ones first, and never more than is due or there', () => {
  assert.deepEqual(
    [...oldestFirst(12_000, open)],
    [
      ['a', 10_000],
      ['b', 2_000],
    ],
  )
  assert.deepEqual([...oldestFirst(0, open)], [])
  assert.deepEqual(
    [...oldestFirst(90_000, open)],
    open.map(({ id, amount_due }) => [id, amount_due]),
  )
  // A document on which the other side owes takes nothing.
  assert.deepEqual([...oldestFirst(100, [{ id: 'n', amount_due: -500 }, ...open])], [['a', 100]])
})

test('typed amounts are read in their currency, and one above what is due says so', () => {
  const typed = new Map([
    ['a', '1,0'],
    ['b', '50.01'],
    ['c', ' '],
    ['gone', '5'],
  ])
  const { parts, sum, problems, gone } = readParts(typed, open, dollar)
  assert.deepEqual([[...parts], sum, Object.keys(problems)], [[['a', 100]], 100n, ['b']])
  // An amount for what is not open any more is never dropped without a word.
  assert.deepEqual(gone, ['gone'])
  assert.deepEqual(Object.keys(readParts(new Map([['a', '-1']]), open, dollar).problems), ['a'])
})
