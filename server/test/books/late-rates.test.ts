import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { applicationIn, callerIn, sharedService } from '../service.ts'
import { type Books, bills, faultsOf, type Json, openBooks } from './books.ts'

const service = await sharedService()
const [payments, invoices, credits, rates] = [
  '/api/v1/payments',
  '/api/v1/invoices',
  '/api/v1/credits',
  '/api/v1/exchange_rates',
]
const carrier = newId()
const euro = { currency_id: 'eur', partner_carrier_id: carrier, bill_date: '2026-01-10', sub_total_amount: 1000 }
const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]
const home = ({ exchange_rate, home_total_amount }: Json) => [exchange_rate, home_total_amount]

async function booksInDollars(): Promise<Books> {
  const books = await openBooks(service)
  assert.equal(
    (await applicationIn(service, books.org).call('PUT', '/api/v1/organization', { home_currency_id: 'usd' }))
      .statusCode,
    200,
  )
  return books
}

const addRate = (books: Books, rate: string, starts_on: string, ends_on: string) =>
  books.make(rates, { from_currency_id: 'eur', to_currency_id: 'usd', rate, starts_on, ends_on })
const january = (books: Books) => addRate(books, '1.1', '2026-01-01', '2026-01-31')
const february = (books: Books) => addRate(books, '1.25', '2026-02-01', '2026-02-28')

async function payPart(books: Books, bill: { id: string }): Promise<Json & { id: string }> {
  const body = {
    partner_carrier_id: carrier,
    currency_id: 'eur',
    amount: 500,
    method: 'wire',
    paid_at: '2026-02-10',
    allocations: [{ bill_id: bill.id, amount: 400 }],
  }
  return books.make(payments, body)
}
const gainsOf = async (books: Books, id: string) => {
  const { realized_gain_amount, allocations } = (await books.get(`${payments}/${id}`)).json().payment
  return [realized_gain_amount, ...allocations.map(({ gain_amount }: Json) => gain_amount)]
}
const lastEvent = async (books: Books, at: string) => (await books.get(`${at}/history`)).json().events[0]

