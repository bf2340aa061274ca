import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listWaiting } from '../../../test/cluster.ts'
import { type Caller, connectionName, newCaller, sharedService } from '../../../test/service.ts'
import { updateBill } from '../../books/kinds/bills.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { signToken } from '../../platform/access/tokens/access-token.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { decideInvoice } from './actions.ts'
import { lockOpen } from './received/store.ts'
import { auditAll } from './runs.ts'

const service = await sharedService()
const invoices = '/api/v1/carrier_invoices'
const policies = '/api/v1/audit_policies'

type Json = Record<string, unknown>
type Kept = Json & {
  id: string
  state: string
  revision: number
  findings: { code: string; message: string }[]
  bill_id: string | null
  manifest_ids: string[]
}

async function made({ call }: Caller, path: string, body: Json): Promise<Json & { id: string }> {
  const answer = await call('POST', path.startsWith('/') ? path : `/api/v1/${path}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Json & { id: string }
}

/** An organization with a carrier, types, a pay term, and short words for what is done with invoices. */
async function desk() {
  const caller = await newCaller(service)
  const { keyring, settings } = service
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: 'application', client_id: 'application', org_id: caller.org, scopes: scopeNames },
  )
  /** An application, which may administer. */
  const admin: Caller = {
    ...caller,
    call: (method, url, body, headers) =>
      caller.call(method, url, body, { authorization: `Bearer ${token}`, ...headers }),
  }
  const [haul, fuel] = [
    await made(caller, 'bill_item_types', { name: 'Line haul' }),
    await made(caller, 'bill_item_types', { name: 'Fuel' }),
  ]
  await made(caller, 'pay_terms', { name: 'Net 15', number_of_days: 15 })
  const carrier = await made(caller, 'partner_carriers', {
    name: 'Cascade Carriers',
    currency_id: 'usd',
    pay_term: 'Net 15',
    email: 'ar@cascade.example',
  })
  /** A load that is not delivered and has no proof of it. */
  const underway = (reference_number: string, more: Json = {}) =>
    made(caller, 'manifests', {
      ...{ partner_carrier_id: carrier.id, reference_number, currency_id: 'usd', status: 'in_transit' },
      payment_items: [
        { type: 'Line haul', unit_price: 100000 },
        { type: 'Fuel', unit_price: 28000 },
      ],
      ...more,
    })
  const pod = async (record: string) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: `/api/v1/documents?document_type=pod&attached_to=${record}`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="pod.pdf"',
      },
      payload: `%PDF-1.4 ${newId()}`,
    })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  const trip = async (reference_number: string, more: Json = {}) => {
    const manifest = await underway(reference_number, { status: 'completed', ...more })
    await pod(`manifest:${manifest.id}`)
    return manifest
  }
  const lines = [
    { type: 'Line haul', amount: 100000 },
    { type: fuel.id, amount: 28000 },
  ]
  const invoice = (invoice_number: string, more: Json = {}) =>
    made(caller, invoices, {
      partner_carrier_id: carrier.id,
      invoice_number,
      invoice_date: '2026-11-10',
      currency_id: 'usd',
      lines,
      ...more,
    }) as Promise<Kept>
  const act = async (id: string, action: string, body?: Json, status = 200): Promise<Kept> => {
    const answer = await caller.call('POST', `${invoices}/${id}/${action}`, body)
    assert.equal(answer.statusCode, status, answer.body)
    return status === 200 ? answer.json().carrier_invoice : answer.json()
  }
  const read = async (id: string): Promise<Kept> => (await caller.get(`${invoices}/${id}`)).json().carrier_invoice
  return { ...caller, caller, admin, haul, fuel, carrier, underway, pod, trip, invoice, act, read, lines }
}

const codesOf = ({ findings }: Kept) => findings.map(({ code }) => code)

describe('carrier invoices', { concurrency: true }, () => {
  test('are kept as they came, found, changed while they are open, and come once by their source key', async () => {
    const { caller, call, get, invoice, carrier } = await desk()
    const first = await invoice('INV-1', {
      external_id: 'E-1',
      source: 'edi',
      source_key: '000000123',
      reference_number: 'NOWHERE',
    })
    assert.deepEqual(
      [first.state, first.total_amount, first.source, first.findings, first.decisions],
      ['received', 128000, 'edi', [], []],
    )
    assert.ok(!('source_key' in first))
    const again = await call('POST', invoices, { invoice_number: 'x', currency_id: 'usd', source_key: '000000123' })
    assert.deepEqual([again.statusCode, again.json().error_code], [409, 'arrived_before'])
    assert.equal(
      (await call('POST', invoices, { invoice_number: 'x', currency_id: 'usd', external_id: 'E-1' })).json().error_code,
      'external_id_taken',
    )
    assert.equal(
      (await call('POST', invoices, { invoice_number: 'x', currency_id: 'xyz' })).json().error_code,
      'unknown_currency',
    )
    assert.equal(
      (await call('POST', invoices, { invoice_number: 'x', currency_id: 'usd', manifest_ids: [newId()] })).json()
        .error_code,
      'unknown_manifest',
    )
    assert.equal((await call('POST', invoices, { currency_id: 'usd' })).statusCode, 400)
    assert.deepEqual((await get(`${invoices}/ext:E-1`)).json().carrier_invoice, first)
    const filters = [
      `partner_carrier_ids=${carrier.id}`,
      'invoice_number=inv 1',
      'search_term=nv-',
      'search_term=nowh',
      'search_term=cascade',
      'states=received,matched',
      'invoice_start_on=2026-11-10&invoice_end_on=2026-11-10',
    ]
    for (const filter of [...filters, 'min_total_amount=128000&max_total_amount=128000', 'disputed=false']) {
      const page = (await get(`${invoices}?${filter}`)).json()
      assert.deepEqual([page.total, page.carrier_invoices], [1, [first]], filter)
    }
    for (const filter of [
      'states=billed',
      'search_term=%25',
      'disputed=true',
      `manifest_ids=${newId()}`,
      `bill_ids=${newId()}`,
    ])
      assert.equal((await get(`${invoices}?${filter}`)).json().total, 0, filter)
    const changed = await call(
      'PUT',
      `${invoices}/${first.id}`,
      { carrier_invoice: { ...first, notes: 'n' } },
      { 'if-match': '"1"' },
    )
    assert.deepEqual(
      [changed.json().carrier_invoice.notes, changed.json().carrier_invoice.revision],
      ['n', 2],
      changed.body,
    )
    assert.equal((await call('PUT', `${invoices}/${first.id}`, { notes: 'm' }, { 'if-match': '"1"' })).statusCode, 412)
    assert.equal((await call('DELETE', `${invoices}/${first.id}`)).statusCode, 204)
    assert.equal((await get(`${invoices}/${first.id}`)).statusCode, 404)
    const { events } = (await get(`${invoices}/${first.id}/history`)).json()
    assert.deepEqual(
      events.map(({ type }: Json) => type),
      ['deleted', 'updated', 'created'].map((verb) => `carrier_invoice.${verb}`),
    )
    const stranger = await newCaller(service)
    const mine = await made(caller, invoices, { invoice_number: 'x', currency_id: 'usd' })
    assert.equal((await stranger.get(`${invoices}/${mine.id}`)).statusCode, 404)
    assert.equal((await stranger.call('POST', `${invoices}/${mine.id}/audit`)).statusCode, 404)
  })

  test('an audit matches by the reference number, a person by the proposals, which say why', async () => {
    const { get, trip, invoice, act, carrier } = await desk()
    const [named, other] = [await trip('TRIP-1', { end_at: '2026-11-09T00:00:00Z' }), await trip('TRIP-2')]
    const clean = await act((await invoice('A-1', { reference_number: 'trip-1' })).id, 'audit')
    assert.deepEqual([clean.state, clean.manifest_ids, clean.findings], ['matched', [named.id], []])
    const unnamed = await invoice('A-2')
    const { proposals } = (await get(`${invoices}/${unnamed.id}/proposals`)).json()
    assert.deepEqual(
      proposals.map(({ manifest_id, agreed_amount }: Json) => [manifest_id, agreed_amount]),
      [
        [named.id, 128000],
        [other.id, 128000],
      ],
    )
    assert.deepEqual(
      proposals[0].reasons.map(({ code }: Json) => code),
      ['same_carrier', 'same_amount', 'date_close'],
    )
    assert.ok(proposals[0].score > proposals[1].score)
    const undecided = await act(unnamed.id, 'audit')
    assert.deepEqual([undecided.state, codesOf(undecided)], ['received', ['no_manifest']])
    await act(unnamed.id, 'match', { manifest_ids: [newId()] }, 400)
    const matched = await act(unnamed.id, 'match', { manifest_ids: [other.id] })
    assert.deepEqual([matched.state, matched.findings, matched.audited_at], ['matched', [], null])
    assert.equal((await act(unnamed.id, 'approve', {}, 409)).error_code, 'not_audited')
    assert.equal((await get(`${invoices}?manifest_ids=${other.id}&partner_carrier_ids=${carrier.id}`)).json().total, 1)
    assert.equal((await act(unnamed.id, 'match', { manifest_ids: [] })).state, 'received')
  })

  test('approving makes the bill, once, however many approve at once, and the manifest shows it', async () => {
    const { call, get, trip, invoice, act, read, carrier, haul } = await desk()
    const manifest = await trip('TRIP-1')
    const { id } = await invoice('INV-77', { reference_number: 'TRIP-1' })
    await act(id, 'audit')
    const answers = await Promise.all(Array.from({ length: 4 }, () => call('POST', `${invoices}/${id}/approve`)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode).sort(),
      [200, 409, 409, 409],
      answers.map(({ body }) => body).join('\n'),
    )
    const billed = await read(id)
    assert.deepEqual([billed.state, billed.approved_amount, (billed.decisions as Json[]).length], ['billed', 128000, 1])
    const { bill, bill_items, pay_term } = (await get(`/api/v1/bills/${billed.bill_id}`)).json()
    assert.deepEqual(
      [
        bill.status_id,
        bill.reference_number,
        bill.partner_carrier_id,
        bill.total_amount,
        bill.bill_date,
        bill.master_trip_id,
        pay_term.name,
      ],
      ['saved', 'INV-77', carrier.id, 128000, '2026-11-10T00:00:00.000Z', manifest.id, 'Net 15'],
    )
    assert.deepEqual(
      bill_items.map((line: Json) => [line.manifest_id, line.total_amount]),
      [
        [manifest.id, 100000],
        [manifest.id, 28000],
      ],
    )
    assert.equal(bill_items[0].bill_item_type_id, haul.id)
    assert.equal((await get(`/api/v1/manifests/${manifest.id}`)).json().manifest.bill_id, bill.id)
    assert.equal((await get(`/api/v1/bills?in_manifest_ids=${manifest.id}`)).json().total, 1)
    assert.equal((await call('PUT', `${invoices}/${id}`, { notes: 'x' })).json().error_code, 'is_decided')
    assert.equal((await call('DELETE', `${invoices}/${id}`)).json().error_code, 'is_decided')
    const types = (await get(`${invoices}/${id}/history`)).json().events.map(({ type }: Json) => type)
    assert.deepEqual(
      types,
      ['billed', 'audited', 'created'].map((verb) => `carrier_invoice.${verb}`),
    )
  })

  test('a line that is a tax is the tax of the bill, also where less is paid or a draft becomes it; one that is all tax, or gives tax back, is billed as it is', async () => {
    const { call, get, trip, invoice, act, lines } = await desk()
    const billOf = async ({ bill_id }: Kept) => {
      const { bill, bill_items } = (await get(`/api/v1/bills/${bill_id}`)).json()
      return [
        bill.sub_total_amount,
        bill.tax_amount,
        bill.total_amount,
        bill_items.map((item: Json) => item.total_amount),
      ]
    }
    const gst = { type: 'GST', amount: 6400, is_tax: true }
    const approved = async (number: string, lines: Json[], amount?: number | 'agreed') => {
      await trip(`TRIP-${number}`)
      const { id } = await invoice(number, { reference_number: `TRIP-${number}`, lines })
      const { state } = await act(id, 'audit')
      if (state === 'exception')
        await act(id, amount === undefined ? 'accept' : 'short_pay', {
          note: 'as agreed',
          ...(typeof amount === 'number' && { amount }),
        })
      return billOf(await act(id, 'approve'))
    }
    const dearer = [{ type: 'Line haul', amount: 110000 }, ...lines.slice(1), gst]
    assert.deepEqual(await approved('1', [...lines, gst]), [128000, 6400, 134400, [100000, 28000]])
    assert.deepEqual(await approved('2', dearer, 130000), [123600, 6400, 130000, [110000, 28000, -14400]])
    assert.deepEqual(await approved('2b', dearer, 'agreed'), [128000, 6400, 134400, [110000, 28000, -10000]])
    assert.deepEqual(await approved('3', [gst]), [6400, 0, 6400, [6400]])
    assert.deepEqual(await approved('4', [...lines, { ...gst, amount: -6400 }]), [
      121600,
      0,
      121600,
      [100000, 28000, -6400],
    ])
    const manifest = await trip('TRIP-5')
    await call('POST', `/api/v1/manifests/${manifest.id}/bill`)
    const { id } = await invoice('5', { reference_number: 'TRIP-5', lines: [...lines, gst] })
    assert.deepEqual((await act(id, 'audit')).findings, [])
    assert.deepEqual(await billOf(await act(id, 'approve')), [128000, 6400, 134400, [100000, 28000]])
    await trip('TRIP-6', { payment_items: [] })
    const unagreed = await invoice('6', { reference_number: 'TRIP-6', lines: [...lines, gst] })
    await act(unagreed.id, 'audit')
    assert.equal((await act(unagreed.id, 'short_pay', { note: 'x' }, 409)).error_code, 'nothing_agreed')
  })

  test('the bill of a carrier without a pay term has the default term of the organization', async () => {
    const { admin, caller, get, trip, invoice, act } = await desk()
    const carrier = await made(caller, 'partner_carriers', { name: 'No terms', currency_id: 'usd' })
    const term = await made(caller, 'pay_terms', { name: 'Net 45', number_of_days: 45 })
    assert.equal((await admin.call('PUT', '/api/v1/organization', { default_pay_term_id: term.id })).statusCode, 200)
    await trip('A', { partner_carrier_id: carrier.id })
    const { id } = await invoice('INV-1', { reference_number: 'A', partner_carrier_id: carrier.id })
    await act(id, 'audit')
    const { bill } = (await get(`/api/v1/bills/${(await act(id, 'approve')).bill_id}`)).json()
    assert.deepEqual([bill.pay_term_id, bill.due_date], [term.id, '2026-12-25T00:00:00.000Z'])
  })

  test('a draft that was made from the manifest becomes the bill, and a second invoice for a load is an exception', async () => {
    const { call, trip, invoice, act, get } = await desk()
    const manifest = await trip('TRIP-1')
    const draft = (await call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json().bill
    const { id } = await invoice('INV-1', { reference_number: 'TRIP-1' })
    assert.deepEqual(codesOf(await act(id, 'audit')), [])
    const rival = await act((await invoice('INV-2', { reference_number: 'TRIP-1' })).id, 'audit')
    assert.deepEqual([rival.state, codesOf(rival)], ['exception', ['already_billed']])
    const billed = await act(id, 'approve')
    assert.equal(billed.bill_id, draft.id)
    const bill = (await get(`/api/v1/bills/${draft.id}`)).json()
    assert.deepEqual([bill.bill.status_id, bill.bill.reference_number, bill.bill_items.length], ['saved', 'INV-1', 2])
    const late = await act((await invoice('inv1', { reference_number: 'TRIP-1' })).id, 'audit')
    assert.deepEqual(codesOf(late), ['already_billed', 'duplicate'])
    assert.match(late.findings[1]?.message ?? '', /^The bill BILL-\d+ has the number of this invoice\.$/)
  })

  test('a load is billed once: approving asks again what became of the manifest since the audit, and names the bill', async () => {
    const { call, get, trip, invoice, act, read } = await desk()
    const manifest = await trip('TRIP-1')
    const { id } = await invoice('INV-1', { reference_number: 'TRIP-1' })
    assert.equal((await act(id, 'audit')).state, 'matched')
    const { bill } = (await call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json()
    const { number } = (await call('POST', `/api/v1/bills/${bill.id}/save`)).json().bill
    const refused = (await act(id, 'approve', {}, 409)) as Json
    assert.deepEqual([refused.error_code, (refused.details as Json[])[0]?.allowed], ['already_billed', [bill.id]])
    assert.match(
      refused.error_message as string,
      new RegExp(`^The bill ${number} pays for its manifest already, .* audit it again, and decide`),
    )
    assert.equal((await read(id)).state, 'matched')
    assert.equal((await get('/api/v1/bills')).json().total, 1)
    assert.deepEqual(codesOf(await act(id, 'audit')), ['already_billed'])
    await act(id, 'accept', { note: 'The carrier is owed both' })
    const second = await act(id, 'approve')
    assert.notEqual(second.bill_id, bill.id)
    assert.equal((await get(`/api/v1/manifests/${manifest.id}`)).json().manifest.bill_id, bill.id)
  })

  test('of two clean invoices for a load one is billed, also when both are approved at once, and the other is found to be too much', async () => {
    const { call, get, trip, invoice, act, read } = await desk()
    const manifest = await trip('TRIP-1')
    const [earlier, later] = [await invoice('INV-1'), await invoice('INV-2', { reference_number: 'TRIP-1' })]
    await act(later.id, 'audit')
    await act(earlier.id, 'match', { manifest_ids: [manifest.id] })
    assert.equal((await act(earlier.id, 'audit')).state, 'matched')
    const answers = await Promise.all([earlier, later].map(({ id }) => call('POST', `${invoices}/${id}/approve`)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode).sort(),
      [200, 409],
      answers.map(({ body }) => body).join('\n'),
    )
    assert.equal((await get('/api/v1/bills')).json().total, 1)
    const left = answers[0]?.statusCode === 409 ? earlier.id : later.id
    assert.deepEqual([(await read(left)).state, codesOf(await act(left, 'audit'))], ['matched', ['already_billed']])
  })

  test('an invoice that came later counts too once it is approved', async () => {
    const { trip, invoice, act } = await desk()
    const manifest = await trip('TRIP-1')
    const [earlier, later] = [
      await invoice('INV-1'),
      await invoice('INV-2', { reference_number: 'TRIP-1', total_amount: 128001 }),
    ]
    await act(later.id, 'audit')
    await act(later.id, 'accept', { note: 'One cent' })
    await act(earlier.id, 'match', { manifest_ids: [manifest.id] })
    const { findings } = await act(earlier.id, 'audit')
    assert.match(findings[0]?.message ?? '', /^MAN-\d+ is paid for by the carrier invoice INV-2 already\.$/)
  })

  test('the bill of an invoice for several manifests pays for each of them', async () => {
    const { call, get, trip, invoice, act, lines } = await desk()
    const [one, two] = [await trip('TRIP-1'), await trip('TRIP-2')]
    const both = { manifest_ids: [one.id, two.id], lines: [...lines, ...lines] }
    const earlier = await invoice('INV-1')
    const { id } = await invoice('INV-2', both)
    const drafts = await Promise.all(
      [one, two].map(async (manifest) => (await call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json().bill.id),
    )
    assert.equal((await act(id, 'audit')).state, 'matched')
    assert.equal((await act(id, 'approve', {}, 409)).error_code, 'several_drafts')
    assert.equal((await call('DELETE', `/api/v1/bills/${drafts[1]}`)).statusCode, 204)
    assert.equal((await act(id, 'approve')).bill_id, drafts[0])
    for (const manifest of [one, two]) {
      const again = await call('POST', `/api/v1/manifests/${manifest.id}/bill`)
      assert.deepEqual([again.statusCode, again.json().bill.id], [200, drafts[0]])
    }
    await act(earlier.id, 'match', { manifest_ids: [two.id] })
    const found = await act(earlier.id, 'audit')
    assert.match(found.findings[0]?.message ?? '', /^MAN-\d+ is paid for by BILL-\d+ already\.$/)
    assert.equal((await get('/api/v1/bills')).json().total, 1)
    // A voided bill pays for nothing: both can be billed again.
    assert.equal((await call('POST', `/api/v1/bills/${drafts[0]}/void`, { reason: 'Wrong' })).statusCode, 200)
    assert.equal((await call('POST', `/api/v1/manifests/${two.id}/bill`)).statusCode, 201)
  })

  test('a draft that is saved while its invoice is approved stays as it was saved', async () => {
    const { call, get, trip, invoice, act, org } = await desk()
    const manifest = await trip('TRIP-1')
    const draft = (await call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json().bill
    const { id } = await invoice('INV-1', { reference_number: 'TRIP-1' })
    await act(id, 'audit')
    const approved = await systemContext(service.database, org).transaction(async (ctx) => {
      await updateBill(ctx, { by: 'id', id: draft.id }, { status_id: 'saved' }, null)
      const answer = Promise.resolve(call('POST', `${invoices}/${id}/approve`))
      while ((await listWaiting(service.pool, connectionName)).length === 0) await sleep(5)
      return { answer }
    })
    assert.equal((await approved.answer).json().error_code, 'already_billed')
    const { bill } = (await get(`/api/v1/bills/${draft.id}`)).json()
    assert.deepEqual([bill.status_id, bill.reference_number], ['saved', 'TRIP-1'])
  })

  test('a lot leaves out what was disputed after it was chosen', async () => {
    const { trip, invoice, act, org } = await desk()
    await trip('TRIP-1')
    const [one, other] = [
      await invoice('INV-1', { reference_number: 'TRIP-1', total_amount: 1 }),
      await invoice('INV-2'),
    ]
    await act(one.id, 'audit')
    await act(one.id, 'dispute', { note: 'x' })
    const locked = await systemContext(service.database, org).transaction((ctx) => lockOpen(ctx, [one.id, other.id]))
    assert.deepEqual(
      locked.map(({ id }) => id),
      [other.id],
    )
  })

  test('the narrowest tolerance counts, and what is inside is approved by itself where the policy says so', async () => {
    const { admin, call, trip, invoice, act, carrier, fuel, read } = await desk()
    const names = ['A', 'B', 'C']
    for (const name of names) await trip(name)
    const over = (amount: number) => [
      { type: 'Line haul', amount: 100000 },
      { type: 'Fuel', amount },
    ]
    const one = await invoice('1', { reference_number: 'A', lines: over(28500) })
    assert.deepEqual(codesOf(await act(one.id, 'audit')), ['fuel'])
    const wide = await made(admin, policies, { over_percent: '5' })
    assert.equal((await call('POST', policies, { over_percent: '9' })).statusCode, 403)
    assert.equal((await admin.call('POST', policies, { over_percent: '9' })).json().error_code, 'policy_taken')
    assert.equal((await admin.call('POST', policies, { over_percent: 'much' })).json().error_code, 'bad_percent')
    assert.equal(
      (await admin.call('POST', policies, { bill_item_type_id: fuel.id, approve_automatically: true })).json()
        .error_code,
      'not_for_a_type',
    )
    assert.equal(
      (await admin.call('POST', policies, { bill_item_type_id: newId() })).json().error_code,
      'unknown_bill_item_type',
    )
    assert.deepEqual((await act(one.id, 'audit')).state, 'matched')
    await made(admin, policies, { bill_item_type_id: fuel.id, over_amount: 100 })
    assert.deepEqual(codesOf(await act(one.id, 'audit')), ['fuel'])
    await made(admin, policies, { partner_carrier_id: carrier.id, over_percent: '2' })
    assert.deepEqual(codesOf(await act(one.id, 'audit')), [])
    await made(admin, policies, { partner_carrier_id: carrier.id, bill_item_type_id: fuel.id, over_amount: 1 })
    assert.deepEqual(codesOf(await act(one.id, 'audit')), ['fuel'])
    const changed = await admin.call(
      'PUT',
      `${policies}/${wide.id}`,
      { approve_automatically: true },
      { 'if-match': '"1"' },
    )
    assert.equal(changed.json().audit_policy.approve_automatically, true, changed.body)
    const two = await invoice('2', { reference_number: 'B' })
    assert.equal(
      (await act(two.id, 'audit')).state,
      'matched',
      'the policy of the carrier is narrower, and does not approve',
    )
    const { audit_policies } = (await call('GET', `${policies}?partner_carrier_id=${carrier.id}`)).json()
    for (const { id } of audit_policies) assert.equal((await admin.call('DELETE', `${policies}/${id}`)).statusCode, 204)
    assert.equal((await act(two.id, 'audit')).state, 'billed')
    assert.equal(typeof (await read(two.id)).bill_id, 'string')
    const held = await invoice('3', { reference_number: 'C', lines: over(29000) })
    assert.equal((await act(held.id, 'audit')).state, 'exception')
  })

  test('exceptions are accepted, paid short, disputed and rejected, each with a note and a person', async () => {
    const { trip, invoice, act, get } = await desk()
    for (const name of ['A', 'B', 'C', 'D']) await trip(name)
    const over = {
      lines: [
        { type: 'Line haul', amount: 110000 },
        { type: 'Fuel', amount: 28000 },
      ],
    }
    const exception = async (name: string) =>
      (await act((await invoice(`INV-${name}`, { reference_number: name, ...over })).id, 'audit')).id
    const [accepted, short, disputed, rejected] = [
      await exception('A'),
      await exception('B'),
      await exception('C'),
      await exception('D'),
    ]
    await act(accepted, 'accept', {}, 400)
    assert.equal((await act(accepted, 'approve', {}, 409)).error_code, 'wrong_state')
    assert.deepEqual([(await act(accepted, 'accept', { note: 'Agreed by phone' })).state], ['approved'])
    assert.equal((await act(accepted, 'approve')).approved_amount, 138000)
    assert.equal((await act(short, 'short_pay', { note: 'As agreed', amount: 138000 }, 409)).error_code, 'not_short')
    const below = (await act(short, 'short_pay', { note: 'x', amount: -500 }, 400)) as Json
    assert.deepEqual([below.error_code, (below.details as Json[])[0]?.field], ['too_small', 'amount'])
    const paidShort = await act(short, 'short_pay', { note: 'As agreed' })
    assert.deepEqual([paidShort.state, paidShort.approved_amount], ['approved', 128000])
    const { bill_id, decisions } = await act(short, 'approve')
    const { bill, bill_items } = (await get(`/api/v1/bills/${bill_id}`)).json()
    assert.equal(bill.total_amount, 128000)
    assert.deepEqual(
      bill_items.map(({ total_amount }: Json) => total_amount),
      [110000, 28000, -10000],
    )
    assert.deepEqual(
      (decisions as Json[]).map(({ decision, note, amount }) => [decision, note, amount]),
      [
        ['short_pay', 'As agreed', 128000],
        ['approve', null, 128000],
      ],
    )
    assert.ok((decisions as Json[]).every(({ decided_by, decided_at }) => decided_by && decided_at))
    const open = await act(disputed, 'dispute', { note: 'Asked for the POD' })
    assert.deepEqual([open.state, open.is_disputed], ['exception', true])
    assert.equal((await get(`${invoices}?disputed=true`)).json().total, 1)
    assert.equal((await act(rejected, 'reject', { note: 'Not our load' })).state, 'rejected')
    assert.equal((await act(rejected, 'accept', { note: 'x' }, 409)).error_code, 'wrong_state')
    assert.equal((await act(rejected, 'audit', {}, 409)).error_code, 'is_decided')
  })

  test('paid short without an amount is what was agreed, whatever the lines and the total say of each other', async () => {
    const { trip, invoice, act } = await desk()
    const twoLines = [
      { type: 'Line haul', amount: 110000 },
      { type: 'Fuel', amount: 28000 },
    ]
    const cases: [string, Json][] = [
      ['A', { lines: [{ type: 'All in', amount: 130000 }], total_amount: 150000 }],
      ['B', { lines: twoLines, total_amount: 150000 }],
      ['C', { lines: twoLines, total_amount: 130000 }],
      ['D', { lines: [], total_amount: 150000 }],
    ]
    for (const [name, content] of cases) {
      await trip(name)
      const { id } = await invoice(`INV-${name}`, { reference_number: name, ...content })
      await act(id, 'audit')
      assert.equal((await act(id, 'short_pay', { note: 'As agreed' })).approved_amount, 128000, name)
    }
  })

  test('paid short where a type is split into several lines or items is what was agreed in all', async () => {
    const { trip, invoice, act } = await desk()
    const hauls = (name: 'amount' | 'unit_price', ...amounts: number[]) =>
      amounts.map((amount) => ({ type: 'Line haul', [name]: amount }))
    const cases: [string, number[], Json[]][] = [
      ['A', [190000], [...hauls('amount', 100000, 90000), { type: 'Fuel', amount: 20000 }]],
      ['B', [100000, 90000], [...hauls('amount', 190000), { type: 'Fuel', amount: 20000 }]],
    ]
    for (const [name, agreed, lines] of cases) {
      await trip(name, { payment_items: hauls('unit_price', ...agreed) })
      const { id } = await invoice(`INV-${name}`, { reference_number: name, lines })
      assert.deepEqual(codesOf(await act(id, 'audit')), ['unexpected_line'], name)
      assert.equal((await act(id, 'short_pay', { note: 'As agreed' })).approved_amount, 190000, name)
    }
  })

  test('what follows from the audit is audited again where the manifest changed since', async () => {
    const { call, trip, invoice, act, read } = await desk()
    const hauls = (unit_price: number) => ({ payment_items: [{ type: 'Line haul', unit_price }] })
    const audited = async (name: string, amount: number) => {
      const manifest = await trip(name, hauls(190000))
      const { id } = await invoice(`INV-${name}`, { reference_number: name, lines: [{ type: 'Line haul', amount }] })
      await act(id, 'audit')
      return {
        id,
        agree: async (price: number) =>
          assert.equal((await call('PUT', `/api/v1/manifests/${manifest.id}`, hauls(price))).statusCode, 200),
      }
    }
    const short = await audited('A', 210000)
    await short.agree(100000)
    assert.equal((await act(short.id, 'short_pay', { note: 'As agreed' })).approved_amount, 100000)
    const clean = await audited('B', 190000)
    await clean.agree(100000)
    assert.equal((await act(clean.id, 'approve', {}, 409)).error_code, 'not_audited')
    assert.deepEqual([(await read(clean.id)).state, codesOf(await act(clean.id, 'audit'))], ['matched', ['over']])
    const same = await audited('C', 190000)
    await same.agree(100000)
    await same.agree(190000)
    assert.equal((await act(same.id, 'approve')).approved_amount, 190000)
  })

  test('one line called otherwise is held against all that was agreed, and paid short it is what was agreed; nothing only where somebody says so', async () => {
    const { trip, invoice, act, get } = await desk()
    await trip('A', { payment_items: [{ type: 'Line haul', unit_price: 190000 }] })
    const one = await invoice('INV-A', { reference_number: 'A', lines: [{ type: 'Freight charges', amount: 210000 }] })
    const { findings } = await act(one.id, 'audit')
    assert.deepEqual(findings, [
      {
        ...{ line: 1, code: 'over', message: 'The total is 2,100.00 USD, 200.00 USD over the 1,900.00 USD agreed.' },
        ...{ expected_amount: 190000, billed_amount: 210000, difference_amount: 20000 },
      },
    ])
    assert.equal((await act(one.id, 'short_pay', { note: 'As agreed' })).approved_amount, 190000)
    const { bill, bill_items } = (await get(`/api/v1/bills/${(await act(one.id, 'approve')).bill_id}`)).json()
    assert.deepEqual(
      [bill.total_amount, bill_items.map(({ total_amount }: Json) => total_amount)],
      [190000, [210000, -20000]],
    )
    await trip('B', { payment_items: [] })
    const other = await invoice('INV-B', {
      reference_number: 'B',
      lines: [{ type: 'Freight charges', amount: 210000 }],
    })
    await act(other.id, 'audit')
    assert.equal((await act(other.id, 'short_pay', { note: 'x' }, 409)).error_code, 'nothing_agreed')
    assert.equal((await act(other.id, 'short_pay', { note: 'x', amount: 0 })).approved_amount, 0)
    const most = Number.MAX_SAFE_INTEGER
    await trip('C', { payment_items: ['Line haul', 'Fuel'].map((type) => ({ type, unit_price: -most })) })
    const beyond = await invoice('INV-C', { reference_number: 'C', lines: [{ amount: most }], total_amount: -most })
    await act(beyond.id, 'audit')
    assert.equal((await act(beyond.id, 'short_pay', { note: 'x' }, 409)).error_code, 'amount_too_large')
  })

  test('a load that is not delivered or has no proof of it is an exception, which the policy can switch off', async () => {
    const { admin, call, underway, pod, invoice, act, carrier, fuel } = await desk()
    const manifest = await underway('A')
    const { id } = await invoice('INV-A', { reference_number: 'A' })
    const found = await act(id, 'audit')
    assert.deepEqual([found.state, codesOf(found)], ['exception', ['not_delivered', 'no_pod']])
    assert.match(found.findings[0]?.message ?? '', /^MAN-\d+ is not delivered yet: it is in transit\.$/)
    await call('PUT', `/api/v1/manifests/${manifest.id}`, { status: 'completed' })
    assert.deepEqual(codesOf(await act(id, 'audit')), ['no_pod'])
    await pod(`carrier_invoice:${id}`)
    assert.deepEqual(codesOf(await act(id, 'audit')), [])
    const customer = await made(admin, 'customers', { name: 'Acme' })
    const order = await made(admin, 'orders', { customer_id: customer.id })
    await underway('B', { order_ids: [order.id] })
    const other = await invoice('INV-B', { reference_number: 'B' })
    await pod(`order:${order.id}`)
    assert.deepEqual(codesOf(await act(other.id, 'audit')), ['not_delivered'])
    const policy = await made(admin, policies, { partner_carrier_id: carrier.id, check_delivery: false })
    assert.deepEqual([policy.check_delivery, policy.check_pod], [false, true])
    assert.deepEqual(codesOf(await act(other.id, 'audit')), [])
    const ofType = await admin.call('POST', policies, { bill_item_type_id: fuel.id, check_pod: false })
    assert.equal(ofType.json().error_code, 'not_for_a_type')
  })

  test('a total that was computed follows the lines, one that the carrier stated stays', async () => {
    const { call, trip, invoice, act, lines } = await desk()
    await trip('A')
    const changed = async (id: string, body: Json) =>
      (await call('PUT', `${invoices}/${id}`, body)).json().carrier_invoice
    const [first] = lines
    const computed = await invoice('INV-1', { reference_number: 'A' })
    assert.deepEqual([computed.total_amount, computed.is_total_computed], [128000, true])
    assert.equal((await changed(computed.id, { lines: [first] })).total_amount, 100000)
    // A record that is sent back as it was read states no total.
    assert.equal((await changed(computed.id, { ...computed, total_amount: 100000, lines })).total_amount, 128000)
    assert.deepEqual(codesOf(await act(computed.id, 'audit')), [])
    const stated = await changed(computed.id, { total_amount: 130000 })
    assert.deepEqual([stated.total_amount, stated.is_total_computed], [130000, false])
    assert.equal((await changed(computed.id, { lines: [first] })).total_amount, 130000)
    const given = await invoice('INV-2', { total_amount: 128000 })
    assert.deepEqual(
      [given.is_total_computed, (await changed(given.id, { lines: [first] })).total_amount],
      [false, 128000],
    )
  })

  test('voiding its bill takes the invoice along: it is audited anew, can be decided about again, and is billed again by a person only', async () => {
    const { admin, call, get, trip, invoice, act, read } = await desk()
    const manifest = await trip('A')
    await made(admin, policies, { approve_automatically: true })
    const { id } = await invoice('INV-A', { reference_number: 'A' })
    const first = await act(id, 'audit')
    assert.equal(first.state, 'billed')
    const voided = await call('POST', `/api/v1/bills/${first.bill_id}/void`, { reason: 'Wrong load' })
    assert.equal(voided.statusCode, 200, voided.body)
    const open = await read(id)
    assert.deepEqual([open.state, open.bill_id, open.approved_amount, open.findings], ['matched', null, null, []])
    assert.notEqual(open.audited_at, null)
    assert.deepEqual((open.decisions as Json[]).map(({ decision, note }) => [decision, note]).at(-1), [
      'void',
      'Wrong load',
    ])
    assert.equal(
      (await act(id, 'audit')).state,
      'matched',
      'a policy that approves by itself does not know why the bill was voided',
    )
    const second = await act(id, 'approve')
    assert.notEqual(second.bill_id, first.bill_id)
    assert.equal((await get(`/api/v1/manifests/${manifest.id}`)).json().manifest.bill_id, second.bill_id)
    const types = (await get(`${invoices}/${id}/history`)).json().events.map(({ type }: Json) => type)
    assert.deepEqual(
      types,
      ['billed', 'audited', 'audited', 'reopened', 'billed', 'audited', 'created'].map(
        (verb) => `carrier_invoice.${verb}`,
      ),
    )
    // What is refused leaves both as they are.
    assert.equal((await call('POST', `/api/v1/bills/${second.bill_id}/pay`)).statusCode, 200)
    assert.equal(
      (await call('POST', `/api/v1/bills/${second.bill_id}/void`, { reason: 'x' })).json().error_code,
      'has_payments',
    )
    assert.equal((await read(id)).state, 'billed')
  })

  test('correcting its bill leaves the invoice billed by the draft; with the draft deleted it can be decided about again', async () => {
    const { call, get, trip, invoice, act, read, caller } = await desk()
    await trip('A')
    const { id } = await invoice('INV-A', { reference_number: 'A' })
    await act(id, 'audit')
    const { bill_id } = await act(id, 'approve')
    const copy = (await call('POST', `/api/v1/bills/${bill_id}/correct`, { reason: 'Wrong rate' })).json().bill.id
    assert.deepEqual([(await read(id)).state, (await read(id)).bill_id], ['billed', copy])
    assert.equal((await get(`${invoices}?bill_ids=${copy}`)).json().total, 1)
    // The draft is the bill of this invoice, and another for the same load does not take it.
    const rival = await invoice('INV-B', { reference_number: 'A' })
    assert.deepEqual(codesOf(await act(rival.id, 'audit')), ['already_billed'])
    await act(rival.id, 'accept', { note: 'Owed both' })
    assert.notEqual((await act(rival.id, 'approve')).bill_id, copy)
    assert.equal((await call('DELETE', `/api/v1/bills/${copy}`)).statusCode, 204)
    const open = await read(id)
    assert.deepEqual([open.state, open.bill_id, codesOf(open)], ['exception', null, ['already_billed']])
    assert.deepEqual(
      (await caller.events())
        .filter(({ subject_id, type }) => subject_id === id && /corrected|reopened/.test(type))
        .map(({ type }) => type),
      ['carrier_invoice.corrected', 'carrier_invoice.reopened'],
    )
  })

  test('a draft that becomes the bill of an invoice while it is voided takes the invoice along', async () => {
    const { call, trip, invoice, act, read, org } = await desk()
    const manifest = await trip('A')
    const draft = (await call('POST', `/api/v1/manifests/${manifest.id}/bill`)).json().bill
    const { id } = await invoice('INV-A', { reference_number: 'A' })
    await act(id, 'audit')
    const voided = await systemContext(service.database, org).transaction(async (ctx) => {
      await decideInvoice(ctx, { by: 'id', id }, 'approve', {}, null)
      const answer = Promise.resolve(call('POST', `/api/v1/bills/${draft.id}/void`, { reason: 'x' }))
      while ((await listWaiting(service.pool, connectionName)).length === 0) await sleep(5)
      return { answer }
    })
    assert.equal((await voided.answer).statusCode, 200, (await voided.answer).body)
    assert.deepEqual([(await read(id)).state, (await read(id)).bill_id], ['matched', null])
  })

  test('a bill that cannot be made leaves the invoice as it is', async () => {
    const { call, admin, trip, invoice, act, read } = await desk()
    await trip('A')
    const { id } = await invoice('INV-1', { reference_number: 'A', lines: [{ amount: 129000, type: 'Line haul' }] })
    const audited = await act(id, 'audit')
    assert.equal(audited.state, 'exception')
    await act(id, 'accept', { note: 'all in' })
    // Its number is taken by a bill that was entered meanwhile, and the organization refuses duplicates.
    await admin.call('PUT', '/api/v1/organization', { duplicates: 'refuse' })
    const bill = { partner_carrier_id: audited.partner_carrier_id, reference_number: 'INV 1', currency_id: 'usd' }
    assert.equal((await call('POST', '/api/v1/bills', bill)).statusCode, 201)
    assert.equal((await act(id, 'approve', {}, 409)).error_code, 'duplicate_bill')
    const same = await read(id)
    assert.deepEqual([same.state, same.bill_id, (same.decisions as Json[]).length], ['approved', null, 1])
  })

  test('a batch audits all in the background, and a replay says what another policy would have done', async () => {
    const { admin, call, get, trip, invoice, act, carrier } = await desk()
    await made(admin, policies, {
      partner_carrier_id: carrier.id,
      over_percent: '1',
      under_percent: '100',
      approve_automatically: true,
    })
    for (let index = 0; index < 6; index += 1) await trip(`T-${index}`)
    const over = (amount: number) => ({
      lines: [
        { type: 'Line haul', amount },
        { type: 'Fuel', amount: 28000 },
      ],
    })
    await Promise.all(
      [100000, 100500, 104000, 104000, 120000].map((amount, index) =>
        invoice(`I-${index}`, { reference_number: `T-${index}`, ...over(amount) }),
      ),
    )
    await invoice('I-9', { reference_number: 'nothing' })
    const started = await call('POST', `${invoices}/audit`, {})
    assert.equal(started.statusCode, 202, started.body)
    const at = started.headers.location as string
    await auditAll(service.database)
    const { audit_run } = (await get(at)).json()
    assert.deepEqual(
      [audit_run.state, audit_run.invoices_done, audit_run.counts],
      ['done', 6, { matched: 0, exception: 3, received: 1, billed: 2 }],
    )
    assert.equal((await get(`/api/v1/audit_runs/${newId()}`)).statusCode, 404)
    assert.equal((await get(`/api/v1/bills?partner_carrier_ids=${carrier.id}`)).json().total, 2)
    await trip('T-7')
    const taxed = await invoice('I-7', {
      reference_number: 'T-7',
      lines: [...over(100000).lines, { type: 'GST', amount: 900000, is_tax: true }],
    })
    const looked = await act(taxed.id, 'audit')
    assert.deepEqual([looked.state, looked.bill_id], ['matched', null])
    assert.equal((await call('DELETE', `${invoices}/${taxed.id}`)).statusCode, 204)
    const before = (await get(invoices)).body
    const tried = await call('POST', `${policies}/replay`, {
      days: 30,
      policy: { partner_carrier_id: carrier.id, over_percent: '5', under_percent: '100', approve_automatically: true },
    })
    const usd = (invoices: number, amount: number) => ({
      invoices,
      amounts: invoices === 0 ? [] : [{ currency_id: 'usd', amount }],
    })
    assert.deepEqual(tried.json().replay, {
      invoices: 5,
      now: { paid: usd(2, 256500), held: usd(3, 412000), caught: usd(3, 28000) },
      tried: { paid: usd(4, 520500), held: usd(1, 148000), caught: usd(1, 20000) },
    })
    assert.equal((await get(invoices)).body, before)
    assert.equal((await call('POST', `${policies}/replay`, { days: 0, policy: {} })).statusCode, 400)
    const exception = (await get(`${invoices}?states=exception&limit=1`)).json().carrier_invoices[0]
    await act(exception.id, 'dispute', { note: 'x' })
    await call('POST', `${invoices}/audit`)
    await auditAll(service.database)
    assert.equal((await get(`${invoices}/${exception.id}`)).json().carrier_invoice.is_disputed, true)
  })
})
