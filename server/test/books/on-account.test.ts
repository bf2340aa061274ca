import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { readPdf } from '../pdf.ts'
import { applicationIn, callerIn, sharedService } from '../service.ts'
import { type Books, type Json, openBooks, type Row } from './books.ts'

const service = await sharedService()
const payments = '/api/v1/payments'

const sides = [
  {
    path: 'customers',
    party: 'customer_id',
    direction: 'in',
    documents: 'invoices',
    count: 'invoice_count',
    aging: 'receivables_aging',
    scope: 'invoices',
  },
  {
    path: 'partner_carriers',
    party: 'partner_carrier_id',
    direction: 'out',
    documents: 'bills',
    count: 'bill_count',
    aging: 'payables_aging',
    scope: 'bills',
  },
] as const
type Side = (typeof sides)[number]

const partyOf = async (books: Books, { path }: Side) =>
  (await books.make(`/api/v1/${path}`, { name: `One of ${path}` })).id
const paid = (books: Books, { party }: Side, id: string, body: object) =>
  books.make(payments, { [party]: id, currency_id: 'usd', method: 'wire', ...body }) as Promise<Row>

async function document(books: Books, { documents, party }: Side, id: string, total: number): Promise<string> {
  const made = await books.make(`/api/v1/${documents}`, {
    [party]: id,
    currency_id: 'usd',
    sub_total_amount: total,
    due_date: '2026-01-05',
  })
  await books.call('POST', `/api/v1/${documents}/${made.id}/save`)
  return made.id
}

