import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { invalid, invalidAll, quote } from './refusal.ts'

test('what is quoted is short, and one line, whatever was sent', () => {
  fc.assert(
    fc.property(fc.anything(), (sent) => {
      fc.pre(isJson(sent))
      const quoted = quote(sent)
      assert.ok(JSON.parse(quoted).length <= 81)
      assert.doesNotMatch(quoted, /\n/)
    }),
  )
  assert.equal(quote(undefined), '"undefined"')
  assert.equal(quote('a"b'), '"a\\"b"')
})

test('one wrong field gives its own code and message, several are counted', () => {
  const one = invalid('limit', 'wrong_type', '"limit" must be an integer.')
  assert.equal(one.code, 'wrong_type')
  assert.equal(one.message, '"limit" must be an integer.')
  const two = invalidAll([...one.details, { field: 'offset', code: 'too_small', message: 'no' }])
  assert.equal(two.code, 'invalid_request')
  assert.equal(two.details.length, 2)
  assert.match(two.message, /^2 fields are wrong\. First: "limit"/)
})

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}