describe('a document that was saved without a rate', { concurrency: true }, () => {
  test('takes one only by reprice: no change of it does, alone, in bulk or by its lines', async () => {
    const books = await booksInDollars()
    const { id } = await books.bill('saved', { ...euro, external_id: 'A' })
    const { id: lined } = await books.bill('saved', { ...euro, items: [{ unit_price: 10 }] })
    await january(books)
    assert.equal((await books.call('PUT', `${bills}/${id}`, { sub_total_amount: 2000 })).statusCode, 200)
    assert.equal(
      (
        await books.call('POST', `${bills}/bulk`, {
          bills: [{ external_id: 'A', sub_total_amount: 3000, status_id: 'sent' }],
        })
      ).json().counts.updated,
      1,
    )
    assert.equal((await books.call('POST', `${bills}/${lined}/items`, { unit_price: 5 })).statusCode, 201)
    assert.deepEqual(
      [home(await books.read(`${bills}/${id}`)), home(await books.read(`${bills}/${lined}`))],
      [
        [null, null],
        [null, null],
      ],
    )
    assert.equal((await books.get(`${bills}?missing_rate=true`)).json().total, 2)
    assert.equal((await books.call('POST', `${bills}/${id}/reprice`)).statusCode, 200)
    assert.deepEqual(home(await books.read(`${bills}/${id}`)), ['1.1', 3300])
    assert.equal((await books.call('PUT', `${bills}/${lined}`, { bill_date: '2026-01-11' })).statusCode, 200)
    assert.deepEqual(home(await books.read(`${bills}/${lined}`)), [null, null])
    const part = await books.bill('saved', { ...euro, bill_date: '2026-03-01' })
    assert.equal(
      (await books.call('POST', `${bills}/${part.id}/pay`, { amount: 1, paid_at: '2026-01-20' })).statusCode,
      200,
    )
    assert.equal((await books.call('PUT', `${bills}/${part.id}`, { bill_date: '2026-01-12' })).statusCode, 200)
    assert.deepEqual(home(await books.read(`${bills}/${part.id}`)), [null, null])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('and paid at one gives its payments their gains when it is repriced, with their events', async () => {
    const books = await booksInDollars()
    await february(books)
    const bill = await books.bill('sent', euro)
    const payment = await payPart(books, bill)
    await books.call('POST', `${bills}/${bill.id}/pay`, { paid_at: '2026-02-11' })
    const [recorded] = (await books.get(`${payments}?methods=recorded`)).json().payments
    assert.deepEqual(
      [await gainsOf(books, payment.id), await gainsOf(books, recorded.id)],
      [
        [null, null],
        [null, null],
      ],
    )
    await january(books)
    const repriced = await books.call('POST', `${bills}/${bill.id}/reprice`)
    assert.deepEqual([repriced.statusCode, home(repriced.json().bill)], [200, ['1.1', 1100]])
    assert.deepEqual(
      [await gainsOf(books, payment.id), await gainsOf(books, recorded.id)],
      [
        [-60, -60],
        [-90, -90],
      ],
    )
    const event = await lastEvent(books, `${payments}/${payment.id}`)
    assert.deepEqual(
      [event.type, event.previous.realized_gain_amount, event.data.realized_gain_amount, event.revision],
      ['payment.repriced', null, -60, 2],
    )
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('and settled by a credit has the gain of that too, whichever of them gets its rate last', async () => {
    for (const order of ['credit', 'bill'] as const) {
      const books = await booksInDollars()
      const bill = await books.bill('sent', euro)
      const credit = await books.make(credits, {
        direction: 'out',
        partner_carrier_id: carrier,
        currency_id: 'eur',
        credit_date: '2026-02-10',
        sub_total_amount: 400,
      })
      await books.call('POST', `${credits}/${credit.id}/save`)
      assert.equal(
        (
          await books.call('POST', `${credits}/${credit.id}/apply`, {
            allocations: [{ bill_id: bill.id, amount: 400 }],
          })
        ).statusCode,
        200,
      )
      await january(books)
      await february(books)
      const both = [`${bills}/${bill.id}`, `${credits}/${credit.id}`]
      for (const at of order === 'credit' ? both : both.reverse())
        assert.equal((await books.call('POST', `${at}/reprice`)).statusCode, 200)
      const gains = sql`select gain_amount from allocations where org_id = ${books.org}`
      const [row] = await books.ctx.transaction((ctx) => ctx.run<{ gain_amount: string }>(gains))
      assert.equal(Number(row?.gain_amount), -60)
    }
  })
})

describe('a payment without a rate', { concurrency: true }, () => {
  test('says so, is found, and gets its rate and its gain by reprice', async () => {
    const books = await booksInDollars()
    await january(books)
    const bill = await books.bill('sent', euro)
    const payment = await payPart(books, bill)
    const at = `${payments}/${payment.id}`
    assert.deepEqual(
      [payment.missing_rate, payment.exchange_rate, payment.available_actions],
      [true, null, ['allocate', 'clear', 'void', 'refund', 'reprice']],
    )
    const draft = await books.make(payments, {
      partner_carrier_id: carrier,
      currency_id: 'eur',
      amount: 1,
      status: 'draft',
    })
    const known = await books.make(payments, { partner_carrier_id: carrier, currency_id: 'usd', amount: 1 })
    const found = async (filter: string) =>
      (await books.get(`${payments}?${filter}`)).json().payments.map(({ id }: Json) => id)
    assert.deepEqual([await found('missing_rate=true'), await found('missing_rate=false')], [[payment.id], [known.id]])
    assert.deepEqual(
      [draft.missing_rate, known.missing_rate, known.available_actions],
      [false, false, ['allocate', 'clear', 'void', 'refund']],
    )
    assert.deepEqual(code(await books.call('POST', `${at}/reprice`)), [409, 'exchange_rate_missing'])
    assert.deepEqual(code(await books.call('POST', `${payments}/${draft.id}/reprice`)), [409, 'is_draft'])
    await february(books)
    // A rate that came late changes nothing of the past by itself.
    assert.deepEqual(await gainsOf(books, payment.id), [null, null])
    assert.equal((await books.call('POST', `${at}/reprice`, undefined, { 'if-match': '"9"' })).statusCode, 412)
    const repriced = await books.call('POST', `${at}/reprice`)
    assert.equal(repriced.statusCode, 200, repriced.body)
    const { exchange_rate, home_currency_id, realized_gain_amount, missing_rate, revision } = repriced.json().payment
    assert.deepEqual(
      [exchange_rate, home_currency_id, realized_gain_amount, missing_rate, revision],
      ['1.25', 'usd', -60, false, 2],
    )
    const event = await lastEvent(books, at)
    assert.deepEqual(
      [event.type, event.previous.exchange_rate, event.previous.realized_gain_amount],
      ['payment.repriced', null, null],
    )
    assert.equal((await books.call('POST', `${at}/reprice`)).json().payment.revision, 2)
    assert.deepEqual(await found('missing_rate=true'), [])
    await books.call('POST', `${at}/void`, { reason: 'bounced' })
    assert.deepEqual(code(await books.call('POST', `${at}/reprice`)), [409, 'payment_is_voided'])
    assert.equal((await books.call('POST', `${payments}/${newId()}/reprice`)).statusCode, 404)
    assert.equal((await callerIn(service, books.org, ['invoices']).call('POST', `${at}/reprice`)).statusCode, 403)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('of a customer gains where the rate has risen, and both sides can be late', async () => {
    const books = await booksInDollars()
    const invoice = await books.make(invoices, {
      currency_id: 'eur',
      invoice_date: '2026-01-10',
      sub_total_amount: 1000,
    })
    await books.call('POST', `${invoices}/${invoice.id}/save`)
    await books.call('POST', `${invoices}/${invoice.id}/pay`, { paid_at: '2026-02-10' })
    const [payment] = (await books.get(payments)).json().payments
    await january(books)
    await february(books)
    assert.equal((await books.call('POST', `${payments}/${payment.id}/reprice`)).statusCode, 200)
    assert.deepEqual(await gainsOf(books, payment.id), [null, null])
    assert.equal((await books.call('POST', `${invoices}/${invoice.id}/reprice`)).statusCode, 200)
    assert.deepEqual(await gainsOf(books, payment.id), [150, 150])
  })

  test('keeps its gain where its day is in a closed period, whichever side is repriced', async () => {
    const books = await booksInDollars()
    const bill = await books.bill('sent', { ...euro, bill_date: '2026-03-10' })
    const payment = await payPart(books, bill)
    await february(books)
    assert.equal((await books.call('POST', `${payments}/${payment.id}/reprice`)).statusCode, 200)
    await addRate(books, '1.3', '2026-03-01', '2026-03-31')
    const late = await payPart(books, await books.bill('sent', euro))
    const admin = applicationIn(service, books.org)
    const made = await admin.call('POST', '/api/v1/accounting_periods', {
      starts_on: '2026-02-01',
      ends_on: '2026-02-28',
    })
    assert.equal(made.statusCode, 201, made.body)
    assert.equal(
      (await admin.call('POST', `/api/v1/accounting_periods/${made.json().accounting_period.id}/close`)).statusCode,
      200,
    )
    const before = [await books.read(`${bills}/${bill.id}`), await books.read(`${payments}/${payment.id}`)]
    assert.deepEqual(code(await books.call('POST', `${bills}/${bill.id}/reprice`)), [409, 'period_closed'])
    assert.deepEqual([await books.read(`${bills}/${bill.id}`), await books.read(`${payments}/${payment.id}`)], before)
    assert.equal(late.exchange_rate, '1.25')
    await books.call('PUT', `${rates}/${(await books.get(`${rates}?on=2026-02-10`)).json().exchange_rates[0].id}`, {
      rate: '1.4',
    })
    assert.deepEqual(code(await books.call('POST', `${payments}/${payment.id}/reprice`)), [409, 'period_closed'])
  })
})
