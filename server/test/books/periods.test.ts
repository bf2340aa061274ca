import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBill } from '../../src/books/kinds/bills.ts'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sharedService } from '../service.ts'
import { type Books, bills, openBooks, type Row, statements } from './books.ts'

const service = await sharedService()
const periods = '/api/v1/accounting_periods'
const october = { starts_on: '2026-10-01', ends_on: '2026-10-31' }

/** Books, and an application that may close their periods. */
async function booksWithCloser(): Promise<Books & { close(range?: object): Promise<string>; admin: Books['call'] }> {
  const books = await openBooks(service)
  const { keyring, settings } = service
  const at = { issuer: settings.authUrl, audience: settings.audience }
  const token = signToken(keyring, at, {
    sub: 'application',
    client_id: 'application',
    org_id: books.org,
    scopes: scopeNames,
  })
  const admin: Books['call'] = (method, url, body, headers) =>
    books.call(method, url, body, { authorization: `Bearer ${token}`, ...headers })
  return {
    ...books,
    admin,
    async close(range = october) {
      const { id } = (await admin('POST', periods, range)).json().accounting_period
      assert.equal((await admin('POST', `${periods}/${id}/close`)).statusCode, 200)
      return `${periods}/${id}`
    },
  }
}

type Answer = Awaited<ReturnType<Books['call']>>

function assertClosed(answer: Answer, what = ''): void {
  assert.deepEqual([answer.statusCode, answer.json().error_code], [409, 'period_closed'], `${what} ${answer.body}`)
}

describe('accounting periods', { concurrency: true }, () => {
  test('are made, closed, reopened with a reason and deleted while open, by an admin, with their events', async () => {
    const { admin, call, get } = await booksWithCloser()
    assert.equal((await call('POST', periods, october)).statusCode, 403)
    assert.equal(
      (await admin('POST', periods, { starts_on: '2026-10-31', ends_on: '2026-10-01' })).json().error_code,
      'ends_before_it_starts',
    )
    assert.equal((await admin('POST', periods, { starts_on: '2026-13-01', ends_on: '2026-10-01' })).statusCode, 400)
    const made = (await admin('POST', periods, october)).json().accounting_period
    assert.deepEqual(
      [made.status, made.starts_on, made.ends_on, made.closed_at, made.closed_by, made.revision],
      ['open', '2026-10-01', '2026-10-31', null, null, 1],
    )
    const at = `${periods}/${made.id}`
    const closed = (await admin('POST', `${at}/close`)).json().accounting_period
    assert.deepEqual(
      [closed.status, closed.revision, typeof closed.closed_at, typeof closed.closed_by],
      ['closed', 2, 'string', 'string'],
    )
    assert.deepEqual((await admin('POST', `${at}/close`)).json().accounting_period, closed)
    assert.equal((await admin('DELETE', at)).json().error_code, 'period_is_closed')
    assert.equal((await admin('POST', `${at}/reopen`, {})).statusCode, 400)
    assert.equal((await call('POST', `${at}/reopen`, { reason: 'x' })).statusCode, 403)
    assert.equal(
      (await admin('POST', `${at}/reopen`, { reason: 'Late invoice' }, { 'if-match': '"1"' })).statusCode,
      412,
    )
    const reopened = (await admin('POST', `${at}/reopen`, { reason: 'Late invoice' })).json().accounting_period
    assert.deepEqual([reopened.status, reopened.closed_at, reopened.closed_by], ['open', null, null])
    assert.deepEqual((await get(at)).json().accounting_period, reopened)
    assert.equal((await admin('DELETE', at)).statusCode, 204)
    assert.equal((await get(at)).statusCode, 404)
    const { events } = (await get(`${at}/history`)).json()
    const verbs = ['deleted', 'reopened', 'closed', 'created'].map((verb) => `accounting_period.${verb}`)
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      verbs,
    )
    assert.equal(events[1].data.reason, 'Late invoice')
  })

  test('never overlap, however many are made at once', async () => {
    const { admin, get } = await booksWithCloser()
    const days = Array.from({ length: 8 }, (_, index) => ({
      starts_on: '2026-10-01',
      ends_on: `2026-10-${10 + index}`,
    }))
    const made = await Promise.all(days.map((range) => admin('POST', periods, range)))
    assert.deepEqual(made.map(({ statusCode }) => statusCode).sort(), [201, ...days.slice(1).map(() => 409)])
    for (const { statusCode, body } of made)
      if (statusCode === 409) assert.equal(JSON.parse(body).error_code, 'periods_overlap')
    assert.equal((await admin('POST', periods, { starts_on: '2026-11-01', ends_on: '2026-11-30' })).statusCode, 201)
    assert.equal((await get(`${periods}?on=2026-11-30`)).json().total, 1)
    assert.equal((await get(`${periods}?status=closed`)).json().total, 0)
    const page = (await get(periods)).json()
    assert.deepEqual([page.total, page.accounting_periods[0].starts_on], [2, '2026-11-01'])
  })
})

