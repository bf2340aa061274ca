/** Parts of the console that need no browser to be right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldErrors, Problem } from '../src/app/api/problem.ts'
import { pageIn } from '../src/app/table/page-number.ts'
import { moneyOf } from '../src/app/values/money.ts'

const digits = (text: string) => text.replace(/[^\d-]/g, '')

test('money keeps every digit, with as many behind the point as ISO 4217 has', () => {
  const dollars = { iso_4217: 'USD', minor_units: 2 }
  assert.match(moneyOf(123_456, dollars), /1\D?234\D56/)
  assert.match(moneyOf(5, dollars), /0\D05/)
  assert.equal(digits(moneyOf(Number.MAX_SAFE_INTEGER, dollars)), '9007199254740991')
  assert.equal(digits(moneyOf(-1, { iso_4217: 'KWD', minor_units: 3 })), '-0001')
  assert.equal(digits(moneyOf(1500, { iso_4217: 'JPY', minor_units: 0 })), '1500')
})

test('what the API finds wrong goes to its field, and the rest to the top', () => {
  const body = (field: string) =>
    new Problem(400, { error_message: 'Wrong.', details: [{ field, code: 'x', message: 'This.' }] })
  assert.deepEqual(fieldErrors(body('redirect_uris.0'), ['name', 'redirect_uris']), {
    byField: { redirect_uris: 'This.' },
    rest: null,
  })
  assert.deepEqual(fieldErrors(body('names'), ['name']), { byField: {}, rest: 'Wrong.' })
  assert.match(String(fieldErrors(new TypeError('fetch failed'), ['name']).rest), /Could not reach the server/)
})

test('the page of a list is a whole number in the address, or the first', () => {
  assert.deepEqual(pageIn({ page: '3' }), { page: 3 })
  for (const page of [undefined, '1', '0', '-2', '1.5', 'x', {}]) assert.deepEqual(pageIn({ page }), {})
})
