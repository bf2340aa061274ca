import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IssuedRun, Payout } from './model.ts'
import { nachaFile } from './nacha.ts'

const details = {
  bank_name: null,
  account_type: 'checking',
  routing_number: '021000021',
  account_number: '1',
  iban: null,
  bic: null,
} as const
const account = { name: 'Blue Ridge Freight Brokers', company_id: '1234567890', ach_file: 'nacha', details }
const largest = 9_999_999_999

function runOf(amounts: readonly number[]): IssuedRun {
  const payments = amounts.map(
    (amount, index): Payout => ({
      ...{
        payment_id: `${index}`,
        number: `PAY-${index}`,
        method: 'ach',
        amount,
        payee_name: 'Cascade',
        details,
        address: null,
        references: [],
      },
    }),
  )
  return {
    id: 'x',
    number: 'RUN-000001',
    currency_id: 'usd',
    decimals: 2,
    pay_on: '2026-11-16',
    issued_at: '2026-11-15T10:00:00.000Z',
    account,
    payments,
  }
}

test('a NACHA file keeps its records at 94 characters up to the largest sum that it holds, and is refused beyond', () => {
  const most = Array.from({ length: 100 }, () => largest)
  const lines = nachaFile(runOf([...most, 99]))
    .split('\r\n')
    .slice(0, -1)
  assert.ok(lines.every((line) => line.length === 94))
  assert.equal(lines.find((line) => line[0] === '8')?.slice(32, 44), '999999999999')
  assert.throws(() => nachaFile(runOf([...most, 100])), {
    code: 'amount_too_large',
    message: /RUN-000001 come to 1000000000000/,
  })
  assert.throws(() => nachaFile(runOf([largest + 1])), { code: 'amount_too_large' })
})
