import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inPlace } from '../../../test/described.ts'
import { type Caller, callerIn, sharedService } from '../../../test/service.ts'
import { verifyBooks } from '../../books/verify.ts'
import { verifyPayouts } from '../../payables/upkeep/verify.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { signToken } from '../../platform/access/tokens/access-token.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { listOrganizations } from '../../platform/organizations/actions.ts'
import { faultsOf } from '../../records/upkeep/verify.ts'
import { areas, documentOf } from '../docs/areas.ts'
import { ensureDemo, makeDemo } from './demo.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'lading-demo-'))
after(() => rmSync(dataDir, { recursive: true }))
const service = await sharedService()

type Item = { id?: string; unitPrice: number; quantity: number }
type Found = {
  id: string
  name: string
  status: string
  customerId?: string
  partnerId?: string
  orderIds?: string[]
  paymentItems: Item[]
}
type Line = {
  manifest_id: string | null
  manifest_payment_item_id: string | null
  unit_price: number
  quantity: number
}
type Bill = {
  id: string
  status_id: string
  bill_date: string
  due_date: string | null
  sent_at: string | null
  paid_at: string | null
  partner_carrier_id: string
  master_trip_id: string | null
  remit_to: { company_name: string }
  bill_items: Line[]
}

test('the demo is whole: believable amounts of everything, bills that name its partners and pay its manifests item by item', async () => {
  const { org_id } = await makeDemo(service.database, { ...service.settings, dataDir })
  assert.deepEqual(await faultsOf(service.database, org_id), [])
  await keepsItsFile(org_id)
  const { get, call } = callerIn(service, org_id)
  const { keyring, settings } = service
  const by = { sub: 'application', client_id: 'application', org_id, scopes: scopeNames }
  const authorization = `Bearer ${signToken(keyring, { issuer: settings.authUrl, audience: settings.audience }, by)}`
  assert.deepEqual(
    await examplesRefused(get, (method, url, body) => call(method, url, body, { authorization })),
    refusedExamples,
  )
  assert.deepEqual(await pathsRefused(get, (method, url, body) => call(method, url, body, { authorization })), [])
  const all = async (kind: string): Promise<Found[]> =>
    (await get(`/api/v2/platformModel/objects?objectKey=${kind}&limit=200`)).json().objects
  const kinds = ['customer', 'partner', 'order', 'quote', 'manifest', 'leg', 'equipment', 'service', 'contact']
  const found = new Map(await Promise.all(kinds.map(async (kind) => [kind, await all(kind)] as const)))
  const of = (kind: string) => found.get(kind) as Found[]
  assert.deepEqual(
    kinds.map((kind) => of(kind).length),
    [12, 6, 37, 10, 29, 20, 11, 8, 18],
  )
  const tenders: { state: string; manifest_id: string }[] = (await get('/api/v1/partner_portal/tenders')).json().tenders
  assert.deepEqual(tenders.map(({ state }) => state).sort(), ['countered', 'open'])
  assert.equal(of('manifest').find(({ id }) => id === tenders[0]?.manifest_id)?.partnerId ?? null, null)
  assert.equal((await get('/api/v1/partner_portal/questions?states=open')).json().total, 1)
  const list: { id: string }[] = (await get('/api/v1/bills?limit=200')).json().bills
  assert.equal(list.length, 40)
  const bills: Bill[] = await Promise.all(
    list
      .map(async ({ id }) => (await get(`/api/v1/bills/${id}`)).json())
      .map(async (body) => ({ ...(await body).bill, bill_items: (await body).bill_items })),
  )
  assert.deepEqual([...new Set(bills.map(({ status_id }) => status_id))].sort(), [
    'draft',
    'edited',
    'paid',
    'saved',
    'sent',
  ])
  const synced = async (query: string) =>
    (await get(`/api/v1/bills?limit=200&${query}`)).json().bills as {
      qb_external_id: string | null
      qb_error_msg: string | null
    }[]
  assert.ok(
    (await synced('exported=true')).every(({ qb_external_id }) => qb_external_id !== null) &&
      (await synced('exported=true')).length === 18,
  )
  assert.equal((await synced('exported=false')).filter(({ qb_error_msg }) => qb_error_msg !== null).length, 1)
  const catalogue: string[] = (await get('/api/v1/connectors')).json().connectors.map(({ id }: { id: string }) => id)
  for (const { connector_mappings } of (await get('/api/v1/pay_terms')).json().pay_terms)
    assert.deepEqual(
      Object.keys(connector_mappings).filter((id) => !catalogue.includes(id)),
      [],
    )
  const many = ['bills', 'invoices', 'customers', 'orders', 'manifests', 'payments', 'carrier_invoices']
  for (const path of [...many, 'consolidated_bills', 'credits']) {
    const made: { created_at: string; updated_at: string }[] = (await get(`/api/v1/${path}?limit=200`)).json()[path]
    const days = new Set(made.map(({ created_at }) => created_at.slice(0, 10)))
    assert.ok(days.size > (many.includes(path) ? 3 : 2), `${path} were made on ${days.size} days`)
    for (const { created_at, updated_at } of made)
      assert.ok(
        Date.parse(created_at) >= Date.now() - 91 * 86_400_000 &&
          created_at <= updated_at &&
          Date.parse(updated_at) <= Date.now() + 1000,
      )
  }
  // Those in Canadian dollars have the rate of their month.
  assert.equal((await get('/api/v1/bills?missing_rate=true')).json().total, 0)
  const made = await hasCarrierInvoices(org_id)
  const papers = (await get('/api/v1/documents?attached=true&limit=200')).json()
  assert.ok(papers.total > 12)
  assert.ok((await get(`/api/v1/documents/${papers.documents[0].id}/content`)).rawPayload.length > 0)
  const now = Date.now()
  const before = (one: string | null, other: string | null) =>
    one === null || other === null || Date.parse(one) <= Date.parse(other)
  assert.ok(
    new Set(bills.map(({ bill_date }) => bill_date.slice(0, 7))).size >= 5,
    'the bills lie in five months at least',
  )
  for (const { bill_date, sent_at, paid_at } of bills) {
    assert.ok(before(bill_date, sent_at) && before(sent_at, paid_at), `${bill_date} ${sent_at} ${paid_at}`)
    for (const time of [bill_date, sent_at, paid_at]) assert.ok(time === null || Date.parse(time) <= now + 1000)
  }
  const ageOf = (status: string) =>
    average(bills.filter(({ status_id }) => status_id === status).map(({ bill_date }) => now - Date.parse(bill_date)))
  assert.ok(ageOf('draft') < ageOf('saved') && ageOf('saved') < ageOf('sent') && ageOf('sent') < ageOf('paid'))
  const overdue = bills.filter(
    ({ status_id, due_date }) =>
      !['draft', 'paid'].includes(status_id) && due_date !== null && Date.parse(due_date) < now,
  )
  assert.ok(overdue.length >= 4 && overdue.length <= 12, `${overdue.length} bills are overdue`)
  const partners = new Map(of('partner').map((partner) => [partner.id, partner]))
  const manifests = new Map(of('manifest').map((manifest) => [manifest.id, manifest]))
  for (const bill of bills) assert.equal(partners.get(bill.partner_carrier_id)?.name, bill.remit_to.company_name)
  const paying = bills.filter(({ master_trip_id }) => master_trip_id !== null)
  assert.equal(new Set(paying.map(({ master_trip_id }) => master_trip_id)).size, 16)
  for (const { id, master_trip_id, partner_carrier_id, bill_items } of paying) {
    const manifest = manifests.get(master_trip_id as string)
    assert.deepEqual([manifest?.partnerId, manifest?.status], [partner_carrier_id, 'completed'])
    assert.ok(bill_items.every(({ manifest_id }) => manifest_id === master_trip_id))
    assert.deepEqual(
      bill_items.map((line) => [line.unit_price, line.quantity, line.manifest_payment_item_id]),
      // The lines of a bill that was made of the carrier's invoice are those of the invoice.
      manifest?.paymentItems.map((item) => [item.unitPrice, item.quantity, made.has(id) ? null : (item.id ?? null)]),
    )
  }
  const shown: { bill_id: string | null; status: string }[] = (await get('/api/v1/manifests?limit=200')).json()
    .manifests
  assert.equal(shown.filter(({ bill_id }) => bill_id !== null).length, 16)
  await hasReceivables(org_id)
  await hasPayouts(org_id)
  const known = new Set(of('order').map(({ id }) => id))
  for (const { orderIds = [] } of of('manifest'))
    assert.ok(orderIds.length >= 1 && orderIds.every((id) => known.has(id)))
  await hasBoard(org_id)
})

