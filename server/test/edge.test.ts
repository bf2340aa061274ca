import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import Fastify from 'fastify'
import { scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { isId, newId } from '../src/platform/core/values/ids.ts'
import { connect } from '../src/platform/db/pool/connect.ts'
import { sql } from '../src/platform/db/sql/sql.ts'
import { guardAnswers } from '../src/platform/http/edge/edge.ts'
import {
  makeMetrics,
  observeBackups,
  observeDocuments,
  observeFeeds,
  observeWaitingMails,
  observeWebhooks,
} from '../src/platform/observe/metrics.ts'
import { soon } from './auth/house.ts'
import { booksOf } from './books/books.ts'
import { isDeep, some } from './depth.ts'
import { inPlace } from './described.ts'
import { interchange, truckload } from './interchanges.ts'
import { personIn } from './people.ts'
import { type Caller, newCaller, openService, type Service } from './service.ts'

const path = '/api/v1/bill_item_types'
const dataDir = mkdtempSync(join(tmpdir(), 'lading-edge-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

const service = await openService({ DATA_DIR: dataDir, REQUEST_LOG_DAYS: '7' })
const caller = await newCaller(service)
/** The one that listens on a port. */
const wiredLog: string[] = []
const wired = await openService(
  { REQUEST_TIMEOUT_MS: '2000', LOG_LEVEL: 'error' },
  { write: (line) => wiredLog.push(line) },
)

/** The body that decisions promise for v1, with the page that explains the code, and the request id of the header. */
function assertError(answer: LightMyRequestResponse, status: number, code?: string): void {
  assert.equal(answer.statusCode, status, answer.body)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const body = answer.json()
  assert.deepEqual(Object.keys(body), ['error_code', 'error_message', 'details', 'request_id', 'doc_url'])
  if (code) assert.equal(body.error_code, code)
  assert.ok(body.error_message.length > 10)
  assert.ok(Array.isArray(body.details))
  assert.equal(body.request_id, answer.headers['x-request-id'])
  assert.equal(body.doc_url, `${service.settings.publicUrl}/docs/errors#${body.error_code}`)
  assert.equal(answer.headers.link, `<${body.doc_url}>; rel="help"`)
}

/** An application that acts for itself, in a new organization: it may read users and applications too. */
async function newApplication(): Promise<Caller> {
  const { keyring, settings } = service
  const made = await newCaller(service)
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: 'app', client_id: 'app', org_id: made.org, scopes: scopeNames },
  )
  const call: Caller['call'] = (method, url, body, headers) =>
    made.call(method, url, body, { authorization: `Bearer ${token}`, ...headers })
  return { ...made, token, call, get: (url, headers) => call('GET', url, undefined, headers) }
}

describe('pages by cursors', async () => {
  const application = await newApplication()
  const books = booksOf(application)
  const admin = booksOf(await personIn(service, application.org, 'admin'))
  const v2 = '/api/v2/platformModel'
  const approver = () => ({ name: 'An approver', email: `${newId()}@example.com`, role: 'approver' })
  const type = await books.make(path, { name: 'First' })
  for (const name of ['Second', 'Third', 'Fourth']) await books.make(path, { name })
  for (const name of ['Net 1', 'Net 2', 'Net 3']) await books.make('/api/v1/pay_terms', { name, number_of_days: 1 })
  for (const name of ['Large', 'New', 'Foreign']) await books.make('/api/v1/approval_rules', { name })
  for (const name of ['GST', 'PST', 'VAT']) await books.make('/api/v1/tax_rates', { name, percent: '5' })
  for (const content of ['one', 'two', 'three']) {
    const headers = { 'content-type': 'text/plain' }
    assert.equal((await books.call('POST', '/api/v1/documents', content, headers)).statusCode, 201)
    await books.make('/api/v1/document_rules', {
      before: 'approve',
      document_types: ['pod'],
      partner_carrier_id: newId(),
    })
  }
  for (const starts_on of ['2026-11-01', '2026-11-02', '2026-11-03'])
    await books.make('/api/v1/exchange_rates', {
      from_currency_id: 'eur',
      to_currency_id: 'usd',
      rate: '1.1',
      starts_on,
    })
  for (const name of ['Ada', 'Bo', 'Cy']) await books.make('/api/v1/users', { name, email: `${newId()}@example.com` })
  const [one, other] = [await books.make('/api/v1/users', approver()), await books.make('/api/v1/users', approver())]
  for (const year of [2190, 2191, 2192])
    await admin.make('/api/v1/approval_delegations', {
      from_user_id: one.id,
      to_user_id: other.id,
      ends_at: `${year}-01-01T00:00:00Z`,
    })
  for (const name of ['Sync', 'Mobile', 'Portal'])
    await books.make('/api/v1/oauth_applications', { name, scopes: ['bills'] })
  const items = [1, 2, 3, 4].map((unit_price) => ({ unit_price, bill_item_type_id: type.id }))
  const bill = await books.make('/api/v1/bills', { currency_id: 'usd', items })
  for (const notes of ['a', 'b', 'c']) await books.call('PUT', `/api/v1/bills/${bill.id}`, { notes })
  for (const name of ['one', 'two', 'three'])
    await books.statement([await books.bill('saved', { partner_carrier_id: newId(), notes: name })])
  const paid = await books.bill('saved')
  for (const amount of [1, 2, 3])
    assert.equal((await books.call('POST', `/api/v1/bills/${paid.id}/pay`, { amount })).statusCode, 200)
  const object = (await books.call('PATCH', `${v2}/objects`, { objectKey: 'customer', json: { name: 'Acme' } })).json()
    .id as string
  const others = ['Bolt', 'Cedar', 'Delta'].map((name) => ({ objectKey: 'customer', json: { name } }))
  assert.equal((await books.call('POST', `${v2}/objects/bulk`, { objects: others })).json().counts.created, 3)
  for (const city of ['Oakland', 'Reno', 'Boise'])
    await books.call('PUT', `${v2}/objects/${object}`, { json: { city } })
  for (const start_at of ['2026-11-03T00:00:00Z', '2026-11-01T00:00:00Z', null, null])
    await books.make('/api/v1/manifests', { start_at })
  for (const pickup_at of ['2026-11-03T00:00:00Z', '2026-11-01T00:00:00Z', null, null])
    await books.make('/api/v1/orders', { customer_id: object, pickup_at })
  const board = (
    await books.call('POST', `${v2}/boards`, { name: 'Board', objectKey: 'customer', sort: 'name' })
  ).json().id as string
  for (const name of ['B', 'C']) await books.call('POST', `${v2}/boards`, { name, objectKey: 'customer' })

  for (const invoice_number of ['1', '2', '3'])
    await books.make('/api/v1/carrier_invoices', { invoice_number, currency_id: 'usd' })
  for (const control of ['000000001', '000000002', '000000003'])
    assert.equal(
      (
        await books.call('POST', '/api/v1/carrier_invoices/edi', interchange([truckload()], { control }), {
          'content-type': 'application/edi-x12',
        })
      ).statusCode,
      201,
    )
  for (const over_amount of [1, 2, 3])
    await books.make('/api/v1/audit_policies', { over_amount, partner_carrier_id: newId() })
  for (const name of ['P', 'Q', 'R']) await books.make('/api/v1/payees', { name, method: 'other' })
  for (const connector_id of ['csv', 'iif']) await books.make('/api/v1/connectors_orgs', { connector_id })
  const { id: connection } = await books.make('/api/v1/connectors_orgs', { connector_id: 'journal' })
  for (const _ of [1, 2, 3])
    assert.equal((await books.call('POST', `/api/v1/connectors_orgs/${connection}/syncs`)).statusCode, 202)
  const manifest_id = (await books.make('/api/v1/manifests', {})).id
  for (const _ of [1, 2, 3]) await books.make('/api/v1/emanifests', { manifest_id, border: 'ace' })
  for (const month of ['01', '02', '03'])
    await books.make('/api/v1/accounting_periods', { starts_on: `2020-${month}-01`, ends_on: `2020-${month}-28` })
  for (const name of ['a', 'b']) await books.make('/api/v1/webhooks', { url: `https://${name}.example.com/` })
  const { id: webhook } = await books.make('/api/v1/webhooks', { url: 'https://hooks.example.com/' })
  for (const _ of [1, 2, 3, 4])
    assert.equal((await books.call('POST', `/api/v1/webhooks/${webhook}/test`)).statusCode, 200)

  for (const _ of [1, 2, 3, 4]) assert.equal((await books.call('POST', '/api/v1/bills/exports')).statusCode, 202)

  /** Each search of the document, and the path by which it is made here. */
  const searches: Record<string, string> = {
    searchBills: '/api/v1/bills',
    listBillItems: `/api/v1/bills/${bill.id}/items`,
    getBillHistory: `/api/v1/bills/${bill.id}/history`,
    searchBillItemTypes: path,
    searchPayTerms: '/api/v1/pay_terms',
    searchApprovalRules: '/api/v1/approval_rules',
    searchApprovalDelegations: '/api/v1/approval_delegations',
    searchApprovers: '/api/v1/approvers',
    searchTaxRates: '/api/v1/tax_rates',
    searchDocuments: '/api/v1/documents',
    searchDocumentRules: '/api/v1/document_rules',
    searchAccountingPeriods: '/api/v1/accounting_periods',
    searchCarrierInvoices: '/api/v1/carrier_invoices',
    searchAuditPolicies: '/api/v1/audit_policies',
    searchEdiInterchanges: '/api/v1/edi_interchanges',
    searchPayments: '/api/v1/payments',
    searchPayees: '/api/v1/payees',
    searchEmanifests: '/api/v1/emanifests',
    searchConnectorOrgs: '/api/v1/connectors_orgs',
    searchConnectorSyncs: `/api/v1/connectors_orgs/${connection}/syncs`,
    searchConnectorMappings: `/api/v1/connectors_orgs/${connection}/mappings?kind=bill_items`,
    listBillPayments: `/api/v1/bills/${paid.id}/payments`,
    searchExchangeRates: '/api/v1/exchange_rates?sort=-starts_on',
    searchCurrencies: '/api/v1/currencies?search_term=dollar',
    searchConsolidatedBills: '/api/v1/consolidated_bills',
    searchUsers: '/api/v1/users',
    searchOAuthApplications: '/api/v1/oauth_applications',
    searchSecurityEvents: '/api/v1/security_events',
    // Not of the searches, each of which adds to it.
    searchRequestLog: '/api/v1/request_log?method=POST',
    // An invitation is mailed to each of the users.
    searchMails: '/api/v1/mails',
    searchWebhooks: '/api/v1/webhooks',
    searchWebhookDeliveries: '/api/v1/webhook_deliveries',
    searchDeliveriesOfWebhook: `/api/v1/webhooks/${webhook}/deliveries`,
    searchCustomers: '/api/v1/customers?sort=-name',
    listObjects: `${v2}/objects?objectKey=customer`,
    getObjectHistory: `${v2}/objects/${object}/history`,
    listDefinitions: `${v2}/definitions`,
    listBoards: `${v2}/boards`,
    listBoardObjects: `${v2}/boards/${board}/objects`,
    searchDispatchManifests: '/api/v1/dispatch/manifests',
    searchOrdersToPlan: '/api/v1/dispatch/orders',
    searchTransfers: '/api/v1/transfers?states=queued',
    searchPlatformModelTransfers: `${v2}/transfers`,
  }
  type Listed = { list: { id?: string; objectKey?: string }[]; total: number; next: string | null }
  const asked = (url: string, more: string) => books.get(`${url}${url.includes('?') ? '&' : '?'}${more}`)
  const page = async (url: string, more: string): Promise<Listed> => {
    const answer = await asked(url, more)
    assert.equal(answer.statusCode, 200, `${url} ${more}: ${answer.body}`)
    const body = answer.json()
    const [next, other] = url.startsWith(v2) ? ['nextAfter', 'next_after'] : ['next_after', 'nextAfter']
    assert.ok(next in body && !(other in body), answer.body)
    return { list: body[Object.keys(body)[0] as string], total: body.total, next: body[next] }
  }
  const idsOf = (list: Listed['list']) => list.map(({ id, objectKey }) => id ?? objectKey)

  for (const [id, url] of Object.entries(searches)) {
    test(`${id} answers page after page what it answers at once; a cursor that is not its own, or comes with an offset, is a 400`, async () => {
      const whole = await page(url, 'limit=200')
      assert.ok(whole.total >= 3 && whole.next === null, `${whole.total} ${whole.next}`)
      const seen: Listed['list'] = []
      for (let after = ''; ; ) {
        const { list, total, next } = await page(url, `limit=2&after=${after}`)
        assert.equal(total, whole.total)
        seen.push(...list)
        if (next === null) break
        after = next
      }
      assert.deepEqual(idsOf(seen), idsOf(whole.list))
      const { next } = await page(url, 'limit=1&offset=1')
      assert.deepEqual(idsOf((await page(url, `limit=1&after=${next}`)).list), idsOf(whole.list.slice(2, 3)))
      assert.deepEqual(await page(url, `limit=0&after=${next}`), { list: [], total: whole.total, next: null })
      const foreign = (await page(id === 'searchBills' ? path : '/api/v1/bills', 'limit=1')).next
      for (const [more, code] of [
        ['after=nonsense', 'invalid_cursor'],
        [`after=${foreign}`, 'invalid_cursor'],
        [`after=${next}&offset=1`, 'after_with_offset'],
      ]) {
        const answer = await asked(url, more as string)
        const body = answer.json()
        assert.deepEqual(
          [answer.statusCode, body.error_code ?? body.code, body.details[0].field],
          [400, code, 'after'],
          answer.body,
        )
      }
    })
  }

  test('every operation that answers a page takes a cursor and answers the next, and is tried here or by its like', async () => {
    type Operation = {
      operationId: string
      parameters?: { name: string }[]
      requestBody?: { content?: Record<string, { schema: object }> }
      responses: Record<string, { content?: Record<string, { schema: object }> }>
    }
    const { paths, components } = inPlace<{
      paths: Record<string, Record<string, Operation>>
      components: Record<string, Record<string, unknown>>
    }>((await service.app.inject('/openapi.json')).json())
    const schemaIn = (part: { content?: Record<string, { schema: { $ref?: string } }> } | undefined) =>
      JSON.stringify(
        components.schemas?.[part?.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? ''] ?? {},
      )
    // All histories are one route, and every kind of document has the routes of bills. What is listed in the portal of a carrier is one function, tried in
    // partners/portal/routes.test.ts.
    const alike =
      /^search(?:Customers|Orders|Legs|Manifests|Equipment|Services|PartnerCarriers|Invoices|Credits)$|^list(?:Invoice|Credit)(?:Items|Payments)$|^list(?:PayeeChanges|PaymentRunPayments)$|^search(?:PaymentRuns|ConnectorSyncResults)$|^searchPortal\w+$|^search(?:Tenders|BillQuestions)$|^get\w+History$/
    for (const [url, operations] of Object.entries(paths))
      for (const { operationId, parameters, requestBody, responses } of Object.values(operations)) {
        const schema = schemaIn(responses['200'])
        if (!schema.includes('"total"') || !schema.includes('"offset"')) continue
        assert.ok(schema.includes(url.startsWith('/api/v2') ? '"nextAfter"' : '"next_after"'), operationId)
        assert.ok(
          parameters?.some(({ name }) => name === 'after') || schemaIn(requestBody).includes('"after"'),
          operationId,
        )
        assert.ok(
          operationId in searches || operationId === 'searchObjects' || alike.test(operationId),
          `${operationId} has no line in this test`,
        )
      }
  })

  test('behind a line that was moved or removed, the next page goes on where it is, or was', async () => {
    const lines = `/api/v1/bills/${bill.id}/items`
    const { list: all } = await page(lines, 'limit=10')
    const ids = idsOf(all) as string[]
    const { next } = await page(lines, 'limit=2')
    const moved = await books.call('PUT', `${lines}/order`, { item_ids: [ids[1], ids[0], ids[2], ids[3]] })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.deepEqual(idsOf((await page(lines, `after=${next}`)).list), [ids[0], ids[2], ids[3]])
    await books.call('DELETE', `${lines}/${ids[0]}`)
    const { next: second } = await page(lines, 'limit=2')
    await books.call('DELETE', `${lines}/${ids[2]}`)
    assert.deepEqual(idsOf((await page(lines, `after=${second}`)).list), [ids[3]])
  })
})

describe('unknown paths and methods', { concurrency: true }, () => {
  test('an unknown path is 404 in the shape of v1, and in the shape of v2 under /api/v2', async () => {
    for (const url of ['/api/v1/nothing', '/nothing', '/api', '/api/v2nothing', '/api/v1/bill_item_types/a/b'])
      assertError(await caller.get(url), 404, 'no_such_path')
    for (const url of ['/api/v2', '/api/v2/nothing', '/api/v2/platformModel/nothing?x=1']) {
      const answer = await caller.get(url)
      const body = answer.json()
      assert.equal(answer.statusCode, 404)
      assert.deepEqual(body, {
        statusCode: 404,
        error: 'Not Found',
        message: body.message,
        code: 'no_such_path',
        details: [],
        requestId: answer.headers['x-request-id'],
        docUrl: `${service.settings.publicUrl}/docs/errors#no_such_path`,
      })
      assert.equal(typeof body.message, 'string')
    }
  })

  test('an unknown path is 404 whatever comes as a body, and without a token', async () => {
    for (const [type, payload] of [
      ['application/json', '{broken'],
      ['text/plain', 'x'],
      ['application/json', 'x'.repeat(2 ** 20 + 1)],
    ] as const) {
      assertError(
        await service.app.inject({
          method: 'POST',
          url: '/api/v1/nothing',
          headers: { 'content-type': type },
          payload,
        }),
        404,
      )
    }
  })

  test('another method on a known path is 405 with Allow, also an unusual one', async () => {
    for (const method of ['PATCH', 'PUT', 'DELETE', 'PROPFIND', 'TRACE', 'LINK', 'QUERY', 'SEARCH']) {
      const answer = await caller.call(method, path)
      assertError(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS, POST')
    }
    const one = await caller.call('POST', `${path}/${newId()}`, '{broken')
    assertError(one, 405)
    assert.equal(one.headers.allow, 'DELETE, GET, HEAD, OPTIONS, PUT')
    assert.equal((await caller.call('POST', '/health/live')).headers.allow, 'GET, HEAD, OPTIONS')
  })

  test('OPTIONS says what is allowed at a path, and 404 where there is nothing', async () => {
    const answer = await service.app.inject({ method: 'OPTIONS', url: `${path}/${newId()}` })
    assert.equal(answer.statusCode, 204)
    assert.equal(answer.headers.allow, 'DELETE, GET, HEAD, OPTIONS, PUT')
    assertError(await service.app.inject({ method: 'OPTIONS', url: '/api/v1/nothing' }), 404)
  })

  test('a path that cannot be decoded is 400, in both shapes, with the headers of every answer', async () => {
    for (const url of ['/%', '/api/v1/%zz', `${path}/ext:%ff`, `${path}/%c3%28`]) {
      const answer = await caller.get(url)
      assertError(answer, 400, 'bad_url')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    }
    assert.equal((await caller.get('/api/v2/%zz')).json().statusCode, 400)
  })

  test('a long path or query is refused in words, never a fault', async () => {
    assertError(await caller.get(`${path}/ext:${'a'.repeat(5_000)}`), 400)
    assertError(await caller.get(`${path}?search_term=${'a'.repeat(14_000)}`), 400, 'too_long')
    assertError(await caller.get(`${path}?${'names=a&'.repeat(1_000)}`), 400)
    assertError(await caller.get(`/${'a/'.repeat(5_000)}`), 404)
  })
})

describe('content negotiation', { concurrency: true }, () => {
  for (const accept of [
    'text/html',
    'application/xml',
    'application/json;q=0',
    'application/*;q=0, */*',
    'application/json;q=0.0, text/html',
    'image/*',
  ]) {
    test(`Accept: ${accept} is 406`, async () => assertError(await caller.get(path, { accept }), 406, 'not_acceptable'))
  }
  for (const accept of [
    '',
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'text/html,*/*;q=0.8',
    'application/json; charset=utf-8',
  ]) {
    test(`Accept: ${accept || '(empty)'} is answered`, async () =>
      assert.equal((await caller.get(path, { accept })).statusCode, 200))
  }
})

describe('bodies', { concurrency: true }, () => {
  for (const [what, body] of [
    ['truncated', '{"name":"a"'],
    ['with a byte order mark', '\ufeff{"name":"a"}'],
    ['with NaN', '{"name":NaN}'],
    ['with a trailing comma', '{"name":"a",}'],
    ['with single quotes', "{'name':'a'}"],
    ['of two values', '{"name":"a"}{"name":"b"}'],
    ['with a raw line break in a text', '{"name":"a\nb"}'],
  ] as const) {
    test(`JSON ${what} is 400`, async () => assertError(await caller.call('POST', path, body), 400, 'malformed_json'))
  }

  test('bytes that are no UTF-8 are 400', async () => {
    const payload = Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')])
    const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' }
    assertError(await service.app.inject({ method: 'POST', url: path, headers, payload }), 400, 'malformed_json')
  })

  for (const body of ['null', '[]', '7', '"x"', 'true', '[{"name":"a"}]']) {
    test(`the JSON ${body} instead of an object is 400`, async () => {
      for (const headers of [{}, { prefer: 'handling=strict' }] as Record<string, string>[]) {
        assertError(await caller.call('POST', path, body, headers), 400)
        assertError(await caller.call('PUT', `${path}/${newId()}`, body, headers), 400)
      }
    })
  }

  test('no body where one is needed is 400 and says so', async () => {
    assertError(await caller.call('POST', path), 400, 'body_required')
    assertError(await caller.call('POST', path, ''), 400, 'body_required')
    assertError(await caller.call('PUT', `${path}/${newId()}`, ''), 400, 'body_required')
  })

  for (const [what, type] of [
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['something like JSON', 'application/jsonx'],
    ['two types', 'application/json, text/plain'],
    ['nonsense', 'nonsense'],
    ['nothing', ''],
  ] as const) {
    test(`a body declared as ${what} is 415`, async () =>
      assertError(
        await caller.call('POST', path, '{"name":"a"}', { 'content-type': type }),
        415,
        'unsupported_media_type',
      ))
  }

  test('a body without a Content-Type is 415', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${caller.token}` },
      payload: Buffer.from('{"name":"a"}'),
    })
    assertError(answer, 415)
  })

  for (const type of [
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/merge-patch+json',
  ]) {
    test(`a body declared as ${type} is read`, async () =>
      assert.equal((await caller.call('POST', path, '{"name":"a"}', { 'content-type': type })).statusCode, 201))
  }

  test('a body of 1 MiB is read, one more byte is 413', async () => {
    const fitting = `{"name":"a","x":"${'y'.repeat(2 ** 20 - 19)}"}`
    assert.equal(Buffer.byteLength(fitting), 2 ** 20)
    assert.equal((await caller.call('POST', path, fitting)).statusCode, 201)
    assertError(await caller.call('POST', path, `${fitting} `), 413, 'body_too_large')
  })

  test('nesting without end is 400, as arrays and as objects', async () => {
    assertError(await caller.call('POST', path, `${'['.repeat(400_000)}${']'.repeat(400_000)}`), 400, 'too_deep')
    assertError(
      await caller.call('POST', path, `${'{"name":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      400,
      'too_deep',
    )
    assertError(await caller.call('POST', path, '['.repeat(900_000)), 400, 'malformed_json')
  })

  test('__proto__ is refused, at any depth; constructor and the like are fields as others, unknown here', async () => {
    assertError(await caller.call('POST', path, '{"name":"a","__proto__":{"polluted":true}}'), 400, 'bad_key')
    assertError(await caller.call('POST', path, '{"name":"a","x":[{"__proto__":1}]}'), 400, 'bad_key')
    const odd = '{"name":"a","constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":2}'
    assert.equal((await caller.call('POST', path, odd)).statusCode, 201)
    assert.deepEqual(
      (await caller.call('POST', path, odd, { prefer: 'handling=strict' }))
        .json()
        .details.map(({ field }: { field: string }) => field),
      ['constructor', 'toString', 'hasOwnProperty'],
    )
    assertError(await caller.get(`${path}?constructor=1`, { prefer: 'handling=strict' }), 400, 'unknown_parameter')
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  test('a key that comes twice is refused: one of the two would be lost', async () => {
    const answer = await caller.call('POST', path, '{"name":"first","name":"last"}')
    assert.equal(answer.statusCode, 400, answer.body)
    assert.deepEqual([answer.json().error_code, answer.json().details[0].field], ['duplicate_key', 'name'])
  })

  test('NUL characters and halves of surrogate pairs are refused in texts and in names of fields', async () => {
    for (const body of ['{"name":"a\\u0000"}', '{"name":"\\ud800"}', '{"name":"\\udc00\\ud800"}'])
      assertError(await caller.call('POST', path, body), 400, 'bad_text')
    for (const body of ['{"name":"a","\\u0000":1}', '{"name":"a","\\ud800":1}'])
      assertError(await caller.call('POST', path, body), 400, 'bad_key')
    assert.equal((await caller.call('POST', path, '{"name":"\\ud83d\\ude9a"}')).json().bill_item_type.name, '🚚')
  })

  test('an action that needs no body takes none, whatever type an empty one is said to be of', async () => {
    const clerk = await newCaller(service)
    for (const headers of [
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
      { 'content-type': 'text/plain', 'content-length': '0' },
    ] as Record<string, string>[]) {
      const { bill } = (await clerk.call('POST', '/api/v1/bills', { currency_id: 'usd' })).json()
      for (const action of ['save', 'send', 'pay']) {
        const answer = await clerk.call('POST', `/api/v1/bills/${bill.id}/${action}`, undefined, headers)
        assert.equal(answer.statusCode, 200, answer.body)
      }
      assertError(await clerk.call('POST', `/api/v1/bills/${bill.id}/reopen`, undefined, headers), 400, 'required')
    }
  })

  test('a GET, HEAD or DELETE that says Content-Type and has no body works', async () => {
    const { id } = (await caller.call('POST', path, { name: 'Short-lived' })).json().bill_item_type
    const headers = { 'content-type': 'application/json' }
    assert.equal((await caller.get(`${path}/${id}`, headers)).statusCode, 200)
    assert.equal((await caller.call('HEAD', `${path}/${id}`, undefined, headers)).statusCode, 200)
    assert.equal(
      (await caller.call('DELETE', `${path}/${id}`, undefined, { ...headers, 'content-length': '0' })).statusCode,
      204,
    )
  })

  test('HEAD answers as GET does, without the body', async () => {
    const { id } = (await caller.call('POST', path, { name: 'Looked at' })).json().bill_item_type
    const [get, head] = [await caller.get(`${path}/${id}`), await caller.call('HEAD', `${path}/${id}`)]
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
    for (const name of ['etag', 'content-type', 'content-length'])
      assert.equal(head.headers[name], get.headers[name], name)
    assert.equal((await caller.call('HEAD', `${path}/${newId()}`)).statusCode, 404)
    assert.equal((await caller.call('HEAD', `${path}/${id}`, undefined, { 'if-none-match': '"1"' })).statusCode, 304)
  })
})

describe('absurd headers', { concurrency: true }, () => {
  const values = [
    '',
    ' ',
    '*',
    '"',
    '""',
    '"1',
    'W/',
    'W/"1"',
    '"1", "2"',
    ',,,',
    '\u00e9',
    '"\u00ff"',
    ';;==',
    'q=',
    '-1',
    '0'.repeat(4_000),
    '"'.repeat(4_001),
    "'; drop table events; --",
    '%00',
    '{}',
    'Infinity',
    '../../..',
  ]
  for (const name of [
    'if-match',
    'if-none-match',
    'prefer',
    'idempotency-key',
    'accept',
    'x-request-id',
    'origin',
    'range',
    'if-modified-since',
    'x-forwarded-for',
    'accept-encoding',
    'content-length',
  ]) {
    test(`${name} is never the cause of a fault`, async () => {
      const { id } = (await caller.call('POST', path, { name: 'Tried' })).json().bill_item_type
      for (const value of some(values)) {
        for (const answer of [
          await caller.get(`${path}/${id}`, { [name]: value }),
          await caller.call('PUT', `${path}/${id}`, { name: 'Tried' }, { [name]: value }),
          // Megabytes, which take longer than all else here.
          ...(isDeep ? [await caller.get('/openapi.json', { [name]: value })] : []),
        ]) {
          assert.ok(answer.statusCode < 500, `${name}: ${value} was answered ${answer.statusCode}`)
        }
      }
    })
  }

  test('a weak ETag never satisfies If-Match; several do if one is right; * always does', async () => {
    const { id } = (await caller.call('POST', path, { name: 'Tagged' })).json().bill_item_type
    const put = async (tag: string) =>
      (await caller.call('PUT', `${path}/${id}`, { name: 'Tagged' }, { 'if-match': tag })).statusCode
    assert.equal(await put('W/"1"'), 412)
    assert.equal(await put('"7", "1"'), 200)
    assert.equal(await put('*'), 200)
    assert.equal(await put('1'), 400)
  })

  test('Prefer counts only where it says handling=strict', async () => {
    const applied = async (prefer: string) => (await caller.get(path, { prefer })).headers['preference-applied']
    for (const prefer of [
      'handling=strict',
      'respond-async, handling=strict',
      'Handling="strict"; x=1',
      'handling = strict',
    ]) {
      assert.equal(await applied(prefer), 'handling=strict', prefer)
    }
    for (const prefer of ['handling=lenient', 'handling=stricter', 'mishandling=strict', 'strict'])
      assert.equal(await applied(prefer), undefined, prefer)
  })
})

describe('parameters', { concurrency: true }, () => {
  const bills = '/api/v1/bills'
  const strict = { prefer: 'handling=strict' }

  test('an array comes as a repeated key, key[], key[0] or with commas, in strict handling too', async () => {
    const clerk = await newCaller(service)
    const ids = [newId(), newId()].sort()
    for (const name of ['b, with a comma', 'a']) await clerk.call('POST', path, { name })
    for (const headers of [{}, strict] as Record<string, string>[]) {
      for (const query of [
        'status_ids=draft&status_ids=paid',
        'status_ids[]=draft&status_ids[]=paid',
        'status_ids[0]=draft&status_ids[1]=paid',
        'status_ids=draft,paid',
      ]) {
        const answer = await clerk.get(`${bills}?${query}`, headers)
        assert.equal(answer.statusCode, 200, answer.body)
        assert.equal(answer.headers['x-ignored-parameters'], undefined, query)
      }
      // The numbers say the order, and with brackets a comma is part of the value.
      assertError(await clerk.get(`${bills}?status_ids%5B1%5D=gone&status_ids[0]=draft`, headers), 400, 'unknown_value')
      assert.equal(
        (await clerk.get(`${path}?names[7]=${encodeURIComponent('b, with a comma')}&names[0]=a`, headers)).json().total,
        2,
      )
      assert.equal(
        (await clerk.get(`${bills}?in_manifest_ids[0]=${ids[0]}&in_manifest_ids=${ids[1]}`, headers)).statusCode,
        200,
      )
    }
    assert.equal(
      (await clerk.get(`${bills}?status_ids[0]=&limit[0]=5`)).headers['x-ignored-parameters'],
      'limit[0]; did you mean limit?',
    )
  })

  test('that are unknown do no harm, are named with the known name that they come close to, and are 400 in strict handling', async () => {
    for (const [url, names] of [
      [`${bills}?status_id=draft`, 'status_id; did you mean status_ids?'],
      [`${bills}?statusIds=draft&Limit=3`, 'statusIds; did you mean status_ids?, Limit; did you mean limit?'],
      [`${bills}?curency_ids=usd&page=2`, 'curency_ids; did you mean currency_ids?, page'],
      [`${bills}?craeted_start_at=2026-01-01`, 'craeted_start_at; did you mean created_start_at?'],
      [`${path}?search_terms=a`, 'search_terms; did you mean search_term?'],
      ['/api/v1/consolidated_bills?status_id=sent', 'status_id; did you mean status_ids?'],
      ['/api/v1/customers?status_idss=active', 'status_idss; did you mean status_ids?'],
      ['/api/v2/platformModel/objects?objectKey=customer&external_id=x', 'external_id; did you mean externalId?'],
      ['/api/v1/me?x=1', 'x'],
    ] as const) {
      const answer = await caller.get(url)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal(answer.headers['x-ignored-parameters'], names)
      const refused = await caller.get(url, strict)
      assert.equal(refused.statusCode, 400, url)
      assert.match(refused.body, /unknown_parameter/)
    }
    const [detail] = (await caller.get(`${bills}?status_id=draft`, strict)).json().details
    assert.deepEqual([detail.field, detail.allowed], ['status_id', ['status_ids']])
  })

  test('of any name and number make no header of their own, and none without end', async () => {
    const odd = ['a\r\nset-cookie: x', 'a, b; c', 'ü\u0000', '\ud800', '__proto__', 'x'.repeat(3000)]
    const query = [...odd.slice(0, 3), ...odd.slice(4)].map((name) => `${encodeURIComponent(name)}=1`).join('&')
    const answer = await caller.get(`${bills}?${query}&%ED%A0%80=1`)
    assert.equal(answer.statusCode, 200, answer.body)
    const named = String(answer.headers['x-ignored-parameters'])
    assert.match(named, /^[\x20-\x7e]+$/)
    assert.ok(named.startsWith('a%0D%0Aset-cookie%3A%20x, a%2C%20b%3B%20c, '), named)
    assert.equal(answer.headers['set-cookie'], undefined)
    const many = await caller.get(`${bills}?${Array.from({ length: 900 }, (_, index) => `p${index}=1`).join('&')}`)
    const listed = String(many.headers['x-ignored-parameters'])
    assert.ok(listed.endsWith('and 890 more') && listed.length < 2000, listed)
  })

  test('that are dates take every form of a moment, a plus sign that was not encoded among them', async () => {
    const clerk = await newCaller(service)
    await clerk.call('POST', bills, { due_date: '2026-11-15T00:00:00Z' })
    await clerk.call('POST', '/api/v1/customers', { name: 'A' })
    for (const [from, to] of [
      ['2026-11-15T00:00:00', '2026-11-15T00:00:00'],
      ['2026-11-15 00:00:00', '2026-11-15 00:00:00'],
      ['2026-11-15%2000:00:00', '2026-11-15T00:00:00.000'],
      ['2026-11-15', '2026-11-15'],
      ['2026-11-15T02:00:00+02:00', '2026-11-15T02:00:00%2B02:00'],
    ]) {
      const query = `due_start_at=${from}&due_end_at=${to}`.replaceAll(' ', '+')
      for (const headers of [{}, strict] as Record<string, string>[])
        assert.equal((await clerk.get(`${bills}?${query}`, headers)).json().total, 1, query)
    }
    assert.equal((await clerk.get(`${bills}?due_start_at=2026-11-15T00:00:01`)).json().total, 0)
    for (const url of [
      '/api/v1/consolidated_bills?period_start_at=2026-11-15+00:00:00',
      '/api/v1/customers?created_start_at=2020-01-01T00:00:00',
      `${bills}/export?created_end_at=2026-11-15+00:00:00`,
    ])
      assert.equal((await clerk.get(url)).statusCode, 200, url)
    assert.equal((await clerk.get('/api/v1/customers?created_start_at=2020-01-01+00:00:00')).json().total, 1)
    assertError(await clerk.get(`${bills}?due_start_at=yesterday`), 400, 'bad_date_time')
  })
})

describe('strict handling', { concurrency: true }, () => {
  const strict = { prefer: 'handling=strict' }

  test('accepts whatever is accepted without it: whole answers put back, optional bodies, rows, both forms of an object', async () => {
    const clerk = await newCaller(service)
    const bills = '/api/v1/bills'
    const objects = '/api/v2/platformModel/objects'
    const { bill } = (await clerk.call('POST', bills, { currency_id: 'usd', items: [{ unit_price: 1 }] })).json()
    const { customer } = (await clerk.call('POST', '/api/v1/customers', { name: 'A' })).json()
    const { pay_term } = (await clerk.call('POST', '/api/v1/pay_terms', { name: 'Net 3', number_of_days: 3 })).json()
    const { bill_item_type } = (await clerk.call('POST', path, { name: 'A' })).json()
    await clerk.call('POST', `${bills}/${bill.id}/save`)
    const { consolidated_bill } = (
      await clerk.call('POST', '/api/v1/consolidated_bills', { bill_ids: [bill.id] })
    ).json()
    const line = (await clerk.get(`${bills}/${bill.id}`)).json().bill_item
    for (const at of [
      `${bills}/${bill.id}`,
      `${bills}/${bill.id}/items/${line.id}`,
      `/api/v1/consolidated_bills/${consolidated_bill.id}`,
      `/api/v1/customers/${customer.id}`,
      `/api/v1/pay_terms/${pay_term.id}`,
      `${path}/${bill_item_type.id}`,
      `${objects}/${customer.id}`,
    ]) {
      const whole = (await clerk.get(at)).json()
      const loose = await clerk.call('PUT', at, whole)
      const answer = await clerk.call('PUT', at, whole, strict)
      assert.deepEqual(
        [answer.statusCode, answer.headers['preference-applied']],
        [loose.statusCode, 'handling=strict'],
        `${at}: ${answer.body}`,
      )
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const changed = await clerk.call(
      'PUT',
      `${bills}/${bill.id}/items/${line.id}`,
      { bill_item: { unit_price: 2 }, bill: { notes: 'no' } },
      strict,
    )
    assert.equal(changed.statusCode, 200, changed.body)
    assert.equal((await clerk.call('POST', `${bills}/${bill.id}/send`, undefined, strict)).statusCode, 200)
    assert.equal(
      (
        await clerk.call(
          'POST',
          `${bills}/bulk`,
          { bills: [{ external_id: 'A', bill_items: [{ unit_price: 1 }] }] },
          strict,
        )
      ).json().applied,
      true,
    )
    assert.equal(
      (await clerk.call('PATCH', objects, { objectKey: 'order', json: { customerID: customer.id } }, strict))
        .statusCode,
      200,
    )
  })

  test('still refuses what is unknown, inside a whole answer, around it and in rows', async () => {
    const clerk = await newCaller(service)
    const { bill } = (await clerk.call('POST', '/api/v1/bills', {})).json()
    const fieldOf = async (url: string, method: string, body: object) =>
      (await clerk.call(method, url, body, strict)).json().details[0].field
    assert.equal(await fieldOf(`/api/v1/bills/${bill.id}`, 'PUT', { bill: { nots: 'x' } }), 'nots')
    assert.equal(await fieldOf(`/api/v1/bills/${bill.id}`, 'PUT', { bill: {}, bil_items: [] }), 'bil_items')
    assert.equal(
      await fieldOf(`/api/v1/bills/${bill.id}`, 'PUT', { bill_items: [{ unit_price: 1, price: 2 }] }),
      'bill_items.0.price',
    )
    assert.equal(await fieldOf('/api/v1/bills/bulk', 'POST', { bills: [{}, { nots: 'x' }] }), 'bills.1.nots')
  })
})

describe('a dry run', { concurrency: true }, () => {
  const bills = '/api/v1/bills'
  const dry = { prefer: 'dry-run' }

  test('is refused like the request itself, in the words of its version, and says that it was a dry run', async () => {
    const clerk = await newCaller(service)
    const { bill } = (await clerk.call('POST', bills, { external_id: 'taken' })).json()
    const twice = await clerk.call('POST', bills, { external_id: 'taken' }, dry)
    assertError(twice, 409, 'external_id_taken')
    assert.equal(twice.headers['preference-applied'], 'dry-run')
    assertError(
      await clerk.call('POST', `${bills}/${bill.id}/save`, undefined, dry),
      400,
      (await clerk.call('POST', `${bills}/${bill.id}/save`)).json().error_code,
    )
    assertError(
      await clerk.call('PUT', `${bills}/${bill.id}`, { notes: 'x' }, { ...dry, 'if-match': '"7"' }),
      412,
      'stale',
    )
    const unknown = await clerk.call('PATCH', '/api/v2/platformModel/objects', { objectKey: 'customer', json: {} }, dry)
    assert.deepEqual(
      [unknown.statusCode, unknown.json().statusCode, unknown.headers['preference-applied']],
      [400, 400, 'dry-run'],
    )
  })

  test('shows the number that a bill would get, and takes none', async () => {
    const clerk = await newCaller(service)
    const { bill } = (await clerk.call('POST', bills, { currency_id: 'usd' })).json()
    const tried = await clerk.call('POST', `${bills}/${bill.id}/save`, undefined, {
      prefer: 'handling=strict, dry-run',
    })
    assert.equal(tried.headers['preference-applied'], 'handling=strict, dry-run')
    assert.equal(tried.json().bill.number, 'BILL-000001')
    assert.equal((await clerk.get(`${bills}/${bill.id}`)).json().bill.number, null)
    assert.equal((await clerk.call('POST', `${bills}/${bill.id}/save`)).json().bill.number, 'BILL-000001')
  })

  test('keeps no answer for its Idempotency-Key, and shows what is kept for one that was used', async () => {
    const clerk = await newCaller(service)
    const key = { 'idempotency-key': newId() }
    assert.equal((await clerk.call('POST', bills, { notes: 'tried' }, { ...key, ...dry })).statusCode, 201)
    const done = await clerk.call('POST', bills, { notes: 'done' }, key)
    assert.deepEqual([done.statusCode, done.headers['idempotent-replayed']], [201, undefined])
    const again = await clerk.call('POST', bills, { notes: 'done' }, { ...key, ...dry })
    assert.deepEqual([again.body, again.headers['idempotent-replayed']], [done.body, 'true'])
    assertError(await clerk.call('POST', bills, { notes: 'tried' }, { ...key, ...dry }), 422, 'idempotency_key_reused')
  })

  test('does nothing to a read, and is not meant by other preferences', async () => {
    const clerk = await newCaller(service)
    assert.equal((await clerk.get(bills, dry)).headers['preference-applied'], undefined)
    for (const prefer of ['dry', 'no-dry-run', 'wait=10']) {
      const made = await clerk.call('POST', bills, {}, { prefer })
      assert.equal((await clerk.get(`${bills}/${made.json().bill.id}`)).statusCode, 200, prefer)
    }
    for (const prefer of ['Dry-Run', 'respond-async, dry-run;x=1', 'dry-run=true']) {
      const tried = await clerk.call('POST', bills, {}, { prefer })
      assert.equal((await clerk.get(`${bills}/${tried.json().bill.id}`)).statusCode, 404, prefer)
    }
  })

  test('of an import has as many rows as one transaction takes', async () => {
    const clerk = await newCaller(service)
    const file = (rows: number) =>
      `external_id\n${Array.from({ length: rows }, (_, index) => `E${index}`).join('\n')}\n`
    const csv = { ...dry, 'content-type': 'text/csv' }
    assert.equal((await clerk.call('POST', `${bills}/import`, file(60), csv)).json().counts.created, 60)
    assertError(await clerk.call('POST', `${bills}/import`, file(1_001), csv), 413, 'too_many_rows')
    assert.equal((await clerk.get(`${bills}?limit=0`)).json().total, 0)
  })
})

describe('every answer', { concurrency: true }, () => {
  test('echoes a sane X-Request-Id, and makes one of its own otherwise', async () => {
    const all = new Set<unknown>()
    for (const id of ['abc-123', newId(), 'trace:1/span=2+x@host.example', 'x'.repeat(128)]) {
      for (const url of [path, '/nothing', '/%', '/health/live'])
        assert.equal((await caller.get(url, { 'x-request-id': id })).headers['x-request-id'], id, url)
    }
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>', 'a"b', 'é', '{}', "a'b"]) {
      const made = (await caller.get(path, { 'x-request-id': id })).headers['x-request-id']
      assert.ok(isId(String(made)) && !all.has(made), `${id} became ${made}`)
      all.add(made)
    }
  })

  test('is guarded: nosniff, no frames, no referrer, and a content policy', async () => {
    const { id } = (await caller.call('POST', path, { name: 'Guarded' })).json().bill_item_type
    const kinds: Record<string, LightMyRequestResponse> = {
      'a list': await caller.get(path),
      'not modified': await caller.get(`${path}/${id}`, { 'if-none-match': '"1"' }),
      refused: await caller.call('POST', path, {}),
      'no token': await service.app.inject(path),
      'an unknown path': await caller.get('/nothing'),
      'a wrong method': await caller.call('PATCH', path),
      'a path that cannot be decoded': await caller.get('/%'),
      'no content': await caller.call('DELETE', `${path}/${id}`),
      options: await caller.call('OPTIONS', path),
      preflight: await service.app.inject({
        method: 'OPTIONS',
        url: path,
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      }),
      'a page': await caller.get('/'),
      docs: await caller.get('/docs/'),
      redirect: await caller.get('/docs'),
      document: await caller.get('/openapi.json'),
      health: await caller.get('/health/live'),
      metrics: await caller.get('/metrics'),
    }
    for (const [kind, { headers }] of Object.entries(kinds)) {
      assert.equal(headers['x-content-type-options'], 'nosniff', kind)
      assert.equal(headers['x-frame-options'], 'DENY', kind)
      assert.equal(headers['referrer-policy'], 'no-referrer', kind)
      assert.match(
        String(headers['content-security-policy']),
        /default-src '(none|self)'.*frame-ancestors 'none'/,
        kind,
      )
      assert.ok(headers['x-request-id'], kind)
      assert.equal(headers['x-powered-by'], undefined, kind)
      assert.equal(headers.server, undefined, kind)
      assert.equal(headers['strict-transport-security'], undefined, kind)
    }
  })

  test('of the API is private to its caller: no-store', async () => {
    assert.equal((await caller.get(path)).headers['cache-control'], 'no-store')
    assert.equal((await service.app.inject(path)).headers['cache-control'], 'no-store')
  })

  test('asks browsers for HTTPS from now on where the public address is https', async () => {
    const secure = await openService({ PUBLIC_URL: 'https://tms.example.com' })
    const pages = [
      '/sign-in',
      '/account',
      '/oauth2/authorize',
      '/oauth2/logout',
      '/oauth2/jwks',
      '/.well-known/openid-configuration',
      '/oauth2/userinfo',
    ]
    for (const url of ['/health/live', '/nothing', '/%', path, '/', '/docs', '/openapi.json', '/metrics', ...pages])
      assert.match(String((await secure.app.inject(url)).headers['strict-transport-security']), /^max-age=\d+/)
  })
})

describe('a long answer', { concurrency: true }, () => {
  const undo: Record<string, (bytes: Buffer) => Buffer> = {
    zstd: zstdDecompressSync,
    br: brotliDecompressSync,
    gzip: gunzipSync,
  }

  for (const [accept, coding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0.5, br;q=1.0, *;q=0', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['nonsense;;q=', undefined],
    [undefined, undefined],
  ] as const) {
    test(`is ${coding ? `compressed with ${coding}` : 'sent as it is'} for Accept-Encoding: ${accept ?? 'none'}`, async () => {
      const headers = accept === undefined ? {} : { 'accept-encoding': accept }
      const plain = await caller.get('/api/v1/currencies')
      const answer = await caller.get('/api/v1/currencies', headers)
      assert.equal(answer.headers['content-encoding'], coding)
      assert.match(String(answer.headers.vary), /Accept-Encoding/)
      assert.equal((coding ? undo[coding]?.(answer.rawPayload) : answer.rawPayload)?.toString(), plain.body)
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
      if (coding) assert.ok(answer.rawPayload.length < plain.rawPayload.length / 2)
    })
  }

  test('keeps its ETag, which guards a write and answers 304 as ever', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const made = await caller.call('POST', '/api/v1/bills', { notes: 'Detention. '.repeat(200) }, headers)
    const bill = JSON.parse(gunzipSync(made.rawPayload).toString()).bill
    const read = await caller.get(`/api/v1/bills/${bill.id}`, headers)
    assert.deepEqual([read.headers['content-encoding'], read.headers.etag], ['gzip', '"1"'])
    const known = await caller.get(`/api/v1/bills/${bill.id}`, { ...headers, 'if-none-match': '"1"' })
    assert.deepEqual([known.statusCode, known.body, known.headers['content-encoding']], [304, '', undefined])
    const put = (tag: string) =>
      caller.call('PUT', `/api/v1/bills/${bill.id}`, { reference_number: tag }, { ...headers, 'if-match': tag })
    assert.equal((await put('"1"')).headers.etag, '"2"')
    assert.equal((await put('"1"')).statusCode, 412)
    const head = await caller.call('HEAD', `/api/v1/bills/${bill.id}`, undefined, headers)
    assert.deepEqual([head.statusCode, head.body, head.headers['content-encoding']], [200, '', 'gzip'])
  })

  test('is sent once where another thread compresses it', async () => {
    const body = { notes: 'Detention at the dock. '.repeat(420), reference_number: newId() }
    const made = await Promise.all(Array.from({ length: 4 }, () => caller.call('POST', '/api/v1/bills', body)))
    assert.deepEqual(
      made.map(({ statusCode }) => statusCode),
      [201, 201, 201, 201],
    )
    const url = `/api/v1/bills?reference_number=${body.reference_number}`
    const plain = await caller.get(url)
    assert.ok(plain.rawPayload.length > 32 * 1024)
    const answers = await Promise.all(Object.keys(undo).map((coding) => caller.get(url, { 'accept-encoding': coding })))
    for (const { headers, rawPayload } of answers)
      assert.equal(undo[String(headers['content-encoding'])]?.(rawPayload).toString(), plain.body)
  })

  test('is compressed as it is streamed', async () => {
    const plain = await caller.get('/api/v1/bills/export', { accept: 'text/csv' })
    const answer = await caller.get('/api/v1/bills/export', { accept: 'text/csv', 'accept-encoding': 'gzip' })
    assert.equal(answer.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(answer.rawPayload).toString().split('\n')[0], plain.body.split('\n')[0])
  })

  test('is compressed where it is a refusal too; a short one never is', async () => {
    const rows = Array.from({ length: 60 }, () => ({ id: 'nonsense' }))
    const refused = await caller.call('POST', '/api/v1/bills/bulk', { bills: rows }, { 'accept-encoding': 'gzip' })
    if (refused.rawPayload.length > 2048) assert.fail(`not compressed: ${refused.rawPayload.length}`)
    for (const url of [path, '/api/v1/nothing', '/api/v1']) {
      const short = await (await newCaller(service)).get(url, { 'accept-encoding': 'gzip, br, zstd' })
      assert.equal(short.headers['content-encoding'], undefined, url)
    }
  })
})

describe('CORS', { concurrency: true }, () => {
  const preflight = ({ app }: Service, origin: string, method: string) =>
    app.inject({
      method: 'OPTIONS',
      url: path,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, if-match, idempotency-key',
      },
    })

  test('a page of any origin may call the API, send its headers and read its answers', async () => {
    const allowed = await preflight(service, 'https://a.example', 'GET')
    assert.equal(allowed.statusCode, 204)
    assert.equal(allowed.headers['access-control-allow-origin'], '*')
    assert.match(String(allowed.headers['access-control-allow-headers']), /authorization.*if-match.*idempotency-key/)
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
    const answer = await caller.get(path, { origin: 'https://a.example' })
    const exposed = String(answer.headers['access-control-expose-headers']).toLowerCase()
    for (const name of [
      'etag',
      'location',
      'x-request-id',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'idempotent-replayed',
      'www-authenticate',
      'x-ignored-fields',
      'x-ignored-parameters',
    ]) {
      assert.ok(exposed.split(', ').includes(name), name)
    }
  })

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    test(`a preflight allows ${method}`, async () => {
      assert.match(
        String((await preflight(service, 'https://a.example', method)).headers['access-control-allow-methods']),
        new RegExp(`\\b${method}\\b`),
      )
    })
  }

  test('a refusal can be read by the page too', async () => {
    for (const answer of [
      await service.app.inject({ url: path, headers: { origin: 'https://a.example' } }),
      await caller.get(path, { origin: 'https://a.example', accept: 'text/html' }),
      await caller.call('POST', path, '{broken', { origin: 'https://a.example' }),
    ]) {
      assert.equal(answer.headers['access-control-allow-origin'], '*', answer.body)
    }
  })

  test('CORS_ORIGINS lets the listed origins in and no others', async () => {
    const choosy = await openService({ CORS_ORIGINS: 'https://a.example, https://b.example:8443' })
    for (const origin of ['https://a.example', 'https://b.example:8443']) {
      const answer = await preflight(choosy, origin, 'GET')
      assert.equal(answer.headers['access-control-allow-origin'], origin)
      assert.match(String(answer.headers.vary), /\bOrigin\b/i)
    }
    for (const origin of ['https://c.example', 'http://a.example', 'https://a.example.evil', 'null']) {
      assert.notEqual((await preflight(choosy, origin, 'GET')).headers['access-control-allow-origin'], origin)
      assert.notEqual((await preflight(choosy, origin, 'GET')).headers['access-control-allow-origin'], '*')
    }
  })
})

