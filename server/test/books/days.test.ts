import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { applicationIn, callerIn, sharedService } from '../service.ts'
import { type Books, bills, openBooks } from './books.ts'

const service = await sharedService()
const hour = 3_600_000

/** A zone where the day is another than in UTC now, whenever this runs. */
const far = new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago'

const dayIn = (zone: string, ahead = 0) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now() + ahead * 24 * hour)

async function inZone(books: Books, time_zone: string): Promise<void> {
  const answer = await applicationIn(service, books.org).call('PUT', '/api/v1/organization', {
    time_zone,
    home_currency_id: 'usd',
  })
  assert.equal(answer.statusCode, 200, answer.body)
}

/** By every way in which the API says it, whether this one document is overdue. */
async function saysOverdue(books: Books, kind: 'bills' | 'invoices', party: string): Promise<boolean[]> {
  const found = (await books.get(`/api/v1/${kind}?overdue=true`)).json().total
  const rest = (await books.get(`/api/v1/${kind}?overdue=false`)).json().total
  const totals = (await books.get(`/api/v1/${kind}/totals?overdue=true`)).json()
  const [side, aging, path] =
    kind === 'bills'
      ? ['payables', 'payables_aging', 'partner_carriers']
      : ['receivables', 'receivables_aging', 'customers']
  const summary = (await books.get('/api/v1/reports/summary')).json().summary[side]
  const row = (await books.get(`/api/v1/reports/${aging}`)).json().rows[0]
  const statement = (await books.get(`/api/v1/${path}/${party}/statement`)).json().statement
  return [
    ...[
      found === 1,
      rest === 0,
      JSON.stringify(totals).includes('"count":1'),
      summary.overdue === 1,
      summary.home.overdue_amount > 0,
    ],
    ...[row.current_amount === 0, statement.currencies[0].overdue_amount > 0, statement[kind][0].days_overdue > 0],
  ]
}

describe('the day of the organization', { concurrency: true }, () => {
  for (const kind of ['bills', 'invoices'] as const)
    for (const [ahead, isOverdue] of [
      [0, false],
      [-1, true],
    ] as const)
      test(`${kind} due ${ahead === 0 ? 'today' : 'yesterday'} there are ${isOverdue ? '' : 'not '}overdue in searches, totals, the summary, the aging and the statement`, async () => {
        const books = await openBooks(service)
        await inZone(books, far)
        const [path, party] =
          kind === 'bills' ? ['partner_carriers', 'partner_carrier_id'] : ['customers', 'customer_id']
        const { id } = await books.make(`/api/v1/${path}`, { name: 'One' })
        const made = await books.make(`/api/v1/${kind}`, {
          [party]: id,
          currency_id: 'usd',
          sub_total_amount: 10,
          due_date: dayIn(far, ahead),
        })
        await books.call('POST', `/api/v1/${kind}/${made.id}/save`)
        assert.deepEqual(await saysOverdue(books, kind, id), Array(8).fill(isOverdue))
      })

  test('is that of a moment too: what was due late in the evening there is of that day, wherever UTC is', async () => {
    const books = await openBooks(service)
    await inZone(books, 'America/Los_Angeles')
    const { id } = await books.make('/api/v1/partner_carriers', { name: 'One' })
    // Of today there, and in UTC of tomorrow or today.
    const due_date = `${dayIn('America/Los_Angeles')}T23:30:00-08:00`
    await books.bill('saved', { partner_carrier_id: id, due_date })
    assert.deepEqual(await saysOverdue(books, 'bills', id), Array(8).fill(false))
  })

  test('a bare date in as_of means the end of it for a record as for a report', async () => {
    const books = await openBooks(service)
    await inZone(books, 'Pacific/Kiritimati')
    const bill = await books.bill('saved', { partner_carrier_id: newId(), sub_total_amount: 500 })
    // 2026-03-10 ends there at 10:00 UTC. One change before that, and one behind it, on the same day in UTC.
    await books.call('PUT', `${bills}/${bill.id}`, { sub_total_amount: 700 })
    const at = (type: string, amount: number, moment: string) =>
      service.pool.run(sql`
      update events set occurred_at = ${moment} where org_id = ${books.org} and subject_id = ${bill.id} and type = ${type} and data ->> 'total_amount' = ${String(amount)}`)
    for (const type of ['bill.created', 'bill.status_updated', 'bill.saved'])
      await at(type, 500, '2026-03-10T09:00:00.000Z')
    await at('bill.updated', 700, '2026-03-10T11:00:00.000Z')
    const read = async (as_of: string) =>
      (await books.get(`${bills}/${bill.id}?as_of=${as_of}`)).json().bill?.total_amount
    assert.deepEqual(
      [await read('2026-03-10'), await read('2026-03-11'), await read('2026-03-09')],
      [500, 700, undefined],
    )
  })
})

describe('as_of', { concurrency: true }, () => {
  test('is a 400 where it is not offered, and not today', async () => {
    const books = await openBooks(service)
    const bill = await books.bill('saved')
    for (const path of [
      ...[
        bills,
        `${bills}/totals`,
        `${bills}/${bill.id}/items`,
        `${bills}/${bill.id}/payments`,
        `${bills}/${bill.id}/history`,
      ],
      ...[
        '/api/v1/payments',
        '/api/v1/consolidated_bills',
        '/api/v1/customers',
        '/api/v1/reports/summary',
        '/api/v1/organization',
        '/api/v1/currencies',
      ],
      '/api/v2/platformModel/objects?objectKey=customer',
    ]) {
      const answer = await books.get(`${path}${path.includes('?') ? '&' : '?'}as_of=2026-01-01`)
      assert.equal(answer.statusCode, 400, path)
      assert.match(answer.body, /as_of_not_offered/)
    }
    assert.equal((await books.get(`${bills}?AsOf=2026-01-01`)).statusCode, 400)
    assert.equal((await books.get(`${bills}?as_often=1`)).statusCode, 200)
  })

  test('of a draft that was deleted is what it was while it was there, for every kind, and 404 after and without as_of', async () => {
    const books = await openBooks(service)
    const party = { partner_carrier_id: newId(), currency_id: 'usd' }
    const kinds = {
      bills: party,
      invoices: { customer_id: newId(), currency_id: 'usd' },
      credits: { ...party, direction: 'out' },
      payments: { ...party, amount: 5, status: 'draft' },
    }
    for (const [kind, body] of Object.entries(kinds)) {
      const { id } = await books.make(`/api/v1/${kind}`, body)
      const at = `/api/v1/${kind}/${id}`
      assert.equal((await books.call('DELETE', at)).statusCode, 204)
      const asOf = `${at}?as_of=${encodeURIComponent((await books.get(`${at}/history`)).json().events.at(-1).occurred_at)}`
      assert.equal((await books.get(asOf)).statusCode, 200, kind)
      assert.equal((await books.get(at)).statusCode, 404, kind)
      assert.equal((await books.get(`${at}?as_of=2100-01-01`)).statusCode, 404, kind)
      assert.equal((await books.get(`${at}?as_of=2000-01-01`)).statusCode, 404, kind)
      if (kind === 'invoices') continue
      const few = callerIn(service, books.org, ['invoices'])
      assert.ok([403, 404].includes((await few.get(asOf)).statusCode), kind)
      const enough = callerIn(service, books.org, ['bills'])
      assert.equal((await enough.get(asOf)).statusCode, 200, kind)
    }
  })
})
