import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { homeRateAt } from '../../src/books/rates/lookup.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { applicationIn, newCaller, sharedService } from '../service.ts'
import { type Books, bills, booksOf, faultsOf, type Json } from './books.ts'

const service = await sharedService()
const rates = '/api/v1/exchange_rates'
const invoices = '/api/v1/invoices'
const eurusd = { from_currency_id: 'eur', to_currency_id: 'usd' }

/** An organization that keeps its books in dollars, where a euro is 1.25 dollars in the first half of November and 1.2 in the second. */
async function booksIn(home_currency_id: string | null = 'usd', settings: Json = {}): Promise<Books> {
  const { org } = await newCaller(service)
  const books = booksOf(applicationIn(service, org))
  await setting(books, { home_currency_id, ...settings })
  await books.make(rates, { ...eurusd, rate: '1.25', starts_on: '2026-11-01', ends_on: '2026-11-15' })
  await books.make(rates, { ...eurusd, rate: '1.2', starts_on: '2026-11-16', ends_on: '2026-11-30' })
  return books
}

async function setting(books: Books, settings: Json): Promise<void> {
  const answer = await books.call('PUT', '/api/v1/organization', settings)
  assert.equal(answer.statusCode, 200, answer.body)
}

const home = ({ exchange_rate, home_currency_id, home_total_amount }: Json) => [
  exchange_rate,
  home_currency_id,
  home_total_amount,
]
const none = [null, null, null]
const euro = { currency_id: 'eur', bill_date: '2026-11-10', sub_total_amount: 1001 }
const codeOf = async (books: Books, method: string, path: string, body?: object) => {
  const answer = await books.call(method, path, body)
  return [answer.statusCode, answer.json().error_code]
}

