import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDayOf } from '../../app/values/dates.ts'
import { money } from '../parts/words.ts'
import { amountsOf, currenciesFor, leftToPay, whenPaid } from './paying.ts'

test('a payment is expected until its day is over, and was expected from then on', () => {
  const bill = { state: 'approved', paid_at: null, expected_pay_date: '2026-10-19' } as const
  assert.equal(whenPaid(bill, '2026-10-18'), `Expected ${calendarDayOf('2026-10-19')}`)
  assert.equal(whenPaid(bill, '2026-10-19'), `Expected ${calendarDayOf('2026-10-19')}`)
  assert.equal(whenPaid(bill, '2026-10-20'), `Was expected ${calendarDayOf('2026-10-19')}`)
})

test('of what is not approved nothing is expected, and what is paid says so', () => {
  assert.equal(whenPaid({ state: 'in_review', paid_at: null, expected_pay_date: null }, '2026-10-20'), null)
  assert.match(
    whenPaid({ state: 'paid', paid_at: '2026-10-19T12:00:00Z', expected_pay_date: null }, '2026-10-20') ?? '',
    /^Paid /,
  )
})

test('an invoice that is paid short says how much of it was approved', () => {
  const invoice = { total_amount: 153376, currency_id: 'usd' }
  assert.equal(
    amountsOf({ ...invoice, approved_amount: 138376 }),
    `${money(138376, 'usd')} of ${money(153376, 'usd')} approved`,
  )
  assert.equal(amountsOf({ ...invoice, approved_amount: 153376 }), money(153376, 'usd'))
  assert.equal(amountsOf({ ...invoice, approved_amount: null }), money(153376, 'usd'))
})

test('a bill says what is left to pay once a part of it was paid', () => {
  assert.equal(leftToPay({ amount_paid: 60000, amount_due: 125000, currency_id: 'usd' }), money(125000, 'usd'))
  assert.equal(leftToPay({ amount_paid: 0, amount_due: 185000, currency_id: 'usd' }), null)
  assert.equal(leftToPay({ amount_paid: 185000, amount_due: 0, currency_id: 'usd' }), null)
})

test('the currencies of an invoice are those of the bills, of the tenders, and the usual ones, each once', () => {
  const priced = (...ids: (string | null)[]) => ids.map((currency_id) => ({ currency_id }))
  assert.deepEqual(currenciesFor([], []), ['usd', 'cad', 'mxn', 'eur', 'gbp'])
  assert.deepEqual(currenciesFor(priced('cad', 'cad', 'pln'), priced(null, 'eur', 'cad')), [
    'cad',
    'pln',
    'eur',
    'usd',
    'mxn',
    'gbp',
  ])
})