test('where the reference names a record of the demo by way of example, that record is there', async () => {
  const [demo] = (await listOrganizations(service.database)).filter(({ name }) => name === 'Blue Ridge Freight Brokers')
  const { get } = callerIn(service, demo?.id as string)
  const { paths } = inPlace<{
    paths: Record<string, { get?: { parameters?: { in?: string; name: string; example?: string }[] } }>
    components: Record<string, Record<string, unknown>>
  }>((await get('/openapi.json')).json())
  const named = Object.entries(paths).flatMap(([path, { get: read }]) => {
    const inPath = read?.parameters?.filter((parameter) => parameter.in === 'path') ?? []
    return inPath.length === 1 && inPath[0]?.example?.startsWith('ext:')
      ? [path.replace(/\{\w+\}/, inPath[0].example)]
      : []
  })
  assert.ok(named.length >= 8, named.join())
  for (const path of named) assert.equal((await get(path)).statusCode, 200, path)
})

/** Trips in every state, one of them late, none that arrived before it was expected; orders that wait; and double bookings are refused. */
async function hasBoard(org: string): Promise<void> {
  const { get } = callerIn(service, org)
  type Stop = { window_start: string; arrived_at: string | null }
  type Trip = {
    full_id: string
    status: string
    delay_minutes: number | null
    driver_name: string | null
    stops: Stop[]
  }
  const { manifests }: { manifests: Trip[] } = (await get('/api/v1/dispatch/manifests?limit=200')).json()
  assert.deepEqual([...new Set(manifests.map(({ status }) => status))].sort(), [
    'active',
    'dispatched',
    'in_transit',
    'planned',
  ])
  assert.equal(manifests.filter(({ delay_minutes }) => (delay_minutes ?? 0) > 60).length, 1)
  for (const { full_id, stops } of manifests)
    for (const { window_start, arrived_at } of stops)
      assert.ok(arrived_at === null || arrived_at >= window_start, `${full_id}: ${arrived_at} ${window_start}`)
  assert.equal((await get('/api/v1/dispatch/orders')).json().total, 6)
  assert.equal((await get('/api/v1/organization')).json().organization.double_booking, 'refuse')
}