async function statement(
  books: Books,
  { path }: Side,
  id: string,
  query = '',
): Promise<Json & { currencies: Json[]; payments: Json[] }> {
  const answer = await books.get(`/api/v1/${path}/${id}/statement${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().statement
}

async function aging(books: Books, { aging }: Side, query = ''): Promise<{ rows: Json[]; totals: Json[]; home: Json }> {
  return (await books.get(`/api/v1/reports/${aging}${query}`)).json()
}

describe('money on account', { concurrency: true }, () => {
  for (const side of sides) {
    test(`is a line of the statement of ${side.path} and lowers the balance, until it is allocated or paid back; at any past moment it is as it was`, async () => {
      const books = await openBooks(service)
      const id = await partyOf(books, side)
      const owed = await document(books, side, id, 1000)
      const first = await paid(books, side, id, { amount: 500 })
      const other = await paid(books, side, id, {
        amount: 70,
        direction: side.direction === 'in' ? 'out' : 'in',
        reference_number: 'BACK',
      })
      const before = await statement(books, side, id)
      const sums = ({ currencies: [one] }: { currencies: Json[] }) => [
        one?.[side.count],
        one?.amount_due,
        one?.unapplied_amount,
        one?.balance_amount,
      ]
      assert.deepEqual(sums(before), [1, 1000, 430, 570])
      assert.deepEqual(
        before.payments.map((one) => [one.id, one.amount, one.unapplied_amount]),
        [
          [first.id, 500, 500],
          [other.id, 70, -70],
        ],
      )
      const [row, ...more] = (await aging(books, side)).rows
      assert.deepEqual([row?.total_amount, row?.unapplied_amount, row?.documents, more], [1000, 430, 1, []])

      await books.call('POST', `${payments}/${first.id}/allocations`, {
        allocations: [{ [`${side.documents.slice(0, -1)}_id`]: owed, amount: 300 }],
      })
      assert.deepEqual(sums(await statement(books, side, id)), [1, 700, 130, 570])
      const back = await books.call('POST', `${payments}/${first.id}/refund`, { amount: 150 })
      assert.equal(back.statusCode, 201, back.body)
      assert.deepEqual(sums(await statement(books, side, id)), [1, 700, -20, 720])
      const { totals, rows } = await aging(books, side)
      assert.deepEqual(
        [rows[0]?.unapplied_amount, totals[0]?.unapplied_amount, totals[0]?.total_amount],
        [-20, -20, 700],
      )
      await books.call('POST', `${payments}/${back.json().payment.id}/void`, { reason: 'Lost' })
      assert.deepEqual(sums(await statement(books, side, id)), [1, 700, 130, 570])

      assert.deepEqual(await statement(books, side, id, `?as_of=${before.as_of}`), before)
      assert.equal((await aging(books, side, `?as_of=${before.as_of}`)).rows[0]?.unapplied_amount, 430)
    })

    test(`of ${side.path} is paid back on the day it came or later, by the days of the organization`, async () => {
      const books = await openBooks(service)
      await applicationIn(service, books.org).call('PUT', '/api/v1/organization', { time_zone: 'America/Los_Angeles' })
      // The evening of the 4th in Los Angeles, and the 5th by UTC.
      const late = await paid(books, side, newId(), { amount: 100, paid_at: '2026-03-05T03:00:00Z' })
      const refund = (id: unknown, paid_at: string) =>
        books.call('POST', `${payments}/${id}/refund`, { amount: 10, paid_at })
      for (const at of ['2026-03-04', '2026-03-04T10:00:00Z', '2026-03-05T02:00:00Z'])
        assert.equal((await refund(late.id, at)).statusCode, 201, at)
      const early = await refund(late.id, '2026-03-03')
      assert.equal(early.json().error_code, 'before_payment')
      assert.match(early.json().error_message, /of 2026-03-04, so it cannot be paid back on 2026-03-03/)
      // The same day by UTC, and in Los Angeles the day before.
      const next = await paid(books, side, newId(), { amount: 100, paid_at: '2026-03-05T12:00:00Z' })
      assert.equal((await refund(next.id, '2026-03-05T03:00:00Z')).json().error_code, 'before_payment')
    })

    test(`of ${side.path} who owe nothing is a row of its own, in the home currency by the rate of the payment, in JSON and CSV`, async () => {
      const books = await openBooks(service)
      await applicationIn(service, books.org).call('PUT', '/api/v1/organization', { home_currency_id: 'usd' })
      await books.make('/api/v1/exchange_rates', {
        from_currency_id: 'eur',
        to_currency_id: 'usd',
        rate: '1.1',
        starts_on: '2026-01-01',
      })
      const id = newId()
      await paid(books, side, id, { amount: 1000, currency_id: 'eur', paid_at: '2026-01-10' })
      await paid(books, side, id, { amount: 5, currency_id: 'cad' })
      const { rows, home } = await aging(books, side, '?currency_ids=eur')
      assert.deepEqual(
        rows.map((one) => [
          one.party_id,
          one.documents,
          one.total_amount,
          one.unapplied_amount,
          one.home_unapplied_amount,
          one.missing_rate,
        ]),
        [[id, 0, 0, 1000, 1100, 0]],
      )
      assert.deepEqual([home.unapplied_amount, home.total_amount], [1100, 0])
      const all = await aging(books, side)
      assert.deepEqual([all.home.unapplied_amount, all.home.missing_rate, all.home.documents], [1100, 1, 0])
      const csv = (await books.get(`/api/v1/reports/${side.aging}`, { accept: 'text/csv' })).body.split('\r\n')
      assert.match(
        String(csv[0]),
        /,unapplied_amount,home_unapplied_amount,currency,.*,unapplied_amount_decimal,home_unapplied_amount_decimal$/,
      )
    })

    test(`is in the CSV of the statement of ${side.path} as less than nothing, so that a column adds up to the balance, and in its PDF`, async () => {
      const books = await openBooks(service)
      const id = await partyOf(books, side)
      await document(books, side, id, 1000)
      const { number } = await paid(books, side, id, { amount: 400 })
      const csv = (await books.get(`/api/v1/${side.path}/${id}/statement`, { accept: 'text/csv' })).body
        .trim()
        .split('\r\n')
      const due = csv.slice(1).map((line) => Number(line.split(',')[8]))
      assert.deepEqual(due, [1000, -400])
      assert.match(String(csv[2]), new RegExp(`^payment,${number},`))
      const pdf = await books.get(`/api/v1/${side.path}/${id}/statement/pdf`)
      assert.equal(pdf.headers['content-type'], 'application/pdf')
      const text = (await readPdf(pdf.rawPayload)).text
      assert.match(text, new RegExp(String(number)))
    })

    test(`of ${side.path} needs the scope ${side.scope}, and is of the own organization`, async () => {
      const books = await openBooks(service)
      const id = await partyOf(books, side)
      const scope = side.path === 'customers' ? 'customers' : 'partner_portal'
      const few = callerIn(service, books.org, [scope])
      assert.equal((await few.get(`/api/v1/${side.path}/${id}/statement`)).statusCode, 403)
      const other = await openBooks(service)
      assert.equal((await other.get(`/api/v1/${side.path}/${id}/statement`)).statusCode, 404)
    })
  }
})
