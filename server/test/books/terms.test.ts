import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import codes from 'currency-codes'
import { newId } from '../../src/platform/core/values/ids.ts'
import { newCaller, sharedService } from '../service.ts'
import { openBooks, type Row, statements, terms } from './books.ts'

const service = await sharedService()
const mapping = { connector_id: 'quickbooks', vendor_pay_term_id: 'NET30' }

/** What has happened to ISO 4217 since the list of that package was published: the guilder of Curaçao, Bulgaria's euro, the dinar of the Arab Monetary Fund. */
const retired = ['ANG', 'BGN']
const added = [
  { code: 'XCG', digits: 2 },
  { code: 'XAD', digits: 2 },
]

describe('pay terms', { concurrency: true }, () => {
  test('are made, read, changed and deleted, with their mappings and an event each', async () => {
    const books = await openBooks(service)
    const made = await books.make(terms, {
      name: 'Net 30',
      number_of_days: 30,
      connector_mappings: { quickbooks: mapping },
    })
    const ofTheContract = ['id', 'created_at', 'updated_at', 'org_id', 'number_of_days', 'name', 'connector_mappings']
    assert.deepEqual(Object.keys(made), [...ofTheContract, 'discount_days', 'discount_percent', 'revision'])
    assert.deepEqual(made.connector_mappings, { quickbooks: { ...mapping, pay_term_id: made.id, org_id: books.org } })
    const at = `${terms}/${made.id}`
    assert.deepEqual(await books.read(at), made)
    const same = await books.call('PUT', at, { pay_term: made })
    assert.deepEqual([same.headers.etag, same.json().pay_term], ['"1"', made])
    const xero = { xero: { connector_id: 'xero', vendor_pay_term_id: '30' } }
    const changed = (
      await books.call('PUT', at, { pay_term: { ...made, number_of_days: 45, connector_mappings: xero } })
    ).json().pay_term
    assert.deepEqual(
      [changed.number_of_days, Object.keys(changed.connector_mappings), changed.revision],
      [45, ['xero'], 2],
    )
    assert.deepEqual((await books.call('PUT', at, { connector_mappings: null })).json().pay_term.connector_mappings, {})
    assert.equal((await books.call('PUT', at, { name: 'x' }, { 'if-match': '"1"' })).statusCode, 412)
    assert.equal((await books.call('DELETE', at)).statusCode, 204)
    assert.equal((await books.get(at)).statusCode, 404)
    const events = (await books.events()) as unknown as { type: string; previous: Row | null; data: Row }[]
    assert.deepEqual(
      events.map(({ type }) => type),
      ['pay_term.created', 'pay_term.updated', 'pay_term.updated', 'pay_term.deleted'],
    )
    assert.deepEqual(events[1]?.previous, { number_of_days: 30, connector_mappings: made.connector_mappings })
    assert.equal(events[1]?.data.number_of_days, 45)
  })

  for (const [what, body, field] of [
    ['no name', { number_of_days: 3 }, 'name'],
    ['no days', { name: 'x' }, 'number_of_days'],
    ['days that are no integer', { name: 'x', number_of_days: 1.5 }, 'number_of_days'],
    ['negative days', { name: 'x', number_of_days: -1 }, 'number_of_days'],
    ['an empty name', { name: '', number_of_days: 1 }, 'name'],
    [
      'a key that is not the connector',
      { name: 'x', number_of_days: 1, connector_mappings: { other: mapping } },
      'connector_mappings.other.connector_id',
    ],
    [
      'a mapping without connector_id',
      { name: 'x', number_of_days: 1, connector_mappings: { a: { vendor_pay_term_id: '1' } } },
      'connector_mappings.a.connector_id',
    ],
    [
      'a mapping without vendor_pay_term_id',
      { name: 'x', number_of_days: 1, connector_mappings: { a: { connector_id: 'a' } } },
      'connector_mappings.a.vendor_pay_term_id',
    ],
  ] as const) {
    test(`with ${what} are a 400 that names ${field}, on creation and on change`, async () => {
      const books = await openBooks(service)
      const refused = await books.call('POST', terms, body)
      assert.deepEqual([refused.statusCode, refused.json().details[0].field], [400, field], refused.body)
      if (what.startsWith('no ')) return
      const { id } = await books.make(terms, { name: 'Net 1', number_of_days: 1 })
      assert.equal((await books.call('PUT', `${terms}/${id}`, body)).json().details[0].field, field)
      assert.equal((await books.read(`${terms}/${id}`)).revision, 1)
    })
  }

  test('a name is taken in any case; a term in use by a bill or a statement stays', async () => {
    const books = await openBooks(service)
    const used = await books.make(terms, { name: 'Net 30', number_of_days: 30 })
    const other = await books.make(terms, { name: 'Net 15', number_of_days: 15 })
    assert.equal(
      (await books.call('POST', terms, { name: 'NET 30', number_of_days: 1 })).json().error_code,
      'name_taken',
    )
    assert.equal((await books.call('PUT', `${terms}/${other.id}`, { name: 'net 30' })).json().error_code, 'name_taken')
    await books.statement([await books.bill('saved')], { pay_term_id: other.id })
    await books.bill('draft', { pay_term_id: used.id })
    for (const { id } of [used, other])
      assert.deepEqual((await books.call('DELETE', `${terms}/${id}`)).json().error_code, 'in_use')
    assert.equal((await books.get(`${terms}?search_term=ET 3`)).json().total, 1)
    assert.deepEqual(
      (await books.get(`${terms}?limit=1`)).json().pay_terms.map(({ id }: Row) => id),
      [other.id],
    )
  })

  test('are another organization’s secret, and need the scope and a token', async () => {
    const [books, stranger, poor] = await Promise.all([
      openBooks(service),
      openBooks(service),
      newCaller(service, ['customers']),
    ])
    const { id } = await books.make(terms, { name: 'Net 30', number_of_days: 30 })
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      assert.equal((await stranger.call(method, `${terms}/${id}`, body)).statusCode, 404)
      assert.equal((await poor.call(method, `${terms}/${id}`, body)).statusCode, 403)
      assert.equal((await books.call(method, `${terms}/${id}`, body, { authorization: '' })).statusCode, 401)
      assert.equal((await books.call(method, `${terms}/7`, body)).statusCode, 400)
    }
    assert.equal(
      (await stranger.call('POST', '/api/v1/bills', { pay_term_id: id })).json().error_code,
      'unknown_pay_term',
    )
    assert.equal(
      (await stranger.call('POST', statements, { bill_ids: [(await stranger.bill('saved')).id], pay_term_id: id }))
        .statusCode,
      400,
    )
  })

  test('give a due date of plain days in UTC, also across a change of clocks, and none beyond the calendar', async () => {
    const books = await openBooks(service)
    const { id: pay_term_id } = await books.make(terms, { name: 'Net 3650', number_of_days: 3650 })
    const { id: month } = await books.make(terms, { name: 'Net 30', number_of_days: 30 })
    assert.equal(
      (await books.bill('saved', { pay_term_id: month, bill_date: '2026-03-01T02:30:00Z' })).due_date,
      '2026-03-31T02:30:00.000Z',
    )
    assert.equal(
      (await books.bill('saved', { pay_term_id: month, bill_date: '2026-03-01', due_date: '2026-03-02' })).due_date,
      '2026-03-02T00:00:00.000Z',
    )
    const late = await books.bill('draft', { pay_term_id, bill_date: '9999-12-31T00:00:00Z' })
    const refused = await books.call('POST', `/api/v1/bills/${late.id}/save`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [400, 'date_too_late'])
  })
})