/** Invoices of carriers in every state, with findings of several kinds and the paper that came. Answers the bills that were made of them. */
async function hasCarrierInvoices(org: string): Promise<ReadonlySet<string>> {
  const { get } = callerIn(service, org)
  type Invoice = {
    id: string
    state: string
    is_disputed: boolean
    findings: { code: string }[]
    bill_id: string | null
  }
  const { carrier_invoices }: { carrier_invoices: Invoice[] } = (await get('/api/v1/carrier_invoices?limit=200')).json()
  assert.deepEqual([...new Set(carrier_invoices.map(({ state }) => state))].sort(), [
    'approved',
    'billed',
    'exception',
    'matched',
    'received',
    'rejected',
  ])
  const codes = new Set(carrier_invoices.flatMap(({ findings }) => findings.map(({ code }) => code)))
  for (const code of ['over', 'unexpected_line', 'fuel', 'detention', 'duplicate', 'already_billed', 'no_manifest'])
    assert.ok(codes.has(code), code)
  assert.ok(carrier_invoices.some(({ is_disputed }) => is_disputed))
  const unmatched = carrier_invoices.find(({ findings }) => findings.some(({ code }) => code === 'no_manifest'))
  assert.ok((await get(`/api/v1/carrier_invoices/${unmatched?.id}/proposals`)).json().proposals.length > 0)
  for (const { id } of carrier_invoices)
    assert.equal((await get(`/api/v1/documents?attached_to=carrier_invoice:${id}`)).json().total, 1)
  assert.equal((await get('/api/v1/audit_policies')).json().total, 2)
  return new Set(carrier_invoices.flatMap(({ bill_id }) => bill_id ?? []))
}

