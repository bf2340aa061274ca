import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { sharedService } from '../service.ts'
import { type Books, bills, faultsOf, type Json, openBooks, type Row, statements } from './books.ts'

const service = await sharedService()
const invoices = '/api/v1/invoices'
const credits = '/api/v1/credits'

const code = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error_code]
const paymentsOf = async (books: Books, at: string): Promise<Json[]> =>
  (await books.get(`${at}/payments`)).json().payments

describe('what is paid', { concurrency: true }, () => {
  const check = { paid_at: '2026-03-01', method: 'check', reference_number: 'CHK-1' }
  const same: object[] = [
    {},
    check,
    { paid_at: '2026-03-01T01:00:00+01:00' },
    { method: 'check' },
    { reference_number: 'CHK-1' },
    { amount: 1000, ...check },
  ]
  const other: object[] = [
    { paid_at: '2026-03-02' },
    { method: 'wire' },
    { ...check, reference_number: null },
    { ...check, reference_number: 'CHK-2' },
    { amount: 1 },
  ]

  for (const [noun, path, more] of [
    ['bill', bills, {}],
    ['invoice', invoices, {}],
    ['credit', credits, { direction: 'in' }],
  ] as const)
    test(`is not paid again: the same request changes nothing of the ${noun}, and any other is a 409`, async () => {
      const books = await openBooks(service)
      const { id } = await books.make(path, { currency_id: 'usd', sub_total_amount: 1000, ...more })
      const at = `${path}/${id}`
      await books.call('POST', `${at}/save`)
      assert.equal((await books.call('POST', `${at}/pay`, check)).statusCode, 200)
      const before = [await books.read(at), await paymentsOf(books, at), (await books.events()).length]
      for (const body of same) {
        const answer = await books.call('POST', `${at}/pay`, body)
        assert.deepEqual(
          [answer.statusCode, answer.json()[noun]?.revision],
          [200, (before[0] as Row).revision],
          JSON.stringify(body),
        )
      }
      for (const body of other)
        assert.deepEqual(code(await books.call('POST', `${at}/pay`, body)), [409, 'already_paid'], JSON.stringify(body))
      assert.deepEqual([await books.read(at), await paymentsOf(books, at), (await books.events()).length], before)
      assert.deepEqual(await faultsOf(service, [books.org]), [])
    })

  test('keeps the time of its payment by PUT, in bulk and in an import; what was read can be sent back whole', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('saved')
    const at = `${bills}/${id}`
    await books.call('POST', `${at}/pay`, check)
    const before = [await books.read(at), await paymentsOf(books, at)]
    const later = { status_id: 'paid', paid_at: '2026-03-05' }
    assert.deepEqual(code(await books.call('PUT', at, later)), [409, 'already_paid'])
    assert.deepEqual(code(await books.call('PUT', at, { paid_at: '2026-03-05' })), [409, 'already_paid'])
    const [row] = (await books.call('POST', `${bills}/bulk`, { bills: [{ id, ...later }] })).json().results
    assert.deepEqual([row.status, row.error.error_code], ['failed', 'already_paid'])
    const file = `id,status_id,paid_at\n${id},paid,2026-03-05\n`
    const report = (await books.call('POST', `${bills}/import`, file, { 'content-type': 'text/csv' })).json()
    assert.equal(report.results[0].error.error_code, 'already_paid')
    assert.equal(
      (await books.call('POST', `${bills}/bulk`, { bills: [{ id, ...later, paid_at: '2026-03-01' }] })).json()
        .results[0].status,
      'unchanged',
    )
    assert.deepEqual([await books.read(at), await paymentsOf(books, at)], before)
    const whole = (await books.get(at)).json()
    const put = await books.call('PUT', at, { ...whole, bill: { ...whole.bill, qb_error_msg: 'Vendor not found' } })
    assert.deepEqual(
      [put.statusCode, put.json().bill.qb_error_msg, put.json().bill.paid_at],
      [200, 'Vendor not found', whole.bill.paid_at],
    )
  })

  test('in parts takes each of the requests again that have paid it', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('saved')
    const parts = [
      { amount: 600, paid_at: '2026-03-01', method: 'check', reference_number: 'CHK-1' },
      { amount: 400, paid_at: '2026-03-02', method: 'ach', reference_number: 'ACH-1' },
    ]
    for (const part of [...parts, ...parts])
      assert.equal((await books.call('POST', `${bills}/${id}/pay`, part)).statusCode, 200)
    assert.deepEqual(code(await books.call('POST', `${bills}/${id}/pay`, { ...parts[0], method: 'ach' })), [
      409,
      'already_paid',
    ])
    assert.equal((await paymentsOf(books, `${bills}/${id}`)).length, 2)
    const nothing = await books.bill('saved', { sub_total_amount: 0 })
    for (const body of [{ paid_at: '2026-03-01' }, { paid_at: '2026-03-01', method: 'recorded' }])
      assert.equal((await books.call('POST', `${bills}/${nothing.id}/pay`, body)).statusCode, 200)
  })

  test('as a statement is not paid again either', async () => {
    const books = await openBooks(service)
    const statement = await books.statement([await books.bill('saved'), await books.bill('saved')])
    const at = `${statements}/${statement.id}`
    await books.call('POST', `${at}/save`)
    assert.equal((await books.call('POST', `${at}/pay`, check)).statusCode, 200)
    const before = [await books.read(at), (await books.events()).length]
    for (const body of same.slice(0, 5))
      assert.equal((await books.call('POST', `${at}/pay`, body)).statusCode, 200, JSON.stringify(body))
    const whole = { amount: 2000, ...check }
    assert.equal((await books.call('POST', `${at}/pay`, whole)).statusCode, 200)
    for (const body of [...other, { ...whole, amount: 1000 }])
      assert.deepEqual(code(await books.call('POST', `${at}/pay`, body)), [409, 'already_paid'], JSON.stringify(body))
    assert.deepEqual(code(await books.call('PUT', at, { paid_at: '2026-03-05' })), [409, 'already_paid'])
    assert.deepEqual(code(await books.call('PUT', at, { status_id: 'paid', paid_at: '2026-03-05' })), [
      409,
      'already_paid',
    ])
    assert.equal((await books.call('PUT', at, (await books.get(at)).json())).statusCode, 200)
    assert.deepEqual([await books.read(at), (await books.events()).length], before)
  })
})