describe('currencies', { concurrency: true }, () => {
  test('are all active ones of ISO 4217, with their code, name and decimals', async () => {
    const books = await openBooks(service)
    const { currencies, total } = (await books.get('/api/v1/currencies?limit=200')).json()
    assert.equal(total, currencies.length)
    assert.deepEqual(
      currencies.map(({ id, iso_4217, minor_units }: Row) => [id, iso_4217, minor_units]),
      [...codes.data.filter(({ code }) => !retired.includes(code)), ...added]
        .sort((a, b) => (a.code < b.code ? -1 : 1))
        .map(({ code, digits }) => [code.toLowerCase(), code, digits]),
    )
    assert.ok(
      currencies.every((currency: Row) =>
        ['name', 'description', 'symbol'].every(
          (field) => typeof currency[field] === 'string' && currency[field] !== '',
        ),
      ),
    )
  })

  test('are found by code in either case and by words; an unknown one is 404, no code at all 400', async () => {
    const books = await openBooks(service)
    for (const code of ['usd', 'USD', 'Usd'])
      assert.equal((await books.get(`/api/v1/currencies/${code}`)).json().currency.id, 'usd')
    assert.equal((await books.get('/api/v1/currencies/zzz')).statusCode, 404)
    for (const odd of ['%00', 'dollar', '%F0%9F%92%B5', '1'])
      assert.equal((await books.get(`/api/v1/currencies/${odd}`)).statusCode, 400, odd)
    assert.ok(
      (await books.get('/api/v1/currencies?search_term=CANADIAN'))
        .json()
        .currencies.some(({ id }: Row) => id === 'cad'),
    )
    const poor = await newCaller(service, ['customers'])
    assert.equal((await poor.get('/api/v1/currencies')).statusCode, 403)
    assert.equal((await poor.get('/api/v1/currencies', { authorization: `Bearer ${newId()}` })).statusCode, 401)
  })
})
