import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { taxOfLines, withTaxes } from '../../src/books/documents/model/kind/line-taxes.ts'
import { ratioOf } from '../../src/platform/core/values/ratio.ts'
import { runs } from '../depth.ts'
import { callerIn, sharedService } from '../service.ts'
import { type Books, bills, faultsOf, type Json, openBooks, type Row } from './books.ts'

const service = await sharedService()
const path = '/api/v1/tax_rates'
const invoices = '/api/v1/invoices'

type Line = Json & { id: string; tax_amount: number; tax_rate_id: string | null }

const wholeOf = async (books: Books, at: string) => (await books.get(at)).json() as { bill: Row; bill_items: Line[] }
const facts = ({ is_tax_on, sub_total_amount, tax_amount, kept_tax_amount, total_amount }: Json) => [
  is_tax_on,
  sub_total_amount,
  tax_amount,
  kept_tax_amount,
  total_amount,
]

describe('tax rates', { concurrency: true }, () => {
  test('have a percent, or components that come to it, and a history', async () => {
    const books = await openBooks(service)
    const made = await books.make(path, {
      name: 'GST and PST',
      components: [
        { name: 'GST', percent: '5.0' },
        { name: 'PST', percent: '7' },
      ],
    })
    assert.deepEqual(
      [made.percent, made.components, made.active],
      [
        '12',
        [
          { name: 'GST', percent: '5' },
          { name: 'PST', percent: '7' },
        ],
        true,
      ],
    )
    await books.make(path, { name: 'VAT', percent: '8.250000', active: false })
    assert.deepEqual(
      [(await books.get(`${path}?active=true`)).json().total, (await books.get(`${path}?search_term=va`)).json().total],
      [1, 1],
    )
    const put = async (body: object, headers = {}) => {
      const answer = await books.call('PUT', `${path}/${made.id}`, body, headers)
      return answer.statusCode === 200 ? answer.json().tax_rate.percent : answer.json().error_code
    }
    assert.equal(await put({ components: [{ name: 'GST', percent: '5' }] }, { 'if-match': '"1"' }), '5')
    assert.equal(await put({ name: 'x' }, { 'if-match': '"1"' }), 'stale')
    assert.equal(await put({ percent: '6' }), 'components_do_not_add_up')
    assert.equal(await put({ name: 'vat' }), 'name_taken')
    assert.equal((await books.call('DELETE', `${path}/${made.id}`)).statusCode, 204)
    const { events } = (await books.get(`${path}/${made.id}/history`)).json()
    assert.deepEqual(
      events.map(({ type }: Json) => type),
      ['tax_rate.deleted', 'tax_rate.updated', 'tax_rate.created'],
    )
    for (const [body, code] of [
      [{ name: 'A' }, 'required'],
      [{ name: 'A', percent: '101' }, 'bad_percent'],
      [{ name: 'A', percent: '-1' }, 'bad_percent'],
      [{ name: 'A', percent: '1.1234567' }, 'bad_percent'],
      [{ name: 'A', percent: 5 }, 'wrong_type'],
      [{ name: 'A', percent: '5', components: [{ name: 'B', percent: '4' }] }, 'components_do_not_add_up'],
    ] as const)
      assert.equal((await books.call('POST', path, body)).json().error_code, code, JSON.stringify(body))
    assert.equal((await callerIn(service, books.org, ['orders']).get(path)).statusCode, 403)
    assert.equal((await (await openBooks(service)).get(`${path}/${made.id}`)).statusCode, 404)
  })

  test('that lines carry keep their percent and stay; one that is not active is given to no line more', async () => {
    const books = await openBooks(service)
    const { id } = await books.make(path, { name: 'GST', percent: '5' })
    const bill = await books.make(bills, { currency_id: 'usd', items: [{ unit_price: 1000, tax_rate_id: id }] })
    const put = async (body: object) => (await books.call('PUT', `${path}/${id}`, body)).json()
    assert.equal((await put({ percent: '6' })).error_code, 'tax_rate_in_use')
    assert.equal((await books.call('DELETE', `${path}/${id}`)).json().error_code, 'in_use')
    assert.equal((await put({ name: 'GST (old)', active: false })).tax_rate.active, false)
    const answer = await books.call('POST', bills, { items: [{ unit_price: 1, tax_rate_id: id }] })
    assert.deepEqual(
      [answer.statusCode, answer.json().error_code, answer.json().details[0].field],
      [409, 'tax_rate_inactive', 'items[0].tax_rate_id'],
    )
    // The bill that has it keeps it, and its other lines may be given it too.
    assert.equal(
      (await books.call('POST', `${bills}/${bill.id}/items`, { unit_price: 100, tax_rate_id: id })).statusCode,
      201,
    )
    assert.equal((await books.read(`${bills}/${bill.id}`)).tax_amount, 55)
  })
})

