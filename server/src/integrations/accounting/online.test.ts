import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountingBooks, isBill, type Json, newCompany, type System, systems } from '../../../test/accounting-books.ts'
import { applicationIn } from '../../../test/service.ts'
import { leaseMs } from '../../platform/core/turns/leases.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { takeTurn } from './adapters/pace.ts'

const { books, quickbooks, xero, service } = await accountingBooks()

for (const system of ['quickbooks_online', 'xero'] as const) {
  describe(`syncs with ${system}`, { concurrency: true }, () => {
    test('bills and invoices are made there, changed there and taken out there, and say so here', async () => {
      const { bill, invoice, sync, results, there, readDocument, call, company, connection, rate, haul } =
        await books(system)
      const [first, second] = [
        await bill(),
        await bill({
          items: [{ bill_item_type_id: haul, unit_price: 10000, quantity: 1, tax_rate_id: rate }],
          is_tax_on: true,
        }),
      ]
      const third = await invoice()
      const run = await sync()
      assert.deepEqual(
        [run.state, run.counts.created, run.counts.total],
        ['done', 3, 3],
        JSON.stringify(await results(run.id)),
      )
      assert.equal(there().length, 3)
      const kept = await readDocument('bill', first)
      assert.deepEqual(
        [kept.qb_external_id, kept.qb_error_msg, typeof kept.qb_exported_at],
        [systems[system].mapped.partner_carriers, null, 'string'],
      )
      const own = there().find(
        ({ DocNumber, InvoiceNumber }) => (DocNumber ?? InvoiceNumber) === kept.reference_number,
      ) as Json
      if (system === 'xero') {
        assert.deepEqual(
          [own.Type, own.Status, own.DueDate, own.CurrencyCode, own.LineAmountTypes],
          ['ACCPAY', 'AUTHORISED', '2026-12-10', 'USD', 'NoTax'],
        )
        assert.deepEqual(own.LineItems, [
          { Description: 'Freight', Quantity: 2, UnitAmount: 500, LineAmount: 1000, AccountCode: '310' },
        ])
        const taxed = there().find(({ LineAmountTypes }) => LineAmountTypes === 'Exclusive') as { LineItems: Json[] }
        assert.deepEqual([taxed.LineItems[0]?.TaxType, taxed.LineItems[0]?.TaxAmount], ['INPUT2', 15])
      } else {
        assert.deepEqual(
          [own.VendorRef, own.TxnDate, own.DueDate, own.TotalAmt],
          [{ value: '56' }, '2026-11-10', '2026-12-10', 1000],
        )
        const taxed = there().find(({ GlobalTaxCalculation }) => GlobalTaxCalculation) as { TxnTaxDetail: Json }
        assert.deepEqual(taxed.TxnTaxDetail, { TotalTax: 15 })
      }
      assert.equal((await sync()).counts.total, 0, 'nothing has changed')
      await call('PUT', `/api/v1/bills/${first}`, { due_date: '2027-01-10' })
      await call('POST', `/api/v1/bills/${second}/void`, { reason: 'x' })
      await call('POST', `/api/v1/invoices/${third}/void`, { reason: 'x' })
      const changed = await sync()
      assert.deepEqual(
        [changed.counts.updated, changed.counts.removed],
        [1, 2],
        JSON.stringify(await results(changed.id)),
      )
      const left = there().filter(({ Status, PrivateNote }) => Status !== 'VOIDED' && PrivateNote !== 'Voided')
      assert.deepEqual(
        left.map(({ DueDate }) => DueDate),
        ['2027-01-10'],
      )
      const { status, last_sync_at, remote_id } = await connection()
      assert.deepEqual([status, typeof last_sync_at, remote_id], ['connected', 'string', company])
    })

    test('a refusal fails one record with the words of the other side, and is tried again by itself', async () => {
      const { bill, sync, results, retry, there, readDocument, call, at, carrier } = await books(system)
      await bill()
      await call('POST', `${at}/mappings`, {
        mappings: [{ kind: 'partner_carriers', record_id: carrier, remote_id: 'nobody' }],
      })
      const run = await sync({ what: ['bills'] })
      assert.deepEqual([run.state, run.counts.failed], ['done', 1])
      const [failed] = await results(run.id)
      assert.match(
        String(failed?.error),
        system === 'xero' ? /The Contact could not be found/ : /Invalid Reference Id.*\(2500\)/,
      )
      assert.equal((await readDocument('bill', String(failed?.record_id))).qb_error_msg, failed?.error)
      await call('POST', `${at}/mappings`, {
        mappings: [
          { kind: 'partner_carriers', record_id: carrier, remote_id: systems[system].mapped.partner_carriers },
        ],
      })
      const again = await retry(run.id)
      assert.deepEqual([again.counts.created, again.counts.total, there().length], [1, 1, 1])
      assert.equal((await readDocument('bill', String(failed?.record_id))).qb_error_msg, null)
    })

    test('what was there before a change was refused is taken out there once it is voided here', async () => {
      const { bill, sync, results, there, call, at, carrier } = await books(system)
      const id = await bill()
      await sync({ what: ['bills'] })
      const map = (remote_id: string) =>
        call('POST', `${at}/mappings`, { mappings: [{ kind: 'partner_carriers', record_id: carrier, remote_id }] })
      await map('nobody')
      await call('PUT', `/api/v1/bills/${id}`, { due_date: '2027-01-10' })
      assert.equal((await sync({ what: ['bills'] })).counts.failed, 1)
      await map(systems[system].mapped.partner_carriers)
      assert.equal((await call('POST', `/api/v1/bills/${id}/void`, { reason: 'x' })).statusCode, 200)
      const voided = await sync({ what: ['bills'] })
      assert.deepEqual([voided.counts.removed, voided.counts.total], [1, 1], JSON.stringify(await results(voided.id)))
      assert.deepEqual(
        there().filter(({ Status }) => Status !== 'VOIDED'),
        [],
      )
      assert.equal((await sync({ what: ['bills'] })).counts.total, 0)
    })

    test('what is changed to and fro is there as it is here each time, and a change whose answer is lost is repeated with the same id', async () => {
      const { bill, sync, start, work, later, read, results, there, call, server, company, writes } =
        await books(system)
      const id = await bill()
      await sync({ what: ['bills'] })
      for (const due_date of ['2027-01-10', '2026-12-10', '2027-01-10', '2027-02-10', '2027-01-10']) {
        await call('PUT', `/api/v1/bills/${id}`, { due_date })
        const run = await sync({ what: ['bills'] })
        assert.deepEqual(
          [run.counts.updated, there()[0]?.DueDate],
          [1, due_date],
          JSON.stringify(await results(run.id)),
        )
      }
      await call('PUT', `/api/v1/bills/${id}`, { due_date: '2026-12-10' })
      server.fail(company, isBill, 'drop')
      const run = await start({ what: ['bills'] })
      await work()
      later(60_000)
      await work()
      const keys = writes().map(({ query, headers }) => query.get('requestid') ?? headers['idempotency-key'])
      assert.deepEqual([(await read(run)).counts.updated, there()[0]?.DueDate, there().length], [1, '2026-12-10', 1])
      assert.deepEqual([new Set(keys).size, keys.at(-1)], [keys.length - 1, keys.at(-2)])
    })

    test('a write whose answer is lost is found there and not made again', async () => {
      const { bill, start, work, later, read, there, writes, server, company, results } = await books(system)
      await bill()
      server.fail(company, isBill, 'drop')
      const run = await start({ what: ['bills'] })
      await work()
      const waiting = await read(run)
      assert.deepEqual([waiting.state, waiting.counts.pending, typeof waiting.waits_until], ['running', 1, 'string'])
      later(60_000)
      await work()
      const done = await read(run)
      assert.deepEqual(
        [done.state, done.counts.created, there().length, writes().length],
        ['done', 1, 1, 1],
        JSON.stringify(await results(run)),
      )
    })

    test('a process that dies in the middle leaves no double: another takes the run over with the same request', async () => {
      const { bill, start, work, later, read, there, writes, server, company } = await books(system)
      await Promise.all([bill(), bill()])
      server.fail(company, isBill, 'hold')
      const run = await start({ what: ['bills'] })
      const dying = work()
      while (writes().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      assert.deepEqual([(await read(run)).counts.pending, there().length], [2, 0])
      await work()
      assert.equal(writes().length, 1, 'it is held by the first until its lease has passed')
      later(leaseMs + 5_000)
      await work()
      const done = await read(run)
      assert.deepEqual([done.state, done.counts.created, there().length], ['done', 2, 2])
      const keyOf = ({ query, headers }: (typeof server.asked)[number]) =>
        query.get('requestid') ?? headers['idempotency-key']
      const keys = writes().map(keyOf)
      assert.deepEqual([keys.length, new Set(keys).size, keys[0]], [3, 2, keys[1]])
      server.release(company)
      await dying
      assert.deepEqual([(await read(run)).counts.created, there().length], [2, 2])
    })

    test('a process whose run another has taken over leaves the rest of it to that one', async () => {
      const { bill, start, work, later, read, there, writes, server, company, results } = await books(system)
      await Promise.all([bill(), bill(), bill()])
      server.fail(company, isBill, 'hold', 2)
      const run = await start({ what: ['bills'] })
      const written = async (count: number) => {
        while (writes().length < count) await new Promise((resolve) => setTimeout(resolve, 5))
      }
      const first = work()
      await written(1)
      later(10 * 60_000)
      const second = work()
      await written(2)
      server.release(company)
      await Promise.all([first, second])
      assert.deepEqual(
        [(await read(run)).state, (await read(run)).counts.created, there().length],
        ['done', 3, 3],
        JSON.stringify(await results(run)),
      )
      assert.equal(writes().length, 4, 'only what was under way twice')
    })

    test('what is changed while the other side answers is sent by the next sync; a change that it need not know is looked at once', async () => {
      const { bill, start, work, read, sync, there, writes, server, company, call } = await books(system)
      const at = `/api/v1/bills/${await bill()}`
      server.fail(company, isBill, 'hold')
      const run = await start({ what: ['bills'] })
      const sending = work()
      while (writes().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal((await call('PUT', at, { due_date: '2027-01-10' })).statusCode, 200)
      server.release(company)
      await sending
      const dueThere = () => there().map(({ DueDate }) => DueDate)
      assert.deepEqual([(await read(run)).counts.created, dueThere()], [1, ['2026-12-10']])
      const next = async () => {
        const { total, updated, unchanged } = (await sync({ what: ['bills'] })).counts
        return { total, updated, unchanged }
      }
      assert.deepEqual([await next(), dueThere()], [{ total: 1, updated: 1, unchanged: 0 }, ['2027-01-10']])
      assert.deepEqual(await next(), { total: 0, updated: 0, unchanged: 0 })
      assert.equal((await call('POST', `${at}/pay`)).statusCode, 200)
      assert.deepEqual(await next(), { total: 1, updated: 0, unchanged: 1 })
      assert.deepEqual(await next(), { total: 0, updated: 0, unchanged: 0 })
    })

    test('after a lost process whose write arrived, and when the key is forgotten there, it is found by what it names', async () => {
      const { bill, start, work, later, there, read, server, company, writes } = await books(system)
      await bill()
      const isQuery =
        system === 'xero' ? /^GET \/api\.xro\/2\.0\/Invoices\?InvoiceNumbers/ : /^GET \/v3\/company\/\d+\/query/
      server.fail(company, isBill, 'drop')
      const run = await start({ what: ['bills'] })
      await work()
      server.fail(company, isQuery, 'fail')
      later(60_000)
      await work()
      assert.equal(writes().length, 1, 'while it cannot be looked for it is not sent')
      later(60_000)
      await work()
      assert.deepEqual([(await read(run)).state, there().length, writes().length], ['done', 1, 1])
    })

    test('an expired token is renewed once, also when its answer is lost; one that is not good any more asks for a sign-in', async () => {
      const {
        bill,
        sync,
        server,
        company,
        connection,
        call,
        at,
        signIn,
        there,
        retry,
        events,
        start,
        work,
        later,
        read,
      } = await books(system)
      await bill()
      server.expire(company)
      assert.equal((await sync({ what: ['bills'] })).counts.created, 1)
      assert.equal(server.renewals(company), 1)
      server.expire(company)
      const lists = await Promise.all(
        ['vendors', 'customers', 'accounts', 'tax_codes'].map((list) => call('GET', `${at}/remote/${list}`)),
      )
      assert.deepEqual(
        lists.map(({ statusCode }) => statusCode),
        [200, 200, 200, 200],
        lists.map(({ body }) => body).join(),
      )
      assert.equal(server.renewals(company), 2, 'four at the same time')
      assert.deepEqual(lists[0]?.json().remote[0].name, system === 'xero' ? 'Acme Foods' : 'Cascade Carriers')
      await bill()
      server.expire(company)
      server.fail(company, /^POST \/(?:oauth2|connect)\//, 'drop')
      const run = await start({ what: ['bills'] })
      await work()
      later(60_000)
      await work()
      assert.deepEqual([(await read(run)).state, there().length, server.renewals(company)], ['done', 2, 4])
      await bill()
      server.expire(company, { refresh: true })
      const failed = await sync({ what: ['bills'] })
      assert.deepEqual([failed.state, failed.reason, failed.counts.pending], ['failed', 'needs_sign_in', 1])
      assert.deepEqual(
        [
          (await connection()).status,
          (await events()).filter(({ type }) => type === 'connector_org.sign_in_needed').length,
        ],
        ['needs_sign_in', 1],
      )
      assert.deepEqual((await call('POST', `${at}/syncs`)).json().error_code, 'needs_sign_in')
      assert.equal((await signIn()).statusCode, 200)
      assert.deepEqual([(await retry(failed.id)).counts.created, there().length], [1, 3])
    })

    test('limits are kept to: a 429 waits as long as it says, and no more is asked than is allowed in a minute', async () => {
      const { bill, start, work, read, later, server, company, there, results } = await books(system)
      await Promise.all([bill(), bill()])
      server.fail(company, isBill, 'busy')
      const run = await start({ what: ['bills'] })
      await work()
      const waiting = await read(run)
      const waitMs = Date.parse(String(waiting.waits_until)) - Date.now()
      assert.ok(
        waiting.state === 'running' && there().length === 0 && waitMs > 5_000 && waitMs <= 40_000,
        JSON.stringify(waiting),
      )
      await work()
      assert.equal(there().length, 0)
      later(41_000)
      await work()
      assert.deepEqual([(await read(run)).counts.created, there().length], [2, 2], JSON.stringify(await results(run)))
      const connection = newId()
      for (let count = 0; count < 55; count++) takeTurn(connection, 55, 1_000 + count)
      assert.throws(() => takeTurn(connection, 55, 2_000), { kind: 'busy', retryAfterMs: 59_000 })
      takeTurn(connection, 55, 61_001)
    })

    test('faults: 500s are tried again and give up in words, a 403 asks for a sign-in, a run can be cancelled', async () => {
      const { bill, start, work, read, later, server, company, results, call, at, connection } = await books(system)
      await bill()
      server.fail(company, isBill, 'fail', 4)
      const run = await start({ what: ['bills'] })
      for (let round = 0; round < 4; round++) {
        await work()
        later(60_000)
      }
      const failed = await read(run)
      assert.deepEqual(
        [failed.state, failed.reason, (await results(run))[0]?.reason],
        ['failed', 'no_answer', 'no_answer'],
      )
      assert.match(String((await results(run))[0]?.error), /answered 500\. Whether it arrived is not known/)
      assert.equal((await connection()).status, 'error')
      const second = await start({ what: ['bills'] })
      assert.deepEqual((await call('POST', `${at}/syncs/${second}/cancel`)).json().sync.state, 'cancelled')
      assert.equal((await call('POST', `${at}/syncs/${second}/cancel`)).json().error_code, 'sync_is_over')
      await work()
      assert.equal((await read(second)).counts.pending, 1)
      server.fail(company, isBill, 'forbidden')
      const third = await start({ what: ['bills'] })
      await work()
      const forbidden = await read(third)
      assert.deepEqual(
        [forbidden.state, forbidden.reason, (await connection()).status],
        ['failed', 'needs_sign_in', 'needs_sign_in'],
      )
    })

    test('payments that were made there come back as payments, once each; changed and deleted ones follow', async () => {
      const { bill, sync, results, there, readDocument, company, get, call, retry } = await books(system)
      const [first, second] = [await bill(), await bill()]
      await sync()
      const remoteOf = async (id: string) => {
        const { reference_number } = await readDocument('bill', id)
        const own = there().find(
          ({ DocNumber, InvoiceNumber }) => (DocNumber ?? InvoiceNumber) === reference_number,
        ) as Json
        return String(own.Id ?? own.InvoiceID)
      }
      const pay = async (id: string, amount: number) =>
        system === 'xero'
          ? xero.pay(company, await remoteOf(id), amount)
          : quickbooks.pay(company, await remoteOf(id), amount)
      await pay(first, 400)
      const run = await sync()
      assert.deepEqual([run.counts.created, run.counts.total], [1, 1], JSON.stringify(await results(run.id)))
      assert.deepEqual((await readDocument('bill', first)).amount_paid, 40000)
      const rest = await pay(first, 600)
      assert.equal((await sync({ what: ['payments'] })).counts.created, 1)
      assert.equal((await sync({ what: ['payments'] })).counts.total, 0, 'once each')
      const paid = await readDocument('bill', first)
      assert.deepEqual([paid.status_id, paid.amount_due], ['paid', 0])
      const { payments, total } = (await get(`/api/v1/payments?bill_ids=${first}`)).json()
      assert.deepEqual(
        [total, payments[0].amount, payments[0].method, payments[0].direction],
        [2, 60000, system === 'xero' ? 'other' : 'check', 'out'],
      )
      assert.equal(payments[0].paid_at.slice(0, 10), '2026-11-16')
      // What is paid here already cannot be paid again.
      await call('POST', `/api/v1/bills/${second}/pay`)
      await pay(second, 1000)
      const doubled = await sync({ what: ['payments'] })
      const [refused] = await results(doubled.id)
      assert.deepEqual([doubled.counts.failed, refused?.record_type, refused?.record_id], [1, 'payment', null])
      await call('POST', `/api/v1/bills/${second}/reopen`, { reason: 'paid in the books' })
      assert.equal((await retry(doubled.id)).counts.created, 1)
      assert.equal((await readDocument('bill', second)).payment_status, 'paid')
      change(system, company, rest)
      const gone = await sync({ what: ['payments'] })
      assert.deepEqual(
        [gone.counts.removed, (await readDocument('bill', first)).amount_due],
        [1, 60000],
        JSON.stringify(await results(gone.id)),
      )
    })
  })
}

/** Somebody deletes a payment there. */
function change(system: System, company: string, payment: string | Json): void {
  if (system === 'xero') {
    Object.assign(payment as Json, { Status: 'DELETED', UpdatedDateUTC: `/Date(${Date.now() + 1000}+0000)/` })
    return
  }
  quickbooks.remove(company, String(payment))
}

describe('what only one of them does', { concurrency: true }, () => {
  test('QuickBooks: a bill that was changed there is changed again with its SyncToken; one that was deleted there says so and is made anew', async () => {
    const { bill, sync, results, retry, there, call, company } = await books('quickbooks_online')
    const id = await bill()
    await sync()
    const [own] = quickbooks.company(company).Bill
    Object.assign(own as Json, { SyncToken: '7', PrivateNote: 'changed there' })
    await call('PUT', `/api/v1/bills/${id}`, { due_date: '2027-02-01' })
    const run = await sync({ what: ['bills'] })
    assert.deepEqual(
      [run.counts.updated, there()[0]?.DueDate, there()[0]?.SyncToken],
      [1, '2027-02-01', '8'],
      JSON.stringify(await results(run.id)),
    )
    quickbooks.company(company).Bill.splice(0)
    await call('PUT', `/api/v1/bills/${id}`, { due_date: '2027-03-01' })
    const gone = await sync({ what: ['bills'] })
    assert.deepEqual([gone.counts.failed, (await results(gone.id))[0]?.reason], [1, 'gone_there'])
    assert.deepEqual([(await retry(gone.id)).counts.created, there().length], [1, 1])
  })

  test('QuickBooks: a number that another bill has there is refused by its words', async () => {
    const { bill, sync, results, company, there } = await books('quickbooks_online')
    quickbooks
      .company(company)
      .Bill.push({ Id: '1', SyncToken: '0', DocNumber: 'INV-20417', PrivateNote: 'entered by hand' })
    await bill({ reference_number: 'INV-20417' })
    const run = await sync({ what: ['bills'] })
    assert.match(String((await results(run.id))[0]?.error), /Duplicate Document Number Error.*TxnId=1 \(6140\)/)
    assert.equal(there().length, 1)
  })

  test('a renewal that is refused after somebody has signed in again does not end that sign-in: the run goes on with the new tokens', async (t) => {
    const { bill, server, company, connection, signIn, start, work, read, there, events } =
      await books('quickbooks_online')
    await bill()
    server.expire(company)
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const { fetch } = globalThis
    t.mock.method(globalThis, 'fetch', async (...request: Parameters<typeof fetch>) => {
      if (!String(request[1]?.body).includes(`refresh-${company}-1`)) return fetch(...request)
      asked.resolve()
      await answered.promise
      return new Response('{"error":"invalid_grant"}', { status: 400 })
    })
    const run = await start({ what: ['bills'] })
    const working = work()
    await asked.promise
    assert.equal((await signIn()).statusCode, 200)
    answered.resolve()
    await working
    const { status, error } = await connection()
    assert.deepEqual([status, error, (await read(run)).state, there().length], ['connected', null, 'done', 1])
    assert.equal((await events()).filter(({ type }) => type === 'connector_org.sign_in_needed').length, 0)
  })

  test('a sign-in is ended by who began it, for its connection, once its state is good; and to the same company again', async () => {
    const { call, at, org, company } = await books('quickbooks_online')
    const begin = async () => (await call('POST', `${at}/authorize`)).json().state as string
    const end = (state: string, realm: string, by = call) =>
      by('POST', `${at}/connect`, { authorization_code: `code-${realm}`, state, realm_id: realm })
    const state = await begin()
    const other = applicationIn(service, org)
    assert.equal((await end(state, company, other.call)).json().error_code, 'bad_state')
    assert.equal((await end(`${state}x`, company)).json().error_code, 'bad_state')
    assert.equal((await end('x', company)).json().error_code, 'bad_state')
    const elsewhere = await end(state, newCompany())
    assert.deepEqual([elsewhere.statusCode, elsewhere.json().error_code], [409, 'other_company'])
    const wrong = await call('POST', `${at}/connect`, { authorization_code: 'nothing', state, realm_id: company })
    assert.deepEqual([wrong.statusCode, wrong.json().error_code], [409, 'sign_in_failed'])
    const gone = await call('POST', `${at}/disconnect`)
    assert.equal(gone.json().connector_org.status, 'disconnected')
    assert.equal((await call('GET', `${at}/remote/vendors`)).json().error_code, 'needs_sign_in')
    assert.equal((await end(await begin(), company)).json().connector_org.status, 'connected')
  })
})
