import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { applicationIn, callerIn, sharedService } from '../service.ts'
import { type Books, booksOf, faultsOf, type Json, openBooks, type Row } from './books.ts'

type Payment = Row & {
  status: string
  direction: string
  amount: number
  unallocated_amount: number
  refunded_amount: number
  refund_of_id: string | null
  realized_gain_amount: number | null
}

const service = await sharedService()
const payments = '/api/v1/payments'
const invoices = '/api/v1/invoices'
const customer = newId()
const carrier = newId()

const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]
const onAccount = async (books: Books, body: object = {}) =>
  (await books.make(payments, {
    customer_id: customer,
    currency_id: 'usd',
    method: 'wire',
    amount: 1000,
    ...body,
  })) as Payment
const refund = (books: Books, { id }: { id: string }, body?: object) =>
  books.call('POST', `${payments}/${id}/refund`, body)
const read = async (books: Books, { id }: { id: string }) => (await books.read(`${payments}/${id}`)) as Payment

async function invoice(books: Books, total: number): Promise<string> {
  const { id } = await books.make(invoices, { customer_id: customer, currency_id: 'usd', sub_total_amount: total })
  await books.call('POST', `${invoices}/${id}/save`)
  return id
}

describe('paying back what a payment has left', { concurrency: true }, () => {
  test('makes a payment in the other direction that names the first, for all that is left or a part, in whatever state the money came', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books, {
      paid_at: '2026-03-01',
      allocations: [{ invoice_id: await invoice(books, 300), amount: 300 }],
    })
    assert.ok(first.available_actions.includes('refund'))
    const part = await refund(books, first, {
      amount: 200,
      method: 'check',
      reference_number: 'CHK-9',
      paid_at: '2026-03-04',
    })
    assert.equal(part.statusCode, 201, part.body)
    const made = part.json().payment as Payment
    assert.deepEqual(
      [
        made.direction,
        made.customer_id,
        made.currency_id,
        made.amount,
        made.method,
        made.reference_number,
        made.paid_at,
        made.status,
      ],
      ['out', customer, 'usd', 200, 'check', 'CHK-9', '2026-03-04T00:00:00.000Z', 'issued'],
    )
    assert.deepEqual(
      [made.refund_of_id, made.unallocated_amount, made.available_actions],
      [first.id, 0, ['clear', 'void']],
    )
    assert.equal(part.headers.location, `${payments}/${made.id}`)
    assert.deepEqual(
      [(await read(books, first)).refunded_amount, (await read(books, first)).unallocated_amount],
      [200, 500],
    )
    const rest = (await refund(books, first)).json().payment
    assert.equal(rest.amount, 500)
    const { refunded_amount, unallocated_amount, available_actions } = await read(books, first)
    assert.deepEqual([refunded_amount, unallocated_amount, available_actions], [700, 0, ['allocate', 'clear']])
    const listed = (await books.get(`${payments}?refund_of_ids=${first.id}`)).json()
    assert.deepEqual(
      listed.payments.map(({ id }: Row) => id),
      [rest.id, made.id],
    )
    assert.equal((await books.get(`${payments}?unallocated=true`)).json().total, 0)
    const types = (await books.events()).map(({ type }) => type)
    assert.deepEqual(types.slice(-3).sort(), ['payment.created', 'payment.issued', 'payment.refunded'])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('comes in from a carrier that was paid too much', async () => {
    const books = await openBooks(service)
    const first = await books.make(payments, { partner_carrier_id: carrier, currency_id: 'usd', amount: 400 })
    const made = (await refund(books, first)).json().payment
    assert.deepEqual([made.direction, made.partner_carrier_id, made.amount], ['in', carrier, 400])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is refused for more than is left, for what has nothing left, and of drafts, voided payments and refunds', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books)
    assert.deepEqual(code(await refund(books, first, { amount: 1001 })), [409, 'more_than_payment'])
    assert.deepEqual(code(await refund(books, first, { amount: 0 })), [400, 'too_small'])
    const made = (await refund(books, first)).json().payment
    assert.deepEqual(code(await refund(books, first)), [409, 'more_than_payment'])
    assert.deepEqual(code(await refund(books, made)), [409, 'is_a_refund'])
    const settled = { allocations: [{ invoice_id: await invoice(books, 10), amount: 10 }] }
    assert.deepEqual(code(await books.call('POST', `${payments}/${first.id}/allocations`, settled)), [
      409,
      'more_than_payment',
    ])
    assert.deepEqual(code(await refund(books, await onAccount(books, { status: 'draft' }))), [409, 'not_issued'])
    const voided = await onAccount(books)
    await books.call('POST', `${payments}/${voided.id}/void`, { reason: 'x' })
    assert.deepEqual(code(await refund(books, voided)), [409, 'payment_is_voided'])
    assert.deepEqual(code(await refund(books, { id: newId() })), [404, 'not_found'])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('keeps the first payment from being voided, with the number of the refund, until that is voided, which gives the money back', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books)
    const made = (await refund(books, first, { amount: 600 })).json().payment
    const refused = await books.call('POST', `${payments}/${first.id}/void`, { reason: 'x' })
    assert.deepEqual(code(refused), [409, 'refunded'])
    assert.match(refused.json().error_message, new RegExp(made.number))
    assert.equal(
      (await books.call('POST', `${payments}/${made.id}/void`, { reason: 'The check was lost' })).json().payment.status,
      'voided',
    )
    const { refunded_amount, unallocated_amount } = await read(books, first)
    assert.deepEqual([refunded_amount, unallocated_amount], [0, 1000])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    assert.equal((await books.call('POST', `${payments}/${first.id}/void`, { reason: 'x' })).statusCode, 200)
  })

  test('never pays back or allocates more than there is, whoever asks at the same moment', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books, { amount: 100 })
    const invoice_id = await invoice(books, 1000)
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 2
          ? refund(books, first, { amount: 30 })
          : books.call('POST', `${payments}/${first.id}/allocations`, { allocations: [{ invoice_id, amount: 30 }] }),
      ),
    )
    assert.equal(answers.filter(({ statusCode }) => statusCode < 300).length, 3)
    assert.ok(answers.every(({ statusCode }) => [200, 201, 409].includes(statusCode)))
    assert.equal((await read(books, first)).unallocated_amount, 10)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is held by the database: more paid back than is left, a refund of another party, and a voided payment with a refund are refused there', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books)
    const made = (await refund(books, first, { amount: 600 })).json().payment
    const set = (id: string, change: ReturnType<typeof sql>) =>
      service.pool.run(sql`update payments set ${change} where org_id = ${books.org} and id = ${id}`)
    await assert.rejects(set(first.id, sql`refunded_amount = 1001`), /payment_refunds_no_more_than_is_left/)
    await assert.rejects(
      set(first.id, sql`status = 'voided', voided_at = now(), void_reason = 'x'`),
      /payment_is_not_voided_while_refunded/,
    )
    await assert.rejects(
      set(made.id, sql`customer_id = ${newId()}`),
      /payment_refund_is_of_the_same_party_and_currency/,
    )
    await set(first.id, sql`refunded_amount = 500`)
    assert.match((await faultsOf(service, [books.org])).join(), /has paid back 500, and its refunds come to 600/)
  })

  test('respects closed periods by the day of the refund, needs the right to pay and the scopes of both directions', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books, { paid_at: '2026-01-15' })
    const admin = booksOf(callerIn(service, books.org, undefined, undefined, 'admin'))
    const period = await admin.make('/api/v1/accounting_periods', {
      name: 'January 2026',
      starts_on: '2026-01-01',
      ends_on: '2026-01-31',
    })
    assert.equal((await admin.call('POST', `/api/v1/accounting_periods/${period.id}/close`)).statusCode, 200)
    assert.deepEqual(code(await refund(books, first, { paid_at: '2026-01-20' })), [409, 'period_closed'])
    assert.equal((await refund(books, first, { paid_at: '2026-02-02', amount: 10 })).statusCode, 201)
    const incoming = callerIn(service, books.org, ['invoices'])
    assert.deepEqual(code(await incoming.call('POST', `${payments}/${first.id}/refund`)), [403, 'insufficient_scope'])
    const clerk = callerIn(service, books.org, undefined, undefined, 'clerk')
    assert.deepEqual(code(await clerk.call('POST', `${payments}/${first.id}/refund`)), [403, 'right_required'])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is of the day on which the money came or a later one', async () => {
    const books = await openBooks(service)
    const first = await onAccount(books, { paid_at: '2026-03-04T15:00:00Z' })
    const early = await refund(books, first, { paid_at: '2026-03-03T23:59:59Z' })
    assert.deepEqual([...code(early), early.json().details[0].field], [400, 'before_payment', 'paid_at'])
    assert.equal((await refund(books, first, { paid_at: '2026-03-04', amount: 10 })).statusCode, 201)
    assert.equal((await read(books, first)).unallocated_amount, 990)
    const ahead = await onAccount(books, { paid_at: '2099-01-01' })
    assert.equal((await refund(books, ahead)).json().payment.paid_at, '2099-01-01T00:00:00.000Z')
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('says what rates made of the money meanwhile', async () => {
    const books = await openBooks(service)
    await service.pool.run(sql`update organizations set home_currency_id = 'usd' where org_id = ${books.org}`)
    for (const [starts_on, rate] of [
      ['2026-01-01', '1.1'],
      ['2026-02-01', '1.2'],
    ])
      await books.make('/api/v1/exchange_rates', { from_currency_id: 'eur', to_currency_id: 'usd', rate, starts_on })
    const first = await onAccount(books, { currency_id: 'eur', paid_at: '2026-01-10' })
    const made = (await refund(books, first, { paid_at: '2026-02-10' })).json().payment as Json
    assert.equal(made.realized_gain_amount, -100)
  })

  test('has its gain once both rates are known, whichever payment is repriced last, and a closed period holds that up', async () => {
    const books = await openBooks(service)
    await service.pool.run(sql`update organizations set home_currency_id = 'usd' where org_id = ${books.org}`)
    const first = await onAccount(books, { currency_id: 'eur', paid_at: '2026-01-10' })
    const made = (await refund(books, first, { paid_at: '2026-02-10' })).json().payment as Payment
    const rate = (rate: string, starts_on: string) =>
      books.make('/api/v1/exchange_rates', { from_currency_id: 'eur', to_currency_id: 'usd', rate, starts_on })
    await rate('1.1', '2026-01-01')
    const reprice = async ({ id }: { id: string }) => (await books.call('POST', `${payments}/${id}/reprice`)).statusCode
    const gain = async () => (await read(books, made)).realized_gain_amount
    assert.deepEqual([await reprice(first), await gain()], [200, null])
    await rate('1.2', '2026-02-01')
    assert.deepEqual([await reprice(made), await gain()], [200, -100])
    await service.pool.run(
      sql`update payments set exchange_rate = 1.5 where org_id = ${books.org} and id = ${first.id}`,
    )
    const { revision } = await read(books, made)
    const admin = booksOf(applicationIn(service, books.org))
    const { id } = await admin.make('/api/v1/accounting_periods', { starts_on: '2026-02-01', ends_on: '2026-02-28' })
    const close = await admin.call('POST', `/api/v1/accounting_periods/${id}/close`)
    assert.equal(close.statusCode, 200, close.body)
    await service.pool.run(
      sql`update payments set realized_gain_amount = 7 where org_id = ${books.org} and id = ${made.id}`,
    )
    assert.deepEqual(code(await books.call('POST', `${payments}/${first.id}/reprice`)), [409, 'period_closed'])
    const opened = await admin.call('POST', `/api/v1/accounting_periods/${id}/reopen`, { reason: 'a late rate' })
    assert.equal(opened.statusCode, 200, opened.body)
    assert.deepEqual(
      [await reprice(first), await gain(), (await read(books, made)).revision],
      [200, -100, revision + 1],
    )
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})
