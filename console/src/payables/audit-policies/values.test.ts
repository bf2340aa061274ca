import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, problemsIn, versionOf } from './values.ts'

const empty = versionOf(null, 2).values

test('what is typed becomes limits, and what is left empty is none', () => {
  const typed = { ...empty, over_percent: '2.50', over_amount: '25', under_percent: '100' }
  const { over_percent, over_amount, under_percent, under_amount } = contentOf(typed, 2) ?? {}
  assert.deepEqual([over_percent, over_amount, under_percent, under_amount], ['2.50', 2500, '100', null])
})

test('what cannot be a limit is named, and nothing is sent', () => {
  const typed = { ...empty, over_percent: 'much', under_percent: '-1', over_amount: '-5', under_amount: '1.234' }
  assert.deepEqual(Object.keys(problemsIn(typed, 2)).sort(), [
    'over_amount',
    'over_percent',
    'under_amount',
    'under_percent',
  ])
  assert.equal(contentOf(typed, 2), null)
})

test('a policy for a type of lines approves nothing by itself', () => {
  assert.equal(contentOf({ ...empty, approve_automatically: true }, 2)?.approve_automatically, true)
  assert.equal(
    contentOf({ ...empty, approve_automatically: true, bill_item_type_id: 'x' }, 2)?.approve_automatically,
    false,
  )
})
