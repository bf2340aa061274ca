import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { shareByOrder } from '../../src/books/write-offs/model.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { callerIn, sharedService } from '../service.ts'
import { type Books, booksOf, faultsOf, type Json, openBooks, type Row } from './books.ts'

const service = await sharedService()
const invoices = '/api/v1/invoices'
const credits = '/api/v1/credits'
const customer = newId()
const reason = 'The customer is insolvent'

const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]
const shown = ({ status_id, amount_paid, amount_due }: Json) => [status_id, amount_paid, amount_due]
const writeOff = (books: Books, { id }: { id: string }, body: object = { reason }) =>
  books.call('POST', `${invoices}/${id}/write_off`, body)
const aged = async (books: Books) =>
  (await books.get('/api/v1/reports/receivables_aging'))
    .json()
    .rows.map(({ total_amount }: { total_amount: number }) => total_amount)

async function invoice(books: Books, body: object = {}): Promise<Row> {
  const { id } = await books.make(invoices, {
    customer_id: customer,
    currency_id: 'usd',
    sub_total_amount: 1000,
    ...body,
  })
  assert.equal((await books.call('POST', `${invoices}/${id}/save`)).statusCode, 200)
  return books.read(`${invoices}/${id}`)
}

async function creditOf(books: Books, { id }: { id: string }): Promise<string> {
  const listed = (await books.get(`${invoices}/${id}/payments`)).json().payments as Json[]
  return listed.find(({ credit_id, ended_at }) => credit_id && !ended_at)?.credit_id as string
}

