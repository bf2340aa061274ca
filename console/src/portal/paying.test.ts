import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDayOf } from '../parts/dates.ts'
import { currenciesFor, whenPaid } from './paying.ts'

test('a payment is expected until its day is over, and was expected from then on', () => {
  const bill = { state: 'approved', paid_at: null, expected_pay_date: '2026-10-19' } as const
  assert.equal(whenPaid(bill, '2026-10-18'), `Expected ${calendarDayOf('2026-10-19')}`)
  assert.equal(whenPaid(bill, '2026-10-19'), `Expected ${calendarDayOf('2026-10-19')}`)
  assert.equal(whenPaid(bill, '2026-10-20'), `Was expected ${calendarDayOf('2026-10-19')}`)
})

test('of what is not approved nothing is expected, and what is paid says so', () => {
  assert.equal(whenPaid({ state: 'in_review', paid_at: null, expected_pay_date: null }, '2026-10-20'), null)
  assert.match(whenPaid({ state: 'paid', paid_at: '2026-10-19T12:00:00Z', expected_pay_date: null }, '2026-10-20') ?? '', /^Paid /)
})

test('the currencies of an invoice are those of the bills, of the tenders, and the usual ones, each once', () => {
  const priced = (...ids: (string | null)[]) => ids.map((currency_id) => ({ currency_id }))
  assert.deepEqual(currenciesFor([], []), ['usd', 'cad', 'mxn', 'eur', 'gbp'])
  assert.deepEqual(currenciesFor(priced('cad', 'cad', 'pln'), priced(null, 'eur', 'cad')), ['cad', 'pln', 'eur', 'usd', 'mxn', 'gbp'])
})
