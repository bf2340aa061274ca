import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/any-text.ts'
import { isId, newId, parseReference } from './ids.ts'

test('a new id is a UUID of version 7 that carries its time', () => {
  const before = Date.now()
  const id = newId()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  assert.ok(time >= before && time <= Date.now() + 1)
})

test('a hundred thousand ids rise strictly, so none comes twice', () => {
  let last = newId()
  for (let count = 0; count < 100_000; count++) {
    const next = newId()
    assert.ok(next > last, `${next} after ${last}`)
    last = next
  }
})

test('ids rise strictly even while the clock goes back', () => {
  const now = Date.now() + 60_000
  const [first, second, third] = [newId(now), newId(now - 5_000), newId(now + 1)]
  assert.ok(first < second && second < third)
})

test('a reference is a UUID in any case, ext: or external_id: with something behind it, and nothing else', () => {
  const id = newId()
  assert.deepEqual(parseReference(id.toUpperCase()), { by: 'id', id })
  assert.deepEqual(parseReference('ext:A-1'), { by: 'external_id', external_id: 'A-1' })
  assert.deepEqual(parseReference('external_id:A-1'), { by: 'external_id', external_id: 'A-1' })
  for (const text of [
    '',
    'ext:',
    'external_id:',
    'EXT:a',
    'id:1',
    'A-1',
    ` ${id}`,
    `${id}\n`,
    `{${id}}`,
    id.replaceAll('-', ''),
    'null',
    '1',
  ]) {
    assert.equal(parseReference(text), null, JSON.stringify(text))
  }
})

test('every external id comes back whole from both of its forms, also one that looks like a reference', () => {
  fc.assert(
    fc.property(anyText({ minLength: 1 }), fc.constantFrom('ext:', 'external_id:'), (external_id, form) => {
      assert.deepEqual(parseReference(form + external_id), { by: 'external_id', external_id })
    }),
  )
  assert.deepEqual(parseReference('ext:ext:a'), { by: 'external_id', external_id: 'ext:a' })
})

test('whatever fast-check takes for a UUID is an id', () => {
  fc.assert(fc.property(fc.uuid(), (text) => isId(text) && isId(text.toUpperCase())))
})