describe('a fault of ours', () => {
  test('is answered 500 without a word of what happened, and logged with the request id', async () => {
    const lines: string[] = []
    const faulty = await openService({ LOG_LEVEL: 'info' }, { write: (line) => lines.push(line) })
    const { token } = await newCaller(faulty)
    const inner = Object.assign(new Error('relation "innermost" does not exist'), {
      code: '42P01',
      detail: 'Failing row contains (hunter2).',
      parameters: ['hunter2'],
    })
    faulty.database.read = () => Promise.reject(inner)
    for (const [prefix, id] of [
      ['/api/v1', 'fault-one'],
      ['/api/v1', 'fault-two'],
    ] as const) {
      const answer = await faulty.app.inject({
        url: `${prefix}/bill_item_types`,
        headers: { authorization: `Bearer ${token}`, 'x-request-id': id },
      })
      assertError(answer, 500, 'internal_error')
      assert.doesNotMatch(answer.body, /innermost|42P01|stack|node_modules|\.ts|postgres/i)
      const logged = lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
      assert.ok(
        logged.some(({ level, err }) => level === 'error' && err.message.includes('innermost') && err.stack),
        lines.join(''),
      )
    }
    assert.doesNotMatch(lines.join(''), /hunter2/)
  })

  test('in the database’s absence is 503 with Retry-After, and no more', async () => {
    const alone = await openService({ DATA_DIR: dataDir })
    const { token } = await newCaller(alone)
    const away = connect('postgres://nobody:hunter2@127.0.0.1:1/nothing', { max: 1 })
    after(() => away.end(0))
    alone.database.read = async () => {
      const { openDatabase } = await import('../src/platform/db/database.ts')
      return openDatabase(away).read(newId(), { text: 'select 1', values: [] })
    }
    const answer = await alone.app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
    assertError(answer, 503, 'unavailable')
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.doesNotMatch(answer.json().error_message, /127\.0\.0\.1|ECONNREFUSED|nobody|hunter2/)
  })
})

