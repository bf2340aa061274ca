import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvRecords } from '../../../test/connecting.ts'
import { applicationIn, type Caller, callerIn, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { rotateBankKeys, verifyBankDetails } from '../../payables/upkeep/rotating.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { uploadFolder } from '../../platform/files/contents/folders.ts'
import { openStorage } from '../../platform/files/storage/open.ts'
import { newKeyText, openVault } from '../../platform/vault/vault.ts'
import { workAll } from './syncs/working.ts'

const service = await sharedService()
const path = '/api/v1/connectors_orgs'
const { settings } = service

type Json = Record<string, unknown>

/** An organization with a carrier, a customer, two types and a pay term, and a way to have its syncs worked off. */
async function office() {
  const { org } = await newCaller(service)
  const caller = applicationIn(service, org)
  const make = async (at: string, body: Json): Promise<string> => {
    const answer = await caller.call('POST', `/api/v1/${at}`, body)
    assert.equal(answer.statusCode, 201, answer.body)
    return (Object.values(answer.json())[0] as { id: string }).id
  }
  const haul = await make('bill_item_types', { name: 'Line haul' })
  const fuel = await make('bill_item_types', { name: 'Fuel' })
  const term = await make('pay_terms', {
    name: 'Net 30',
    number_of_days: 30,
    connector_mappings: { netsuite: { connector_id: 'netsuite', vendor_pay_term_id: 'N' } },
  })
  const carrier = await make('partner_carriers', { name: 'Cascade Carriers', currency_id: 'usd' })
  const customer = await make('customers', { name: 'Acme Foods', currency_id: 'usd' })
  const bill = async (more: Json = {}): Promise<string> => {
    const id = await make('bills', {
      ...{
        partner_carrier_id: carrier,
        currency_id: 'usd',
        bill_date: '2026-11-10',
        pay_term_id: term,
        reference_number: `INV "${newId().slice(-5)}"`,
      },
      items: [
        { bill_item_type_id: haul, unit_price: 100000, quantity: 1, description: 'Portland\tto Boise' },
        { bill_item_type_id: fuel, unit_price: 2550, quantity: 2, description: '=cmd|calc' },
      ],
      ...more,
    })
    assert.equal((await caller.call('POST', `/api/v1/bills/${id}/save`)).statusCode, 200)
    return id
  }
  const invoice = async (): Promise<string> => {
    const items = [{ bill_item_type_id: haul, unit_price: 150000, quantity: 1, description: 'Freight' }]
    const id = await make('invoices', { customer_id: customer, currency_id: 'usd', invoice_date: '2026-11-11', items })
    assert.equal((await caller.call('POST', `/api/v1/invoices/${id}/save`)).statusCode, 200)
    return id
  }
  const work = () =>
    workAll({
      ...{
        database: databaseOf(service, new Set([org])),
        vault: openVault(settings),
        services: settings.connectors,
        publicUrl: settings.publicUrl,
      },
      keeping: { storage: openStorage(settings), folder: uploadFolder(settings) },
    })
  const connect = async (body: Json): Promise<string> => make('connectors_orgs', body)
  const sync = async (connection: string, body: Json = {}) => {
    const started = await caller.call('POST', `${path}/${connection}/syncs`, body)
    assert.equal(started.statusCode, 202, started.body)
    await work()
    return (await caller.get(String(started.headers.location))).json().sync
  }
  const results = async (run: { connection_id: string; id: string }) =>
    (await caller.get(`${path}/${run.connection_id}/syncs/${run.id}/results?limit=200`)).json().results
  const file = async (run: { document_id: string }) =>
    (await caller.get(`/api/v1/documents/${run.document_id}/content`)).body
  return {
    ...caller,
    org,
    make,
    bill,
    invoice,
    haul,
    fuel,
    term,
    carrier,
    customer,
    connect,
    sync,
    results,
    file,
    work,
  }
}

const codeOf = (answer: Awaited<ReturnType<Caller['call']>>) => [answer.statusCode, answer.json().error_code]

describe('connections', { concurrency: true }, () => {
  test('the catalogue lists every connector with what it maps, sets and keeps secret', async () => {
    const { get } = await office()
    const { connectors } = (await get('/api/v1/connectors')).json()
    assert.deepEqual(
      connectors.map(({ id, transport, has_application }: Json) => [id, transport, has_application]),
      [
        ['quickbooks_online', 'online', false],
        ['xero', 'online', false],
        ['csv', 'file', false],
        ['iif', 'file', false],
        ['journal', 'file', false],
      ],
    )
  })

  test('secrets go in and never come out: not in answers, events or the table, and no message repeats them', async () => {
    const { call, get, connect, org, events } = await office()
    const secret = 'a-secret-of-ours'
    const id = await connect({
      connector_id: 'xero',
      settings: { client_id: 'client' },
      secrets: { client_secret: secret },
    })
    const { connector_org } = (await get(`${path}/${id}`)).json()
    assert.deepEqual(
      [connector_org.status, connector_org.secrets_set, connector_org.settings],
      ['needs_sign_in', ['client_secret'], { client_id: 'client' }],
    )
    const kept = await call('PUT', `${path}/${id}`, { connector_org: { ...connector_org, name: 'Books' } })
    assert.deepEqual(
      [kept.statusCode, kept.json().connector_org.name, kept.json().connector_org.secrets_set],
      [200, 'Books', ['client_secret']],
    )
    const wrong = await call('PUT', `${path}/${id}`, { secrets: { password: secret } })
    assert.deepEqual(codeOf(wrong), [400, 'unknown_setting'])
    const taken = await call('PUT', `${path}/${id}`, { secrets: { client_secret: null } })
    assert.deepEqual(taken.json().connector_org.secrets_set, [])
    const all = JSON.stringify([connector_org, await events(), wrong.body, (await get(`${path}/${id}/history`)).json()])
    assert.ok(!all.includes(secret))
    await call('PUT', `${path}/${id}`, { secrets: { client_secret: secret } }, { 'idempotency-key': newId() })
    const rows = await service.pool.transaction(
      (run) => run(sql`select c.*::text as row, c.secrets_sealed from connections c where org_id = ${org}`),
      `begin; set local app.org_id = '${org}'`,
    )
    assert.ok(!JSON.stringify(rows).includes(secret))
    const sealed = String(rows[0]?.secrets_sealed)
    const vault = openVault(settings)
    assert.deepEqual(vault.open({ org, id, secret: 'connection secrets' }, sealed), { client_secret: secret })
    assert.throws(() => vault.open({ org, id: newId(), secret: 'connection secrets' }, sealed))
    assert.throws(() => vault.open({ org, id }, sealed), 'as bank details')
    const again = openVault({ ...settings, bankDetailsKeys: [keyOf(newKeyText()), ...settings.bankDetailsKeys] })
    assert.equal((await rotateBankKeys(service.database, again, [org])).encrypted, 1)
    assert.deepEqual(await verifyBankDetails(service.database, again, [org]), [])
    assert.match(
      (await verifyBankDetails(service.database, vault, [org])).join(),
      /The connection secrets in connections/,
    )
  })

  test('what is wrong is named: connectors, settings, a second one of a connector; only admins connect, clerks sync', async () => {
    const { call, connect, org, sync } = await office()
    assert.deepEqual(codeOf(await call('POST', path, { connector_id: 'sage' })), [400, 'unknown_connector'])
    assert.deepEqual(codeOf(await call('POST', path, { connector_id: 'csv', settings: { start_on: 'soon' } })), [
      400,
      'bad_date',
    ])
    assert.deepEqual(codeOf(await call('POST', path, { connector_id: 'csv', settings: { color: 'red' } })), [
      400,
      'unknown_setting',
    ])
    const id = await connect({ connector_id: 'csv' })
    assert.deepEqual(codeOf(await call('POST', path, { connector_id: 'csv' })), [409, 'already_connected'])
    assert.deepEqual(codeOf(await call('POST', `${path}/${id}/authorize`)), [409, 'not_online'])
    assert.deepEqual(codeOf(await call('GET', `${path}/${id}/remote/vendors`)), [409, 'not_online'])
    assert.deepEqual(codeOf(await call('PUT', `${path}/${id}`, { name: 'x' }, { 'if-match': '"9"' })), [412, 'stale'])
    const clerk = callerIn(service, org, undefined, undefined, 'clerk')
    assert.deepEqual(codeOf(await clerk.call('PUT', `${path}/${id}`, { name: 'x' })), [403, 'admin_required'])
    assert.deepEqual(codeOf(await clerk.call('POST', `${path}/${id}/mappings`, { mappings: [] })), [
      403,
      'admin_required',
    ])
    assert.equal((await clerk.call('POST', `${path}/${id}/check`)).statusCode, 200)
    assert.equal((await clerk.call('POST', `${path}/${id}/syncs`)).statusCode, 202)
    const reader = callerIn(service, org, undefined, undefined, 'read_only')
    assert.equal((await reader.call('POST', `${path}/${id}/syncs`)).statusCode, 403)
    await sync(id)
    assert.deepEqual(codeOf(await call('DELETE', `${path}/${id}`)), [409, 'connection_in_use'])
    const online = await connect({ connector_id: 'xero' })
    assert.deepEqual(codeOf(await call('POST', `${path}/${online}/syncs`)), [409, 'needs_sign_in'])
    assert.deepEqual(codeOf(await call('POST', `${path}/${online}/authorize`)), [409, 'application_missing'])
    assert.equal((await call('DELETE', `${path}/${online}`)).statusCode, 204)
    const stranger = await newCaller(service)
    assert.equal((await stranger.get(`${path}/${id}`)).statusCode, 404)
    assert.equal((await stranger.get(`${path}/${id}/mappings?kind=customers`)).statusCode, 404)
    assert.deepEqual(codeOf(await call('POST', `${path}/${id}/syncs`, { what: ['payments'] })), [
      400,
      'nothing_to_sync',
    ])
    assert.deepEqual(codeOf(await call('POST', `${path}/${id}/syncs`, { ids: [newId()] })), [400, 'unknown_record'])
  })

  test('mappings: of pay terms they are the connector_mappings, all others are kept with the connection; unknown records are named', async () => {
    const { call, get, connect, term, haul, carrier } = await office()
    const id = await connect({ connector_id: 'quickbooks_online' })
    const mappings = [
      { kind: 'pay_terms', record_id: term, remote_id: '4' },
      { kind: 'bill_items', record_id: haul, remote_id: '7', remote_name: 'Freight Costs' },
      { kind: 'partner_carriers', record_id: carrier, remote_id: '56' },
    ]
    const { full_id } = (await get(`/api/v1/partner_carriers/${carrier}`)).json().partner_carrier
    const named = [...mappings.slice(0, 2), { kind: 'partner_carriers', record_id: full_id, remote_id: '56' }]
    const set = await call('POST', `${path}/${id}/mappings`, { mappings: named })
    assert.equal(set.statusCode, 200, set.body)
    assert.deepEqual(
      set
        .json()
        .mappings.map(({ record_id }: Json) => record_id)
        .sort(),
      mappings.map(({ record_id }) => record_id).sort(),
    )
    const elsewhere = { mappings: [{ kind: 'customers', record_id: full_id, remote_id: '56' }] }
    assert.equal((await call('POST', `${path}/${id}/mappings`, elsewhere)).statusCode, 400)
    const [mapped] = (await get(`${path}/${id}/history`)).json().events
    const remote = ({ mappings }: { mappings: Json[] }) =>
      mappings.map(({ record_id, remote_id }: Json) => [record_id, remote_id]).sort()
    assert.equal(mapped.type, 'connector_org.mapped')
    assert.deepEqual(
      remote(mapped.previous),
      [
        [term, null],
        [haul, null],
        [carrier, null],
      ].sort(),
    )
    assert.deepEqual(
      remote(mapped.data),
      [
        [term, '4'],
        [haul, '7'],
        [carrier, '56'],
      ].sort(),
    )
    const { pay_term } = (await get(`/api/v1/pay_terms/${term}`)).json()
    assert.deepEqual(
      Object.entries(pay_term.connector_mappings).map(([key, value]) => [
        key,
        (value as { vendor_pay_term_id: string }).vendor_pay_term_id,
      ]),
      [
        ['netsuite', 'N'],
        ['quickbooks_online', '4'],
      ],
    )
    await call('PUT', `/api/v1/pay_terms/${term}`, {
      connector_mappings: { quickbooks_online: { connector_id: 'quickbooks_online', vendor_pay_term_id: '9' } },
    })
    const listed = async (query: string) => (await get(`${path}/${id}/mappings?${query}`)).json()
    assert.deepEqual((await listed('kind=pay_terms')).mappings, [
      { kind: 'pay_terms', record_id: term, record_name: 'Net 30', remote_id: '9', remote_name: null },
    ])
    assert.deepEqual(
      (await listed('kind=bill_items&mapped=false')).mappings.map(({ record_name }: Json) => record_name),
      ['Fuel'],
    )
    assert.equal((await listed('kind=bill_items&search_term=HAUL')).total, 1)
    const first = await listed('kind=bill_items&limit=1')
    assert.deepEqual(
      (await listed(`kind=bill_items&limit=1&after=${first.next_after}`)).mappings[0].record_name,
      'Line haul',
    )
    await call('POST', `${path}/${id}/mappings`, {
      mappings: [{ kind: 'bill_items', record_id: haul, remote_id: null }],
    })
    assert.equal((await listed('kind=bill_items&mapped=true')).total, 0)
    const wrong = await call('POST', `${path}/${id}/mappings`, {
      mappings: [mappings[1], { kind: 'customers', record_id: newId(), remote_id: '1' }],
    })
    assert.deepEqual([codeOf(wrong), wrong.json().details[0].field], [[400, 'unknown_record'], 'mappings[1].record_id'])
    assert.equal((await listed('kind=bill_items&mapped=true')).total, 0, 'all or nothing')
    const csv = await connect({ connector_id: 'csv' })
    assert.deepEqual(codeOf(await call('POST', `${path}/${csv}/mappings`, { mappings: [mappings[0]] })), [
      400,
      'not_mappable',
    ])
  })

  test('the check lists what is not mapped with how many documents it concerns, and nothing once all is', async () => {
    const { call, connect, bill, invoice, haul, fuel, carrier, term, make } = await office()
    const id = await connect({ connector_id: 'quickbooks_online' })
    await bill()
    await bill({ is_tax_on: true, tax_amount: 500 })
    await invoice()
    await make('bills', { currency_id: 'usd' })
    const check = async (body?: Json) => (await call('POST', `${path}/${id}/check`, body)).json()
    const { ok, document_count, missing } = await check({ what: ['bills'] })
    assert.deepEqual([ok, document_count], [false, 2])
    assert.deepEqual(
      missing
        .map(({ kind, record_id, needed, document_count }: Json) => [kind, record_id, needed, document_count])
        .sort(),
      [
        ['bill_items', haul, true, 2],
        ['bill_items', fuel, true, 2],
        ['partner_carriers', carrier, true, 2],
        ['pay_terms', term, false, 2],
        ['settings', null, true, 1],
      ].sort(),
    )
    await call('PUT', `${path}/${id}`, { settings: { expense_account: '7', tax_account: '8' } })
    await call('POST', `${path}/${id}/mappings`, {
      mappings: [{ kind: 'partner_carriers', record_id: carrier, remote_id: '56' }],
    })
    const after = await check({ what: ['bills'] })
    assert.deepEqual([after.ok, after.missing.map(({ kind }: Json) => kind)], [true, ['pay_terms']])
    assert.deepEqual((await check()).ok, false, 'the invoice misses its customer')
    await call('PUT', `${path}/${id}`, { settings: { start_on: '2026-12-01' } })
    assert.deepEqual(await check(), { ok: true, document_count: 0, has_more: false, missing: [] })
  })
})

describe('syncs that make files', { concurrency: true }, () => {
  test('csv: every line once, what did not change not again, what changed and what was voided by its action', async () => {
    const { connect, bill, invoice, sync, results, file, call, get, events } = await office()
    const id = await connect({ connector_id: 'csv', name: 'Table' })
    const [first, second] = [await bill(), await bill()]
    await invoice()
    const run = await sync(id)
    assert.deepEqual([run.state, run.counts.created, run.counts.failed], ['done', 3, 0], JSON.stringify(run))
    const rows = await csvRecords(await file(run))
    assert.equal(rows.length, 5)
    assert.deepEqual(
      rows
        .filter((row) => row.id === first)
        .map(({ action, type, number, amount, item_type, description, document_total }) => [
          action,
          type,
          number,
          amount,
          item_type,
          description,
          document_total,
        ]),
      [
        ['created', 'bill', 'BILL-000001', '1000.00', 'Line haul', 'Portland\tto Boise', '1051.00'],
        ['created', 'bill', 'BILL-000001', '51.00', 'Fuel', '=cmd|calc', '1051.00'],
      ],
    )
    const { bill: kept } = (await get(`/api/v1/bills/${first}`)).json()
    assert.ok(kept.qb_exported_at)
    assert.equal(kept.qb_error_msg, null)
    const unchanged = await sync(id)
    assert.deepEqual([unchanged.counts.total, unchanged.document_id], [0, null])
    const named = await sync(id, { ids: [first] })
    assert.deepEqual([named.counts.unchanged, named.document_id], [1, null])
    await call('PUT', `/api/v1/bills/${first}`, { notes: 'changed' })
    await call('POST', `/api/v1/bills/${second}/void`, { reason: 'x' })
    const changed = await sync(id)
    assert.deepEqual([changed.counts.updated, changed.counts.removed], [1, 1], JSON.stringify(await results(changed)))
    assert.deepEqual(
      [...new Set((await csvRecords(await file(changed))).map(({ action, id }) => `${action} ${id}`))].sort(),
      [`changed ${first}`, `removed ${second}`].sort(),
    )
    const { documents } = (await get(`/api/v1/documents?attached_to=connector_sync:${changed.id}`)).json()
    assert.deepEqual([documents.length, documents[0].media_type], [1, 'text/csv'])
    const types = (await events()).map(({ type }) => type).filter((type) => type.startsWith('connector_sync'))
    assert.deepEqual(new Set(types), new Set(['connector_sync.created', 'connector_sync.done']))
  })

  test('dates are the days that they are in the time zone of the organization, as its periods and papers have them', async () => {
    const { connect, bill, sync, file, call } = await office()
    assert.equal((await call('PUT', '/api/v1/organization', { time_zone: 'America/New_York' })).statusCode, 200)
    const late = await bill({ bill_date: '2026-11-01T01:30:00Z', due_date: '2026-12-01T02:00:00Z' })
    const early = await bill({ bill_date: '2026-11-01', due_date: '2026-12-01' })
    const id = await connect({ connector_id: 'csv', settings: { start_on: '2026-11-01' } })
    const daysOf = async () =>
      (await csvRecords(await file(await sync(id)))).map((row) => [row.id, row.date, row.due_date])
    assert.deepEqual((await daysOf())[0], [early, '2026-11-01', '2026-12-01'])
    await call('PUT', `${path}/${id}`, { settings: { start_on: '2026-10-31' } })
    const rows = await daysOf()
    assert.deepEqual([rows.length, rows[0]], [2, [late, '2026-10-31', '2026-11-30']])
  })

  test('iif: transactions that QuickBooks Desktop imports, each in balance; what changed is taken back by its opposite first', async () => {
    const { connect, bill, invoice, sync, file, call, carrier } = await office()
    const id = await connect({
      connector_id: 'iif',
      settings: { expense_account: 'Freight Costs', income_account: 'Freight Income' },
    })
    const first = await bill({ is_tax_on: true, tax_amount: 800 })
    await invoice()
    await call('POST', `${path}/${id}/mappings`, {
      mappings: [{ kind: 'partner_carriers', record_id: carrier, remote_id: 'Cascade, Inc.' }],
    })
    const text = await file(await sync(id))
    assert.deepEqual(text.split('\r\n').slice(0, 3), [
      '!TRNS\tTRNSTYPE\tDATE\tACCNT\tNAME\tAMOUNT\tDOCNUM\tMEMO\tDUEDATE',
      '!SPL\tTRNSTYPE\tDATE\tACCNT\tNAME\tAMOUNT\tDOCNUM\tMEMO',
      '!ENDTRNS',
    ])
    const transactions = transactionsIn(text)
    assert.deepEqual(
      transactions.map(([head]) => [head?.[1], head?.[2], head?.[3], head?.[4], head?.[5], head?.[8]]),
      [
        ['BILL', '11/10/2026', 'Accounts Payable', 'Cascade, Inc.', '-1059.00', '12/10/2026'],
        ['INVOICE', '11/11/2026', 'Accounts Receivable', 'Acme Foods', '1500.00', ''],
      ],
    )
    assert.ok(transactions[0]?.some((row) => row[3] === 'Sales Tax Payable' && row[5] === '8.00'))
    for (const transaction of transactions)
      assert.equal(Math.round(transaction.reduce((sum, row) => sum + Number(row[5]) * 100, 0)), 0)
    await call('PUT', `/api/v1/bills/${first}`, { notes: 'x', reference_number: 'INV-2' })
    const again = transactionsIn(await file(await sync(id)))
    assert.deepEqual(
      again.map(([head]) => [head?.[1], head?.[5]]),
      [
        ['BILL REFUND', '1059.00'],
        ['BILL', '-1059.00'],
      ],
    )
  })

  test('journal: debits and credits of every entry are the same; what is not mapped fails alone and can be tried again', async () => {
    const { connect, bill, sync, results, file, call, get, haul, work } = await office()
    const id = await connect({ connector_id: 'journal' })
    const first = await bill()
    const second = await bill({ items: [{ bill_item_type_id: haul, unit_price: 7, quantity: 3 }] })
    await call('POST', `${path}/${id}/mappings`, {
      mappings: [{ kind: 'bill_items', record_id: haul, remote_id: '5000 Freight' }],
    })
    const run = await sync(id)
    assert.deepEqual([run.counts.created, run.counts.failed], [1, 1])
    const failed = (await results(run)).find(({ outcome }: Json) => outcome === 'failed')
    assert.deepEqual([failed.record_id, failed.reason], [first, 'not_mapped'])
    assert.match(failed.error, /Map the type Fuel, or set "expense_account"/)
    assert.match((await get(`/api/v1/bills/${first}`)).json().bill.qb_error_msg, /Map the type Fuel/)
    assert.deepEqual(
      (await csvRecords(await file(run))).map(({ entry, account, debit, credit, id }) => [
        entry,
        account,
        debit,
        credit,
        id,
      ]),
      [
        ['BILL-000002', 'Accounts Payable', null, '0.21', second],
        ['BILL-000002', '5000 Freight', '0.21', null, second],
      ],
    )
    await call('PUT', `${path}/${id}`, { settings: { expense_account: '5999 Other' } })
    const retried = await call('POST', `${path}/${id}/syncs/${run.id}/retry`)
    assert.equal(retried.statusCode, 202, retried.body)
    await work()
    const { sync: after } = (await get(String(retried.headers.location))).json()
    assert.deepEqual([after.counts.total, after.counts.created, after.retry_of], [1, 1, run.id])
    const rows = await csvRecords(await file(after))
    const cents = (name: string) => rows.reduce((sum, row) => sum + Math.round(Number(row[name] ?? 0) * 100), 0)
    assert.deepEqual([cents('debit'), cents('credit')], [105100, 105100])
    assert.equal((await get(`/api/v1/bills/${first}`)).json().bill.qb_error_msg, null)
    assert.deepEqual(codeOf(await call('POST', `${path}/${id}/syncs/${after.id}/retry`)), [409, 'nothing_failed'])
  })
})

function transactionsIn(text: string): string[][][] {
  const found: string[][][] = []
  for (const line of text.split('\r\n').filter((line) => line !== '' && !line.startsWith('!'))) {
    const cells = line.split('\t')
    if (cells[0] === 'TRNS') found.push([cells])
    else if (cells[0] === 'SPL') found.at(-1)?.push(cells)
    else assert.equal(cells[0], 'ENDTRNS')
  }
  return found
}

function keyOf(text: string): { id: string; key: string } {
  return { id: text.slice(0, text.indexOf(':')), key: text.slice(text.indexOf(':') + 1) }
}