/** Invoices from orders and without, in every state and in two currencies, some of them overdue, and credits on both sides. */
async function hasReceivables(org: string): Promise<void> {
  const { get } = callerIn(service, org)
  type Invoice = {
    id: string
    status_id: string
    currency_id: string
    invoice_date: string
    sent_at: string | null
    paid_at: string | null
    customer_id: string
  }
  const { invoices }: { invoices: Invoice[] } = (await get('/api/v1/invoices?limit=200')).json()
  assert.equal(invoices.length, 36)
  assert.deepEqual([...new Set(invoices.map(({ status_id }) => status_id))].sort(), [
    'draft',
    'edited',
    'paid',
    'saved',
    'sent',
  ])
  assert.deepEqual([...new Set(invoices.map(({ currency_id }) => currency_id))].sort(), ['cad', 'usd'])
  for (const { invoice_date, sent_at, paid_at } of invoices) {
    const times = [invoice_date, sent_at, paid_at].filter((time) => time !== null).map((time) => Date.parse(time))
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    )
    assert.ok(times.every((time) => time <= Date.now() + 1000))
  }
  for (const path of ['invoices', 'bills']) {
    const documents: { payment_status: string; amount_due: number }[] = (await get(`/api/v1/${path}?limit=200`)).json()[
      path
    ]
    assert.ok(documents.some(({ payment_status, amount_due }) => payment_status === 'partially_paid' && amount_due > 0))
  }
  type Payment = { direction: string; method: string; reference_number: string | null; payment_run_id: string | null }
  const { payments }: { payments: Payment[] } = (await get('/api/v1/payments?limit=200')).json()
  for (const direction of ['out', 'in']) {
    const some = payments.filter((payment) => payment.direction === direction)
    assert.deepEqual([...new Set(some.map(({ method }) => method))].sort(), ['ach', 'check', 'recorded', 'wire'])
    assert.ok(some.filter(({ method }) => method === 'recorded').length * 3 < some.length)
    for (const { method, reference_number, payment_run_id } of some)
      assert.equal(reference_number !== null, method !== 'recorded' && payment_run_id === null)
  }
  const overdue = (await get('/api/v1/invoices?overdue=true')).json().total
  assert.ok(overdue >= 3 && overdue <= 12, `${overdue} invoices are overdue`)
  type Order = {
    id: string
    status: string
    invoice_id: string | null
    customer_id: string
    rate: number
    charges: { unit_price: number; quantity: number }[]
  }
  const { orders }: { orders: Order[] } = (await get('/api/v1/orders?limit=200')).json()
  const invoiced = orders.filter(({ invoice_id }) => invoice_id !== null)
  assert.equal(invoiced.length, 12)
  assert.ok(orders.some(({ status, invoice_id }) => status === 'delivered' && invoice_id === null))
  for (const { status, invoice_id, customer_id, rate, charges } of invoiced) {
    const { invoice } = (await get(`/api/v1/invoices/${invoice_id}`)).json()
    const sum = charges.reduce((sum, { unit_price, quantity }) => sum + unit_price * quantity, rate)
    assert.deepEqual([status, invoice.customer_id, invoice.total_amount], ['invoiced', customer_id, sum])
  }
  assert.ok(invoiced.some(({ charges }) => charges.length > 0))
  const { credits }: { credits: { direction: string }[] } = (await get('/api/v1/credits')).json()
  assert.deepEqual(credits.map(({ direction }) => direction).sort(), ['in', 'in', 'out'])
  assert.deepEqual(await verifyBooks(service.pool, [org]), [])
}