describe('the log', () => {
  test('has a line for every answer, and never a token, a password, a secret or a query string', async () => {
    const lines: string[] = []
    const talkative = await openService({ LOG_LEVEL: 'trace' }, { write: (line) => lines.push(line) })
    const { token } = await newCaller(talkative)
    const secrets = [
      'hunter2-password',
      'hunter2-secret',
      'hunter2-query',
      'hunter2-refresh',
      'hunter2-cookie',
      'hunter2-key',
    ]
    const [password, client_secret, query, refresh_token, cookie] = secrets
    const headers = {
      authorization: `Bearer ${token}`,
      cookie: `session=${cookie}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ name: 'x', password, client_secret, refresh_token, token: 'hunter2-key' })
    for (const request of [
      { method: 'GET', url: `${path}?search_term=${query}&access_token=${token}`, headers },
      { method: 'POST', url: path, headers, payload: body },
      { method: 'POST', url: path, headers, payload: `${body}broken` },
      { method: 'POST', url: '/oauth2/token', headers, payload: body },
      { method: 'GET', url: `/nothing?token=${query}`, headers },
      { method: 'GET', url: `/%?token=${query}`, headers },
      { method: 'GET', url: path, headers: { authorization: `Bearer ${token}x`, cookie: headers.cookie } },
      {
        method: 'GET',
        url: path,
        headers: { authorization: `Basic ${Buffer.from(`a:${password}`).toString('base64')}` },
      },
    ] as const) {
      await talkative.app.inject(request)
    }
    const text = lines.join('')
    for (const hidden of [
      ...secrets,
      token,
      token.split('.')[2] as string,
      Buffer.from(`a:${password}`).toString('base64'),
    ]) {
      assert.ok(!text.includes(hidden), `the log contains ${hidden}`)
    }
    assert.doesNotMatch(text, /search_term|access_token/)
    const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
    assert.ok(answered.length >= 7)
    for (const { request_id, method, path, status, ms } of answered)
      assert.ok(request_id && method && path && status && ms >= 0)
  })
})

describe('health', { concurrency: true }, () => {
  test('/health/live answers while the process does, /health/ready while it can work', async () => {
    assert.deepEqual((await service.app.inject('/health/live')).json(), {
      status: 'live',
      version: service.settings.version,
    })
    const ready = await service.app.inject('/health/ready')
    assert.equal(ready.statusCode, 200, ready.body)
    assert.equal(ready.json().status, 'ready')
    for (const name of ['database', 'migrations', 'disk', 'documents_disk'])
      assert.equal(ready.json().checks[name].ok, true, name)
    for (const url of ['/health/live', '/health/ready'])
      assert.equal((await service.app.inject(url)).headers['cache-control'], 'no-store')
  })

  test('/health/ready is 503 while the database is away, and says nothing of where it is; /health/live stays 200', async () => {
    const alone = await openService({ DATA_DIR: dataDir })
    const away = connect('postgres://nobody:hunter2@127.0.0.1:1/nothing', { max: 1 })
    after(() => away.end(0))
    const { pool } = alone.database
    alone.database.pool = away
    const answer = await alone.app.inject('/health/ready')
    alone.database.pool = pool
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.json().status, 'not_ready')
    assert.equal(answer.json().checks.database.ok, false)
    assert.doesNotMatch(answer.body, /127\.0\.0\.1|hunter2|nobody/)
    assert.equal((await alone.app.inject('/health/live')).statusCode, 200)
    // The database has a few seconds to answer: on a crowded machine the first question may not be answered in time.
    assert.ok(await soon(async () => (await alone.app.inject('/health/ready')).statusCode === 200, 120_000))
  })

  test('/health/ready is 503 and says draining while the server takes its leave; requests are still answered', async () => {
    const leaving = await openService({ DATA_DIR: dataDir })
    const { token } = await newCaller(leaving)
    leaving.draining.now = true
    const answer = await leaving.app.inject('/health/ready')
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.json().status, 'draining')
    const last = await leaving.app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
    assert.equal(last.statusCode, 200)
    const { headers } = await leaving.app.inject({ url: '/.well-known/openid-configuration' })
    for (const { connection } of [last.headers, headers]) assert.equal(connection, 'close')
  })

  test('/health/ready is 503 when the disk is nearly full', async () => {
    const full = await openService({ DATA_DIR: dataDir, MINIMUM_FREE_DISK_MB: '999999999' })
    const answer = await full.app.inject('/health/ready')
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.json().checks.disk.ok, false)
  })
})

describe('/metrics', () => {
  test('speaks Prometheus, counts by the pattern of a route, and knows nothing of a tenant', async () => {
    const measured = await openService()
    const { org, token, call } = await newCaller(measured)
    const { id } = (await call('POST', path, { name: 'Counted' })).json().bill_item_type
    await call('GET', `${path}/${id}?search_term=hidden`)
    await call('GET', '/nothing/secret-path')
    const answer = await measured.app.inject('/metrics')
    assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/)
    for (const line of answer.body.split('\n')) {
      assert.match(
        line,
        /^(# (HELP|TYPE) [a-zA-Z_:][\w:]* .+|[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="[^"\n]*",?)*\})? [-+\deE.NaInf]+|)$/,
      )
    }
    assert.match(
      answer.body,
      /lading_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/bill_item_types\/:billItemTypeID",status="200"\} 1/,
    )
    assert.match(answer.body, /route="none",status="404"/)
    for (const private_ of [org, id, token, 'hidden', 'secret-path'])
      assert.ok(!answer.body.includes(private_), private_)
  })

  test('have every metric and label that the dashboard and the alerts in deploy/ ask for', async () => {
    const metrics = makeMetrics()
    observeBackups(metrics, async () => undefined)
    observeWebhooks(metrics, async () => ({ waiting: 0, oldestSeconds: 0, failing: 0, disabled: 0 }))
    observeWaitingMails(metrics, async () => ({ waiting: 0, oldestSeconds: 0 }))
    observeFeeds(metrics, async () => ({ unpublishedSeconds: 0 }))
    metrics.mails.attempt('sent')
    observeDocuments(metrics, async () => ({ usable: 1, freeBytes: 1 }))
    metrics.observeDelivery('succeeded', 0.01)
    metrics.observe('GET', '/api/v1', 200, 0.01)
    metrics.observeJob('fold tallies', true, 0.01)
    const shown = await metrics.text()
    const deploy = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
    const { panels } = JSON.parse(deploy('grafana-dashboard.json')) as { panels: { targets?: { expr: string }[] }[] }
    const asked = [
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...deploy('alerts.yml')
        .matchAll(/expr: (.+)/g)
        .map(([, expr]) => expr),
    ]
    const uses = asked.flatMap((expr) => [
      ...String(expr).matchAll(/\b((?:lading|nodejs|process)_\w+)(?:\{([^}]*)\})?/g),
    ])
    assert.ok(uses.length > 20)
    // Those that Prometheus adds: it renames labels of ours that have the same names.
    const added = ['job', 'instance']
    assert.doesNotMatch(shown, /[{,](?:job|instance)=/)
    for (const [, name, labels = ''] of uses) {
      const lines = shown.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      assert.ok(
        lines.length > 0 || shown.includes(`# TYPE ${name?.replace(/_(?:bucket|sum|count)$/, '')} `),
        `${name} is not in /metrics`,
      )
      for (const [, label] of labels.matchAll(/(\w+)=/g))
        if (!added.includes(label as string))
          assert.ok(lines[0]?.includes(`${label}="`), `${name} has no label ${label}`)
    }
  })

  test('with METRICS_TOKEN they are for those who have it', async () => {
    const closed = await openService({ METRICS_TOKEN: 'open-sesame' })
    const ask = (authorization?: string) =>
      closed.app.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } })
    for (const wrong of [undefined, 'Bearer wrong', 'open-sesame', 'Basic open-sesame', 'Bearer open-sesam']) {
      const answer = await ask(wrong)
      assertError(answer, 401)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer /)
    }
    assert.equal((await ask('Bearer open-sesame')).statusCode, 200)
  })

  test('without it they are for callers on this machine, by the connection itself and not by what is said of it', async () => {
    const local = await openService({ TRUST_PROXY: '1' })
    const ask = async (remoteAddress: string, headers = {}) =>
      (await local.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      assert.equal(await ask(address), 200, address)
    for (const address of ['10.0.0.1', '1.2.3.4', '::ffff:10.0.0.1', 'fe80::1', '::2'])
      assert.equal(await ask(address), 401, address)
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { via: '1.1 proxy' }]) {
      assert.equal(await ask('127.0.0.1', headers), 401)
      assert.equal(await ask('1.2.3.4', headers), 401)
    }
  })

  test('with METRICS_PUBLIC they are for everyone', async () => {
    const open = await openService({ METRICS_PUBLIC: 'true' })
    assert.equal((await open.app.inject({ url: '/metrics', remoteAddress: '1.2.3.4' })).statusCode, 200)
  })
})

