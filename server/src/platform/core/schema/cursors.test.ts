import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../refusal.ts'
import { newId } from '../values/ids.ts'
import { type KeyType, readCursor, writeCursor } from './cursors.ts'

const values: Record<KeyType, fc.Arbitrary<unknown>> = {
  time: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((time) => time.toISOString()),
  integer: fc.maxSafeInteger(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  text: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
  id: fc.uuid(),
  flag: fc.boolean(),
  any: fc.constantFrom([7.5, null, null], [null, 'text', null], [null, null, false]),
}
const types = Object.keys(values) as KeyType[]
const keys = fc
  .array(fc.constantFrom(...types), { maxLength: 3 })
  .chain((chosen) =>
    fc.tuple(fc.constant(chosen), fc.tuple(...chosen.map((type) => fc.option(values[type], { freq: 4 })))),
  )

function refused(read: () => unknown): void {
  assert.throws(
    read,
    (error) =>
      error instanceof Refusal &&
      error.kind === 'invalid' &&
      error.code === 'invalid_cursor' &&
      error.details[0]?.field === 'after',
  )
}

test('a cursor holds the values of the last record, whatever they are, and fits an address', () => {
  fc.assert(
    fc.property(keys, ([types, values]) => {
      const all = [...values, newId()]
      const text = writeCursor('a search', JSON.stringify(all))
      assert.match(text, /^[A-Za-z0-9_-]+$/)
      assert.deepEqual(readCursor('a search', text, [...types, 'id']), all)
      refused(() => readCursor('another search', text, [...types, 'id']))
      refused(() => readCursor('a search', text, [...types, 'text', 'id']))
    }),
  )
})

test('a text that is no cursor is refused, and so is one whose values the database could not read', () => {
  fc.assert(fc.property(fc.string(), (text) => refused(() => readCursor('a search', text, ['time', 'id']))))
  const wrong: [KeyType, unknown][] = [
    ['time', 'soon'],
    ['time', '2026-02-30T00:00:00Z'],
    ['time', '2026-11-15T09:30:00+16:00'],
    ['time', '2026-11-15T09:30:00 05:00'],
    ['time', `2026-11-15T09:30:00.${'1'.repeat(150)}Z`],
    ['time', 7],
    ['integer', 1.5],
    ['integer', 2 ** 53],
    ['integer', '7'],
    ['number', 'NaN'],
    ['text', 'a\0b'],
    ['text', '\ud800'],
    ['text', { length: 1 }],
    ['id', '7'],
    ['flag', 'true'],
    ['any', [1, 2]],
    ['any', [1, 2, 3]],
  ]
  for (const [type, value] of wrong)
    refused(() => readCursor('a search', writeCursor('a search', JSON.stringify([value, newId()])), [type, 'id']))
  refused(() => readCursor('a search', writeCursor('a search', '[null]'), ['id']))
})
