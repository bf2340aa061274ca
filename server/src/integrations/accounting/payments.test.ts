import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountingBooks, type Json, type System, systems } from '../../../test/accounting-books.ts'

const { books, quickbooks, xero } = await accountingBooks()

/** A request that makes a payment there, and one that looks for it. */
const isPayment = /^(?:POST \/v3\/company\/\d+\/(?:bill)?payment|PUT \/api\.xro\/2\.0\/Payments)/
const isQuery = /^GET \/(?:v3\/company\/\d+\/query|api\.xro\/2\.0\/Payments)/

/** What is paid there: who pays, how much of what, and how it is called. */
type There = { amount: number; account: unknown; reference: string; parts: [unknown, number][]; raw: Json }

async function paying(
  system: System,
  set: Json = { payment_account: systems[system].bank, deposit_account: systems[system].bank },
) {
  const of = await books(system)
  const { company, call, at, get, readDocument, there, server } = of
  if (Object.keys(set).length > 0)
    assert.equal((await call('PUT', at, { settings: { ...systems[system].settings, ...set } })).statusCode, 200)
  const isXero = system === 'xero'
  const ownOf = async (kind: 'bill' | 'invoice', id: string) => {
    const { reference_number, number } = await readDocument(kind, id)
    return there().find(
      ({ DocNumber, InvoiceNumber }) => (DocNumber ?? InvoiceNumber) === (reference_number ?? number),
    ) as Json
  }
  const make = async (path: string, body: Json): Promise<string> => {
    const answer = await call('POST', `/api/v1/${path}`, body)
    assert.ok(answer.statusCode < 300, answer.body)
    return (Object.values(answer.json())[0] as { id: string }).id
  }
  return {
    ...{ ...of, make, ownOf },
    /** Pays bills with one payment. */
    payBills: (parts: Record<string, number>, more: Json = {}) =>
      make('payments', {
        ...{
          partner_carrier_id: of.carrier,
          currency_id: 'usd',
          amount: Object.values(parts).reduce((sum, one) => sum + one, 0),
          method: 'check',
        },
        ...{
          paid_at: '2026-11-15',
          allocations: Object.entries(parts).map(([bill_id, amount]) => ({ bill_id, amount })),
          ...more,
        },
      }),
    /** What is open of a document there. */
    due: async (kind: 'bill' | 'invoice', id: string) => {
      const own = await ownOf(kind, id)
      return isXero ? xero.due(company, own) : own.Balance
    },
    /** Payments there that count. */
    paid: (): There[] =>
      isXero
        ? xero
            .tenant(company)
            .Payments.filter(({ Status }) => Status !== 'DELETED')
            .map((raw) => ({
              ...{
                amount: Number(raw.Amount),
                account: (raw.Account as Json | undefined)?.AccountID,
                reference: String(raw.Reference),
                raw,
              },
              parts: [[(raw.Invoice as Json).InvoiceID, Number(raw.Amount)]],
            }))
        : [...quickbooks.company(company).BillPayment, ...quickbooks.company(company).Payment]
            .filter(({ status, PrivateNote }) => status !== 'Deleted' && PrivateNote !== 'Voided')
            .map((raw) => ({
              amount: Number(raw.TotalAmt),
              account: (
                (raw.DepositToAccountRef ?? (raw.CheckPayment as Json | undefined)?.BankAccountRef) as Json | undefined
              )?.value,
              reference: String(raw.DocNumber ?? raw.PaymentRefNum),
              parts: (raw.Line as { Amount: number; LinkedTxn: Json[] }[]).map(({ Amount, LinkedTxn }) => [
                LinkedTxn[0]?.TxnId,
                Amount,
              ]),
              raw,
            })),
    /** Requests that make, change or take out payments. */
    paymentWrites: () =>
      server.asked.filter(
        ({ method, company: of, path }) =>
          method !== 'GET' && of === company && /\/(?:billpayment|payment|Payments)\b/.test(path),
      ),
    total: async () => (await get('/api/v1/payments')).json().total as number,
    payHere: async (kind: 'bill' | 'invoice', id: string, amount: number) => {
      const own = await ownOf(kind, id)
      return isXero ? xero.pay(company, String(own.InvoiceID), amount) : quickbooks.pay(company, String(own.Id), amount)
    },
  }
}