describe('the taxes of lines', { concurrency: true }, () => {
  test('are rounded once for each rate, from all its lines, and the lines add up to them', () => {
    const percents = ['5', '7.5', '19', '8.25', '0', '33.333333', '100']
    const rates = new Map(percents.map((percent) => [percent, { percent: ratioOf(percent), active: true }]))
    const line = fc.record({
      total_amount: fc.integer({ min: -100_000, max: 100_000 }),
      tax_rate_id: fc.constantFrom(null, ...percents),
      tax_amount: fc.constant(7 as number),
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const taxed = withTaxes(lines, rates)
        let all = 0n
        for (const percent of percents) {
          const [whole = '', fraction = ''] = percent.split('.')
          const total = lines
            .filter(({ tax_rate_id }) => tax_rate_id === percent)
            .reduce((sum, { total_amount }) => sum + BigInt(total_amount), 0n)
          // The nearest whole number to total × percent / 100, a half away from zero, by another way: the sign apart, and a half added.
          const [p, q] = [total * BigInt(whole + fraction.padEnd(6, '0')), 10n ** 8n]
          const expected = (p < 0n ? -1n : 1n) * (((p < 0n ? -p : p) + q / 2n) / q)
          const sum = taxed
            .filter(({ tax_rate_id }) => tax_rate_id === percent)
            .reduce((sum, { tax_amount }) => sum + BigInt(tax_amount), 0n)
          assert.equal(sum, expected, percent)
          all += expected
        }
        assert.ok(taxed.every(({ tax_rate_id, tax_amount }) => tax_rate_id !== null || tax_amount === 0))
        assert.equal(taxOfLines(taxed), lines.some(({ tax_rate_id }) => tax_rate_id) ? Number(all) : null)
      }),
      { numRuns: runs(800) },
    )
  })

  test('make the tax of a bill, follow its lines, and come back when tax is switched off and on', async () => {
    const books = await openBooks(service)
    const gst = (await books.make(path, { name: 'GST', percent: '5' })).id
    const pst = (await books.make(path, { name: 'PST', percent: '7' })).id
    const items = [10, 10, 10].map((unit_price) => ({ unit_price, tax_rate_id: gst }))
    const { id } = await books.make(bills, {
      currency_id: 'cad',
      items: [...items, { unit_price: 100, tax_rate_id: pst }, { unit_price: 1 }],
    })
    const at = `${bills}/${id}`
    // 5 % of 30 is 1.5, which rounds to 2, and not three times 0.5, which would be 3.
    const { bill, bill_items: lines } = await wholeOf(books, at)
    assert.deepEqual(facts(bill), [true, 131, 9, null, 140])
    assert.deepEqual(
      lines.map(({ tax_amount }) => tax_amount),
      [1, 0, 1, 7, 0],
    )
    const put = async (body: object) => {
      const answer = await books.call('PUT', at, body)
      assert.equal(answer.statusCode, 200, answer.body)
      return answer
    }
    assert.deepEqual(facts((await put({ is_tax_on: false })).json().bill), [false, 131, 0, null, 131])
    // Sent back whole with one field changed, as it was read: nothing is ignored.
    const off = await wholeOf(books, at)
    const ignored = (await put({ ...off.bill, bill_items: off.bill_items, is_tax_on: true })).headers[
      'x-ignored-fields'
    ]
    assert.doesNotMatch(String(ignored), /tax_amount(?!_)(?<!kept_tax_amount)/)
    assert.deepEqual(facts((await wholeOf(books, at)).bill), [true, 131, 9, null, 140])
    const set = await put({ tax_amount: 5 })
    assert.deepEqual(
      [facts(set.json().bill), set.headers['x-ignored-fields']],
      [[true, 131, 9, null, 140], 'tax_amount'],
    )

    const [first, second] = lines as [Line, Line]
    assert.equal(
      (await books.call('POST', `${at}/items`, { unit_price: 10, tax_rate_id: gst })).json().bill.tax_amount,
      9,
    )
    assert.equal((await books.call('PUT', `${at}/items/${first.id}`, { unit_price: 1000 })).json().bill.tax_amount, 59)
    assert.equal((await books.call('DELETE', `${at}/items/${first.id}`)).json().bill.tax_amount, 9)
    assert.equal((await books.call('PUT', `${at}/items/${second.id}`, { tax_rate_id: null })).json().bill.tax_amount, 8)
    const changed = await put({
      bill_items: [
        { id: second.id, tax_rate_id: pst },
        { unit_price: 200, tax_rate_id: gst },
      ],
    })
    assert.deepEqual(facts(changed.json().bill), [true, 331, 19, null, 350])
    const order = (await wholeOf(books, at)).bill_items.map((line) => line.id).reverse()
    assert.equal((await books.call('PUT', `${at}/items/order`, { item_ids: order })).json().bill.tax_amount, 19)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('leave what was set by hand where it was: it counts again when no line carries a rate', async () => {
    const books = await openBooks(service)
    const { id: rate } = await books.make(path, { name: 'VAT', percent: '20' })
    const { id } = await books.make(bills, {
      currency_id: 'eur',
      is_tax_on: true,
      tax_amount: 33,
      items: [{ unit_price: 100 }],
    })
    const at = `${bills}/${id}`
    const [line] = (await wholeOf(books, at)).bill_items as [Line]
    await books.call('PUT', `${at}/items/${line.id}`, { tax_rate_id: rate })
    assert.deepEqual(facts((await wholeOf(books, at)).bill), [true, 100, 20, 33, 120])
    await books.call('PUT', at, { is_tax_on: false })
    assert.deepEqual(facts((await wholeOf(books, at)).bill), [false, 100, 0, 33, 100])
    await books.call('PUT', at, { is_tax_on: true })
    assert.deepEqual(facts((await wholeOf(books, at)).bill), [true, 100, 20, 33, 120])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    const { bill, bill_items } = await wholeOf(books, at)
    await books.call('PUT', at, { ...bill, bill_items: bill_items.map((one) => ({ ...one, tax_rate_id: null })) })
    assert.deepEqual(facts((await wholeOf(books, at)).bill), [true, 100, 33, null, 133])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('are the same by bulk, by import, on an invoice, and where tax is said to be off', async () => {
    const books = await openBooks(service)
    const { id: rate } = await books.make(path, { name: 'VAT', percent: '19' })
    const items = [
      { unit_price: 3, tax_rate_id: rate.toUpperCase() },
      { unit_price: 3, tax_rate_id: rate },
    ]
    const bulk = async (row: object) =>
      (await books.call('POST', `${bills}/bulk`, { bills: [{ external_id: 'A', ...row }] })).json().results[0]
    assert.equal((await bulk({ currency_id: 'eur', status_id: 'saved', items })).status, 'created')
    assert.deepEqual(facts(await books.read(`${bills}/ext:A`)), [true, 6, 1, null, 7])
    assert.equal((await bulk({ items: [...items, { unit_price: 100, tax_rate_id: rate }] })).status, 'updated')
    assert.deepEqual(facts(await books.read(`${bills}/ext:A`)), [true, 106, 20, null, 126])
    assert.equal((await bulk({ is_tax_on: false })).status, 'updated')
    assert.equal((await bulk({ is_tax_on: true, tax_amount: 0 })).status, 'updated')
    assert.deepEqual(facts(await books.read(`${bills}/ext:A`)), [true, 106, 20, null, 126])
    const wrong = await bulk({ items: [{ unit_price: 1, tax_rate_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15' }] })
    assert.deepEqual(
      [wrong.error.error_code, wrong.error.details[0].field],
      ['unknown_tax_rate', 'items.0.tax_rate_id'],
    )

    // An export carries the rate of each line, and imported again it changes nothing.
    const csv = (await books.get(`${bills}/export`)).body
    assert.match(csv, new RegExp(`tax_rate_id"":""${rate}`))
    const report = (await books.call('POST', `${bills}/import`, csv, { 'content-type': 'text/csv' })).json()
    assert.deepEqual(report.counts, { created: 0, updated: 0, unchanged: 1, failed: 0 }, JSON.stringify(report))
    const copied = (
      await books.call(
        'POST',
        `${bills}/import`,
        csv
          .replace(/^A,/m, 'B,')
          .replaceAll(/""id"":""[^"]*"",/g, '')
          .replace(/(?<=^B,)[^,]*/m, ''),
        { 'content-type': 'text/csv' },
      )
    ).json()
    assert.equal(copied.counts.failed, 0, JSON.stringify(copied))

    assert.deepEqual(facts(await books.make(invoices, { currency_id: 'eur', items })), [true, 6, 1, null, 7])
    assert.deepEqual(facts(await books.make(bills, { currency_id: 'eur', is_tax_on: false, items })), [
      false,
      6,
      0,
      null,
      6,
    ])
    const created = await books.call('POST', bills, { items, tax_amount: 50, is_tax_on: true })
    assert.deepEqual(
      [facts(created.json().bill), created.headers['x-ignored-fields']],
      [[true, 6, 1, null, 7], 'tax_amount'],
    )
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('are named by the line whose rate is not there, and nothing is written', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('draft', { items: [{ unit_price: 1 }] })
    const nobody = '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'
    const before = await books.get(`${bills}/${id}`)
    const { id: elsewhere } = await (await openBooks(service)).make(path, { name: 'VAT', percent: '19' })
    for (const tax_rate_id of [nobody, elsewhere]) {
      const asked: [string, string, object, string][] = [
        [
          'PUT',
          `${bills}/${id}`,
          { bill_items: [{ unit_price: 1 }, { unit_price: 2, tax_rate_id }] },
          'bill_items[1].tax_rate_id',
        ],
        ['POST', `${bills}/${id}/items`, { unit_price: 2, tax_rate_id }, 'tax_rate_id'],
        ['POST', bills, { bill_items: [{ unit_price: 2, tax_rate_id }] }, 'bill_items[0].tax_rate_id'],
      ]
      for (const [method, url, body, field] of asked) {
        const answer = await books.call(method, url, body)
        assert.deepEqual(
          [answer.statusCode, answer.json().error_code, answer.json().details[0].field],
          [400, 'unknown_tax_rate', field],
        )
      }
    }
    assert.equal((await books.get(`${bills}/${id}`)).body, before.body)
  })
})