/** A payee for each carrier and one of a factoring company, one with a change that waits; a run that was issued, and one that can be approved. */
async function hasPayouts(org: string): Promise<void> {
  const { get } = callerIn(service, org)
  type Payee = {
    id: string
    partner_carrier_id: string | null
    method: string
    factor_payee_id: string | null
    notice_document_id: string | null
    status: string
  }
  const { payees }: { payees: Payee[] } = (await get('/api/v1/payees?limit=50')).json()
  assert.deepEqual([payees.length, payees.filter(({ status }) => status === 'active').length], [7, 7])
  const [factor] = payees.filter(({ partner_carrier_id }) => partner_carrier_id === null)
  const assigned = payees.filter(({ factor_payee_id }) => factor_payee_id !== null)
  assert.deepEqual(
    assigned.map(({ factor_payee_id }) => factor_payee_id),
    [factor?.id],
  )
  assert.equal((await get(`/api/v1/documents/${assigned[0]?.notice_document_id}`)).statusCode, 200)
  assert.equal((await get('/api/v1/payees?waiting=true')).json().total, 1)
  type Run = {
    status: string
    payment_count: number
    bill_count: number
    discount_amount: number
    left_out: { reason: string }[]
  }
  const { payment_runs }: { payment_runs: Run[] } = (await get('/api/v1/payment_runs')).json()
  assert.deepEqual(payment_runs.map(({ status }) => status).sort(), ['draft', 'issued'])
  for (const { payment_count, bill_count } of payment_runs) assert.ok(payment_count >= 2 && bill_count > payment_count)
  const [draft] = payment_runs.filter(({ status }) => status === 'draft')
  assert.ok(draft?.left_out.some(({ reason }) => reason === 'payee_change_waiting'))
  assert.ok((draft?.discount_amount ?? 0) > 0)
  assert.deepEqual(await verifyPayouts(service.pool, [org]), [])
  type Connected = { id: string; connector_id: string; status: string }
  const { connectors_orgs }: { connectors_orgs: Connected[] } = (await get('/api/v1/connectors_orgs')).json()
  assert.deepEqual(
    connectors_orgs.map(({ connector_id, status }) => [connector_id, status]),
    [
      ['csv', 'connected'],
      ['quickbooks_online', 'needs_sign_in'],
    ],
  )
  const mapped = (
    await get(`/api/v1/connectors_orgs/${connectors_orgs[1]?.id}/mappings?kind=pay_terms&mapped=true`)
  ).json()
  assert.equal(mapped.total, 4)
  type Listed = { id: string; state: string; border: string; filings: { state: string }[] }
  const { emanifests }: { emanifests: Listed[] } = (await get('/api/v1/emanifests')).json()
  assert.deepEqual(
    emanifests.map(({ state, border, filings }) => [state, border, filings.map(({ state }) => state)]),
    [
      ['draft', 'ace', []],
      ['accepted', 'aci', ['accepted', 'accepted']],
    ],
  )
}

