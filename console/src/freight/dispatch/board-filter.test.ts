import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterOf, partIn } from './board-filter.ts'
import { dispatchIn } from './trips/search.ts'

test('the filters of the page are kept by a board and come back as they were', () => {
  for (const part of [
    {},
    { carrier: 'a' },
    { status: 'planned,dispatched', driver: 'ortiz', from: '2026-11-01', to: '2026-11-30', equipment: 'e' },
  ])
    assert.deepEqual(partIn(filterOf(part)), part)
  assert.deepEqual(filterOf({ status: 'planned' }), { field: 'status', op: 'in', value: ['planned'] })
})

test('a board with other conditions is not taken for one of the page', () => {
  assert.equal(partIn({ field: 'distance', op: 'gt', value: 5 }), null)
  assert.equal(partIn({ or: [{ field: 'partnerId', op: 'eq', value: 'a' }] }), null)
  const twice = [
    { field: 'partnerId', op: 'eq', value: 'a' },
    { field: 'partnerId', op: 'eq', value: 'b' },
  ] as const
  assert.equal(partIn({ and: twice }), null)
})

test('an address is read as far as it is known', () => {
  assert.deepEqual(dispatchIn({ view: 'map', from: '2026-11-01', to: 'soon', q: 12, other: 'x', open: '' }), {
    view: 'map',
    q: '12',
    from: '2026-11-01',
  })
  assert.deepEqual(dispatchIn({ view: 'list' }), {})
})
