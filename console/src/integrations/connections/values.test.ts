import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionIn, countsText } from './values.ts'

test('the connection of a sign-in is read from its state, and of anything else none', () => {
  const state = `${Buffer.from(JSON.stringify(['org', 'connection', 'user', 1])).toString('base64url')}~v1.key.signature`
  assert.equal(connectionIn(state), 'connection')
  for (const wrong of ['', '~', 'x~y', '%']) assert.equal(connectionIn(wrong), null)
})

test('what came of a sync is one line', () => {
  const counts = { pending: 0, created: 3, updated: 0, removed: 0, unchanged: 0, skipped: 0, failed: 1 }
  assert.equal(countsText(counts), '3 created, 1 failed')
  assert.equal(countsText({ ...counts, created: 0, failed: 0 }), 'Nothing to do')
})