describe('a closed period', { concurrency: true }, () => {
  test('takes no document in and lets none out; what is dated elsewhere goes on', async () => {
    const books = await booksWithCloser()
    const [inside, outside] = [
      await books.bill('saved', { bill_date: '2026-10-15' }),
      await books.bill('saved', { bill_date: '2026-11-15' }),
    ]
    const at = await books.close()
    assertClosed(await books.call('POST', bills, { bill_date: '2026-10-31T23:59:59Z' }))
    assertClosed(await books.call('PUT', `${bills}/${outside.id}`, { bill_date: '2026-10-01' }))
    assertClosed(await books.call('PUT', `${bills}/${inside.id}`, { bill_date: '2026-11-01' }))
    assertClosed(await books.call('PUT', `${bills}/${inside.id}`, { notes: 'x' }))
    assertClosed(await books.call('POST', `${bills}/${inside.id}/send`))
    assertClosed(await books.call('POST', `${bills}/${inside.id}/void`, { reason: 'x' }))
    assertClosed(await books.call('POST', `${bills}/${inside.id}/correct`, { reason: 'x' }))
    assertClosed(await books.call('POST', `${bills}/${inside.id}/items`, { unit_price: 1 }))
    const unchanged = await books.call('PUT', `${bills}/${inside.id}`, { bill_date: '2026-10-15' })
    assert.equal(unchanged.statusCode, 200, 'what changes nothing is no change')
    assert.equal((await books.read(`${bills}/${inside.id}`)).revision, inside.revision)
    for (const [method, path, body] of [
      ['POST', bills, { bill_date: '2026-11-01' }],
      ['POST', bills, { bill_date: '2026-09-30' }],
      ['PUT', `${bills}/${outside.id}`, { notes: 'x' }],
      ['POST', `${bills}/${outside.id}/send`, undefined],
    ] as const)
      assert.ok((await books.call(method, path, body)).statusCode < 300)
    await books.admin('POST', `${at}/reopen`, { reason: 'x' })
    assert.equal((await books.call('PUT', `${bills}/${inside.id}`, { notes: 'x' })).statusCode, 200)
  })

  test('lets a later payment settle what is dated in it, alone or on a statement, and what the accounting system notes; a payment dated in it is refused', async () => {
    const books = await booksWithCloser()
    const partner_carrier_id = newId()
    const inside = () => books.bill('saved', { bill_date: '2026-10-15', partner_carrier_id })
    const [alone, gathered, exported] = [await inside(), await inside(), await inside()]
    await books.close()
    assertClosed(await books.call('POST', `${bills}/${alone.id}/pay`, { paid_at: '2026-10-20' }))
    assertClosed(await books.call('PUT', `${bills}/${alone.id}`, { status_id: 'paid', paid_at: '2026-10-20' }))
    assert.equal((await books.call('POST', `${bills}/${alone.id}/pay`, { paid_at: '2026-11-20' })).statusCode, 200)
    assert.equal(
      (await books.call('PUT', `${bills}/${alone.id}`, { paid_at: '2026-10-20' })).json().error_code,
      'already_paid',
    )
    const statement = await books.statement([gathered])
    assert.equal((await books.call('POST', `${statements}/${statement.id}/save`)).statusCode, 200)
    assertClosed(await books.call('POST', `${statements}/${statement.id}/pay`, { paid_at: '2026-10-20' }))
    assert.equal(
      (await books.call('POST', `${statements}/${statement.id}/pay`, { paid_at: '2026-11-20' })).statusCode,
      200,
    )
    assert.equal((await books.read(`${bills}/${gathered.id}`)).status_id, 'paid')
    assert.equal(
      (await books.call('PUT', `${bills}/${exported.id}`, { qb_exported_at: '2026-11-21', qb_external_id: 'QB-7' }))
        .statusCode,
      200,
    )
  })

  test('fails the rows of a bulk request and of an import that are dated in it, and those alone', async () => {
    const books = await booksWithCloser()
    await books.call('POST', `${bills}/bulk`, {
      bills: [{ external_id: 'there', bill_date: '2026-10-15', status_id: 'saved', currency_id: 'usd' }],
    })
    await books.close()
    const rows = [
      { external_id: 'new', bill_date: '2026-10-03' },
      { external_id: 'good', bill_date: '2026-11-03' },
      { external_id: 'there', notes: 'x' },
    ]
    const codes = (answer: Answer) =>
      answer
        .json()
        .results.map(
          ({ status, error }: { status: string; error?: { error_code: string } }) => error?.error_code ?? status,
        )
    const strict = await books.call('POST', `${bills}/bulk`, { bills: rows, mode: 'all_or_nothing' })
    assert.deepEqual([strict.json().applied, codes(strict)], [false, ['period_closed', 'created', 'period_closed']])
    assert.deepEqual(codes(await books.call('POST', `${bills}/bulk`, { bills: rows })), [
      'period_closed',
      'created',
      'period_closed',
    ])
    const file = 'external_id,bill_date,notes\nnewer,2026-10-03,x\nbetter,2026-11-03,x\nthere,2026-10-15,x\n'
    const csv = { 'content-type': 'text/csv' }
    assert.deepEqual(codes(await books.call('POST', `${bills}/import`, file, csv)), [
      'period_closed',
      'created',
      'period_closed',
    ])
    const paid = await books.call('POST', `${bills}/bulk`, {
      bills: [{ external_id: 'there', status_id: 'paid', paid_at: '2026-11-09' }],
    })
    assert.deepEqual(codes(paid), ['updated'])
    assert.equal((await books.get(`${bills}?limit=0`)).json().total, 3)
  })

  test('has the days of the time zone of the organization', async () => {
    const books = await booksWithCloser()
    assert.equal(
      (await books.admin('PUT', '/api/v1/organization', { time_zone: 'America/Los_Angeles' })).statusCode,
      200,
    )
    await books.close()
    const make = (bill_date: string) => books.call('POST', bills, { bill_date })
    assertClosed(await make('2026-11-01T06:59:59Z'), 'still the 31st there')
    assertClosed(await make('2026-10-01'), 'a bare date is that day everywhere')
    assert.equal((await make('2026-11-01T07:00:00Z')).statusCode, 201)
    assert.equal((await make('2026-10-01T06:59:59Z')).statusCode, 201, 'the 30th of September there')
    assert.equal((await make('2026-11-01')).statusCode, 201)
  })

  test('is closed only when everything is there that was being written: nothing comes in after the answer', async () => {
    const books = await booksWithCloser()
    const { id } = (await books.admin('POST', periods, october)).json().accounting_period
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = books.ctx.transaction(async (ctx) => {
      await createBill(ctx, { bill_date: '2026-10-15', external_id: 'late' })
      held.resolve()
      await release.promise
    })
    await held.promise
    let answered = false
    const closing = books.admin('POST', `${periods}/${id}/close`).then((answer) => {
      answered = true
      return answer
    })
    // New ones are refused from the moment on at which it is closed, and the answer still waits for the one that came before.
    while (!answered && (await books.get(`${periods}/${id}`)).json().accounting_period.status !== 'closed');
    assertClosed(await books.call('POST', bills, { bill_date: '2026-10-16' }))
    assert.equal(answered, false)
    release.resolve()
    await writing
    assert.equal((await closing).statusCode, 200)
    assert.equal((await books.get(`${bills}?limit=0`)).json().total, 1)
  })

  test('has what it had when it was closed, however many write meanwhile', async () => {
    const books = await booksWithCloser()
    const there: Row[] = []
    for (let n = 0; n < 8; n++) there.push(await books.bill('draft', { bill_date: '2026-10-15' }))
    const { id } = (await books.admin('POST', periods, october)).json().accounting_period
    const writers = there.map(async (bill, index) => {
      for (let n = 0; ; n++) {
        const answer =
          index % 2 === 0
            ? await books.call('PUT', `${bills}/${bill.id}`, { notes: `${n}` })
            : await books.call('POST', bills, { bill_date: '2026-10-16', notes: `${n}` })
        if (answer.statusCode >= 300) return assertClosed(answer)
      }
    })
    assert.equal((await books.admin('POST', `${periods}/${id}/close`)).statusCode, 200)
    const content = async () => (await books.get(`${bills}/export`, { accept: 'application/x-ndjson' })).body
    const closed = await content()
    await Promise.all(writers)
    assert.equal(await content(), closed)
  })
})