describe('writing off an invoice', { concurrency: true }, () => {
  test('makes a credit of the type Write-off for what is due and applies it; the aging falls; voiding it gives all of that back', async () => {
    const books = await openBooks(service)
    const one = await invoice(books)
    await books.call('POST', `${invoices}/${one.id}/pay`, { amount: 250 })
    const answer = await writeOff(books, one)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(shown(answer.json().invoice), ['paid', 1000, 0])
    assert.deepEqual(await aged(books), [])
    const credit = await creditOf(books, one)
    const read = (await books.get(`${credits}/${credit}`)).json()
    assert.deepEqual(
      [read.credit.direction, read.credit.customer_id, read.credit.total_amount, read.credit.notes],
      ['in', customer, 750, reason],
    )
    assert.deepEqual(
      read.credit_items.map((line: Json) => [(line.bill_item_type as Json).name, line.total_amount]),
      [['Write-off', 750]],
    )
    const event = ((await books.events()) as unknown as { type: string; data: Json }[]).find(
      ({ type }) => type === 'invoice.written_off',
    )
    assert.deepEqual([event?.data.credit_id, event?.data.written_off_amount, event?.data.reason], [credit, 750, reason])

    const undone = await books.call('POST', `${invoices}/${one.id}/write_offs/${credit}/void`, {
      reason: 'Paid after all',
    })
    assert.equal(undone.statusCode, 200, undone.body)
    assert.deepEqual(shown(undone.json().invoice), ['saved', 250, 750])
    assert.equal((await books.read(`${credits}/${credit}`)).void_reason, 'Paid after all')
    assert.deepEqual(await aged(books), [750])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is never money of the customer: its credit settles its invoice alone, and only taking back the write-off undoes that', async () => {
    const books = await openBooks(service)
    const [one, other] = [await invoice(books), await invoice(books)]
    await writeOff(books, one)
    const [listed] = (await books.get(`${invoices}/${one.id}/payments`)).json().payments as Json[]
    assert.equal(listed?.is_write_off, true)
    const credit = `${credits}/${listed?.credit_id}`
    const allocation = `${credit}/allocations/${listed?.id}`
    for (const answer of await Promise.all([1, 2, 3].map(() => books.call('DELETE', allocation))))
      assert.deepEqual(code(answer), [409, 'is_write_off'])
    const apply = { allocations: [{ invoice_id: other.id, amount: 1000 }] }
    for (const [path, body] of [
      ['apply', apply],
      ['reopen', { reason }],
      ['void', { reason }],
      ['correct', { reason }],
    ] as const)
      assert.deepEqual(code(await books.call('POST', `${credit}/${path}`, body)), [409, 'is_write_off'], path)
    assert.deepEqual(code(await books.call('PUT', credit, { status_id: 'saved', reason })), [
      400,
      'invalid_status_transition',
    ])
    assert.deepEqual(code(await books.call('PUT', credit, { status_id: 'edited', reason })), [409, 'is_write_off'])
    assert.deepEqual(code(await books.call('POST', `${credit}/pay`, { method: 'check' })), [409, 'already_paid'])
    assert.equal((await books.call('POST', `${credit}/items`, { unit_price: 5, quantity: 1 })).statusCode, 409)
    const paid = {
      customer_id: customer,
      direction: 'out',
      currency_id: 'usd',
      amount: 10,
      allocations: [{ credit_id: listed?.credit_id, amount: 10 }],
    }
    assert.equal((await books.call('POST', '/api/v1/payments', paid)).statusCode, 409)
    assert.deepEqual(shown(await books.read(`${invoices}/${one.id}`)), ['paid', 1000, 0])

    const races = await Promise.all([
      books.call('POST', `${invoices}/${one.id}/write_offs/${listed?.credit_id}/void`, { reason }),
      books.call('DELETE', allocation),
      books.call('POST', `${credit}/pay`, { method: 'check' }),
      books.call('POST', `${credit}/apply`, apply),
    ])
    assert.deepEqual(
      races.map(({ statusCode }) => statusCode),
      [200, 409, 409, 409],
    )
    assert.deepEqual(shown(await books.read(`${invoices}/${one.id}`)), ['saved', 0, 1000])
    assert.deepEqual(shown(await books.read(`${invoices}/${other.id}`)), ['saved', 0, 1000])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('takes the exchange rate of the invoice, so that no rate of today is needed and nothing is gained or lost', async () => {
    const books = await openBooks(service)
    await service.pool.run(
      sql`update organizations set home_currency_id = 'usd', require_exchange_rate = true where org_id = ${books.org}`,
    )
    const rate = (rate: string, starts_on: string) =>
      books.make('/api/v1/exchange_rates', { from_currency_id: 'eur', to_currency_id: 'usd', rate, starts_on })
    await rate('1.1', '2026-01-01')
    const order = newId()
    const items = [{ order_id: order, unit_price: 1000, quantity: 1 }]
    const one = await invoice(books, {
      currency_id: 'eur',
      invoice_date: '2026-01-10',
      sub_total_amount: undefined,
      items,
    })
    await rate('1.5', '2026-02-01')
    const answer = await writeOff(books, one)
    assert.equal(answer.statusCode, 200, answer.body)
    const credit = (await books.read(`${credits}/${await creditOf(books, one)}`)) as Json
    const home = ({ exchange_rate, home_currency_id, home_total_amount }: Json) => [
      exchange_rate,
      home_currency_id,
      home_total_amount,
    ]
    assert.deepEqual(home(credit), home(one as unknown as Json))
    assert.deepEqual(home(credit), [credit.exchange_rate, 'usd', 1100])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('takes the type that the organization has by that name, or the one that is named, and makes one only once, whoever comes first', async () => {
    const books = await openBooks(service)
    const all = await Promise.all(Array.from({ length: 6 }, () => invoice(books)))
    const answers = await Promise.all(all.map((one) => writeOff(books, one, { reason, amount: 10 })))
    assert.ok(answers.every(({ statusCode }) => statusCode === 200))
    assert.equal((await books.get('/api/v1/bill_item_types?names=write-off')).json().total, 1)
    const own = await books.make('/api/v1/bill_item_types', { name: 'Bad debt' })
    const one = await invoice(books)
    await writeOff(books, one, { reason, bill_item_type_id: own.id })
    assert.equal(
      (await books.get(`${credits}/${await creditOf(books, one)}`)).json().credit_items[0].bill_item_type_id,
      own.id,
    )
    assert.equal((await writeOff(books, await invoice(books), { reason, bill_item_type_id: newId() })).statusCode, 400)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('names the orders of the invoice in proportion to what it charges for each, and in all exactly the amount', async () => {
    const [first, second] = [newId(), newId()]
    assert.deepEqual(
      shareByOrder(
        [
          { order_id: first, total_amount: 100 },
          { order_id: second, total_amount: 200 },
          { order_id: null, total_amount: -40 },
        ],
        100,
      ),
      [
        { order_id: first, amount: 33 },
        { order_id: second, amount: 67 },
      ],
    )
    assert.deepEqual(shareByOrder([], 5), [{ order_id: null, amount: 5 }])
    const books = await openBooks(service)
    const items = [
      { order_id: first, unit_price: 100, quantity: 1 },
      { order_id: second, unit_price: 200, quantity: 1 },
    ]
    const one = await invoice(books, { sub_total_amount: undefined, items })
    await writeOff(books, one, { reason, amount: 100 })
    const lines = (await books.get(`${credits}/${await creditOf(books, one)}`)).json().credit_items as Json[]
    assert.deepEqual(
      lines.map(({ order_id, total_amount }) => [order_id, total_amount]),
      [
        [first, 33],
        [second, 67],
      ],
    )
    assert.equal((await books.get(`${credits}?in_order_ids=${first}`)).json().total, 1)
  })

  test('is refused for more than is due, without a reason, of drafts, voided and paid invoices; and nothing of it is done', async () => {
    const books = await openBooks(service)
    const one = await invoice(books)
    const more = await writeOff(books, one, { reason, amount: 1001 })
    assert.deepEqual([...code(more), more.json().details[0].field], [409, 'more_than_due', 'amount'])
    assert.equal((await writeOff(books, one, { amount: 5 })).statusCode, 400)
    assert.equal((await writeOff(books, one, { reason, amount: 0 })).statusCode, 400)
    assert.equal((await books.get(credits)).json().total, 0)
    const draft = await books.make(invoices, { customer_id: customer, currency_id: 'usd', sub_total_amount: 5 })
    assert.deepEqual(code(await writeOff(books, draft)), [409, 'nothing_to_write_off'])
    const voided = await invoice(books)
    await books.call('POST', `${invoices}/${voided.id}/void`, { reason })
    assert.equal((await writeOff(books, voided)).statusCode, 409)
    await writeOff(books, one)
    assert.deepEqual(code(await writeOff(books, one)), [409, 'nothing_to_write_off'])
    assert.equal(
      (await books.call('POST', `${invoices}/${one.id}/write_offs/${newId()}/void`, { reason })).statusCode,
      404,
    )
    const other = await openBooks(service)
    assert.equal((await writeOff(other, one)).statusCode, 404)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('never writes off more than is due, whoever pays or writes off at the same moment', async () => {
    const books = await openBooks(service)
    const one = await invoice(books)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2
          ? writeOff(books, one, { reason, amount: 300 })
          : books.call('POST', `${invoices}/${one.id}/pay`, { amount: 300 }),
      ),
    )
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 3)
    assert.deepEqual(shown(await books.read(`${invoices}/${one.id}`)), ['saved', 900, 100])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('needs the rights to enter and to pay, and an open period', async () => {
    const books = await openBooks(service)
    const one = await invoice(books)
    for (const role of ['clerk', 'payer', 'approver', 'read_only'] as const) {
      const caller = callerIn(service, books.org, undefined, undefined, role)
      assert.deepEqual(
        code(await caller.call('POST', `${invoices}/${one.id}/write_off`, { reason })),
        [403, 'right_required'],
        role,
      )
    }
    const admin = booksOf(callerIn(service, books.org, undefined, undefined, 'admin'))
    const year = new Date().getUTCFullYear()
    const period = await admin.make('/api/v1/accounting_periods', {
      name: 'Now',
      starts_on: `${year}-01-01`,
      ends_on: `${year}-12-31`,
    })
    await admin.call('POST', `/api/v1/accounting_periods/${period.id}/close`)
    assert.deepEqual(code(await writeOff(books, one)), [409, 'period_closed'])
    assert.equal((await books.get(credits)).json().total, 0)
  })
})
