import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../core/refusal.ts'
import { parseJson } from './json-body.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

function refused(text: string): [string, string] {
  try {
    parse(text)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return [error.code, error.details[0]?.field ?? '']
  }
  return assert.fail(`${text} was taken`)
}

test('a key that stands twice in one object is refused, however it is written, and wherever', () => {
  assert.deepEqual(refused('{"a":1,"a":1}'), ['duplicate_key', 'a'])
  assert.deepEqual(refused('{"a":1,"\\u0061":2}'), ['duplicate_key', 'a'])
  assert.deepEqual(refused('{"x":[{"k":":"},{"b":{"c":[],"d":"\\"","c":{}}}]}'), ['duplicate_key', 'x.1.b.c'])
  assert.deepEqual(parse('{"a":{"a":":"},"b":[{"a":1},{"a":2}]}'), { a: { a: ':' }, b: [{ a: 1 }, { a: 2 }] })
})

test('a number that no double holds exactly is refused, one that it holds is taken however it is written', () => {
  for (const number of [
    '1e400',
    '-1e400',
    '12345678901234567890',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '1e-400',
    `1e-${'9'.repeat(500_000)}`,
    '123456789.123456789123',
    `1${'0'.repeat(400)}`,
  ])
    assert.deepEqual(refused(`{"n":[1,${number}]}`), ['inexact_number', 'n.1'], number)
  for (const number of [
    '0',
    '-0',
    '1.50',
    '1e2',
    '1E+2',
    '100e-2',
    '9007199254740992',
    '0.30000000000000004',
    '5e-324',
    '1.7976931348623157e308',
    '100000000000000000000',
  ])
    assert.deepEqual(parse(`{"n":${number}}`), { n: Number(number) }, number)
})

test('whatever JSON.stringify writes is taken as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify({ value })
      if (/__proto__|\\u0000|\\ud[89a-f]/i.test(text)) return
      assert.deepEqual(parse(text), JSON.parse(text))
    }),
  )
})