for (const system of ['quickbooks_online', 'xero'] as const) {
  const isXero = system === 'xero'
  const { bank } = systems[system]

  describe(`payments to ${system}`, { concurrency: true }, () => {
    test('payments made here are made there in the same run as their documents, settle them there, and neither go again nor come back', async () => {
      const { bill, invoice, sync, results, call, payBills, due, paid, total, make, customer, ownOf, readDocument } =
        await paying(system)
      const [first, second, third, own] = [await bill(), await bill(), await bill(), await invoice()]
      await call('POST', `/api/v1/bills/${first}/pay`, {
        amount: 60000,
        method: 'check',
        reference_number: 'CHK-2041',
        paid_at: '2026-11-15',
      })
      await payBills({ [second]: 100000, [third]: 25050 })
      await make('payments', {
        ...{
          customer_id: customer,
          direction: 'in',
          currency_id: 'usd',
          amount: 120000,
          method: 'ach',
          reference_number: 'EFT 7',
          paid_at: '2026-11-14',
        },
        allocations: [{ invoice_id: own, amount: 100000 }],
      })
      const run = await sync()
      assert.deepEqual(
        [run.state, run.counts.created, run.counts.total],
        ['done', 7, 7],
        JSON.stringify(await results(run.id)),
      )
      assert.deepEqual(
        [await due('bill', first), await due('bill', second), await due('bill', third), await due('invoice', own)],
        [400, 0, 749.5, 0],
      )
      const made = paid()
      assert.equal(made.length, isXero ? 4 : 3)
      const check = made.find(({ reference }) => reference.includes('CHK-2041')) as There
      assert.deepEqual([check.amount, check.account, check.parts.length], [600, bank, 1])
      assert.deepEqual(check.raw.TxnDate ?? check.raw.Date, isXero ? '/Date(1794700800000+0000)/' : '2026-11-15')
      if (!isXero) {
        assert.deepEqual(
          [check.raw.PayType, check.raw.VendorRef, check.raw.CurrencyRef],
          ['Check', { value: '56' }, { value: 'USD' }],
        )
        const [both] = made.filter(({ parts }) => parts.length === 2)
        assert.equal(both?.amount, 1250.5)
      }
      const rows = (await results(run.id)).filter(({ record_type }) => record_type === 'payment')
      const rest = rows.find(({ reason }) => reason === 'rest_not_sent')
      const income = made.find(({ reference }) => reference.includes('EFT 7')) as There
      if (isXero) {
        assert.match(String(rest?.error), /^200\.00 USD of it settle nothing yet/)
        assert.equal(income.amount, 1000)
      } else {
        assert.equal(rest, undefined)
        assert.deepEqual(
          [income.amount, income.raw.UnappliedAmt, income.parts],
          [1200, 200, [[String((await ownOf('invoice', own)).Id), 1000]]],
        )
      }
      const before = await total()
      const again = await sync({ what: ['payments'] })
      assert.deepEqual(
        [again.counts.total, await total(), paid().length],
        [0, before, made.length],
        JSON.stringify(await results(again.id)),
      )
      assert.equal((await readDocument('bill', second)).payment_status, 'paid')
    })

    test('what is voided here or taken back is taken out there, before its documents are; what is allocated anew follows', async () => {
      const { bill, sync, results, call, payBills, due, paid, get, total } = await paying(system)
      const [first, second, third] = [await bill(), await bill(), await bill()]
      const payment = await payBills({ [first]: 40000, [second]: 50000 })
      const other = await payBills({ [third]: 100000 })
      await sync()
      assert.deepEqual([await due('bill', first), await due('bill', second), await due('bill', third)], [600, 500, 0])
      const { allocations } = (await get(`/api/v1/payments/${payment}`)).json().payment as {
        allocations: { id: string; bill_id: string }[]
      }
      const taken = allocations.find(({ bill_id }) => bill_id === second)?.id
      assert.equal((await call('DELETE', `/api/v1/payments/${payment}/allocations/${taken}`)).statusCode, 200)
      const changed = await sync({ what: ['payments'] })
      assert.deepEqual(
        [changed.counts.updated, changed.counts.total],
        [1, 1],
        JSON.stringify(await results(changed.id)),
      )
      assert.deepEqual([await due('bill', first), await due('bill', second)], [600, 1000])
      assert.equal(
        (
          await call('POST', `/api/v1/payments/${payment}/allocations`, {
            allocations: [{ bill_id: first, amount: 50000 }],
          })
        ).statusCode,
        200,
      )
      const more = await sync({ what: ['payments'] })
      assert.deepEqual(
        [more.counts.updated, await due('bill', first)],
        [1, 100],
        JSON.stringify(await results(more.id)),
      )
      for (const one of [payment, other])
        assert.equal((await call('POST', `/api/v1/payments/${one}/void`, { reason: 'x' })).statusCode, 200)
      await call('POST', `/api/v1/bills/${third}/void`, { reason: 'x' })
      const before = await total()
      const gone = await sync()
      assert.deepEqual([gone.counts.removed, gone.counts.failed], [3, 0], JSON.stringify(await results(gone.id)))
      assert.deepEqual([await due('bill', first), paid().length, await total()], [1000, 0, before])
      assert.equal((await sync({ what: ['payments'] })).counts.total, 0)
      await payBills({ [first]: 100000 })
      assert.deepEqual([(await sync({ what: ['payments'] })).counts.created, await due('bill', first)], [1, 0])
    })

    test('without an account nothing is sent and the check says so; a paying account is mapped by itself, and what has none fails in words', async () => {
      const { bill, sync, results, call, payBills, paid, get, at, paymentWrites, retry } = await paying(system, {})
      const first = await bill()
      await payBills({ [first]: 100000 })
      const check = async () => (await call('POST', `${at}/check`)).json()
      const { ok, missing } = await check()
      assert.deepEqual(
        [ok, missing.map(({ kind, name, needed }: Json) => [kind, name, needed])],
        [true, [['settings', 'payment_account', false]]],
      )
      assert.deepEqual([(await sync()).counts.created, paymentWrites().length], [1, 0])
      const account = {
        name: 'Operating',
        bank_details: { routing_number: '021000021', account_number: '000987654321' },
      }
      assert.ok((await call('PUT', '/api/v1/paying_accounts/usd', account)).statusCode < 300)
      const [listed] = (await get(`${at}/mappings?kind=paying_accounts`)).json().mappings
      assert.deepEqual([listed.record_name, listed.remote_id], ['Operating (USD)', null])
      const { missing: unmapped } = await check()
      assert.deepEqual(
        unmapped.map(({ kind, record_id, needed }: Json) => [kind, record_id, needed]),
        [['paying_accounts', listed.record_id, false]],
      )
      const { remote } = (await get(`${at}/remote/bank_accounts`)).json()
      const savings = remote.find(({ name }: Json) => String(name).includes('Savings'))
      assert.equal(remote.length, 2)
      const mapping = { kind: 'paying_accounts', record_id: listed.record_id, remote_id: savings.id }
      assert.equal((await call('POST', `${at}/mappings`, { mappings: [mapping] })).statusCode, 200)
      assert.deepEqual((await check()).document_count, 1)
      assert.equal((await sync({ what: ['payments'] })).counts.created, 1)
      assert.deepEqual([paid().length, paid()[0]?.account], [1, savings.id])
      const cad = await bill({ currency_id: 'cad' })
      await payBills({ [cad]: 100000 }, { currency_id: 'cad' })
      const failed = await sync()
      const why = (await results(failed.id)).find(({ outcome }) => outcome === 'failed')
      assert.deepEqual([why?.record_type, why?.reason], ['payment', 'not_mapped'])
      assert.match(String(why?.error), /Set "payment_account"/)
      await call('PUT', at, { settings: { ...systems[system].settings, payment_account: bank } })
      assert.deepEqual([(await retry(failed.id)).counts.created, paid().length], [1, 2])
    })

    test('a payment waits for a document that is not there, and goes once that is; it does not fail the run', async () => {
      const { bill, sync, results, retry, call, payBills, paid, at, carrier, due } = await paying(system)
      const [first, second] = [await bill(), await bill()]
      await sync({ what: ['bills'], ids: [first] })
      await payBills({ [first]: 100000, [second]: 100000 })
      await call('POST', `${at}/mappings`, {
        mappings: [{ kind: 'partner_carriers', record_id: carrier, remote_id: 'nobody' }],
      })
      const run = await sync()
      const waiting = (await results(run.id)).find(({ record_type }) => record_type === 'payment')
      assert.deepEqual(
        [run.state, waiting?.outcome, waiting?.reason, paid().length],
        ['done', 'skipped', 'waits_for_document', 0],
      )
      assert.match(String(waiting?.error), /^It waits for BILL-000002, which is not there yet/)
      await call('POST', `${at}/mappings`, {
        mappings: [
          { kind: 'partner_carriers', record_id: carrier, remote_id: systems[system].mapped.partner_carriers },
        ],
      })
      const again = await retry(run.id)
      assert.deepEqual(
        [again.counts.failed, await due('bill', first), await due('bill', second)],
        [0, 0, 0],
        JSON.stringify(await results(again.id)),
      )
    })

    test('a payment whose answer is lost is found there and not made again, also when it was changed meanwhile or payments are fetched before', async () => {
      const { bill, start, work, later, read, payBills, paid, server, company, call, sync, results, total, due } =
        await paying(system)
      const [first, second] = [await bill(), await bill()]
      await sync()
      const payment = await payBills({ [first]: 100000 }, { reference_number: 'A' })
      server.fail(company, isPayment, 'drop')
      const run = await start({ what: ['payments'] })
      await work()
      assert.deepEqual([(await read(run)).counts.pending, paid().length], [1, 1])
      assert.equal(
        (await call('POST', `/api/v1/connectors_orgs/${(await read(run)).connection_id}/syncs/${run}/cancel`))
          .statusCode,
        200,
      )
      const before = await total()
      const other = await sync({ ids: [second] })
      assert.deepEqual([other.counts.total, await total()], [1, before], JSON.stringify(await results(other.id)))
      await call('PUT', `/api/v1/payments/${payment}`, { reference_number: 'B' })
      server.fail(company, isQuery, 'fail')
      const next = await start({ what: ['payments'] })
      await work()
      later(60_000)
      await work()
      const done = await read(next)
      assert.deepEqual(
        [done.state, done.counts.pending, done.counts.failed],
        ['done', 0, 0],
        JSON.stringify(await results(next)),
      )
      assert.deepEqual([paid().length, await due('bill', first), await total()], [1, 0, before])
    })

    test('a process that dies while it sends a payment leaves no double', async () => {
      const { bill, start, work, later, read, payBills, paid, server, company, paymentWrites, sync, results } =
        await paying(system)
      const [first, second] = [await bill(), await bill()]
      await sync()
      await payBills({ [first]: 100000, [second]: 50000 })
      server.fail(company, isPayment, 'hold')
      const run = await start({ what: ['payments'] })
      const dying = work()
      while (paymentWrites().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      later(10 * 60_000)
      await work()
      assert.deepEqual(
        [(await read(run)).state, paid().length],
        ['done', isXero ? 2 : 1],
        JSON.stringify(await results(run)),
      )
      const keys = paymentWrites().map(({ query, headers }) => query.get('requestid') ?? headers['idempotency-key'])
      assert.equal(keys[0], keys[1])
      server.release(company)
      await dying
      assert.deepEqual([(await read(run)).counts.created, paid().length], [1, isXero ? 2 : 1])
    })

    test('a payment that was made there is never sent back, also when it was changed here', async () => {
      const { bill, sync, payHere, paid, paymentWrites, get, call, total } = await paying(system)
      const first = await bill()
      await sync()
      await payHere('bill', first, 400)
      assert.equal((await sync()).counts.created, 1)
      const [{ id }] = (await get('/api/v1/payments')).json().payments
      await call('PUT', `/api/v1/payments/${id}`, { notes: 'seen' })
      await sync()
      assert.deepEqual([paymentWrites().length, paid().length, await total()], [0, 1, 1])
      await call('POST', `/api/v1/payments/${id}/void`, { reason: 'x' })
      await sync()
      assert.deepEqual([paymentWrites().length, paid().length], [0, 1])
    })

    test('what is paid there as well is refused in the words of the other side, and paid once that is put right', async () => {
      const { bill, sync, results, retry, payBills, payHere, paid, due, company } = await paying(system)
      const first = await bill()
      await sync()
      const double = await payHere('bill', first, 1000)
      await payBills({ [first]: 100000 })
      const run = await sync({ what: ['payments'] })
      const refused = (await results(run.id)).find(({ record_id }) => record_id !== null)
      assert.deepEqual([refused?.outcome, refused?.reason], ['failed', 'refused'])
      assert.match(
        String(refused?.error),
        isXero ? /exceeds the amount outstanding/ : /Business Validation Error.*open balance.*\(6000\)/,
      )
      remove(system, company, double)
      const again = await retry(run.id)
      assert.deepEqual(
        [again.counts.created, paid().length, await due('bill', first)],
        [1, 1, 0],
        JSON.stringify(await results(again.id)),
      )
    })

    test('one that was deleted there says so, stays here, is not made anew by itself, and is when it is tried again', async () => {
      const { bill, sync, results, retry, payBills, paid, company, readDocument } = await paying(system)
      const first = await bill()
      const payment = await payBills({ [first]: 100000 })
      await sync()
      const [own] = paid()
      remove(system, company, isXero ? (own?.raw as Json) : String(own?.raw.Id))
      const run = await sync({ what: ['payments'] })
      const [gone] = await results(run.id)
      assert.deepEqual([gone?.outcome, gone?.reason, gone?.record_id], ['failed', 'gone_there', payment])
      assert.equal((await readDocument('bill', first)).payment_status, 'paid')
      assert.deepEqual([(await sync({ what: ['payments'] })).counts.total, paid().length], [0, 0])
      assert.deepEqual([(await retry(run.id)).counts.created, paid().length], [1, 1])
    })

    test('a change or a deletion there that is not possible here now is kept, and done by a retry once it is', async () => {
      const { bill, sync, results, retry, payHere, readDocument, make, company, total } = await paying(system)
      const [first, second] = [await bill(), await bill()]
      await sync()
      const [changed, deleted] = [await payHere('bill', first, 1000), await payHere('bill', second, 1000)]
      assert.equal((await sync({ what: ['payments'] })).counts.created, 2)
      const period = await make('accounting_periods', { starts_on: '2026-11-01', ends_on: '2026-11-30' })
      await make(`accounting_periods/${period}/close`, {})
      change(system, company, changed, 400)
      remove(system, company, deleted)
      const due = async () => [
        (await readDocument('bill', first)).amount_due,
        (await readDocument('bill', second)).amount_due,
      ]
      const closed = async (run: { id: string; counts: Record<string, number> }) => {
        const rows = await results(run.id)
        assert.deepEqual(
          [run.counts.failed, run.counts.total, rows[0]?.record_id, rows[0]?.reason],
          [2, 2, null, 'period_closed'],
          JSON.stringify(rows),
        )
        assert.deepEqual([await due(), await total()], [[0, 0], 2])
      }
      const run = await sync({ what: ['payments'] })
      await closed(run)
      const again = await retry(run.id)
      await closed(again)
      await make(`accounting_periods/${period}/reopen`, { reason: 'x' })
      const done = await retry(again.id)
      assert.deepEqual(
        [done.counts.updated, done.counts.removed, done.counts.total],
        [1, 1, 2],
        JSON.stringify(await results(done.id)),
      )
      assert.deepEqual(await due(), [60000, 100000])
      assert.deepEqual([(await retry(run.id)).counts.unchanged, await due()], [2, [60000, 100000]])
      assert.equal((await sync({ what: ['payments'] })).counts.total, 0)
    })
  })
}

/** Somebody changes the amount of a payment there. */
function change(system: System, company: string, payment: string | Json, amount: number): void {
  if (system === 'xero') {
    Object.assign(payment as Json, { Amount: amount, UpdatedDateUTC: `/Date(${Date.now() + 1000}+0000)/` })
    return
  }
  quickbooks.change(company, String(payment), amount)
}

/** Somebody deletes a payment there. */
function remove(system: System, company: string, payment: string | Json): void {
  if (system === 'xero') {
    Object.assign(payment as Json, { Status: 'DELETED', UpdatedDateUTC: `/Date(${Date.now() + 1000}+0000)/` })
    return
  }
  quickbooks.remove(company, String(payment))
}

describe('what only one of them does with payments', { concurrency: true }, () => {
  test('Xero: a payment that is reconciled cannot be taken out, and the result says what to do', async () => {
    const { bill, sync, results, retry, call, payBills, paid } = await paying('xero')
    const first = await bill()
    const payment = await payBills({ [first]: 100000 })
    await sync()
    const [own] = paid()
    Object.assign(own?.raw as Json, { IsReconciled: true })
    await call('POST', `/api/v1/payments/${payment}/void`, { reason: 'x' })
    const run = await sync({ what: ['payments'] })
    assert.match(String((await results(run.id))[0]?.error), /reconciled\. Take it out there by hand/)
    Object.assign(own?.raw as Json, { IsReconciled: false })
    assert.deepEqual([(await retry(run.id)).counts.removed, paid().length], [1, 0])
  })

  test('QuickBooks: a payment is of the day that it is in the time zone of the organization', async () => {
    const { bill, sync, call, paid } = await paying('quickbooks_online')
    assert.equal((await call('PUT', '/api/v1/organization', { time_zone: 'America/New_York' })).statusCode, 200)
    await call('POST', `/api/v1/bills/${await bill()}/pay`, { paid_at: '2026-11-01T01:30:00Z' })
    await sync()
    assert.deepEqual(
      paid().map(({ raw }) => raw.TxnDate),
      ['2026-10-31'],
    )
  })

  test('QuickBooks: details that change here change there, with a SyncToken that is not known', async () => {
    const { bill, sync, call, payBills, paid, results } = await paying('quickbooks_online')
    const first = await bill()
    const payment = await payBills({ [first]: 100000 })
    await sync()
    Object.assign(paid()[0]?.raw as Json, { SyncToken: '9' })
    await call('PUT', `/api/v1/payments/${payment}`, { reference_number: 'CHK-9' })
    const run = await sync({ what: ['payments'] })
    assert.deepEqual(
      [run.counts.updated, paid()[0]?.reference, paid().length],
      [1, 'CHK-9', 1],
      JSON.stringify(await results(run.id)),
    )
  })

  test('QuickBooks: of what credits settle there only the money comes back; where the split is not said, nothing does, in words', async () => {
    const { bill, invoice, sync, results, readDocument, company, ownOf, total, get } = await paying('quickbooks_online')
    const bills = [await bill(), await bill(), await bill()]
    const own = await invoice()
    await sync()
    const [first = '', second = '', third = ''] = await Promise.all(
      bills.map(async (id) => String((await ownOf('bill', id)).Id)),
    )
    const paid = () => Promise.all(bills.map(async (id) => (await readDocument('bill', id)).amount_paid))
    const receive = async () => {
      const run = await sync({ what: ['payments'] })
      return (await results(run.id)).map(({ outcome, reason, error }) => ({ outcome, reason, error }))
    }
    const single = quickbooks.settle(company, 'Bill', { [first]: 1000 }, 600)
    quickbooks.settle(company, 'Invoice', { [String((await ownOf('invoice', own)).Id)]: 1000 }, 250)
    assert.deepEqual(
      (await receive()).map(({ outcome }) => outcome),
      ['created', 'created'],
    )
    const amounts = ((await get('/api/v1/payments')).json().payments as { amount: number }[]).map(
      ({ amount }) => amount,
    )
    assert.deepEqual(
      [amounts.sort(), await paid(), (await readDocument('invoice', own)).amount_paid],
      [[40000, 75000], [40000, 0, 0], 75000],
    )
    const both = quickbooks.settle(company, 'Bill', { [second]: 1000, [third]: 500 }, 600)
    const [unknown] = await receive()
    assert.deepEqual([unknown?.outcome, unknown?.reason, await total()], ['failed', 'split_unknown', 2])
    assert.match(String(unknown?.error), /^Credits there settle 600\.00 USD of it, and not which of its documents\./)
    quickbooks.settle(company, 'Bill', { [second]: 400, [third]: 500 }, 0, both)
    quickbooks.settle(company, 'Bill', { [second]: 600 }, 600)
    const [split, credited] = await receive()
    assert.deepEqual([split?.outcome, credited?.outcome, credited?.reason], ['created', 'skipped', 'no_money_moved'])
    assert.deepEqual([await paid(), await total()], [[40000, 40000, 50000], 3])
    quickbooks.settle(company, 'Bill', { [first]: 1000 }, 1000, single)
    assert.deepEqual(
      (await receive()).map(({ outcome }) => outcome),
      ['removed'],
    )
    assert.deepEqual(await paid(), [0, 40000, 50000])
    assert.deepEqual(await receive(), [])
  })

  test('what no payment there can be is left to a person', async () => {
    const { bill, sync, results, call, haul, paid } = await paying('quickbooks_online')
    const items = [{ bill_item_type_id: haul, unit_price: -20000, quantity: 1 }]
    const deduction = await bill({ items })
    await call('POST', `/api/v1/bills/${deduction}/pay`)
    const run = await sync()
    const skipped = (await results(run.id)).find(({ record_type }) => record_type === 'payment')
    assert.deepEqual(
      [skipped?.outcome, skipped?.reason, paid().length],
      ['skipped', 'not_possible_there', 0],
      JSON.stringify(await results(run.id)),
    )
  })
})