/** Served at another port, people come back to the reference there, and no longer to where nothing is. */
async function followsItsAddress(file: string, settings: typeof service.settings): Promise<void> {
  const before: { org_id: string; client_id: string; base_url: string; redirect_uris: string[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  const publicUrl = 'http://127.0.0.1:8091'
  const registered = async () => {
    const [row] = await service.database.pool.run<{ redirect_uris: string[] }>(
      sql`select redirect_uris from applications where org_id = ${before.org_id} and client_id = ${before.client_id}`,
    )
    return row?.redirect_uris
  }
  const examples = ['http://127.0.0.1:3000/callback', 'http://localhost:3000/callback']
  for (const address of [publicUrl, 'http://tms.example.com', before.base_url]) {
    await ensureDemo(service.database, { ...settings, publicUrl: address }, { warn: assert.fail })
    const expected = address === 'http://tms.example.com' ? examples : [...examples, `${address}/docs`]
    assert.deepEqual(await registered(), expected)
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).redirect_uris, expected)
  }
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** A crash may leave the new file next to the old one, and with an older version a file of which nothing was written. */
async function keepsItsFile(org: string): Promise<void> {
  const file = join(dataDir, 'demo.json')
  const settings = { ...service.settings, dataDir }
  const said: string[] = []
  const start = () => ensureDemo(service.database, settings, { warn: (line) => said.push(line) })
  const kept = readFileSync(file, 'utf8')
  assert.equal(JSON.parse(kept).org_id, org)
  writeFileSync(`${file}.new`, kept.slice(0, 20), { mode: 0o644 })
  await start()
  assert.deepEqual(
    [readFileSync(file, 'utf8'), statSync(file).mode & 0o777, existsSync(`${file}.new`), said],
    [kept, 0o600, false, []],
  )
  await followsItsAddress(file, settings)
  for (const damaged of ['', kept.slice(0, 100), 'null', '{}']) {
    writeFileSync(file, damaged)
    await start()
    assert.match(said.pop() ?? '', /^\S*demo\.json is damaged, [^\n]*$/)
    assert.equal(readFileSync(file, 'utf8'), damaged)
  }
}

/** What the demo refuses, and not because of the example: what only a person decides, what is there once already, what is not due, and what is a carrier's. */
const refusedExamples = [
  'approveBills person_required',
  'createApprovalDelegation person_required',
  'createAuditPolicy policy_taken',
  'createConnectorOrg already_connected',
  'createPayee carrier_has_a_payee',
  'createPaymentRun nothing_due',
  'createPortalInvoice right_required',
]

/** Tries the body of every operation of the reference page that names no record in its path, as a person does who has just opened it. */
async function examplesRefused(get: Caller['get'], call: Caller['call']): Promise<string[]> {
  const refused: string[] = []
  for (const area of areas) {
    const { paths } = (await get(documentOf(area))).json() as { paths: Record<string, Record<string, Tried>> }
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId, requestBody, 'x-dry-run': canBeTried }] of Object.entries(methods)) {
        const example = requestBody?.content['application/json']?.example
        if (path.includes('{') || !canBeTried || example === undefined) continue
        const answer = await call(method.toUpperCase(), `${path}?dry_run=true`, example)
        const { error_code, code, counts } = answer.json() as {
          error_code?: string
          code?: string
          counts?: { failed: number }
        }
        if (answer.statusCode >= 300) refused.push(`${operationId} ${error_code ?? code}`)
        else if (counts && counts.failed > 0) refused.push(`${operationId} failed`)
      }
    }
  }
  return refused.sort()
}

const triedFirst = [
  ...['updateBill', 'sendBill', 'payBill', 'voidBill', 'correctBill', 'addBillItem'],
  ...['updateInvoice', 'sendInvoice', 'payInvoice', 'voidInvoice', 'correctInvoice', 'addInvoiceItem'],
  ...['updateCustomer', 'updateOrder', 'updateManifest', 'moveManifest', 'updatePartnerCarrier'],
]

/** Tries what most people try first, on the record that stands in the path. */
async function pathsRefused(get: Caller['get'], call: Caller['call']): Promise<string[]> {
  const said: string[] = []
  for (const area of areas) {
    const { paths } = (await get(documentOf(area))).json() as { paths: Record<string, Record<string, Tried>> }
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId, requestBody, parameters = [] }] of Object.entries(methods)) {
        if (!triedFirst.includes(operationId)) continue
        const filled = path.replace(/\{(\w+)\}/g, (_, wanted) =>
          String(parameters.find(({ name }) => name === wanted)?.example),
        )
        const example = requestBody?.content['application/json']?.example
        const answer = await call(method.toUpperCase(), `${filled}?dry_run=true`, example)
        said.push(answer.statusCode < 300 ? operationId : `${operationId} ${answer.body}`)
      }
    }
  }
  return said.filter((one) => !triedFirst.includes(one)).concat(triedFirst.filter((one) => !said.includes(one)))
}

type Tried = {
  operationId: string
  parameters?: { name?: string; example?: string }[]
  'x-dry-run'?: boolean
  requestBody?: { content: Record<string, { example?: unknown }> }
}
