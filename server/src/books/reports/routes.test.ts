import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Books, openBooks } from '../../../test/books/books.ts'
import { applicationIn, callerIn, sharedService } from '../../../test/service.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { saveSummary } from './summary-store.ts'

const service = await sharedService()
const day = 86_400_000

type Row = Record<string, string | number | null>
type Report = { as_of: string; home_currency_id: string | null; rows: Row[]; totals: Row[]; home: Row }

const before = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10)

async function report(books: Books, path: string): Promise<Report> {
  const answer = await books.get(`/api/v1/reports/${path}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function organization({ org }: Books, settings: object): Promise<void> {
  const answer = await applicationIn(service, org).call('PUT', '/api/v1/organization', settings)
  assert.equal(answer.statusCode, 200, answer.body)
}

describe('the aging of payables', { concurrency: true }, () => {
  test('has what is left to pay in its part by the due date, by carrier and currency, and what is paid, drafted or not due in none or the first', async () => {
    const books = await openBooks(service)
    await organization(books, { home_currency_id: 'usd' })
    const [one, two] = [newId(), newId()]
    const owed: [days: number, amount: number, carrier: string, currency: string][] = [
      [-5, 100, one, 'usd'],
      [0, 200, one, 'usd'],
      [1, 300, one, 'usd'],
      [30, 400, one, 'usd'],
      [31, 500, one, 'usd'],
      [60, 600, one, 'usd'],
      [61, 700, one, 'usd'],
      [90, 800, one, 'usd'],
      [91, 900, one, 'usd'],
      [91, 50, one, 'eur'],
      [2, 40, two, 'usd'],
    ]
    for (const [days, amount, partner_carrier_id, currency_id] of owed)
      await books.bill('sent', { due_date: before(days), sub_total_amount: amount, partner_carrier_id, currency_id })
    await books.bill('draft', { due_date: before(9), partner_carrier_id: one })
    await books.bill('paid', { due_date: before(9), partner_carrier_id: one })
    await books.bill('saved', { partner_carrier_id: one, sub_total_amount: 7 })
    const { rows, totals, home, home_currency_id } = await report(books, 'payables_aging')
    const parts = ({
      current_amount,
      days_1_30_amount,
      days_31_60_amount,
      days_61_90_amount,
      days_over_90_amount,
      total_amount,
    }: Row) => [
      ...[current_amount, days_1_30_amount, days_31_60_amount, days_61_90_amount, days_over_90_amount, total_amount],
    ]
    const rowOf = (carrier: string, currency: string) =>
      rows.find(({ party_id, currency_id }) => party_id === carrier && currency_id === currency) as Row
    assert.equal(rows.length, 3)
    assert.deepEqual(parts(rowOf(one, 'usd')), [307, 700, 1100, 1500, 900, 4507])
    assert.deepEqual(parts(rowOf(one, 'eur')), [0, 0, 0, 0, 50, 50])
    assert.deepEqual(parts(rowOf(two, 'usd')), [0, 40, 0, 0, 0, 40])
    assert.deepEqual(
      totals.map((row) => [row.currency_id, row.documents, row.total_amount]),
      [
        ['eur', 1, 50],
        ['usd', 11, 4547],
      ],
    )
    // The one in euros has no rate.
    assert.deepEqual([home_currency_id, home.total_amount, home.documents, home.missing_rate], ['usd', 4547, 12, 1])
    const filtered = await report(books, `payables_aging?partner_carrier_ids=${two}&currency_ids=usd`)
    assert.deepEqual(filtered.rows.map(parts), [[0, 40, 0, 0, 0, 40]])
    const ahead = await report(books, `payables_aging?as_of=${before(-6)}&partner_carrier_ids=${one}&currency_ids=usd`)
    assert.deepEqual(ahead.rows.map(parts), [[7, 600, 900, 1300, 1700, 4507]])
  })

  test('of a past moment is what was reported then, whatever has happened since', async () => {
    const books = await openBooks(service)
    const carrier = newId()
    const make = (amount: number) =>
      books.bill('saved', { due_date: before(10), sub_total_amount: amount, partner_carrier_id: carrier })
    const [kept, changed, paid, voided] = [await make(1), await make(20), await make(300), await make(4000)]
    const then = await report(books, 'payables_aging')
    assert.equal(then.rows[0]?.total_amount, 4321)
    assert.equal(
      (await books.call('PUT', `/api/v1/bills/${changed.id}`, { sub_total_amount: 29, currency_id: 'eur' })).statusCode,
      200,
    )
    assert.equal((await books.call('POST', `/api/v1/bills/${paid.id}/pay`)).statusCode, 200)
    assert.equal((await books.call('PUT', `/api/v1/bills/${voided.id}`, { status_id: 'draft' })).statusCode, 200)
    await make(50_000)
    const now = await report(books, 'payables_aging')
    assert.deepEqual(
      now.rows.map(({ currency_id, total_amount }) => [currency_id, total_amount]),
      [
        ['eur', 29],
        ['usd', 50_001],
      ],
    )
    assert.deepEqual(await report(books, `payables_aging?as_of=${then.as_of}`), then)
    assert.equal((await books.read(`/api/v1/bills/${kept.id}`)).total_amount, 1)
  })

  test('comes as CSV too, and what is no date is refused', async () => {
    const books = await openBooks(service)
    await books.bill('saved', { sub_total_amount: 12, partner_carrier_id: newId() })
    const csv = await books.get('/api/v1/reports/payables_aging', { accept: 'text/csv' })
    assert.match(String(csv.headers['content-type']), /^text\/csv/)
    const [head, row] = csv.body.trim().split('\r\n')
    assert.match(String(head), /^partner_carrier_id,party_name,currency_id,documents,/)
    assert.match(String(row), /^[0-9a-f-]{36},,usd,1,/)
    const cells = Object.fromEntries(
      String(head)
        .split(',')
        .map((name, index) => [name, String(row).split(',')[index]]),
    )
    assert.deepEqual(
      [cells.total_amount, cells.currency, cells.total_amount_decimal, cells.home_currency],
      ['12', 'USD', '0.12', ''],
    )
    assert.equal((await books.get('/api/v1/reports/payables_aging?as_of=2026-02-30')).statusCode, 400)
  })
})

describe('what was spent', { concurrency: true }, () => {
  test('is by month, carrier and type, before tax, and of a past moment what it was then', async () => {
    const books = await openBooks(service)
    const [haul, fuel] = [
      await books.make('/api/v1/bill_item_types', { name: 'Haul' }),
      await books.make('/api/v1/bill_item_types', { name: 'Fuel' }),
    ]
    const carrier = newId()
    const bill = (bill_date: string, items: object[]) =>
      books.make('/api/v1/bills', {
        currency_id: 'usd',
        partner_carrier_id: carrier,
        bill_date,
        items,
        is_tax_on: true,
        tax_amount: 9,
      })
    const made = [
      await bill('2026-09-30', [
        { unit_price: 10, bill_item_type_id: haul.id },
        { unit_price: 5, bill_item_type_id: fuel.id },
      ]),
      await bill('2026-10-01', [{ unit_price: 7, quantity: 3, bill_item_type_id: haul.id }]),
      await bill('2026-10-31T23:59:59Z', [{ unit_price: 1 }]),
    ]
    for (const { id } of made) assert.equal((await books.call('POST', `/api/v1/bills/${id}/save`)).statusCode, 200)
    await bill('2026-10-05', [{ unit_price: 1_000_000 }])
    await books.bill('saved', { bill_date: '2026-10-02', sub_total_amount: 100, partner_carrier_id: carrier })
    const facts = ({ rows }: Report) =>
      rows.map(({ month, type_name, documents, amount }) => [month, type_name, documents, amount])
    const then = await report(books, 'spend')
    assert.deepEqual(facts(then), [
      ['2026-09', 'Fuel', 1, 5],
      ['2026-09', 'Haul', 1, 10],
      ['2026-10', 'Haul', 1, 21],
      ['2026-10', null, 2, 101],
    ])
    assert.deepEqual(facts(await report(books, 'spend?group_by=month')), [
      ['2026-09', null, 1, 15],
      ['2026-10', null, 3, 122],
    ])
    assert.deepEqual(facts(await report(books, 'spend?group_by=type&start_at=2026-10-01&end_at=2026-10-01')), [
      [null, 'Haul', 1, 21],
    ])
    const lines = (await books.get(`/api/v1/bills/${made[0]?.id}`)).json().bill_items
    assert.equal(
      (await books.call('PUT', `/api/v1/bills/${made[0]?.id}/items/${lines[0].id}`, { unit_price: 99 })).statusCode,
      200,
    )
    assert.deepEqual(facts(await report(books, `spend?as_of=${then.as_of}`)), facts(then))
    assert.equal((await report(books, 'spend?group_by=month')).rows[0]?.amount, 104)
  })
})

describe('what was spent, in the home currency', { concurrency: true }, () => {
  const ways = ['month', 'party', 'type', 'month,party', 'party,type', 'month,type', 'month,party,type']
  const totalOf = ({ rows }: Report) => rows.reduce((sum, row) => sum + Number(row.home_amount), 0)

  test('is the same however it is grouped: each document is rounded once, and its lines share that', async () => {
    const books = await openBooks(service)
    await organization(books, { home_currency_id: 'usd' })
    const types = [
      (await books.make('/api/v1/bill_item_types', { name: 'Haul' })).id,
      (await books.make('/api/v1/bill_item_types', { name: 'Fuel' })).id,
      null,
    ]
    await books.make('/api/v1/exchange_rates', {
      from_currency_id: 'eur',
      to_currency_id: 'usd',
      rate: '1.0842',
      starts_on: '2026-01-01',
    })
    // By its inverse, which is not exact in decimals: three of these are 2.5, and so 3.
    await books.make('/api/v1/exchange_rates', {
      from_currency_id: 'usd',
      to_currency_id: 'gbp',
      rate: '1.2',
      starts_on: '2026-01-01',
    })
    const carriers = [newId(), newId()]
    let expected = 0
    for (let n = 0; n < 18; n += 1) {
      const isCredit = n % 6 === 5
      const own = {
        currency_id: ['eur', 'gbp', 'usd'][n % 3],
        partner_carrier_id: carriers[n % 2],
        is_tax_on: n % 4 === 1,
        tax_amount: n % 4 === 1 ? 7 : 0,
      }
      const items = Array.from({ length: n % 5 }, (_, line) => ({
        unit_price: [1, 1, 1, 77, -3][(n + line) % 5],
        bill_item_type_id: types[line % 3],
      }))
      const dated = {
        [isCredit ? 'credit_date' : 'bill_date']: `2026-0${1 + (n % 3)}-10`,
        ...(items.length === 0 && { sub_total_amount: 3 }),
        items,
      }
      const path = isCredit ? '/api/v1/credits' : '/api/v1/bills'
      const { id } = await books.make(path, { ...own, ...dated, ...(isCredit && { direction: 'out' }) })
      assert.equal((await books.call('POST', `${path}/${id}/save`)).statusCode, 200)
      const { sub_total_amount, tax_amount, home_total_amount, currency_id } = await books.read(`${path}/${id}`)
      const rate = { eur: 1.0842, gbp: 1 / 1.2, usd: 1 }[currency_id as 'eur']
      const rounded = Math.sign(Number(sub_total_amount)) * Math.round(Math.abs(Number(sub_total_amount)) * rate + 1e-9)
      if (tax_amount === 0) assert.equal(rounded, home_total_amount)
      expected += isCredit ? -rounded : rounded
    }
    const then = await report(books, 'spend')
    for (const way of ways) {
      const grouped = await report(books, `spend?group_by=${way}`)
      assert.equal(totalOf(grouped), expected, way)
      assert.ok(grouped.rows.every(({ missing_rate }) => missing_rate === 0))
    }
    // And the same again from what was recorded, once all of it has changed.
    for (const path of ['bills', 'credits'])
      for (const { id } of (await books.get(`/api/v1/${path}?limit=100`)).json()[path])
        assert.equal((await books.call('POST', `/api/v1/${path}/${id}/void`, { reason: 'x' })).statusCode, 200)
    assert.deepEqual((await report(books, 'spend')).rows, [])
    assert.deepEqual((await report(books, `spend?as_of=${then.as_of}`)).rows, then.rows)
    for (const way of ways)
      assert.equal(totalOf(await report(books, `spend?group_by=${way}&as_of=${then.as_of}`)), expected, way)
  })

  test('leaves out what has no rate, document by document, and counts it', async () => {
    const books = await openBooks(service)
    const type = await books.make('/api/v1/bill_item_types', { name: 'Haul' })
    const save = (unit_price: number, bill_date: string) =>
      books.bill('saved', {
        currency_id: 'eur',
        bill_date,
        items: [
          { unit_price, bill_item_type_id: type.id },
          { unit_price, bill_item_type_id: type.id },
        ],
      })
    const facts = ({ rows }: Report) =>
      rows.map(({ documents, missing_rate, amount, home_amount }) => [documents, missing_rate, amount, home_amount])
    await save(5, '2026-01-10')
    assert.deepEqual(facts(await report(books, 'spend')), [[1, 1, 10, null]])
    await organization(books, { home_currency_id: 'usd' })
    await books.make('/api/v1/exchange_rates', {
      from_currency_id: 'eur',
      to_currency_id: 'usd',
      rate: '1.1',
      starts_on: '2026-02-01',
    })
    assert.deepEqual(facts(await report(books, 'spend')), [[1, 1, 10, 0]])
    await save(50, '2026-02-10')
    for (const way of ['party', 'type', 'party,type'])
      assert.deepEqual(facts(await report(books, `spend?group_by=${way}`)), [[2, 1, 110, 110]], way)
    assert.deepEqual(facts(await report(books, 'spend?group_by=month')), [
      [1, 1, 10, 0],
      [1, 0, 100, 110],
    ])
    const csv = await books.get('/api/v1/reports/spend?group_by=party', { accept: 'text/csv' })
    assert.match(
      csv.body,
      /,documents,missing_rate,amount,home_amount,[a-z_,]+\r\n.*,2,1,110,110,EUR,USD,1\.10,1\.10\r\n$/,
    )
  })
})

test('credits of carriers lower what was spent, by their date, carrier and types; those of customers do not', async () => {
  const books = await openBooks(service)
  const type = await books.make('/api/v1/bill_item_types', { name: 'Haul' })
  const carrier = newId()
  await books.bill('saved', {
    partner_carrier_id: carrier,
    bill_date: '2026-10-02',
    items: [{ unit_price: 100, bill_item_type_id: type.id }],
  })
  const credit = async (body: object, save = true) => {
    const { id } = await books.make('/api/v1/credits', { currency_id: 'usd', credit_date: '2026-10-20', ...body })
    if (save) assert.equal((await books.call('POST', `/api/v1/credits/${id}/save`)).statusCode, 200)
  }
  const items = [{ unit_price: 30, bill_item_type_id: type.id }, { unit_price: 4 }]
  await credit({ direction: 'out', partner_carrier_id: carrier, items })
  await credit({ direction: 'out', partner_carrier_id: carrier, items, credit_date: '2026-11-01' })
  await credit({ direction: 'out', partner_carrier_id: carrier, items }, false)
  await credit({ direction: 'in', customer_id: newId(), items })
  const facts = ({ rows }: Report) =>
    rows.map(({ month, type_name, documents, amount }) => [month, type_name, documents, amount])
  assert.deepEqual(facts(await report(books, 'spend')), [
    ['2026-10', 'Haul', 2, 70],
    ['2026-10', null, 1, -4],
    ['2026-11', 'Haul', 1, -30],
    ['2026-11', null, 1, -4],
  ])
  assert.deepEqual(
    facts(await report(books, `spend?group_by=month&partner_carrier_ids=${carrier}&end_at=2026-10-31`)),
    [['2026-10', null, 2, 66]],
  )
})

test('months and bare dates of spend and margin are those of the organization', async () => {
  const books = await openBooks(service)
  await organization(books, { time_zone: 'America/Los_Angeles', home_currency_id: 'usd' })
  const own = { partner_carrier_id: newId() }
  // The evening of 31 August, the whole day of 1 September, and the last minute of September; two of them are the next day by UTC.
  for (const [amount, bill_date] of [
    [1, '2026-09-01T04:00:00Z'],
    [20, '2026-09-01'],
    [300, '2026-10-01T06:59:59Z'],
    [4000, '2026-10-01T07:00:01Z'],
  ] as const)
    await books.bill('saved', { ...own, bill_date, sub_total_amount: amount })
  const { id } = await books.make('/api/v1/credits', {
    ...own,
    ...{ direction: 'out', currency_id: 'usd', credit_date: '2026-09-01T04:00:00Z', items: [{ unit_price: 50000 }] },
  })
  assert.equal((await books.call('POST', `/api/v1/credits/${id}/save`)).statusCode, 200)
  const facts = ({ rows }: Report) => rows.map(({ month, amount }) => [month, amount])
  for (const groups of ['month', 'month,type'])
    assert.deepEqual(
      facts(await report(books, `spend?group_by=${groups}`)),
      [
        ['2026-08', -49999],
        ['2026-09', 320],
        ['2026-10', 4000],
      ],
      groups,
    )
  const september = 'start_at=2026-09-01&end_at=2026-09-30'
  assert.deepEqual(facts(await report(books, `spend?group_by=month&${september}`)), [['2026-09', 320]])
  assert.deepEqual(facts(await report(books, 'spend?group_by=month&start_at=2026-10-01T06:59:59Z')), [
    ['2026-09', 300],
    ['2026-10', 4000],
  ])
  const customer = await books.make('/api/v1/customers', { name: 'Acme' })
  for (const deliverAt of ['2026-09-01T04:00:00Z', '2026-10-01T06:00:00Z'])
    await books.make('/api/v1/orders', { customer_id: customer.id, name: deliverAt, deliver_at: deliverAt })
  const delivered = (await report(books, `margin?${september}`)).rows.map(({ order_name, name }) => order_name ?? name)
  assert.deepEqual(delivered, ['2026-10-01T06:00:00Z'])
})

/** A customer, an order of it, and a manifest of a carrier that carries it, all with amounts. */
async function freight(books: Books, { rate = 100_000, cost = 60_000, orders = 1, currency = 'usd' } = {}) {
  const customer = await books.make('/api/v1/customers', { name: 'Acme' })
  const partner = await books.make('/api/v1/partner_carriers', { name: 'Cascade', currency_id: currency })
  await books.make('/api/v1/bill_item_types', { name: `Haul ${newId()}` })
  const type = await books.make('/api/v1/bill_item_types', { name: `Line haul ${newId()}` })
  const made = []
  for (let n = 0; n < orders; n++)
    made.push(
      await books.make('/api/v1/orders', {
        name: `Order ${n}`,
        customer_id: customer.id,
        currency_id: 'usd',
        rate,
        status: 'delivered',
        deliver_by: '2026-10-20T12:00:00Z',
      }),
    )
  const manifest = await books.make('/api/v1/manifests', {
    ...{
      name: 'Trip',
      partner_carrier_id: partner.id,
      currency_id: currency,
      status: 'completed',
      end_at: '2026-10-21T12:00:00Z',
      order_ids: made.map(({ id }) => id),
    },
    payment_items: [{ type: type.id, unit_price: cost }],
  })
  return { orders: made, manifest, customer, partner }
}

describe('what is earned with an order', { concurrency: true }, () => {
  const facts = ({ rows }: Report) =>
    rows.map((row) => [
      row.charged_from,
      row.home_charged_amount,
      row.costs_from,
      row.home_cost_amount,
      row.home_margin_amount,
      row.margin_percent,
      row.missing,
    ])

  test('is its charge less its part of the cost of its manifests, before and after they are billed', async () => {
    const books = await openBooks(service)
    await organization(books, { home_currency_id: 'usd' })
    const { manifest } = await freight(books, { cost: 100, orders: 3, rate: 200 })
    const planned = await report(books, 'margin')
    // 100 in three parts, whose sum is 100.
    assert.deepEqual(facts(planned).toSorted(), [
      ['order', 200, 'manifests', 33, 167, '83.5', []],
      ['order', 200, 'manifests', 33, 167, '83.5', []],
      ['order', 200, 'manifests', 34, 166, '83', []],
    ])
    const { bill } = (await books.call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json()
    assert.deepEqual(facts(await report(books, 'margin')).toSorted(), facts(planned).toSorted())
    assert.equal((await books.call('PUT', `/api/v1/bills/${bill.id}`, { status_id: 'saved' })).statusCode, 200)
    const [line] = (await books.get(`/api/v1/bills/${bill.id}`)).json().bill_items
    assert.equal(
      (await books.call('PUT', `/api/v1/bills/${bill.id}/items/${line.id}`, { unit_price: 400 })).statusCode,
      200,
    )
    const billed = facts(await report(books, 'margin')).toSorted()
    assert.deepEqual(billed[0], ['order', 200, 'bills', 133, 67, '33.5', []])
    assert.equal(
      billed.reduce((sum, [, , , cost]) => sum + Number(cost), 0),
      400,
    )
    assert.deepEqual(facts(await report(books, `margin?as_of=${planned.as_of}`)).toSorted(), facts(planned).toSorted())
  })

  test('is less what the customer was credited, and more by what a carrier has credited, by what the lines name', async () => {
    const books = await openBooks(service)
    await organization(books, { home_currency_id: 'usd' })
    const { manifest, orders, customer, partner } = await freight(books, { cost: 100, orders: 3, rate: 200 })
    const [first] = orders
    const sides = { out: { partner_carrier_id: partner.id }, in: { customer_id: customer.id } }
    const credit = async (direction: 'out' | 'in', items: object[], more: object = {}) => {
      const { id } = await books.make('/api/v1/credits', {
        direction,
        ...sides[direction],
        currency_id: 'usd',
        credit_date: '2026-10-22',
        items,
        ...more,
      })
      assert.equal((await books.call('POST', `/api/v1/credits/${id}/save`)).statusCode, 200)
      return id
    }
    const sums = async (query = '') => {
      const { rows } = await report(books, `margin${query}`)
      const own = rows.find(({ order_id }) => order_id === first?.id)
      const all = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0)
      return [
        all('home_charged_amount'),
        all('home_cost_amount'),
        own?.home_charged_amount,
        own?.home_cost_amount,
        own?.home_margin_amount,
      ]
    }
    const { as_of } = await report(books, 'margin')
    const before = await sums()
    assert.deepEqual(before, [600, 100, 200, 34, 166])
    await credit('in', [{ unit_price: 50, order_id: first?.id, manifest_id: manifest.id }, { unit_price: 1000 }])
    assert.deepEqual(await sums(), [550, 100, 150, 34, 116])
    await credit('out', [{ unit_price: 40, manifest_id: manifest.id, order_id: first?.id }])
    assert.deepEqual(await sums(), [550, 60, 150, 20, 130])
    // For the order alone a carrier lowers its cost, and for the manifest alone a customer is charged less for all that it carries.
    await credit('out', [{ unit_price: 5, order_id: first?.id }])
    await credit('in', [{ unit_price: 30, manifest_id: manifest.id }])
    assert.deepEqual(await sums(), [520, 55, 140, 15, 125])
    assert.deepEqual(await sums(`?order_ids=${first?.id}`), [140, 15, 140, 15, 125])
    const pound = await credit('in', [{ unit_price: 1, order_id: first?.id }], { currency_id: 'gbp' })
    const missing = (await report(books, `margin?order_ids=${first?.id}`)).rows[0]
    assert.deepEqual(
      [missing?.home_charged_amount, missing?.home_margin_amount, missing?.missing],
      [null, null, ['exchange_rate_of_charges']],
    )
    assert.equal((await books.call('POST', `/api/v1/credits/${pound}/void`, { reason: 'x' })).statusCode, 200)
    assert.deepEqual(await sums(), [520, 55, 140, 15, 125])
    assert.deepEqual(await sums(`?as_of=${as_of}`), before)
  })

  test('is less what was written off of its invoices, which has a column of its own, and more again once that is taken back', async () => {
    const books = await openBooks(service)
    await organization(books, { home_currency_id: 'usd' })
    const { orders, customer } = await freight(books, { cost: 100, orders: 2, rate: 200 })
    const [first] = orders
    const items = [{ unit_price: 200, order_id: first?.id }]
    const invoice = await books.make('/api/v1/invoices', { customer_id: customer.id, currency_id: 'usd', items })
    assert.equal((await books.call('POST', `/api/v1/invoices/${invoice.id}/save`)).statusCode, 200)
    const own = async (query = '') => {
      const { rows } = await report(books, `margin?order_ids=${first?.id}${query}`)
      return [rows[0]?.home_charged_amount, rows[0]?.home_written_off_amount, rows[0]?.home_margin_amount]
    }
    const { as_of } = await report(books, 'margin')
    assert.deepEqual(await own(), [200, 0, 150])
    await books.call('POST', `/api/v1/invoices/${invoice.id}/pay`, { amount: 80 })
    assert.equal(
      (await books.call('POST', `/api/v1/invoices/${invoice.id}/write_off`, { reason: 'Insolvent' })).statusCode,
      200,
    )
    assert.deepEqual(await own(), [80, 120, 30])
    assert.deepEqual(await own(`&as_of=${as_of}`), [200, 0, 150])
    const { payments } = (await books.get(`/api/v1/invoices/${invoice.id}/payments`)).json()
    const { credit_id } = payments.find((one: { credit_id: string | null }) => one.credit_id)
    assert.equal(
      (await books.call('POST', `/api/v1/invoices/${invoice.id}/write_offs/${credit_id}/void`, { reason: 'Paid' }))
        .statusCode,
      200,
    )
    assert.deepEqual(await own(), [200, 0, 150])
  })

  test('says what is missing, and why', async () => {
    const books = await openBooks(service)
    const { orders } = await freight(books, { currency: 'eur' })
    assert.deepEqual(facts(await report(books, 'margin'))[0]?.at(-1), [
      'home_currency',
      'exchange_rate_of_charges',
      'costs_or_their_exchange_rate',
    ])
    await organization(books, { home_currency_id: 'usd' })
    assert.deepEqual(facts(await report(books, 'margin')), [
      ['order', 100_000, 'manifests', null, null, null, ['costs_or_their_exchange_rate']],
    ])
    await books.make('/api/v1/exchange_rates', {
      from_currency_id: 'usd',
      to_currency_id: 'eur',
      rate: '0.8',
      starts_on: '2026-10-21',
    })
    assert.deepEqual(facts(await report(books, `margin?order_ids=${orders[0]?.id}`)), [
      ['order', 100_000, 'manifests', 75_000, 25_000, '25', []],
    ])
    const alone = await books.make('/api/v1/orders', { name: 'Alone', customer_id: orders[0]?.customer_id })
    assert.deepEqual(facts(await report(books, `margin?order_ids=${alone.id}`)), [
      [null, null, null, null, null, null, ['charges', 'manifest']],
    ])
  })
})

test('what was delivered and is not billed is what no bill pays for and no invoice has', async () => {
  const books = await openBooks(service)
  await organization(books, { home_currency_id: 'usd' })
  const { manifest, orders } = await freight(books)
  const facts = ({ rows }: Report) =>
    rows.map(({ side, object_id, party_name, amount, home_amount }) => [
      side,
      object_id,
      party_name,
      amount,
      home_amount,
    ])
  const then = await report(books, 'accruals')
  assert.deepEqual(facts(then), [
    ['payable', manifest.id, 'Cascade', 60_000, 60_000],
    ['receivable', orders[0]?.id, 'Acme', 100_000, 100_000],
  ])
  const { bill } = (await books.call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json()
  assert.equal((await report(books, 'accruals')).rows.length, 2)
  assert.equal((await books.call('POST', `/api/v1/bills/${bill.id}/save`)).statusCode, 200)
  const invoice = await books.make('/api/v1/invoices', {
    currency_id: 'usd',
    items: [{ unit_price: 100_000, order_id: orders[0]?.id }],
  })
  assert.equal((await books.call('POST', `/api/v1/invoices/${invoice.id}/save`)).statusCode, 200)
  assert.deepEqual((await report(books, 'accruals')).rows, [])
  assert.deepEqual(facts(await report(books, `accruals?as_of=${then.as_of}`)), facts(then))
  const csv = await books.get('/api/v1/reports/margin', { accept: 'text/csv' })
  assert.match(csv.body, /^order_id,full_id,.*\r\n.*,invoices,100000,bills,60000,40000,40,/)
  await freight(books, { rate: 30_000, cost: 40_000 })
  assert.match(
    (await books.get('/api/v1/reports/margin', { accept: 'text/csv' })).body,
    /,order,30000,manifests,40000,-10000,-33\.33,/,
  )
})

test('no order or manifest breaks the reports: neither a time that PostgreSQL cannot read, from before it was refused, nor an amount beyond its whole numbers', async () => {
  const books = await openBooks(service)
  await organization(books, { home_currency_id: 'usd' })
  const { orders } = await freight(books)
  const most = Number.MAX_SAFE_INTEGER
  const huge = { unit_price: most, quantity: most }
  const customer_id = orders[0]?.customer_id
  await books.make('/api/v1/bill_item_types', { name: 'Line haul' })
  await books.make('/api/v1/orders', {
    name: 'Huge',
    customer_id,
    currency_id: 'usd',
    status: 'delivered',
    charges: [{ type: 'Line haul', ...huge }],
  })
  for (const at of ['2026-11-15T09:30:00+18:00', `2026-11-15T09:30:00.${'1'.repeat(150)}Z`]) {
    const refused = await books.call('POST', '/api/v1/orders', { name: 'Odd', customer_id, deliver_by: at })
    assert.deepEqual([refused.statusCode, refused.json().error_code], [400, 'bad_date_time'])
    await books.ctx.transaction((ctx) =>
      ctx.run(sql`
        update objects set json = json || jsonb_build_object('deliverBy', ${at}::text, 'endAt', ${at}::text)
        where org_id = ${books.org} and object_key in ('order', 'manifest')`),
    )
    assert.equal((await report(books, 'margin')).rows.length, 2)
    const accrued = await report(books, 'accruals')
    assert.equal(accrued.rows.length, 3)
    assert.ok(accrued.rows.some(({ amount }) => amount === most * most))
    await books.ctx.transaction(saveSummary)
    assert.equal((await books.get('/api/v1/reports/summary')).json().summary.accruals.receivable.number_of, 2)
  }
})

test('the summary is kept, has what the reports have, shows a token what it may see, and is put together again after changes', async () => {
  const books = await openBooks(service)
  await organization(books, { home_currency_id: 'usd' })
  await freight(books)
  const bill = await books.bill('saved', { due_date: before(3), sub_total_amount: 500, partner_carrier_id: newId() })
  await books.bill('saved', { due_date: before(-2), sub_total_amount: 70, partner_carrier_id: newId() })
  await books.bill('draft')
  await books.bill('paid', { sub_total_amount: 9_000 })
  const read = async (as = books.get) => {
    const answer = await as('/api/v1/reports/summary')
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().summary
  }
  const first = await read()
  assert.deepEqual(
    [first.payables.drafts, first.payables.open, first.payables.overdue, first.payables.due_within_7_days],
    [1, 2, 1, 1],
  )
  const { rows: _, home, ...aging } = await report(books, 'payables_aging')
  const { missing_rate, overdue_amount, due_within_7_days_amount, ...parts } = first.payables.home
  assert.deepEqual({ ...parts, missing_rate, documents: 2 }, home)
  assert.deepEqual(
    [overdue_amount, due_within_7_days_amount, first.home_currency_id],
    [500, 70, aging.home_currency_id],
  )
  assert.deepEqual(
    [first.accruals.payable.number_of, first.accruals.payable.home_amount, first.accruals.receivable.home_amount],
    [1, 60_000, 100_000],
  )
  assert.equal(first.weeks.length, 13)
  assert.deepEqual([first.weeks[8].out_amount, first.weeks[8].in_amount], [9_000, 0])
  const due = first.weeks.reduce(
    (sum: number, { expected_out_amount }: { expected_out_amount: number }) => sum + expected_out_amount,
    0,
  )
  assert.equal(due, 70)

  assert.equal((await books.call('POST', `/api/v1/bills/${bill.id}/pay`, { amount: 200 })).statusCode, 200)
  // Kept: what has happened since is not in it yet.
  assert.equal((await read()).payables.home.overdue_amount, 500)
  await books.ctx.transaction(saveSummary)
  const second = await read()
  assert.deepEqual([second.payables.home.overdue_amount, second.weeks[8].out_amount], [300, 9_200])
  const seen = await read(callerIn(service, books.org, ['invoices']).get)
  assert.deepEqual([seen.payables, seen.receivables.open, seen.accruals, seen.weeks], [null, 0, null, null])
  assert.equal((await callerIn(service, books.org, ['orders']).get('/api/v1/reports/summary')).statusCode, 403)
})
