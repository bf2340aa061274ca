import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { newId } from '../../src/platform/core/values/ids.ts'
import type { Run } from '../../src/platform/db/sql/rows.ts'
import type { Statement } from '../../src/platform/db/sql/sql.ts'
import { applicationIn, callerIn, sharedService } from '../service.ts'
import { type Books, bills, faultsOf, type Json, openBooks, type Row, statements } from './books.ts'

type Payment = Row & {
  status: string
  amount: number
  allocated_amount: number
  unallocated_amount: number
  exchange_rate: string | null
  home_currency_id: string | null
  realized_gain_amount: number | null
  allocations: { id: string; bill_id: string | null; invoice_id: string | null; amount: number }[]
}

const service = await sharedService()
const payments = '/api/v1/payments'
const invoices = '/api/v1/invoices'
const carrier = newId()

const money = ({ status_id, amount_paid, amount_due, payment_status }: Json) => [
  status_id,
  amount_paid,
  amount_due,
  payment_status,
]
const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]

/** A payment, or the refusal where it was not made. */
async function pay(books: Books, body: object): Promise<Payment> {
  const answer = await books.call('POST', payments, {
    partner_carrier_id: carrier,
    currency_id: 'usd',
    method: 'wire',
    ...body,
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().payment
}

const owed = (books: Books, total = 1000, body: object = {}) =>
  books.bill('sent', { partner_carrier_id: carrier, sub_total_amount: total, ...body })
const read = (books: Books, { id }: { id: string }) => books.read(`${bills}/${id}`)
const paymentsOf = async (books: Books, path: string): Promise<Json[]> =>
  (await books.get(`${path}/payments`)).json().payments

describe('paying a bill', { concurrency: true }, () => {
  test('records a payment of what is due, which the bill shows, whichever way it is paid', async () => {
    const books = await openBooks(service)
    const ways = [
      (id: string) => books.call('POST', `${bills}/${id}/pay`),
      (id: string) => books.call('PUT', `${bills}/${id}`, { status_id: 'paid', paid_at: '2026-03-01T00:00:00.000Z' }),
      (id: string) => books.call('POST', `${bills}/bulk`, { bills: [{ id, status_id: 'paid' }] }),
      (id: string) =>
        books.call('POST', `${bills}/import`, `id,status_id,paid_at\n${id},paid,2026-03-01\n`, {
          'content-type': 'text/csv',
        }),
    ]
    for (const way of ways) {
      const { id } = await owed(books)
      assert.equal((await way(id)).statusCode, 200)
      const bill = await read(books, { id })
      assert.deepEqual(money(bill), ['paid', 1000, 0, 'paid'])
      const [payment, ...more] = await paymentsOf(books, `${bills}/${id}`)
      assert.deepEqual(
        [payment?.method, payment?.status, payment?.amount, payment?.ended_at, payment?.paid_at, more],
        ['recorded', 'issued', 1000, null, bill.paid_at, []],
      )
    }
    const listed = (await books.get(payments)).json()
    assert.deepEqual(
      [listed.total, listed.payments.map(({ number }: Row) => number)],
      [4, ['PAY-000004', 'PAY-000003', 'PAY-000002', 'PAY-000001']],
    )
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('that an import creates paid records its payment, and one that it sets to paid pays what is left', async () => {
    const books = await openBooks(service)
    const { external_id } = await owed(books, 1000, { external_id: 'PART-1' })
    await books.call('POST', `${bills}/ext:${external_id}/pay`, { amount: 300, method: 'check' })
    const csv = `external_id,currency_id,sub_total_amount,status_id,paid_at\nNEW-1,usd,500,paid,2026-02-03\n${external_id},usd,1000,paid,2026-02-04\n`
    const { results } = (await books.call('POST', `${bills}/import`, csv, { 'content-type': 'text/csv' })).json()
    assert.deepEqual(
      results.map(({ status }: { status: string }) => status),
      ['created', 'updated'],
    )
    const settled = async (name: string) =>
      (await paymentsOf(books, `${bills}/ext:${name}`)).map(({ method, amount, paid_at }) => [method, amount, paid_at])
    assert.deepEqual(await settled('NEW-1'), [['recorded', 500, '2026-02-03T00:00:00.000Z']])
    assert.deepEqual((await settled('PART-1'))[0], ['recorded', 700, '2026-02-04T00:00:00.000Z'])
    assert.deepEqual(money(await books.read(`${bills}/ext:PART-1`)), ['paid', 1000, 0, 'paid'])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('with an amount pays that much, and the bill is paid when nothing is due', async () => {
    const books = await openBooks(service)
    const { id, revision } = await owed(books)
    const part = await books.call('POST', `${bills}/${id}/pay`, {
      amount: 1,
      method: 'check',
      reference_number: 'CHK-1',
      paid_at: '2026-01-02',
    })
    assert.deepEqual(
      [money(part.json().bill), part.json().bill.revision, part.json().bill.paid_at],
      [['sent', 1, 999, 'partially_paid'], revision + 1, null],
    )
    const event = (await books.events()).at(-1) as unknown as { type: string; previous: Json }
    assert.deepEqual(
      [event.type, event.previous],
      ['bill.updated', { amount_paid: 0, amount_due: 1000, payment_status: 'unpaid' }],
    )
    for (const [amount, refused] of [
      [1000, [409, 'more_than_due']],
      [-1, [400, 'wrong_sign']],
      [0, [400, 'wrong_sign']],
    ] as const)
      assert.deepEqual(code(await books.call('POST', `${bills}/${id}/pay`, { amount })), refused)
    assert.deepEqual(money((await books.call('POST', `${bills}/${id}/pay`, { amount: 999 })).json().bill), [
      'paid',
      1000,
      0,
      'paid',
    ])
    assert.deepEqual(code(await books.call('POST', `${bills}/${id}/pay`, { amount: 2 })), [409, 'already_paid'])
    assert.deepEqual(
      (await paymentsOf(books, `${bills}/${id}`)).map(({ amount, method, reference_number }) => [
        amount,
        method,
        reference_number,
      ]),
      [
        [999, 'recorded', null],
        [1, 'check', 'CHK-1'],
      ],
    )
    const draft = await books.bill()
    assert.deepEqual(code(await books.call('POST', `${bills}/${draft.id}/pay`, { amount: 1 })), [
      400,
      'invalid_status_transition',
    ])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('of nothing needs no payment, and of less than nothing is paid by a payment of that', async () => {
    const books = await openBooks(service)
    const [nothing, less] = [await owed(books, 0), await owed(books, -500)]
    for (const { id } of [nothing, less]) assert.equal((await books.call('POST', `${bills}/${id}/pay`)).statusCode, 200)
    assert.deepEqual(await paymentsOf(books, `${bills}/${nothing.id}`), [])
    const [payment] = await paymentsOf(books, `${bills}/${less.id}`)
    assert.deepEqual([payment?.amount, payment?.method], [-500, 'recorded'])
    assert.equal((await books.call('POST', `${bills}/${less.id}/reopen`, { reason: 'x' })).statusCode, 200)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('in part fixes its party, its currency and a total that is no less; a total of just that makes it paid', async () => {
    const books = await openBooks(service)
    const bill = await owed(books)
    const at = `${bills}/${bill.id}`
    await books.call('POST', `${at}/pay`, { amount: 600 })
    assert.deepEqual(code(await books.call('PUT', at, { partner_carrier_id: newId() })), [409, 'has_payments'])
    assert.deepEqual(code(await books.call('PUT', at, { sub_total_amount: 599 })), [409, 'below_amount_paid'])
    const [row] = (
      await books.call('POST', `${bills}/bulk`, { bills: [{ id: bill.id, partner_carrier_id: null }] })
    ).json().results
    assert.equal(row.error.error_code, 'has_payments')
    const paid = (await books.call('PUT', at, { sub_total_amount: 600 })).json().bill
    assert.deepEqual([money(paid), typeof paid.paid_at], [['paid', 600, 0, 'paid'], 'string'])
    const { id: saved } = await books.bill('saved', { sub_total_amount: 10 })
    await books.call('POST', `${bills}/${saved}/pay`, { amount: 4 })
    assert.deepEqual(code(await books.call('PUT', `${bills}/${saved}`, { status_id: 'draft' })), [409, 'has_payments'])
    const line = await books.call('POST', `${bills}/${saved}/items`, { unit_price: 4 })
    assert.deepEqual([line.statusCode, money(await books.read(`${bills}/${saved}`))], [201, ['paid', 4, 0, 'paid']])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('with its statement is one payment for all of it, which reopening the statement voids', async () => {
    const books = await openBooks(service)
    const gathered = [await owed(books, 1000), await owed(books, 300), await owed(books, -200), await owed(books, 0)]
    await books.call('POST', `${bills}/${gathered[1]?.id}/pay`, { amount: 100 })
    const { id } = await books.statement(gathered)
    for (const move of ['save', 'pay'])
      assert.equal((await books.call('POST', `${statements}/${id}/${move}`)).statusCode, 200)
    const [payment] = (await books.get(`${payments}?consolidated_bill_ids=${id}`)).json().payments as Payment[]
    assert.deepEqual([payment?.amount, payment?.allocations.length, payment?.unallocated_amount], [1000, 3, 0])
    assert.deepEqual(code(await books.call('POST', `${payments}/${payment?.id}/void`, { reason: 'x' })), [
      409,
      'statement_is_paid',
    ])
    assert.equal((await books.call('POST', `${statements}/${id}/reopen`, { reason: 'disputed' })).statusCode, 200)
    const voided = (await books.get(`${payments}/${payment?.id}`)).json().payment
    assert.deepEqual([voided.status, voided.void_reason, voided.allocations], ['voided', 'disputed', []])
    for (const bill of gathered) assert.deepEqual((await read(books, bill)).amount_paid, 0)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('reopening a bill', { concurrency: true }, () => {
  test('voids what was recorded by paying it, and is a 409 that names any other payment', async () => {
    const books = await openBooks(service)
    const bill = await owed(books)
    const at = `${bills}/${bill.id}`
    await books.call('POST', `${at}/pay`, { amount: 400 })
    await books.call('POST', `${at}/pay`)
    assert.equal((await books.call('POST', `${at}/reopen`, { reason: 'wrong rate' })).statusCode, 200)
    assert.deepEqual(money(await read(books, bill)), ['edited', 0, 1000, 'unpaid'])
    const ended = await paymentsOf(books, at)
    assert.deepEqual(
      ended.map(({ status, ended_at }) => [status, typeof ended_at]),
      [
        ['voided', 'string'],
        ['voided', 'string'],
      ],
    )
    const wired = await pay(books, { amount: 400, allocations: [{ bill_id: bill.id, amount: 400 }] })
    await books.call('POST', `${at}/pay`)
    const refused = await books.call('POST', `${at}/reopen`, { reason: 'again' })
    assert.deepEqual(code(refused), [409, 'paid_by_payments'])
    assert.ok(refused.json().error_message.includes(wired.number))
    assert.deepEqual(money(await read(books, bill)), ['paid', 1000, 0, 'paid'])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('payments', { concurrency: true }, () => {
  test('settle many bills, as far as they owe and the money goes, or nothing of it', async () => {
    const books = await openBooks(service)
    const [one, two] = [await owed(books), await owed(books, 500)]
    const whole = (amounts: number[]) => ({
      allocations: [one, two].map(({ id }, index) => ({ bill_id: id, amount: amounts[index] })),
    })
    const make = (body: object) =>
      books.call('POST', payments, { partner_carrier_id: carrier, currency_id: 'usd', amount: 1400, ...body })
    assert.deepEqual(code(await make(whole([1000, 500]))), [409, 'more_than_payment'])
    assert.deepEqual(code(await make(whole([1, 501]))), [409, 'more_than_due'])
    assert.deepEqual(code(await make({ ...whole([1, 1]), currency_id: 'eur' })), [409, 'not_payable'])
    assert.deepEqual(code(await make({ ...whole([1, 1]), partner_carrier_id: newId() })), [409, 'not_payable'])
    assert.deepEqual(code(await make({ allocations: [{ bill_id: newId(), amount: 1 }] })), [400, 'unknown_bill'])
    assert.deepEqual(code(await make({ allocations: [{ invoice_id: newId(), amount: 1 }] })), [400, 'wrong_document'])
    assert.deepEqual(code(await make({ allocations: [1, 1].map((amount) => ({ bill_id: one.id, amount })) })), [
      400,
      'repeated',
    ])
    assert.deepEqual(code(await make({ partner_carrier_id: null })), [400, 'party_required'])
    assert.deepEqual(code(await make({ amount: 0 })), [400, 'too_small'])
    assert.deepEqual(code(await make({ currency_id: 'xyz' })), [400, 'unknown_currency'])
    assert.equal((await books.get(payments)).json().total, 0)
    const payment = await pay(books, { amount: 1400, external_id: 'P-1', ...whole([1000, 300]) })
    assert.deepEqual(
      [payment.number, payment.status, payment.allocated_amount, payment.unallocated_amount],
      ['PAY-000001', 'issued', 1300, 100],
    )
    assert.deepEqual(
      [money(await read(books, one)), money(await read(books, two))],
      [
        ['paid', 1000, 0, 'paid'],
        ['sent', 300, 200, 'partially_paid'],
      ],
    )
    const more = await books.call('POST', `${payments}/ext:P-1/allocations`, { oldest_first: true })
    assert.deepEqual(
      [more.json().payment.unallocated_amount, money(await read(books, two))],
      [0, ['sent', 400, 100, 'partially_paid']],
    )
    assert.deepEqual(code(await make({ external_id: 'P-1' })), [409, 'external_id_taken'])
    assert.deepEqual(
      (await books.events()).map(({ type }) => type).filter((type) => type.startsWith('payment.')),
      ['payment.created', 'payment.issued', 'payment.allocated'],
    )
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('that are voided take their bills back to where they stood; taking one out does it to that one', async () => {
    const books = await openBooks(service)
    const [sent, edited, saved] = [
      await owed(books),
      await books.bill('edited', { partner_carrier_id: carrier }),
      await books.bill('saved', { partner_carrier_id: carrier }),
    ]
    const all = [sent, edited, saved]
    const payment = await pay(books, {
      amount: 3000,
      allocations: all.map(({ id }) => ({ bill_id: id, amount: 1000 })),
    })
    for (const bill of all) assert.equal((await read(books, bill)).status_id, 'paid')
    const [first] = payment.allocations.filter(({ bill_id }) => bill_id === sent.id)
    const taken = (await books.call('DELETE', `${payments}/${payment.id}/allocations/${first?.id}`)).json().payment
    assert.deepEqual(
      [taken.unallocated_amount, taken.allocations.length, (await read(books, sent)).status_id],
      [1000, 2, 'sent'],
    )
    assert.equal((await books.call('DELETE', `${payments}/${payment.id}/allocations/${first?.id}`)).statusCode, 404)
    assert.equal((await books.call('POST', `${payments}/${payment.id}/clear`)).json().payment.status, 'cleared')
    const voided = (await books.call('POST', `${payments}/${payment.id}/void`, { reason: 'bounced' })).json().payment
    assert.deepEqual(
      [voided.status, voided.void_reason, voided.allocated_amount, voided.unallocated_amount],
      ['voided', 'bounced', 0, 0],
    )
    assert.deepEqual(await Promise.all(all.map(async (bill) => (await read(books, bill)).status_id)), [
      'sent',
      'edited',
      'saved',
    ])
    const at = encodeURIComponent(
      String((await books.get(`${payments}/${payment.id}/history`)).json().events.at(-1).occurred_at),
    )
    const stood = (await books.get(`${payments}/${payment.id}?as_of=${at}`)).json().payment
    assert.deepEqual([stood.status, stood.allocations.length, stood.allocated_amount], ['issued', 3, 3000])
    assert.equal((await books.get(`${payments}/${payment.id}?as_of=2020-01-01`)).statusCode, 404)
    const last = (await books.events()).filter(({ type }) => type === 'bill.reopened').at(-1) as unknown as {
      data: { reason: string; paid_at: null }
    }
    assert.deepEqual([last.data.reason, last.data.paid_at], ['PAY-000001 was voided: bounced', null])
    const again = await books.call('POST', `${payments}/${payment.id}/void`, { reason: 'bounced' })
    assert.equal(again.json().payment.revision, voided.revision)
    assert.deepEqual(code(await books.call('POST', `${payments}/${payment.id}/allocations`, { oldest_first: true })), [
      409,
      'payment_is_voided',
    ])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('that are drafts settle nothing before they are issued, change wholly, and can be deleted', async () => {
    const books = await openBooks(service)
    const bill = await owed(books)
    const draft = await pay(books, { amount: 700, status: 'draft', allocations: [{ bill_id: bill.id, amount: 700 }] })
    assert.deepEqual(
      [draft.number, draft.status, draft.allocations[0]?.amount, money(await read(books, bill))[1]],
      [null, 'draft', 700, 0],
    )
    const at = `${payments}/${draft.id}`
    const changed = (
      await books.call('PUT', at, { amount: 900, allocations: [{ bill_id: bill.id, amount: 800 }] })
    ).json().payment
    assert.deepEqual([changed.amount, changed.allocations[0].amount, changed.revision], [900, 800, 2])
    assert.deepEqual(code(await books.call('PUT', at, { amount: 500 })), [409, 'more_than_payment'])
    assert.deepEqual(code(await books.call('POST', `${at}/clear`)), [409, 'not_issued'])
    assert.deepEqual(code(await books.call('POST', `${at}/void`, { reason: 'x' })), [409, 'not_issued'])
    await books.call('POST', `${bills}/${bill.id}/pay`, { amount: 300 })
    assert.deepEqual(code(await books.call('POST', `${at}/issue`)), [409, 'more_than_due'])
    await books.call('PUT', at, { allocations: [{ bill_id: bill.id, amount: 700 }] })
    const issued = (await books.call('POST', `${at}/issue`, undefined, { 'if-match': '"3"' })).json().payment
    assert.deepEqual(
      [issued.status, issued.number, issued.unallocated_amount, money(await read(books, bill))[0]],
      ['issued', 'PAY-000002', 200, 'paid'],
    )
    assert.deepEqual(code(await books.call('PUT', at, { amount: 901 })), [409, 'payment_is_issued'])
    assert.deepEqual(code(await books.call('DELETE', at)), [409, 'not_a_draft'])
    const { statusCode, headers } = await books.call('PUT', at, { payment: { ...issued, notes: 'seen' } })
    assert.deepEqual(
      [statusCode, headers.etag, String(headers['x-ignored-fields']).includes('status')],
      [200, '"5"', true],
    )
    assert.equal((await books.call('PUT', at, { notes: 'x' }, { 'if-match': '"1"' })).statusCode, 412)
    const { id } = await pay(books, { amount: 1, status: 'draft' })
    assert.equal((await books.call('DELETE', `${payments}/${id}`)).statusCode, 204)
    assert.equal((await books.get(`${payments}/${id}`)).statusCode, 404)
    assert.equal((await books.get(`${payments}/${id}/history`)).json().events[0].type, 'payment.deleted')
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('are found by party, state, method, times, amounts, what is left, what they settle, and words', async () => {
    const books = await openBooks(service)
    const bill = await owed(books)
    const other = newId()
    const one = await pay(books, {
      amount: 100,
      paid_at: '2026-02-01',
      reference_number: 'Wire 77',
      allocations: [{ bill_id: bill.id, amount: 100 }],
    })
    const two = await pay(books, {
      amount: 200,
      paid_at: '2026-03-01',
      method: 'check',
      partner_carrier_id: other,
      status: 'draft',
    })
    const three = await pay(books, { amount: 300, paid_at: '2026-04-01', currency_id: 'eur' })
    const found = async (query: string) =>
      (await books.get(`${payments}?${query}`)).json().payments.map(({ id }: Row) => id)
    for (const [query, expected] of [
      ['', [three, two, one]],
      ['limit=1&offset=1', [two]],
      [`partner_carrier_ids=${other}`, [two]],
      ['statuses=draft', [two]],
      ['methods=wire', [three, one]],
      ['currency_ids=EUR', [three]],
      ['paid_start_at=2026-02-15&paid_end_at=2026-03-01', [two]],
      ['min_amount=200&max_amount=200', [two]],
      ['unallocated=true', [three]],
      ['unallocated=false', [two, one]],
      [`bill_ids=${bill.id}`, [one]],
      ['search_term=wire%2077', [one]],
      ['search_term=pay-000002', [three]],
      ['directions=in', []],
    ] as const)
      assert.deepEqual(
        await found(query),
        expected.map(({ id }) => id),
        query,
      )
    const first = (await books.get(`${payments}?limit=2`)).json()
    assert.deepEqual(await found(`limit=2&after=${encodeURIComponent(first.next_after)}`), [one.id])
  })

  test('of the other direction and of other organizations are not to be seen', async () => {
    const books = await openBooks(service)
    const bill = await owed(books)
    const payment = await pay(books, { amount: 100, allocations: [{ bill_id: bill.id, amount: 100 }] })
    const other = await openBooks(service)
    assert.equal((await other.get(`${payments}/${payment.id}`)).statusCode, 404)
    assert.equal((await other.call('POST', `${payments}/${payment.id}/void`, { reason: 'x' })).statusCode, 404)
    assert.equal((await other.get(`${bills}/${bill.id}/payments`)).statusCode, 404)
    const incoming = callerIn(service, books.org, ['invoices'])
    assert.equal((await incoming.get(payments)).json().total, 0)
    assert.deepEqual(code(await incoming.get(`${payments}/${payment.id}`)), [403, 'insufficient_scope'])
    assert.deepEqual(code(await incoming.call('POST', `${payments}/${payment.id}/void`, { reason: 'x' })), [
      403,
      'insufficient_scope',
    ])
    assert.deepEqual(
      code(await incoming.call('POST', payments, { partner_carrier_id: carrier, currency_id: 'usd', amount: 1 })),
      [403, 'insufficient_scope'],
    )
    assert.equal((await callerIn(service, books.org, ['customers']).get(payments)).statusCode, 403)
  })

  test('of customers settle invoices, whole and in part', async () => {
    const books = await openBooks(service)
    const customer_id = newId()
    const make = async (total: number, due_date: string) => {
      const { id } = await books.make(invoices, { customer_id, currency_id: 'usd', sub_total_amount: total, due_date })
      for (const move of ['save', 'send'])
        assert.equal((await books.call('POST', `${invoices}/${id}/${move}`)).statusCode, 200)
      return id
    }
    const [late, early] = [await make(500, '2026-05-01'), await make(800, '2026-04-01')]
    const payment = (
      await books.call('POST', payments, {
        customer_id,
        currency_id: 'usd',
        amount: 1000,
        method: 'ach',
        oldest_first: true,
      })
    ).json().payment
    assert.deepEqual([payment.direction, payment.unallocated_amount], ['in', 0])
    assert.deepEqual(await Promise.all([early, late].map(async (id) => money(await books.read(`${invoices}/${id}`)))), [
      ['paid', 800, 0, 'paid'],
      ['sent', 200, 300, 'partially_paid'],
    ])
    assert.equal((await books.call('POST', `${invoices}/${late}/pay`)).statusCode, 200)
    assert.deepEqual(code(await books.call('POST', `${invoices}/${late}/reopen`, { reason: 'x' })), [
      409,
      'paid_by_payments',
    ])
    await books.call('POST', `${payments}/${payment.id}/void`, { reason: 'stopped' })
    assert.deepEqual(await Promise.all([early, late].map(async (id) => money(await books.read(`${invoices}/${id}`)))), [
      ['sent', 0, 800, 'unpaid'],
      ['sent', 300, 200, 'partially_paid'],
    ])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('credits', { concurrency: true }, () => {
  const credits = '/api/v1/credits'
  async function credited(books: Books, body: object): Promise<Row> {
    const { id } = await books.make(credits, { currency_id: 'usd', sub_total_amount: 500, ...body })
    assert.equal((await books.call('POST', `${credits}/${id}/save`)).statusCode, 200)
    return books.read(`${credits}/${id}`)
  }

  test('are applied to bills like a payment, no more than is left and is due, and can be taken back', async () => {
    const books = await openBooks(service)
    const credit = await credited(books, { direction: 'out', partner_carrier_id: carrier })
    const [one, two] = [await owed(books, 400), await owed(books, 300)]
    const apply = (body: object) => books.call('POST', `${credits}/${credit.id}/apply`, body)
    assert.deepEqual(code(await apply({ allocations: [one, two].map(({ id }) => ({ bill_id: id, amount: 300 })) })), [
      409,
      'more_than_payment',
    ])
    assert.deepEqual(code(await apply({ allocations: [{ bill_id: one.id, amount: 401 }] })), [409, 'more_than_due'])
    assert.deepEqual(code(await apply({ allocations: [{ invoice_id: one.id, amount: 1 }] })), [400, 'wrong_document'])
    assert.deepEqual(code(await apply({})), [400, 'required'])
    const first = await apply({ allocations: [{ bill_id: one.id, amount: 400 }] })
    assert.deepEqual(
      [first.statusCode, money(first.json().credit), money(await read(books, one))],
      [200, ['saved', 400, 100, 'partially_paid'], ['paid', 400, 0, 'paid']],
    )
    const second = await apply({ oldest_first: true })
    assert.deepEqual(
      [money(second.json().credit), money(await read(books, two))],
      [
        ['paid', 500, 0, 'paid'],
        ['sent', 100, 200, 'partially_paid'],
      ],
    )
    const refused = await books.call('POST', `${bills}/${one.id}/reopen`, { reason: 'x' })
    assert.deepEqual(
      [code(refused), refused.json().error_message.includes(credit.id)],
      [[409, 'paid_by_payments'], true],
    )
    assert.deepEqual(code(await books.call('POST', `${credits}/${credit.id}/reopen`, { reason: 'x' })), [
      409,
      'paid_by_payments',
    ])
    const applied = await paymentsOf(books, `${credits}/${credit.id}`)
    assert.deepEqual(
      applied.map(({ bill_id, amount }) => [bill_id, amount]),
      [
        [two.id, 100],
        [one.id, 400],
      ],
    )
    const back = await books.call('DELETE', `${credits}/${credit.id}/allocations/${applied[1]?.id}`)
    assert.deepEqual(
      [money(back.json().credit), money(await read(books, one))],
      [
        ['saved', 100, 400, 'partially_paid'],
        ['sent', 0, 400, 'unpaid'],
      ],
    )
    assert.equal((await books.call('DELETE', `${credits}/${credit.id}/allocations/${applied[1]?.id}`)).statusCode, 404)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('are paid back by payments that go the other way, and drafts cannot be applied', async () => {
    const books = await openBooks(service)
    const customer_id = newId()
    const credit = await credited(books, { direction: 'in', customer_id })
    const refund = {
      customer_id,
      direction: 'out',
      currency_id: 'usd',
      amount: 200,
      allocations: [{ credit_id: credit.id, amount: 200 }],
    }
    const answer = await books.call('POST', payments, refund)
    assert.equal(answer.statusCode, 201, answer.body)
    assert.deepEqual(money(await books.read(`${credits}/${credit.id}`)), ['saved', 200, 300, 'partially_paid'])
    const rest = await books.call('POST', `${credits}/${credit.id}/pay`)
    assert.deepEqual([rest.statusCode, money(rest.json().credit)], [200, ['paid', 500, 0, 'paid']])
    await books.call('POST', `${payments}/${answer.json().payment.id}/void`, { reason: 'x' })
    assert.deepEqual(money(await books.read(`${credits}/${credit.id}`)), ['saved', 300, 200, 'partially_paid'])
    const draft = await books.make(credits, { direction: 'in', customer_id, currency_id: 'usd', sub_total_amount: 1 })
    assert.deepEqual(code(await books.call('POST', `${credits}/${draft.id}/apply`, { oldest_first: true })), [
      409,
      'not_applicable',
    ])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('without a party are paid back too, and that is voided again', async () => {
    const books = await openBooks(service)
    for (const direction of ['out', 'in']) {
      const credit = await credited(books, { direction })
      assert.equal((await books.call('POST', `${credits}/${credit.id}/pay`)).statusCode, 200)
      const [paid] = await paymentsOf(books, `${credits}/${credit.id}`)
      const answer = await books.call('POST', `${payments}/${paid?.payment_id}/void`, { reason: 'x' })
      assert.deepEqual([answer.statusCode, answer.json().payment?.direction], [200, direction === 'out' ? 'in' : 'out'])
      assert.deepEqual(money(await books.read(`${credits}/${credit.id}`)), ['saved', 0, 500, 'unpaid'])
    }
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('a payment in another currency', () => {
  test('keeps the rate of its day, and what rates made of it since the day of the document', async () => {
    const books = await openBooks(service)
    assert.equal(
      (await applicationIn(service, books.org).call('PUT', '/api/v1/organization', { home_currency_id: 'usd' }))
        .statusCode,
      200,
    )
    for (const [starts_on, rate] of [
      ['2026-01-01', '1.1'],
      ['2026-02-01', '1.25'],
    ])
      assert.equal(
        (
          await books.call('POST', '/api/v1/exchange_rates', {
            from_currency_id: 'eur',
            to_currency_id: 'usd',
            rate,
            starts_on,
          })
        ).statusCode,
        201,
      )
    const bill = await owed(books, 1000, { currency_id: 'eur', bill_date: '2026-01-10' })
    assert.deepEqual([bill.exchange_rate, bill.home_total_amount], ['1.1', 1100])
    const payment = await pay(books, {
      amount: 400,
      currency_id: 'eur',
      paid_at: '2026-02-10',
      allocations: [{ bill_id: bill.id, amount: 400 }],
    })
    assert.deepEqual(
      [payment.exchange_rate, payment.home_currency_id, payment.realized_gain_amount],
      ['1.25', 'usd', -60],
    )
    await books.call('POST', `${bills}/${bill.id}/pay`, { paid_at: '2026-02-11' })
    const [recorded] = (await books.get(`${payments}?methods=recorded`)).json().payments as Payment[]
    assert.deepEqual([recorded?.exchange_rate, recorded?.realized_gain_amount, recorded?.amount], ['1.25', -90, 600])
    const voided = (await books.call('POST', `${payments}/${payment.id}/void`, { reason: 'x' })).json().payment
    assert.deepEqual([voided.exchange_rate, voided.realized_gain_amount], ['1.25', null])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('what paying sends to the database', () => {
  /** How many statements an organization sends while this is done. */
  async function statementsIn({ org }: Books, work: () => Promise<LightMyRequestResponse>): Promise<number> {
    const { database } = service
    const { transaction } = database
    let sent = 0
    const counting = (run: Run): Run =>
      ((statement: Statement) => {
        sent += 1
        return run(statement)
      }) as Run
    database.transaction = (of, inner, waits) =>
      transaction(of, (run) => inner(of === org ? counting(run) : run), waits)
    try {
      const answer = await work()
      assert.equal(answer.statusCode < 300, true, answer.body)
      return sent
    } finally {
      database.transaction = transaction
    }
  }

  test('is as many statements for twelve bills as for two: with a statement, in bulk, by one payment, and when that is voided', async () => {
    const books = await openBooks(service)
    const counts: number[][] = []
    for (const number of [2, 12]) {
      const some = async () => {
        const rows = Array.from({ length: number }, () => ({
          partner_carrier_id: carrier,
          currency_id: 'usd',
          sub_total_amount: 10,
          status_id: 'saved',
        }))
        return (await books.call('POST', `${bills}/bulk`, { bills: rows })).json().results as Row[]
      }
      const { id } = await books.statement(await some())
      await books.call('POST', `${statements}/${id}/save`)
      const [bulk, one] = [await some(), await some()]
      const allocations = one.map((bill) => ({ bill_id: bill.id, amount: 10 }))
      let payment = ''
      counts.push([
        await statementsIn(books, () => books.call('POST', `${statements}/${id}/pay`)),
        await statementsIn(books, () =>
          books.call('POST', `${bills}/bulk`, { bills: bulk.map((bill) => ({ id: bill.id, status_id: 'paid' })) }),
        ),
        await statementsIn(books, async () => {
          const answer = await books.call('POST', payments, {
            partner_carrier_id: carrier,
            currency_id: 'usd',
            amount: 10 * number,
            allocations,
          })
          payment = answer.json().payment.id
          return answer
        }),
        await statementsIn(books, () => books.call('POST', `${payments}/${payment}/void`, { reason: 'x' })),
      ])
    }
    assert.deepEqual(counts[1], counts[0])
    assert.ok(counts.flat().every((count) => count > 5))
  })
})

describe('taking back what was paid', { concurrency: true }, () => {
  test('a statement that is reopened takes back the payment that was made with it, whatever its method; what else paid its bills stays', async () => {
    const books = await openBooks(service)
    const [whole, part, other] = [await owed(books, 1000), await owed(books, 1000), await owed(books, 1000)]
    const { id } = await books.statement([whole, part, other])
    const checks = await pay(books, {
      amount: 1300,
      method: 'check',
      allocations: [
        { bill_id: part.id, amount: 300 },
        { bill_id: other.id, amount: 1000 },
      ],
    })
    const at = `${statements}/${id}`
    for (const move of ['save', 'send']) assert.equal((await books.call('POST', `${at}/${move}`)).statusCode, 200)
    assert.equal((await books.call('POST', `${at}/pay`, { method: 'ach' })).statusCode, 200)
    const own = (await paymentsOf(books, `${bills}/${whole.id}`))[0] as Json
    assert.deepEqual([own.method, own.amount], ['ach', 1000])
    for (const payment of [own.payment_id, checks.id])
      assert.deepEqual(code(await books.call('POST', `${payments}/${payment}/void`, { reason: 'x' })), [
        409,
        'statement_is_paid',
      ])
    assert.equal((await books.call('POST', `${at}/reopen`, { reason: 'The bank returned it' })).statusCode, 200)
    assert.deepEqual(money(await read(books, whole)), ['edited', 0, 1000, 'unpaid'])
    assert.deepEqual(money(await read(books, part)), ['edited', 300, 700, 'partially_paid'])
    assert.deepEqual(money(await read(books, other)), ['paid', 1000, 0, 'paid'])
    assert.equal((await books.read(`${payments}/${own.payment_id}`)).status, 'voided')
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    assert.equal((await books.call('POST', `${payments}/${checks.id}/void`, { reason: 'It bounced' })).statusCode, 200)
    for (const one of [whole, part, other]) assert.deepEqual((await read(books, one)).amount_due, 1000)
    assert.equal((await books.call('POST', `${at}/pay`)).statusCode, 200)
    assert.deepEqual(money(await read(books, other)), ['paid', 1000, 0, 'paid'])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('a bill is not reopened by what holds money for others', async () => {
    const books = await openBooks(service)
    const bill = await owed(books, 300)
    const payment = await pay(books, {
      amount: 1000,
      method: 'recorded',
      allocations: [{ bill_id: bill.id, amount: 300 }],
    })
    assert.deepEqual(code(await books.call('POST', `${bills}/${bill.id}/reopen`, { reason: 'x' })), [
      409,
      'paid_by_payments',
    ])
    assert.deepEqual(
      [(await books.read(`${payments}/${payment.id}`)).unallocated_amount, (await read(books, bill)).status_id],
      [700, 'paid'],
    )
  })

  test('of many rows those that cannot be reopened are refused alone, in bulk and in a file', async () => {
    const books = await openBooks(service)
    const [byCheck, recorded, noted] = [await owed(books), await owed(books), await owed(books)]
    await pay(books, { amount: 1000, method: 'check', allocations: [{ bill_id: byCheck.id, amount: 1000 }] })
    await books.call('POST', `${bills}/${recorded.id}/pay`)
    const answer = await books.call('POST', `${bills}/bulk`, {
      bills: [
        { id: noted.id, notes: 'kept' },
        { id: byCheck.id, status_id: 'edited', reason: 'x' },
        { id: recorded.id, status_id: 'edited', reason: 'x' },
      ],
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const rows: { status: string; error?: Json }[] = answer.json().results
    assert.deepEqual(
      rows.map(({ status, error }) => [status, error?.error_code ?? null]),
      [
        ['updated', null],
        ['failed', 'paid_by_payments'],
        ['updated', null],
      ],
    )
    assert.deepEqual(
      [(await read(books, noted)).notes, money(await read(books, recorded))],
      ['kept', ['edited', 0, 1000, 'unpaid']],
    )
    const csv = `id,status_id,reason,notes\n${byCheck.id},edited,x,\n${noted.id},,,from a file\n`
    const file = await books.call('POST', `${bills}/import`, csv, { 'content-type': 'text/csv' })
    assert.deepEqual([file.statusCode, (await read(books, noted)).notes], [200, 'from a file'], file.body)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('what comes to less than nothing is refused in words', async () => {
    const books = await openBooks(service)
    const [deduction, bill] = [await owed(books, -200), await owed(books, 500)]
    const only = { allocations: [{ bill_id: deduction.id, amount: -200 }] }
    const body = { partner_carrier_id: carrier, currency_id: 'usd', amount: 1000 }
    assert.deepEqual(code(await books.call('POST', payments, { ...body, ...only })), [409, 'only_deductions'])
    const payment = await pay(books, { amount: 1000 })
    const at = `${payments}/${payment.id}/allocations`
    assert.deepEqual(code(await books.call('POST', at, only)), [409, 'only_deductions'])
    const credit = (
      await books.call('POST', '/api/v1/credits', { direction: 'out', ...body, sub_total_amount: 300, items: [] })
    ).json().credit
    await books.call('POST', `/api/v1/credits/${credit.id}/save`)
    assert.deepEqual(code(await books.call('POST', `/api/v1/credits/${credit.id}/apply`, only)), [
      409,
      'only_deductions',
    ])
    assert.deepEqual(code(await books.call('POST', `${bills}/${deduction.id}/pay`, { method: 'check' })), [
      409,
      'no_money_moves',
    ])
    assert.equal((await books.call('POST', at, { allocations: [{ bill_id: bill.id, amount: 500 }] })).statusCode, 200)
    assert.equal((await books.call('POST', at, only)).statusCode, 200)
    assert.equal((await books.read(`${payments}/${payment.id}`)).allocated_amount, 300)
    const [more, less] = [await owed(books, 500), await owed(books, -500)]
    const { id } = await books.statement([more, less])
    for (const move of ['save', 'send']) await books.call('POST', `${statements}/${id}/${move}`)
    assert.deepEqual(code(await books.call('POST', `${statements}/${id}/pay`, { method: 'ach' })), [
      409,
      'no_money_moves',
    ])
    assert.equal((await books.call('POST', `${statements}/${id}/pay`)).statusCode, 200)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})