describe('/docs', () => {
  test('is a page whose every part comes from here, and which may load nothing from elsewhere', async () => {
    const moved = await service.app.inject('/docs')
    assert.ok([301, 302, 308].includes(moved.statusCode))
    const page = await service.app.inject('/docs/')
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.body, /\/docs\/reference\/payables\.json/)
    const parts = [...page.body.matchAll(/\b(?:src|href)\s*=\s*["']([^"']+)["']/g)].map(
      ([, address]) => new URL(address as string, 'http://here/docs/'),
    )
    assert.ok(parts.length > 0)
    for (const part of parts) {
      assert.equal(part.origin, 'http://here', part.href)
      const answer = await service.app.inject(part.pathname)
      assert.equal(answer.statusCode, 200, part.href)
      assert.ok(answer.body.length > 1000)
    }
    const policy = String(page.headers['content-security-policy'])
    for (const directive of policy.split(';').filter((directive) => !directive.trim().startsWith('connect-src'))) {
      assert.doesNotMatch(directive, /https?:|\*/, directive)
    }
    assert.doesNotMatch(page.body, /cdn|jsdelivr|unpkg|googleapis/i)
  })
})

describe('on the wire', () => {
  let port = 0

  before(async () => {
    await wired.app.listen({ port: 0, host: '127.0.0.1' })
    port = (wired.app.server.address() as AddressInfo).port
  })

  type Heard = { status: number; headers: Record<string, string>; body: string }

  /** Writes the pieces with a pause between them, and hears what comes until the connection closes. */
  async function speak(pieces: Iterable<string | Buffer>, pauseMs = 0): Promise<Heard> {
    const socket = connectSocket(port, '127.0.0.1')
    const heard: Buffer[] = []
    socket.on('data', (bytes) => heard.push(Buffer.from(bytes)))
    socket.on('error', () => {})
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    for (const piece of pieces) {
      if (socket.destroyed || !socket.writable) break
      socket.write(piece)
      if (pauseMs > 0) await sleep(pauseMs)
    }
    await closed
    const [head = '', ...rest] = Buffer.concat(heard).toString('latin1').split('\r\n\r\n')
    const [line = '', ...fields] = head.split('\r\n')
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    )
    return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
  }

  function assertRefused({ status, headers, body }: Heard, expected: number, code: string): void {
    assert.equal(status, expected, body)
    const { error_code, request_id } = JSON.parse(body)
    assert.equal(error_code, code)
    assert.equal(headers['x-request-id'], request_id)
    assert.equal(headers.connection, 'close')
  }

  for (const [what, request] of [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    [
      'a length and chunks at once',
      'POST /api/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['two lengths', 'POST /api/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'],
    ['raw bytes in the path', 'GET /\u00ff HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'a length that comes twice',
      'POST /api/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['a Host that comes twice', 'GET /api/v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['the same Host twice', 'GET /api/v1 HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
    ['a Host of two', 'GET /api/v1 HTTP/1.1\r\nHost: a, b\r\n\r\n'],
    ['a Host that is none', 'GET /api/v1 HTTP/1.1\r\nHost: user@a/b\r\n\r\n'],
    ['no Host', 'GET /api/v1 HTTP/1.1\r\n\r\n'],
    ['two of them at a path that is nothing', 'GET /nothing HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ] as const) {
    test(`${what} is 400 in words, and the connection closes`, async () =>
      assertRefused(await speak([request]), 400, 'bad_http'))
  }

  test('headers or an address beyond 16 KiB are 431', async () => {
    assertRefused(
      await speak([`GET /api/v1 HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`]),
      431,
      'headers_too_large',
    )
    assertRefused(await speak([`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`]), 431, 'headers_too_large')
  })

  test('a request that trickles in is 408, be it the headers or the body', async () => {
    function* drops(start: string): Generator<string> {
      yield start
      for (let drop = 0; drop < 400; drop++) yield 'a'
    }
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${caller.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
    const both = await Promise.all([
      speak(drops('GET /api/v1 HTTP/1.1\r\nHost: a\r\nX-Slow: '), 20),
      speak(drops(head), 20),
    ])
    for (const heard of both) assertRefused(heard, 408, 'request_timeout')
  })

  test('a request that has come whole is answered, however long that takes', async () => {
    const patient = await openService({ REQUEST_TIMEOUT_MS: '3600000' })
    await patient.app.listen({ port: 0, host: '127.0.0.1' })
    const own = await newCaller(patient)
    const { id } = (await own.call('POST', path, { name: 'Haul' })).json().bill_item_type
    const body = '{"name":"Line haul"}'
    const socket = connectSocket((patient.app.server.address() as AddressInfo).port, '127.0.0.1')
    let heard = ''
    socket.on('data', (bytes) => (heard += bytes))
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    const arrived = new Promise<IncomingMessage>((done) =>
      patient.app.server.once('request', (request: IncomingMessage) => request.once('end', () => done(request))),
    )
    await own.ctx.transaction(async (ctx) => {
      await ctx.run(sql`select id from bill_item_types where org_id = ${ctx.org} and id = ${id} for update`)
      const head = `PUT ${path}/${id} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${own.token}`
      socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      const request = await arrived
      // What the server hears when the time is over in which nothing moved.
      for (let time = 0; time < 3; time++) patient.app.server.emit('timeout', request.socket)
    })
    await closed
    assert.match(heard, /^HTTP\/1\.1 200 /)
  })

  test('the time in which a body waits for us is not the caller’s: it is taken in when we come to it', async () => {
    const app = Fastify()
    guardAnswers(app, { settings: { ...service.settings, requestTimeoutMs: 2_000 }, draining: { now: false } })
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.post('/', async ({ body }) => {
      // Longer than a request may take to arrive.
      await sleep(4_500)
      let length = 0
      for await (const bytes of body as AsyncIterable<Buffer>) length += bytes.length
      return { length }
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(8 * 2 ** 20) })
    assert.deepEqual([answer.status, await answer.json()], [200, { length: 8 * 2 ** 20 }])
    await app.close()
  })

  test('a token that comes twice is none, and HTTP/1.0 needs no Host', async () => {
    const authorization = `Authorization: Bearer ${caller.token}\r\n`
    const twice = await speak([
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization.repeat(2)}\r\n`,
    ])
    assert.equal(twice.status, 401, twice.body)
    assert.equal((await speak(['GET /api/v1 HTTP/1.0\r\n\r\n'])).status, 200)
  })

  /** Sends the rest drop by drop, closes nothing itself, and is done when the server has closed the connection. */
  async function cling(head: string, { drop = 'a', reads = true } = {}): Promise<string> {
    const socket = connectSocket({ port, host: '127.0.0.1', allowHalfOpen: true })
    let heard = ''
    if (reads) socket.on('data', (bytes) => (heard += bytes))
    const lost = new Promise<void>((done) => socket.once('error', () => done()))
    socket.write(head)
    const dripping = setInterval(() => socket.write(drop), 50)
    await lost
    clearInterval(dripping)
    return heard.slice(9, 12)
  }

  const post = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
  const known = `${post}Authorization: Bearer ${caller.token}\r\n`
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
  describe('the server closes the connection, though the client goes on sending and never closes it,', {
    concurrency: true,
  }, () => {
    for (const [what, status, head, more] of [
      ['whose headers never end', '408', 'GET /api/v1 HTTP/1.1\r\nHost: a\r\nX-Slow: ', {}],
      ['whose body never ends', '408', `${known}Content-Length: 1000000\r\n\r\n`, {}],
      ['whose body is too long by its length', '413', `${known}Content-Length: 100000000\r\n\r\n`, {}],
      [
        'whose chunks are too many',
        '413',
        `${known}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`,
        { drop: '1\r\na\r\n' },
      ],
      ['that has no token', '401', `${post}Content-Length: 1000000\r\n\r\n`, {}],
      [
        'that asks for nothing that there is',
        '404',
        'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n',
        {},
      ],
      ['that speaks no HTTP', '400', 'hello\r\n\r\n', {}],
      ['whose header is too long', '431', `GET / HTTP/1.1\r\nX-Long: ${'a'.repeat(20_000)}`, {}],
      [
        'that never takes its answers',
        '',
        'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(60),
        { reads: false },
      ],
    ] as const) {
      // A busy machine may come to the end of the time before it has read what is wrong.
      test(`of one ${what}`, async () => assert.ok([status, '408'].includes(await cling(head, more)), what))
    }
  })

  test('a chunked body over 1 MiB is 413', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${caller.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
    const heard = await speak([head, ...Array<string>(17).fill(chunk), '0\r\n\r\n'])
    assert.equal(heard.status, 413)
    assert.match(heard.body, /body_too_large/)
  })

  for (const [what, field] of [
    ['announced by its type alone', 'Content-Type: application/json'],
    ['of no length', 'Content-Type: application/json\r\nContent-Length: 0'],
  ] as const) {
    test(`a body ${what} is none, and nobody waits for it`, async () => {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${caller.token}\r\n${field}\r\n\r\n`
      const heard = await speak([head])
      assert.equal(heard.status, 400)
      assert.match(heard.body, /body_required/)
    })
  }

  test('a form announced by its type alone is an empty one', async () => {
    const heard = await speak([
      'POST /oauth2/token HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n',
    ])
    assert.equal(heard.status, 401)
    assert.match(heard.body, /invalid_client/)
  })

  test('a whole address instead of a path is understood, in the error shape of v2 too', async () => {
    const v2 = await speak([
      'GET http://tms.example/api/v2/nothing HTTP/1.1\r\nHost: tms.example\r\nConnection: close\r\n\r\n',
    ])
    assert.equal(v2.status, 404)
    assert.match(v2.body, /"statusCode":404/)
    assert.equal(
      (await speak(['GET http://tms.example/api/v1 HTTP/1.1\r\nHost: tms.example\r\nConnection: close\r\n\r\n']))
        .status,
      200,
    )
  })

  test('a file that is refused before all of it has come does not hold up the next request on its connection', async () => {
    // Time enough for a busy machine to take in 30 MiB; the connection is closed long before it is over.
    const patient = await openService({ REQUEST_TIMEOUT_MS: '3600000' })
    await patient.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connectSocket((patient.app.server.address() as AddressInfo).port, '127.0.0.1')
    let heard = ''
    const answered = new Promise<void>((done) => {
      socket.on('data', (bytes) => {
        heard += bytes
        if (heard.includes('413')) done()
      })
    })
    // The connection of a caller who takes long to send the rest is closed, while that is still on its way.
    socket.on('error', () => {})
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    const token = (await newCaller(patient)).token
    socket.write(
      `POST /api/v1/documents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    for (let sent = 0; sent < 26 * 16 + 64; sent++) socket.write(chunk)
    await answered
    for (let sent = 0; sent < 64; sent++) socket.write(chunk)
    socket.write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await closed
    assert.match(heard, /^HTTP\/1\.1 413 /)
  })

  test('a caller who hangs up in the middle of a body does nothing, and is no fault of ours', async () => {
    const socket = connectSocket(port, '127.0.0.1')
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${caller.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
    socket.write(`${head}{"name":`)
    await sleep(100)
    socket.destroy()
    await sleep(100)
    assert.deepEqual(wiredLog, [])
  })

  test('the server goes on after all of this, and has nothing to complain of', async () => {
    assert.deepEqual(wiredLog, [])
    assert.equal(
      (await speak(['GET /api/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'])).body,
      '{"version":"1.0.0"}',
    )
  })
})
