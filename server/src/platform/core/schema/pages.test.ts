import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCursor } from './cursors.ts'
import { envelope, pageOf } from './pages.ts'

test('an answer that several share is put into the words of each: its name, its page', () => {
  const found = { list: '[1]', total: 7, next: '["a"]' }
  const asked: [string, { offset?: number; limit?: number }][] = [
    ['bills', {}],
    ['bills', { limit: 500 }],
    ['bills', { offset: 3, limit: 0 }],
    ['objects', { offset: 3, limit: 0 }],
    ['bills', {}],
  ]
  assert.deepEqual(
    asked.map(([name, page]) => {
      const { next_after, ...rest } = JSON.parse(envelope(name, found, pageOf(name, page, ['text'])))
      assert.equal(next_after, writeCursor(JSON.stringify([name, []]), '["a"]'))
      return rest
    }),
    [
      { bills: [1], offset: 0, limit: 20, total: 7 },
      { bills: [1], offset: 0, limit: 200, total: 7 },
      { bills: [1], offset: 3, limit: 0, total: 7 },
      { objects: [1], offset: 3, limit: 0, total: 7 },
      { bills: [1], offset: 0, limit: 20, total: 7 },
    ],
  )
})