describe('what a document comes to in the home currency', { concurrency: true }, () => {
  test('is taken when it is saved, by the rate of its date, and follows its total, its date and its currency', async () => {
    const books = await booksIn()
    const { id } = await books.make(bills, euro)
    const at = `${bills}/${id}`
    assert.deepEqual(home(await books.read(at)), none)
    assert.equal((await books.call('POST', `${at}/save`)).statusCode, 200)
    assert.deepEqual(home(await books.read(at)), ['1.25', 'usd', 1251])
    const put = async (body: object) => {
      const answer = await books.call('PUT', at, body)
      assert.equal(answer.statusCode, 200, answer.body)
      return home(answer.json().bill)
    }
    assert.deepEqual(await put({ sub_total_amount: 2000 }), ['1.25', 'usd', 2500])
    assert.deepEqual(await put({ bill_date: '2026-11-20' }), ['1.2', 'usd', 2400])
    assert.deepEqual(await put({ notes: 'x' }), ['1.2', 'usd', 2400])
    assert.deepEqual(await put({ currency_id: 'usd' }), ['1', 'usd', 2000])
    assert.deepEqual(await put({ currency_id: 'gbp' }), none)
    assert.deepEqual(await put({ currency_id: 'eur', bill_date: '2026-12-24' }), none)
    // What has no rate gets one only where it is asked for.
    assert.deepEqual(await put({ bill_date: '2026-11-30' }), none)
    assert.deepEqual(home((await books.call('POST', `${at}/reprice`)).json().bill), ['1.2', 'usd', 2400])
    assert.deepEqual(await put({ status_id: 'draft' }), none)
    const { events } = (await books.get(`${at}/history`)).json()
    const saved = events.filter(({ type }: Json) => type === 'bill.saved')
    assert.deepEqual(home(saved[0].previous), none)
    assert.deepEqual(home(saved[0].data), ['1.25', 'usd', 1251])
    // Saving is no change of content besides.
    assert.deepEqual(
      events.slice(-3).map(({ type }: Json) => type),
      ['bill.saved', 'bill.status_updated', 'bill.created'],
    )
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is not changed by a later rate, but by a reprice, which says so', async () => {
    const books = await booksIn()
    const { id } = await books.make(bills, euro)
    const at = `${bills}/${id}`
    await books.call('POST', `${at}/save`)
    const [{ id: rate }] = (await books.get(`${rates}?on=2026-11-10`)).json().exchange_rates
    await books.call('PUT', `${rates}/${rate}`, { rate: '1.3' })
    assert.deepEqual(home(await books.read(at)), ['1.25', 'usd', 1251])
    // Nor where its total changes: the rate is that at which it was saved.
    await books.call('PUT', at, { sub_total_amount: 1000 })
    assert.deepEqual(home(await books.read(at)), ['1.25', 'usd', 1250])
    await books.call('POST', `${at}/send`)
    const repriced = await books.call('POST', `${at}/reprice`, undefined, { 'if-match': '"4"' })
    assert.equal(repriced.statusCode, 200, repriced.body)
    assert.deepEqual(home(repriced.json().bill), ['1.3', 'usd', 1300])
    assert.deepEqual([repriced.json().bill.status_id, repriced.json().bill.revision], ['sent', 5])
    const [event] = (await books.get(`${at}/history`)).json().events
    assert.deepEqual(
      [event.type, event.previous],
      ['bill.repriced', { exchange_rate: '1.25', home_total_amount: 1250 }],
    )
    assert.equal((await books.call('POST', `${at}/reprice`)).json().bill.revision, 5)
    assert.equal((await books.call('POST', `${at}/reprice`, undefined, { 'if-match': '"4"' })).statusCode, 412)
    // Another home currency leaves it as it is, until it is repriced, here by the inverse.
    await setting(books, { home_currency_id: 'gbp' })
    assert.deepEqual(home(await books.read(at)), ['1.3', 'usd', 1300])
    assert.deepEqual(await codeOf(books, 'POST', `${at}/reprice`), [409, 'exchange_rate_missing'])
    await books.make(rates, { from_currency_id: 'gbp', to_currency_id: 'eur', rate: '1.2', starts_on: '2026-11-01' })
    await books.call('POST', `${at}/reprice`)
    assert.deepEqual(home(await books.read(at)), ['0.83333333333333333333', 'gbp', 833])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    const wrong = sql`update bills set home_total_amount = 835 where org_id = ${books.org} and id = ${id}`
    await service.pool.transaction((run) => run(wrong), `begin; set local app.org_id = '${books.org}'`)
    assert.match(
      (await faultsOf(service, [books.org])).join(),
      /comes to 835 in gbp, which is not its total at the rate 0\.8333/,
    )
  })

  test('that a reprice changes, changes the statement that the bill is on too', async () => {
    const books = await booksIn(null)
    const bill = await books.bill('saved', euro)
    const statement = await books.statement([bill])
    await setting(books, { home_currency_id: 'usd' })
    assert.equal((await books.call('POST', `${bills}/${bill.id}/reprice`)).statusCode, 200)
    assert.deepEqual(home(await books.read(`${bills}/${bill.id}`)), ['1.25', 'usd', 1251])
    assert.ok((await books.read(`/api/v1/consolidated_bills/${statement.id}`)).revision > statement.revision)
  })

  test('is not repriced on a draft, without a home currency or a rate, or once it is paid at a rate', async () => {
    const books = await booksIn()
    const { id: draft } = await books.make(bills, euro)
    assert.deepEqual(await codeOf(books, 'POST', `${bills}/${draft}/reprice`), [409, 'is_draft'])
    const paid = await books.bill('paid', euro)
    assert.deepEqual(await codeOf(books, 'POST', `${bills}/${paid.id}/reprice`), [409, 'has_payments'])
    const unknown = await books.bill('paid', { ...euro, bill_date: '2026-12-24' })
    assert.deepEqual(await codeOf(books, 'POST', `${bills}/${unknown.id}/reprice`), [409, 'exchange_rate_missing'])
    await books.make(rates, { ...eurusd, rate: '1.1', starts_on: '2026-12-01' })
    assert.equal((await books.call('POST', `${bills}/${unknown.id}/reprice`)).statusCode, 200)
    assert.deepEqual(home(await books.read(`${bills}/${unknown.id}`)), ['1.1', 'usd', 1101])
    await setting(books, { home_currency_id: null })
    const none = await books.bill('saved', euro)
    assert.deepEqual(await codeOf(books, 'POST', `${bills}/${none.id}/reprice`), [409, 'exchange_rate_missing'])
    assert.equal((await books.call('POST', `${bills}/01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15/reprice`)).statusCode, 404)
  })

  test('is missing where no rate is known, which a search finds', async () => {
    const books = await booksIn()
    const known = await books.bill('saved', euro)
    const unknown = await books.bill('saved', { ...euro, currency_id: 'gbp' })
    await books.make(bills, { ...euro, currency_id: 'gbp' })
    const found = async (filter: string) =>
      ((await books.get(`${bills}?${filter}`)).json().bills as Json[]).map(({ id }) => id)
    assert.deepEqual(await found('missing_rate=true'), [unknown.id])
    assert.deepEqual(await found('missing_rate=false'), [known.id])
    assert.equal((await books.get(`${bills}?missing_rate=true`)).json().total, 1)
    const csv = (await books.get(`${bills}/export?missing_rate=true`)).body
    assert.ok(csv.includes(unknown.id) && !csv.includes(known.id))
  })

  test('is required where the organization says so: by every way to save', async () => {
    const books = await booksIn('usd', { require_exchange_rate: true })
    const pound = { ...euro, currency_id: 'gbp', external_id: 'GBP' }
    const { id } = await books.make(bills, pound)
    const missing = [409, 'exchange_rate_missing']
    assert.deepEqual(await codeOf(books, 'POST', `${bills}/${id}/save`), missing)
    assert.deepEqual(await codeOf(books, 'PUT', `${bills}/${id}`, { status_id: 'saved' }), missing)
    const rows = [
      { external_id: 'GBP', status_id: 'saved' },
      { ...pound, external_id: 'NEW', status_id: 'paid' },
      { ...euro, external_id: 'EUR', status_id: 'saved' },
      { ...pound, external_id: 'DRAFT' },
    ]
    const { results } = (await books.call('POST', `${bills}/bulk`, { bills: rows })).json()
    assert.deepEqual(
      results.map(({ status, error }: { status: string; error?: Json }) => error?.error_code ?? status),
      ['exchange_rate_missing', 'exchange_rate_missing', 'created', 'created'],
    )
    const file = 'external_id,status_id\nGBP,saved\n'
    const report = (await books.call('POST', `${bills}/import`, file, { 'content-type': 'text/csv' })).json()
    assert.equal(report.results[0].error.error_code, 'exchange_rate_missing')
    assert.equal((await books.read(`${bills}/${id}`)).status_id, 'draft')
    assert.equal((await books.read(`${bills}/${id}`)).number, null)
    const { id: invoice } = await books.make(invoices, {
      currency_id: 'gbp',
      invoice_date: '2026-11-10',
      items: [{ unit_price: 1 }],
    })
    assert.deepEqual(await codeOf(books, 'POST', `${invoices}/${invoice}/save`), missing)
    await books.make(rates, { from_currency_id: 'usd', to_currency_id: 'gbp', rate: '0.8', starts_on: '2026-11-01' })
    await books.call('POST', `${bills}/${id}/save`)
    assert.deepEqual(home(await books.read(`${bills}/${id}`)), ['1.25', 'usd', 1251])
  })

  test('is the same by bulk, by import and by the routes of lines, and its events say what was when', async () => {
    const books = await booksIn()
    const bulk = async (row: object) =>
      (await books.call('POST', `${bills}/bulk`, { bills: [{ external_id: 'A', ...row }] })).json().results[0].status
    assert.equal(
      await bulk({ currency_id: 'eur', bill_date: '2026-11-10', status_id: 'sent', items: [{ unit_price: 1001 }] }),
      'created',
    )
    const at = `${bills}/ext:A`
    assert.deepEqual(home(await books.read(at)), ['1.25', 'usd', 1251])
    const { events } = (await books.get(`${at}/history`)).json()
    assert.deepEqual(
      events.reverse().map(({ type, data }: { type: string; data: Json }) => [type, data.home_total_amount]),
      [
        ['bill.created', null],
        ['bill.status_updated', 1251],
        ['bill.saved', 1251],
        ['bill.status_updated', 1251],
        ['bill.sent', 1251],
      ],
    )
    assert.equal(await bulk({ bill_date: '2026-11-16' }), 'updated')
    assert.deepEqual(home(await books.read(at)), ['1.2', 'usd', 1201])
    const { bill } = (await books.call('POST', `${at}/items`, { unit_price: 999 })).json()
    assert.deepEqual(home(bill), ['1.2', 'usd', 2400])
    const [added] = (await books.get(`${at}/history`)).json().events
    assert.equal(added.previous.home_total_amount, 1201)
    const file = 'external_id,currency_id,bill_date,status_id,sub_total_amount\nB,eur,2026-11-10,paid,100\n'
    assert.equal(
      (await books.call('POST', `${bills}/import`, file, { 'content-type': 'text/csv' })).json().counts.created,
      1,
    )
    assert.deepEqual(home(await books.read(`${bills}/ext:B`)), ['1.25', 'usd', 125])
    const { id: invoice } = await books.make(invoices, {
      currency_id: 'eur',
      invoice_date: '2026-11-10',
      items: [{ unit_price: -3 }],
    })
    await books.call('POST', `${invoices}/${invoice}/save`)
    assert.deepEqual(home(await books.read(`${invoices}/${invoice}`)), ['1.25', 'usd', -4])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is by the day in the time zone of the organization; a bare date is that day everywhere', async () => {
    const books = await booksIn('usd', { time_zone: 'America/New_York' })
    const rateAt = async (bill_date: string) => (await books.bill('saved', { ...euro, bill_date })).exchange_rate
    // Two in the morning in UTC is still the evening before in New York.
    assert.equal(await rateAt('2026-11-16T02:00:00Z'), '1.25')
    assert.equal(await rateAt('2026-11-16T06:00:00Z'), '1.2')
    assert.equal(await rateAt('2026-11-16'), '1.2')
    assert.deepEqual(await homeRateAt(books.ctx, 'eur', '2026-11-16T02:00:00Z'), {
      exchange_rate: '1.25',
      home_currency_id: 'usd',
    })
    assert.deepEqual(await homeRateAt(books.ctx, 'gbp', '2026-11-16T02:00:00Z'), {
      exchange_rate: null,
      home_currency_id: null,
    })
  })

  test('is refused where it would be larger than can be kept exactly', async () => {
    const books = await booksIn()
    const { id } = await books.make(bills, { ...euro, sub_total_amount: Number.MAX_SAFE_INTEGER })
    assert.deepEqual(await codeOf(books, 'POST', `${bills}/${id}/save`), [400, 'amount_too_large'])
  })
})
