import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { Refusal } from '../refusal.ts'
import { checkerOf } from './check.ts'

/** An entry that notices that somebody looks at it. */
const untouched = () =>
  new Proxy(
    {},
    {
      get: () => assert.fail('an entry was looked at'),
      has: () => assert.fail('an entry was looked at'),
      ownKeys: () => assert.fail('an entry was looked at'),
      getOwnPropertyDescriptor: () => assert.fail('an entry was looked at'),
    },
  )
const entry = Type.Object({ name: Type.String() })
const check = checkerOf(
  Type.Object({
    rows: Type.Optional(Type.Array(entry, { maxItems: 2 })),
    once: Type.Optional(Type.Array(entry, { maxItems: 2, uniqueItems: true })),
    within: Type.Optional(Type.Array(Type.Object({ rows: Type.Array(entry, { maxItems: 2 }) }), { maxItems: 2 })),
  }),
)
const fullOf = (make: () => unknown, most = 3) => Array.from({ length: most }, make)

function refused(sent: unknown): unknown[] {
  try {
    check(sent)
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.details[0]?.field, error.message]
    throw error
  }
  return []
}

test('a list with more entries than it may have is refused before any of them is looked at', () => {
  const message = (field: string) => ['too_many', field, `"${field}" can have at most 2 entries.`]
  assert.deepEqual(refused({ rows: fullOf(untouched) }), message('rows'))
  assert.deepEqual(refused({ once: fullOf(untouched) }), message('once'))
  assert.deepEqual(refused({ within: [{ rows: [] }, { rows: fullOf(untouched) }] }), message('within.1.rows'))
  const right = { rows: fullOf(() => ({ name: 'a' }), 2), within: [{ rows: [] }] }
  assert.deepEqual(check(right), right)
})
