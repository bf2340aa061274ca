import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Compile } from 'typebox/compile'
import { pascal } from '../src/books/documents/model/fields/shape.ts'
import { errorCodes } from '../src/error-codes.ts'
import { scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { mailJob } from '../src/platform/mail/delivering.ts'
import { complete, decisionOn, fromCustoms, syntaxOf } from './customs.ts'
import { some, someOfEach } from './depth.ts'
import { inPlace } from './described.ts'
import { interchange, truckload } from './interchanges.ts'
import { partnerOperations } from './partner-operations.ts'
import { pngOf } from './png.ts'
import { type Caller, callerIn, newCaller, sharedService } from './service.ts'
import { assertAlike, watchDryRuns } from './trying.ts'

type Schema = { [key: string]: unknown }
type Media = { schema: Schema; example?: unknown }
type Answer = { $ref?: string; description: string; content?: Record<string, Media> }
type Parameter = {
  $ref?: string
  name: string
  description?: string
  schema: Schema
  example?: unknown
  examples?: unknown
}
type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  'x-dry-run'?: boolean
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Answer>
}
type Paths = Record<string, Record<string, Operation>>
type Document = { openapi: string; paths: Paths; webhooks: Paths; components: Record<string, Record<string, unknown>> }

const service = await sharedService()
const { tried, contentOf } = await watchDryRuns(service)
const document: Document = inPlace<Document>((await service.app.inject('/openapi.json')).json())
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
)
const secured = operations.filter(({ operation }) => operation.security?.length)
const tagOf = ({ operation }: { operation: Operation }) => operation.tags?.[0]

function operationOf(id: string) {
  return operations.find((operation) => operation.id === id)
}

/** What a $ref points to, put in its place, all the way down. */
function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved)
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: string }
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, resolved(inner)]))
  const [, section, name] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec($ref) ?? []
  const target = document.components[section as string]?.[name as string]
  assert.ok(target, `${$ref} points to nothing`)
  return resolved(target)
}

const checks = new Map<string, ReturnType<typeof Compile>>()

/** Most answers are one of few shapes, and compiling is what takes the time. */
function checkOf(schema: Schema): ReturnType<typeof Compile> {
  const key = JSON.stringify(schema)
  const check = checks.get(key) ?? Compile(resolved(schema) as Schema)
  checks.set(key, check)
  return check
}

function assertFits(schema: Schema, value: unknown, where: string): void {
  const compiled = checkOf(schema)
  assert.ok(compiled.Check(value), `${where}: ${JSON.stringify(compiled.Errors(value))} in ${JSON.stringify(value)}`)
}

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1, and every reference in it points to something', () => {
    assert.match(document.openapi, /^3\.1\./)
    resolved(document.paths)
    resolved(document.webhooks)
  })

  test('has a schema that compiles to a check for every parameter and body: the server compiles each when it is first used', () => {
    const sent = operations.flatMap(({ id, operation: { parameters = [], requestBody } }) => [
      ...parameters.map((parameter) => ({
        where: `a parameter of ${id}`,
        schema: (resolved(parameter) as Parameter).schema,
      })),
      ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
        where: `${type} of ${id}`,
        schema: resolved(schema) as Schema,
      })),
    ])
    assert.ok(sent.length > 200)
    for (const { where, schema } of sent) assert.doesNotThrow(() => checkOf(schema), where)
    assert.throws(() => Compile({ type: 'string', pattern: '(' }))
  })

  test('says of every list in a body how long it can be: whatever looks at the entries of one takes as long as there are entries', () => {
    const endless = (node: unknown, where: string): string[] => {
      if (typeof node !== 'object' || node === null) return []
      const { type, maxItems } = node as Schema
      const inner = Object.entries(node).flatMap(([name, value]) =>
        name === 'examples' || name === 'example' ? [] : endless(value, `${where}.${name}`),
      )
      return [type].flat().includes('array') && maxItems === undefined ? [where, ...inner] : inner
    }
    const bodies = operations.flatMap(({ id, operation }) =>
      Object.entries(operation.requestBody?.content ?? {}).map(([media, { schema }]) => ({
        where: `${media} of ${id}`,
        schema: resolved(schema),
      })),
    )
    assert.deepEqual(
      bodies.flatMap(({ where, schema }) => endless(schema, where)),
      [],
    )
  })

  test('is held against answers in earnest: a missing field and a wrong type do not fit', () => {
    const schema = { $ref: '#/components/schemas/ApiError' }
    const fitting = { error_code: 'stale', error_message: 'x', details: [], request_id: 'x' }
    assertFits(schema, fitting, 'an error')
    assert.throws(() => assertFits(schema, { ...fitting, error_code: 7 }, 'a wrong type'))
    assert.throws(() => assertFits(schema, { ...fitting, error_code: 'no_code_of_ours' }, 'an unknown code'))
    assert.throws(() => assertFits(schema, { error_code: 'stale' }, 'missing fields'))
  })

  test('names every operation once', () => {
    const ids = operations.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  for (const { id, path, method, operation } of secured) {
    test(`${id} has a summary, a description, its scope, described parameters, and every refusal it can give`, () => {
      assert.ok(operation.summary && operation.description && operation.tags?.length)
      const scopes = operation.security?.flatMap((scheme) => scheme.oauth2 ?? []) ?? []
      const anyToken = [
        'getMe',
        'getScopes',
        'getOrganization',
        'getTimeZoneOfPlace',
        'getOrganizationHistory',
        'getOrganizationLogo',
        'getOrganizationUsage',
        'searchAccountingPeriods',
        'getAccountingPeriod',
        'getAccountingPeriodHistory',
        'listDefinitions',
        'getDefinition',
      ].includes(id)
      const byKind =
        /^\/api\/v2\/platformModel\/(?:objects|boards)|\/transfers|\/credits|v1\/payments|v1\/documents|v1\/mails/.test(
          path,
        )
      const ofSeveral: Record<string, number> = {
        billManifest: 2,
        invoiceOrder: 2,
        getCustomerStatement: 2,
        getCustomerStatementPdf: 2,
        sendCustomerStatement: 2,
        getPartnerCarrierStatement: 2,
        getPartnerCarrierStatementPdf: 2,
        getSummary: 2,
        getAccrualsReport: 4,
        getMarginReport: 4,
        putOrdersOnManifest: 2,
        takeOrderOffManifest: 2,
        searchDispatchManifests: 2,
        getPlanningFindings: 2,
        planManifest: 2,
        planOrders: 2,
        moveManifest: 2,
        sequenceStops: 2,
        sendConsolidatedBill: 2,
        payConsolidatedBill: 2,
        reopenConsolidatedBill: 2,
      }
      const number = ofSeveral[id] ?? (anyToken ? 0 : 1)
      assert.ok(byKind ? scopes.length > 1 : scopes.length === number, `scopes: ${scopes}`)
      assert.ok(scopes.every((scope) => (scopeNames as string[]).includes(scope)))
      const one = path.includes('{')
      const refusals = [
        '400',
        '401',
        '403',
        '405',
        '406',
        '429',
        '500',
        '503',
        ...(one ? ['404'] : []),
        ...(method === 'get' ? [] : ['409', '413', '415', '422']),
      ]
      for (const status of refusals) assert.ok(operation.responses[status], `${status} is missing`)
      for (const parameter of operation.parameters ?? [])
        assert.ok((resolved(parameter) as Parameter).description, parameter.name)
    })
  }

  test('declares together the scopes that one operation asks for together', () => {
    const { operation } = operations.find(({ id }) => id === 'billManifest') as (typeof operations)[number]
    assert.deepEqual(operation.security, [{ oauth2: ['manifests', 'bills'] }, { bearer: [] }])
  })

  test('describes nothing but in sentences, and every operation in one with a verb', () => {
    const fragments: string[] = []
    eachNode(document, (node, where) => {
      const { description } = node
      if (typeof description === 'string' && !/^[A-Z`{“][\s\S]*[.:`]$/.test(description.trim()))
        fragments.push(`${where}: ${description}`)
    })
    assert.deepEqual(fragments, [])
    const begun = operations.filter(
      ({ operation }) => !/^(?:[A-Z][a-z]+s |Only |They |With |The |Everything |It )/.test(operation.description ?? ''),
    )
    assert.deepEqual(
      begun.map(({ id, operation }) => `${id}: ${operation.description}`),
      [],
    )
  })

  test('says of every answer what it is', () => {
    const said = operations.flatMap(({ id, operation }) =>
      Object.entries(operation.responses).map(([status, { description }]) => ({
        answer: `${id} ${status}`,
        description,
      })),
    )
    const empty = said.filter(({ description }) => /^(?:Done|Ok|Success|Default Response)\b/i.test(description ?? ''))
    assert.deepEqual(empty, [])
    const of = (answer: string) => said.find((one) => one.answer === answer)?.description
    assert.equal(of('sendBill 200'), 'The bill as it is now, with its lines, its pay term and its currency.')
    assert.equal(of('searchEquipment 200'), 'One page of equipment, and the number of all that match.')
    assert.equal(of('deleteOAuthApplication 204'), 'The OAuth application is deleted; the answer has no body.')
  })

  test('gives every enum its type', () => {
    const untyped: string[] = []
    eachNode(document, (node, where) => {
      if (Array.isArray(node.enum) && node.type === undefined) untyped.push(where)
    })
    assert.deepEqual(untyped, [])
  })

  test('types a date that is sent as every form that is taken, and each of them fits', () => {
    const { operation } = operations.find(({ id }) => id === 'searchBills') as (typeof operations)[number]
    const { schema } = (operation.parameters ?? []).find(({ name }) => name === 'created_start_at') as Parameter
    for (const form of [
      '2026-11-15',
      '2026-11-15T00:00:00',
      '2026-11-15 00:00:00',
      '2026-11-15T00:00:00.5Z',
      '2026-11-15T00:00:00+02:00',
    ])
      assertFits(schema, form, form)
    const date = /date-or|moment/
    eachNode(document, (node, where) => assert.ok(!date.test(String(node.format)), where))
  })

  test('asks for a body only where there is something to say', () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false).map(({ id }) => id)
    const expected = ['save', 'send', 'pay'].flatMap((move) => [
      ...documentNouns.map((noun) => `${move}${pascal(noun)}`),
      `${move}ConsolidatedBill`,
    ])
    assert.deepEqual(
      optional.sort(),
      [
        ...expected,
        ...[
          'billManifest',
          'invoiceOrder',
          'restoreObject',
          'rotateOAuthApplicationSecret',
          'cancelTransfer',
          'cancelPlatformModelTransfer',
        ],
        ...['resendMail', 'sendPayment', 'sendCustomerStatement', 'refundPayment'],
        ...['rotateWebhookSecret', 'testWebhook', 'redeliverWebhookDelivery', 'closeAccountingPeriod'],
        ...[
          'approveBill',
          'revealPayee',
          'approvePayeeChange',
          'rejectPayeeChange',
          'approvePaymentRun',
          'issuePaymentRun',
          'sendRemittanceAdvices',
        ],
        ...[
          'auditCarrierInvoice',
          'approveCarrierInvoice',
          'startCarrierInvoiceAudit',
          'checkConnectorOrg',
          'startConnectorSync',
        ],
        ...['dispatchManifest', 'arriveAtStop', 'departFromStop', 'undoStopReport', 'amendEmanifest'],
        ...['cancelTender', 'acceptTenderCounter', 'closeBillQuestion', 'acceptPortalTender', 'declinePortalTender'],
        ...['arriveAtPortalStop', 'departFromPortalStop', 'undoPortalStopReport'],
      ].sort(),
    )
  })

  test('names every code that an error can have', () => {
    const { enum: codes } = resolved({ $ref: '#/components/schemas/ErrorCode' }) as { enum: string[] }
    assert.deepEqual(codes, Object.keys(errorCodes).sort())
    const named: string[] = []
    eachNode(
      document.components.schemas,
      ({ $ref }, where) => $ref === '#/components/schemas/ErrorCode' && named.push(where),
    )
    for (const where of [
      'ApiError.properties.error_code',
      'ApiErrorV2.properties.code',
      'RowError.properties.error_code',
    ])
      assert.ok(named.includes(where), where)
  })

  test('says of every answer which headers of the limits it has, and what 304 and 405 are', () => {
    for (const { id, method, path, operation } of secured) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const { headers = {} } = resolved(answer) as { headers?: object }
        assert.ok('RateLimit-Policy' in headers, `${id} ${status}`)
        if (Number(status) < 300)
          assert.ok('RateLimit' in headers && 'X-Ignored-Parameters' in headers, `${id} ${status}`)
      }
      if (method !== 'get' || !/(?:\}(?:\/external|\/content)?|\/organization)$/.test(path))
        assert.equal('304' in operation.responses, false, id)
    }
  })

  for (const { id, operation } of operations) {
    test(`${id} has an example for its body and each of its answers, and each fits its schema`, () => {
      for (const [where, media] of Object.entries(operation.requestBody?.content ?? {})) {
        assert.notEqual(media.example, undefined, where)
        assertFits(media.schema, media.example, `body of ${id}`)
      }
      for (const [status, answer] of Object.entries(operation.responses)) {
        const { content = {} } = resolved(answer) as Answer
        for (const media of Object.values(content)) {
          if (status === '204') continue
          assert.notEqual(media.example, undefined, status)
          assertFits(media.schema, media.example, `${status} of ${id}`)
        }
      }
    })
  }
})

/** Calls back with every object in the document but its examples, and where it is. */
function eachNode(node: unknown, visit: (node: Schema, where: string) => void, where = ''): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Schema, where)
  for (const [key, inner] of Object.entries(node)) {
    if (key !== 'example' && key !== 'examples' && key !== 'const')
      eachNode(inner, visit, where === '' ? key : `${where}.${key}`)
  }
}

type Doing = { org: string; call: Caller['call']; make(path: string, body: object): Promise<string> }
type Performance = (doing: Doing) => Promise<LightMyRequestResponse>

const types = '/api/v1/bill_item_types'
const applications = '/api/v1/oauth_applications'
const users = '/api/v1/users'
const application = {
  name: 'Sync',
  type: 'confidential',
  redirect_uris: [],
  scopes: ['bills'],
  grant_types: ['client_credentials'],
}
const user = () => ({ email: `${newId()}@example.com`, name: 'Sam', role: 'member' })

const bills = '/api/v1/bills'
const statements = '/api/v1/consolidated_bills'
const rates = '/api/v1/exchange_rates'
const rate = { from_currency_id: 'eur', to_currency_id: 'usd', rate: '1.0842', starts_on: '2020-01-01' }
const taxes = '/api/v1/tax_rates'
const tax = { name: 'GST', percent: '5' }
const rules = '/api/v1/approval_rules'
const delegations = '/api/v1/approval_delegations'
const approver = () => ({ ...user(), role: 'approver' })

/** A delegation between two new approvers. */
async function delegationOf({ make }: Doing) {
  return {
    from_user_id: await make(users, approver()),
    to_user_id: await make(users, approver()),
    ends_at: '2199-01-01T00:00:00Z',
  }
}

/** A saved bill in an organization where bills have to be approved. */
async function billToApprove(doing: Doing): Promise<string> {
  assert.equal((await doing.call('PUT', '/api/v1/organization', { approvals: 'on' })).statusCode, 200)
  return billAfter(doing, 'save')
}

const documents = '/api/v1/documents'
const pdf = '%PDF-1.4\n%%EOF\n'
const asPdf = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
const documentRules = '/api/v1/document_rules'
const documentRule = { before: 'pay', document_types: ['pod'] }

/** The path of a document that is attached to a bill. */
async function documentFile({ call, make }: Doing): Promise<string> {
  const bill = await make(bills, {})
  const { document } = (await call('POST', `${documents}?attached_to=bill:${bill}`, pdf, asPdf)).json()
  return `${documents}/${document.id}`
}

const terms = '/api/v1/pay_terms'
const periods = '/api/v1/accounting_periods'
const period = { starts_on: '2026-10-01', ends_on: '2026-10-31' }
const term = {
  name: 'Net 30',
  number_of_days: 30,
  connector_mappings: { qb: { connector_id: 'qb', vendor_pay_term_id: 'N30' } },
}

/** The kinds of documents, whose operations are the same. */
const documentNouns = ['bill', 'invoice', 'credit'] as const
type DocumentNoun = (typeof documentNouns)[number]
const newDocument = { direction: 'in', currency_id: 'usd', items: [{ unit_price: 100 }] }

/** The path of a document with a line, brought as far as these actions lead. */
async function documentAfter(noun: DocumentNoun, { call, make }: Doing, ...actions: string[]): Promise<string> {
  const at = `/api/v1/${noun}s/${await make(`/api/v1/${noun}s`, newDocument)}`
  for (const action of actions) assert.equal((await call('POST', `${at}/${action}`)).statusCode, 200)
  return at
}

const billAfter = (doing: Doing, ...actions: string[]) => documentAfter('bill', doing, ...actions)

function documentWrites(noun: DocumentNoun): Record<string, [event: string, perform: Performance]> {
  const path = `/api/v1/${noun}s`
  const Noun = pascal(noun)
  const after = (doing: Doing, ...actions: string[]) => documentAfter(noun, doing, ...actions)
  const lineOf = async (doing: Doing, at: string) =>
    `${at}/items/${(await doing.call('GET', at)).json()[`${noun}_item`].id}`
  const file = 'external_id,direction,notes\nA,in,x\n'
  const csv = { 'content-type': 'text/csv' }
  return {
    [`create${Noun}`]: [`${noun}.created`, ({ call }) => call('POST', path, newDocument)],
    [`update${Noun}`]: [`${noun}.updated`, async (doing) => doing.call('PUT', await after(doing), { notes: 'x' })],
    [`delete${Noun}`]: [`${noun}.deleted`, async (doing) => doing.call('DELETE', await after(doing))],
    [`save${Noun}`]: [`${noun}.saved`, async (doing) => doing.call('POST', `${await after(doing)}/save`)],
    [`send${Noun}`]: [`${noun}.sent`, async (doing) => doing.call('POST', `${await after(doing, 'save')}/send`)],
    [`pay${Noun}`]: [`${noun}.paid`, async (doing) => doing.call('POST', `${await after(doing, 'save')}/pay`)],
    [`reopen${Noun}`]: [
      `${noun}.reopened`,
      async (doing) => doing.call('POST', `${await after(doing, 'save', 'pay')}/reopen`, { reason: 'x' }),
    ],
    [`reprice${Noun}`]: [
      `${noun}.repriced`,
      async (doing) => {
        const at = await after(doing, 'save')
        assert.equal((await doing.call('PUT', '/api/v1/organization', { home_currency_id: 'usd' })).statusCode, 200)
        return doing.call('POST', `${at}/reprice`)
      },
    ],
    [`void${Noun}`]: [
      `${noun}.voided`,
      async (doing) => doing.call('POST', `${await after(doing, 'save')}/void`, { reason: 'x' }),
    ],
    [`correct${Noun}`]: [
      `${noun}.created`,
      async (doing) => doing.call('POST', `${await after(doing, 'save')}/correct`, { reason: 'x' }),
    ],
    [`add${Noun}Item`]: [
      `${noun}.updated`,
      async (doing) => doing.call('POST', `${await after(doing)}/items`, { unit_price: 1 }),
    ],
    [`update${Noun}Item`]: [
      `${noun}.updated`,
      async (doing) => doing.call('PUT', await lineOf(doing, await after(doing)), { unit_price: 2 }),
    ],
    [`remove${Noun}Item`]: [
      `${noun}.updated`,
      async (doing) => doing.call('DELETE', await lineOf(doing, await after(doing))),
    ],
    [`reorder${Noun}Items`]: [
      `${noun}.updated`,
      async (doing) => {
        const at = await after(doing)
        await doing.call('POST', `${at}/items`, { unit_price: 1 })
        const lines: { id: string }[] = (await doing.call('GET', at)).json()[`${noun}_items`]
        return doing.call('PUT', `${at}/items/order`, { item_ids: lines.map(({ id }) => id).reverse() })
      },
    ],
    [`bulk${Noun}s`]: [
      `${noun}.created`,
      ({ call }) =>
        call('POST', `${path}/bulk`, { [`${noun}s`]: [{ external_id: 'A', direction: 'in' }, { currency_id: 'xyz' }] }),
    ],
    [`import${Noun}s`]: [`${noun}.created`, ({ call }) => call('POST', `${path}/import`, file, csv)],
    [`start${Noun}sImport`]: ['transfer.created', ({ call }) => call('POST', `${path}/imports`, file, csv)],
    [`start${Noun}sExport`]: [
      'transfer.created',
      ({ call }) => call('POST', `${path}/exports?format=ndjson&status_ids=draft`),
    ],
  }
}

function documentReads(noun: DocumentNoun): Record<string, Performance> {
  const path = `/api/v1/${noun}s`
  const Noun = pascal(noun)
  const after = (doing: Doing, ...actions: string[]) => documentAfter(noun, doing, ...actions)
  return {
    [`search${Noun}s`]: async (doing) => {
      await after(doing, 'save', 'send')
      return doing.call('GET', path)
    },
    [`get${Noun}sTotals`]: async (doing) => {
      await after(doing, 'save')
      return doing.call('GET', `${path}/totals`)
    },
    [`get${Noun}`]: async (doing) => doing.call('GET', await after(doing, 'save', 'pay')),
    [`get${Noun}History`]: async (doing) => doing.call('GET', `${await after(doing, 'save')}/history`),
    [`list${Noun}Items`]: async (doing) => doing.call('GET', `${await after(doing)}/items`),
    [`get${Noun}Item`]: async (doing) => {
      const at = await after(doing)
      return doing.call('GET', `${at}/items/${(await doing.call('GET', at)).json()[`${noun}_item`].id}`)
    },
  }
}

/** The path of a statement of one bill, brought as far as these actions lead. */
async function statementAfter(doing: Doing, ...actions: string[]): Promise<string> {
  const at = `${statements}/${await doing.make(statements, { bill_ids: [idIn(await billAfter(doing, 'save'))] })}`
  for (const action of actions) assert.equal((await doing.call('POST', `${at}/${action}`)).statusCode, 200)
  return at
}

const payments = '/api/v1/payments'
const payment = (body: object = {}) => ({
  partner_carrier_id: newId(),
  currency_id: 'usd',
  amount: 100,
  method: 'wire',
  ...body,
})

/** The path of an invoice that is saved. */
async function owedInvoice({ call, make }: Doing): Promise<string> {
  const at = `/api/v1/invoices/${await make('/api/v1/invoices', newDocument)}`
  await call('POST', `${at}/save`)
  return at
}

async function paymentAfter({ make }: Doing, body: object = {}): Promise<string> {
  return `${payments}/${await make(payments, payment(body))}`
}

const carrierInvoices = '/api/v1/carrier_invoices'
const policies = '/api/v1/audit_policies'

/** The path of a carrier invoice over a manifest of 100, audited. */
async function auditedInvoice({ call, make }: Doing, amount = 100): Promise<string> {
  await make(types, { name: 'Line haul' })
  const manifest = await make('/api/v1/manifests', {
    currency_id: 'usd',
    status: 'completed',
    payment_items: [{ type: 'Line haul', unit_price: 100 }],
  })
  assert.equal(
    (await call('POST', `${documents}?document_type=pod&attached_to=manifest:${manifest}`, pdf, asPdf)).statusCode,
    201,
  )
  const lines = [{ type: 'Line haul', amount }]
  const at = `${carrierInvoices}/${await make(carrierInvoices, { invoice_number: newId(), currency_id: 'usd', lines, manifest_ids: [manifest] })}`
  assert.equal((await call('POST', `${at}/audit`)).statusCode, 200)
  return at
}

/** The path of an interchange that arrived. */
async function ediAfter({ call }: Doing): Promise<string> {
  const answer = await call('POST', `${carrierInvoices}/edi`, interchange([truckload()]), {
    'content-type': 'application/edi-x12',
  })
  return `/api/v1/edi_interchanges/${answer.json().edi_interchanges[0].id}`
}

/** Another person of the organization: what an application has asked for is approved by one. */
const byPerson = ({ org }: Doing) => ({ authorization: `Bearer ${callerIn(service, org).token}` })

const payees = '/api/v1/payees'
const payee = (body: object = {}) => ({
  ...{
    partner_carrier_id: newId(),
    name: 'A',
    method: 'ach',
    bank_details: { routing_number: '021000021', account_number: '12345678' },
  },
  ...body,
})
const payeeAfter = async ({ make }: Doing): Promise<string> => `${payees}/${await make(payees, payee())}`

async function changeAfter(doing: Doing): Promise<string> {
  const at = await payeeAfter(doing)
  return `${at}/changes/${(await doing.call('GET', at)).json().payee.waiting_change.id}`
}

const connections = '/api/v1/connectors_orgs'
const quickbooks = {
  connector_id: 'quickbooks_online',
  settings: { client_id: 'client' },
  secrets: { client_secret: 'secret' },
}
const realm_id = '9130347957983216'

/** What QuickBooks says to those who sign in there and look for vendors. Everything else goes where it goes. */
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const { hostname, pathname } = new URL(String(input))
  if (!hostname.endsWith('.intuit.com')) return fetch(input, init)
  if (pathname.endsWith('/bearer'))
    return Response.json({ access_token: 'access', refresh_token: 'refresh', expires_in: 3600 })
  if (pathname.includes('/companyinfo/')) return Response.json({ CompanyInfo: { CompanyName: 'Example, Inc.' } })
  return Response.json({ QueryResponse: { Vendor: [{ Id: '56', DisplayName: 'Cascade Carriers', Active: true }] } })
}
after(() => {
  globalThis.fetch = fetch
})

/** What ends the sign-in of a connection with QuickBooks. */
async function signInAt({ call }: Doing, at: string) {
  const { state } = (await call('POST', `${at}/authorize`)).json()
  return { authorization_code: 'code', state, realm_id }
}

const fileConnection = async ({ make }: Doing): Promise<string> =>
  `${connections}/${await make(connections, { connector_id: 'csv' })}`
const onlineConnection = async ({ make }: Doing): Promise<string> =>
  `${connections}/${await make(connections, quickbooks)}`

async function connected(doing: Doing): Promise<string> {
  const at = await onlineConnection(doing)
  assert.equal((await doing.call('POST', `${at}/connect`, await signInAt(doing, at))).statusCode, 200)
  return at
}

/** The path of a sync; `failed`: of one that ended before it came to its bill. */
async function syncOf(doing: Doing, { failed = false } = {}): Promise<string> {
  const at = await connected(doing)
  if (!failed) return `${at}/syncs/${(await doing.call('POST', `${at}/syncs`)).json().sync.id}`
  await billAfter(doing, 'save')
  const sync = `${at}/syncs/${(await doing.call('POST', `${at}/syncs`)).json().sync.id}`
  await doing.call('POST', `${sync}/cancel`)
  return sync
}

const emanifests = '/api/v1/emanifests'
const asX12 = { 'content-type': 'application/edi-x12' }

/** The path of an e-manifest, brought as far as these actions lead; `accept`: customs has accepted it. */
async function emanifestAfter(
  { call, make }: Doing,
  ...actions: ('fill' | 'validate' | 'submit' | 'accept')[]
): Promise<string> {
  const at = `${emanifests}/${await make(emanifests, { manifest_id: await make('/api/v1/manifests', {}), border: 'ace' })}`
  for (const action of actions) {
    const answer =
      action === 'fill'
        ? await call('PUT', at, complete('CSCDTRIP5521'))
        : action === 'accept'
          ? await call('POST', `${emanifests}/acknowledgements`, fromCustoms([decisionOn('CSCDTRIP5521')]), asX12)
          : await call('POST', `${at}/${action}`)
    assert.equal(answer.statusCode, 200, answer.body)
  }
  return at
}

const runs = '/api/v1/payment_runs'
const accounts = '/api/v1/paying_accounts'
const account = {
  name: 'A',
  bank_details: { routing_number: '021000021', account_number: '12345678' },
  company_id: '1234567890',
}

/** The path of a run of one bill, brought as far as these actions lead. */
async function runAfter(doing: Doing, ...actions: string[]): Promise<string> {
  const partner_carrier_id = newId()
  const { waiting_change, id } = (await doing.call('POST', payees, payee({ partner_carrier_id }))).json().payee
  await doing.call('POST', `${payees}/${id}/changes/${waiting_change.id}/approve`, {}, byPerson(doing))
  const bill = await doing.make(bills, { ...newDocument, partner_carrier_id, due_date: '2026-11-01' })
  await doing.call('POST', `${bills}/${bill}/save`)
  const credit = await doing.make('/api/v1/credits', {
    direction: 'out',
    partner_carrier_id,
    currency_id: 'usd',
    items: [{ unit_price: 1 }],
  })
  await doing.call('POST', `/api/v1/credits/${credit}/save`)
  const at = `${runs}/${await doing.make(runs, { due_until: '2026-11-20', currency_id: 'usd', partner_carrier_ids: [partner_carrier_id] })}`
  for (const action of actions)
    assert.equal((await doing.call('POST', `${at}/${action}`, {}, byPerson(doing))).statusCode, 200)
  return at
}

const firstPayment = async (doing: Doing, at: string) => (await doing.call('GET', `${at}/payments`)).json().payments[0]

/** A bill of a carrier that is owed. */
async function owedBill({ call, make }: Doing): Promise<{ id: string; partner_carrier_id: string }> {
  const partner_carrier_id = newId()
  const id = await make(bills, { partner_carrier_id, currency_id: 'usd', items: [{ unit_price: 100 }] })
  await call('POST', `${bills}/${id}/save`)
  return { id, partner_carrier_id }
}

async function creditOf({ call, make }: Doing, partner_carrier_id: string): Promise<string> {
  const at = `/api/v1/credits/${await make('/api/v1/credits', { direction: 'out', partner_carrier_id, currency_id: 'usd', items: [{ unit_price: 100 }] })}`
  await call('POST', `${at}/save`)
  return at
}

/** The path of an export that waits. */
async function transferAfter({ call }: Doing, version = 'v1'): Promise<string> {
  return `/api/${version}/transfers/${(await call('POST', `${bills}/exports`)).json().transfer.id}`
}

const webhooks = '/api/v1/webhooks'
const webhook = { url: 'https://hooks.example.com/lading', event_types: ['bill.*'] }

/** The path of a mail that was sent. */
async function mailAfter(doing: Doing): Promise<string> {
  const answer = await doing.call('POST', `${await paymentAfter(doing)}/send`, { to: ['ap@cascade.example'] })
  const leaves = 'sent' as const
  const transport = {
    leaves,
    send: async ({ to }: { to: readonly string[] }) => ({ accepted: to, refused: [], later: [] }),
    reach: async () => {},
    close() {},
  }
  await mailJob({ database: service.database, transport, from: 'a@lading.example', onlyIn: doing.org }).run(
    new AbortController().signal,
  )
  return `/api/v1/mails/${answer.json().mail.id}`
}

async function webhookAfter({ make }: Doing): Promise<string> {
  return `${webhooks}/${await make(webhooks, webhook)}`
}

/** The path of the delivery of a test. */
async function deliveryAfter(doing: Doing): Promise<string> {
  return `/api/v1/webhook_deliveries/${(await doing.call('POST', `${await webhookAfter(doing)}/test`)).json().webhook_delivery.id}`
}

const idIn = (path: string) => path.split('/').at(-1) as string

const objects = '/api/v2/platformModel/objects'
const definitions = '/api/v2/platformModel/definitions'
const definition = {
  objectKey: 'inspection',
  name: 'Inspection',
  prefix: 'INSP',
  fields: [{ key: 'score', name: 'Score', type: 'integer' }],
}

/** The path of a new customer. */
async function objectAfter({ call }: Doing): Promise<string> {
  const json = { name: 'A', externalId: 'E', billingAddress: { city: 'X', latitude: 1, longitude: 2 } }
  return `${objects}/${(await call('PATCH', objects, { objectKey: 'customer', json })).json().id}`
}

/** The v1 faces of objects: what each is called in the document and in events, and what one is made from. */
const faces: Record<string, [schema: string, noun: string, body: (doing: Doing) => Promise<object>]> = {
  customers: [
    'Customer',
    'customer',
    async () => ({ name: 'A', billing_address: { city: 'X', latitude: 1, longitude: 2 } }),
  ],
  orders: [
    'Order',
    'order',
    async ({ make }) => ({
      customer_id: await make('/api/v1/customers', { name: 'A' }),
      pickup_at: '2026-11-16T08:00:00+02:00',
    }),
  ],
  legs: ['Leg', 'leg', async () => ({ leg_type: 'line_haul', origin: { city: 'X' } })],
  manifests: [
    'Manifest',
    'manifest',
    async ({ make }) => ({
      payment_items: [{ type: await make(types, { name: 'Line haul' }), unit_price: 100 }],
      start: { city: 'X' },
    }),
  ],
  equipment: ['Equipment', 'equipment', async () => ({ unit_number: 'T-1', length: 16.15 })],
  services: ['Service', 'service', async () => ({ name: 'A', price: 100 })],
  partner_carriers: [
    'PartnerCarrier',
    'partner',
    async () => ({ name: 'A', equipment_types: ['reefer'], currency_id: 'usd' }),
  ],
}
const faceAfter = async (doing: Doing, path: string) =>
  `/api/v1/${path}/${await doing.make(`/api/v1/${path}`, (await faces[path]?.[2](doing)) as object)}`

const faceWrites = Object.entries(faces).flatMap(
  ([path, [schema, noun, body]]): [string, [event: string, perform: Performance]][] => [
    [`create${schema}`, [`${noun}.created`, async (doing) => doing.call('POST', `/api/v1/${path}`, await body(doing))]],
    [
      `update${schema}`,
      [`${noun}.updated`, async (doing) => doing.call('PUT', await faceAfter(doing, path), { external_id: 'E' })],
    ],
    [`delete${schema}`, [`${noun}.deleted`, async (doing) => doing.call('DELETE', await faceAfter(doing, path))]],
  ],
)

const faceReads = Object.entries(faces).flatMap(([path, [schema]]): [string, Performance][] => [
  [`get${schema}`, async (doing) => doing.call('GET', await faceAfter(doing, path))],
  [
    `search${schema === 'Equipment' ? schema : `${schema}s`}`,
    async (doing) => {
      await faceAfter(doing, path)
      return doing.call('GET', `/api/v1/${path}`)
    },
  ],
  [`get${schema}History`, async (doing) => doing.call('GET', `${await faceAfter(doing, path)}/history`)],
])

/** The path of a manifest that can be billed. */
async function billable({ make }: Doing): Promise<string> {
  await make(types, { name: 'Line haul' })
  const partner_carrier_id = await make('/api/v1/partner_carriers', { name: 'A' })
  return `/api/v1/manifests/${await make('/api/v1/manifests', { partner_carrier_id, currency_id: 'usd', payment_items: [{ type: 'Line haul', unit_price: 1 }] })}`
}

/** The path of a manifest with a stop that should have been reached long ago, and that of the stop. */
async function travelling({ call, make }: Doing): Promise<{ at: string; stop: string }> {
  const stops = [
    { kind: 'delivery', address: { city: 'Y', latitude: 10, longitude: 10 }, window_end: '2026-01-01T00:00:00Z' },
  ]
  const at = `/api/v1/manifests/${await make('/api/v1/manifests', { external_id: 'TRIP-5521', stops })}`
  return { at, stop: `${at}/stops/${(await call('GET', at)).json().manifest.stops[0].id}` }
}

/** The path of a manifest with an order on it, and the id of the order. */
async function withOrder({ call, make }: Doing): Promise<{ at: string; order: string }> {
  const order = await make('/api/v1/orders', { customer_id: await make('/api/v1/customers', { name: 'A' }) })
  const at = `/api/v1/manifests/${await make('/api/v1/manifests', {})}`
  await call('POST', `${at}/orders`, { order_ids: [order] })
  return { at, order }
}

/** The path of an order that can be invoiced. */
async function invoiceable({ make }: Doing): Promise<string> {
  const customer_id = await make('/api/v1/customers', { name: 'A' })
  return `/api/v1/orders/${await make('/api/v1/orders', { customer_id, currency_id: 'usd', rate: 100 })}`
}

const boards = '/api/v2/platformModel/boards'
const board = {
  name: 'A',
  objectKey: 'customer',
  filter: { field: 'name', op: 'exists' },
  columns: ['name'],
  sort: 'name',
}

async function boardAfter({ call }: Doing): Promise<string> {
  return `${boards}/${(await call('POST', boards, board)).json().id}`
}

/** Not every POST changes something. */
const readsByPost = [
  'openPortalLink',
  'searchObjects',
  'replayAuditPolicy',
  'authorizeConnectorOrg',
  'checkConnectorOrg',
]

const ofPartners = partnerOperations(service)

/** How each write is done, and the event that it must leave. Whoever adds a write adds a line. */
const writes: Record<string, [event: string, perform: Performance]> = {
  ...Object.fromEntries(faceWrites),
  ...ofPartners.writes,
  billManifest: ['manifest.billed', async (doing) => doing.call('POST', `${await billable(doing)}/bill`)],
  dispatchManifest: [
    'manifest.updated',
    async (doing) => doing.call('POST', `${(await travelling(doing)).at}/dispatch`),
  ],
  putOrdersOnManifest: [
    'order.updated',
    async (doing) => {
      const order = await doing.make('/api/v1/orders', {
        customer_id: await doing.make('/api/v1/customers', { name: 'A' }),
      })
      return doing.call('POST', `/api/v1/manifests/${await doing.make('/api/v1/manifests', {})}/orders`, {
        order_ids: [order],
      })
    },
  ],
  takeOrderOffManifest: [
    'manifest.updated',
    async (doing) => {
      const { at, order } = await withOrder(doing)
      return doing.call('DELETE', `${at}/orders/${order}`)
    },
  ],
  planManifest: [
    'order.updated',
    async (doing) => {
      const order = await doing.make('/api/v1/orders', {
        customer_id: await doing.make('/api/v1/customers', { name: 'A' }),
      })
      return doing.call('POST', '/api/v1/dispatch/manifests', { order_ids: [order] })
    },
  ],
  planOrders: [
    'order.updated',
    async (doing) => {
      const order = await doing.make('/api/v1/orders', {
        customer_id: await doing.make('/api/v1/customers', { name: 'A' }),
      })
      return doing.call('POST', `/api/v1/dispatch/manifests/${await doing.make('/api/v1/manifests', {})}/orders`, {
        order_ids: [order],
      })
    },
  ],
  moveManifest: [
    'manifest.updated',
    async (doing) =>
      doing.call('POST', `/api/v1/dispatch/manifests/${await doing.make('/api/v1/manifests', {})}/move`, {
        to: 'planned',
      }),
  ],
  sequenceStops: [
    'manifest.updated',
    async (doing) => {
      const manifest = await doing.make('/api/v1/manifests', { stops: [{ kind: 'other' }, { kind: 'border' }] })
      const { stops } = (await doing.call('GET', `/api/v1/manifests/${manifest}`)).json().manifest
      return doing.call('PUT', `/api/v1/dispatch/manifests/${manifest}/sequence`, {
        stop_ids: [stops[1].id, stops[0].id],
      })
    },
  ],
  arriveAtStop: ['manifest.updated', async (doing) => doing.call('POST', `${(await travelling(doing)).stop}/arrive`)],
  departFromStop: ['manifest.updated', async (doing) => doing.call('POST', `${(await travelling(doing)).stop}/depart`)],
  undoStopReport: [
    'manifest.updated',
    async (doing) => {
      const { stop } = await travelling(doing)
      await doing.call('POST', `${stop}/arrive`)
      return doing.call('POST', `${stop}/undo`)
    },
  ],
  // Positions have no events of their own; these are so late that the delay has one.
  recordManifestPositions: [
    'manifest.delayed',
    async (doing) => doing.call('POST', `${(await travelling(doing)).at}/positions`, { latitude: 0, longitude: 0 }),
  ],
  recordPositions: [
    'manifest.delayed',
    async (doing) => {
      const manifest_id = (await travelling(doing)).at.split('/').at(-1)
      return doing.call('POST', '/api/v1/positions', { positions: [{ manifest_id, latitude: 0, longitude: 0 }] })
    },
  ],
  invoiceOrder: ['order.invoiced', async (doing) => doing.call('POST', `${await invoiceable(doing)}/invoice`)],
  createBillItemType: ['bill_item_type.created', ({ call }) => call('POST', types, { name: 'A' })],
  updateBillItemType: [
    'bill_item_type.updated',
    async ({ call, make }) => call('PUT', `${types}/${await make(types, { name: 'A' })}`, { name: 'B' }),
  ],
  deleteBillItemType: [
    'bill_item_type.deleted',
    async ({ call, make }) => call('DELETE', `${types}/${await make(types, { name: 'A' })}`),
  ],
  ...Object.assign({}, ...documentNouns.map(documentWrites)),
  startObjectsImport: [
    'transfer.created',
    ({ call }) =>
      call('POST', `${objects}/imports?objectKey=customer`, 'name,city\nA,X\n', { 'content-type': 'text/csv' }),
  ],
  startObjectsExport: ['transfer.created', ({ call }) => call('POST', `${objects}/exports?objectKey=customer`)],
  cancelTransfer: ['transfer.cancelled', async (doing) => doing.call('POST', `${await transferAfter(doing)}/cancel`)],
  cancelPlatformModelTransfer: [
    'transfer.cancelled',
    async (doing) => doing.call('POST', `${await transferAfter(doing, 'v2/platformModel')}/cancel`),
  ],
  updateOrganization: [
    'organization.updated',
    ({ call }) => call('PUT', '/api/v1/organization', { time_zone: 'America/Denver' }),
  ],
  approveBill: ['bill.approved', async (doing) => doing.call('POST', `${await billToApprove(doing)}/approve`)],
  approveBills: [
    'bill.approved',
    async (doing) =>
      doing.call('POST', `${bills}/approve`, { bill_ids: [(await billToApprove(doing)).split('/').at(-1)] }),
  ],
  rejectBill: [
    'bill.rejected',
    async (doing) => doing.call('POST', `${await billToApprove(doing)}/reject`, { reason: 'Not agreed' }),
  ],
  createApprovalRule: [
    'approval_rule.created',
    ({ call }) => call('POST', rules, { name: 'Large', min_amount: 5, currency_id: 'usd' }),
  ],
  updateApprovalRule: [
    'approval_rule.updated',
    async ({ call, make }) => call('PUT', `${rules}/${await make(rules, { name: 'Two' })}`, { needed_approvals: 2 }),
  ],
  deleteApprovalRule: [
    'approval_rule.deleted',
    async ({ call, make }) => call('DELETE', `${rules}/${await make(rules, { name: 'Two' })}`),
  ],
  createApprovalDelegation: [
    'approval_delegation.created',
    async (doing) => doing.call('POST', delegations, await delegationOf(doing)),
  ],
  deleteApprovalDelegation: [
    'approval_delegation.deleted',
    async (doing) => doing.call('DELETE', `${delegations}/${await doing.make(delegations, await delegationOf(doing))}`),
  ],
  createDocument: ['document.created', ({ call }) => call('POST', `${documents}?document_type=pod`, pdf, asPdf)],
  updateDocument: [
    'document.updated',
    async (doing) => doing.call('PUT', await documentFile(doing), { document_type: 'pod' }),
  ],
  deleteDocument: ['document.deleted', async (doing) => doing.call('DELETE', await documentFile(doing))],
  createDocumentRule: ['document_rule.created', ({ call }) => call('POST', documentRules, documentRule)],
  updateDocumentRule: [
    'document_rule.updated',
    async ({ call, make }) =>
      call('PUT', `${documentRules}/${await make(documentRules, documentRule)}`, { before: 'approve' }),
  ],
  deleteDocumentRule: [
    'document_rule.deleted',
    async ({ call, make }) => call('DELETE', `${documentRules}/${await make(documentRules, documentRule)}`),
  ],
  createTaxRate: ['tax_rate.created', ({ call }) => call('POST', taxes, tax)],
  updateTaxRate: [
    'tax_rate.updated',
    async ({ call, make }) => call('PUT', `${taxes}/${await make(taxes, tax)}`, { percent: '6' }),
  ],
  deleteTaxRate: ['tax_rate.deleted', async ({ call, make }) => call('DELETE', `${taxes}/${await make(taxes, tax)}`)],
  createExchangeRate: ['exchange_rate.created', ({ call }) => call('POST', rates, rate)],
  updateExchangeRate: [
    'exchange_rate.updated',
    async ({ call, make }) => call('PUT', `${rates}/${await make(rates, rate)}`, { rate: '1.1' }),
  ],
  deleteExchangeRate: [
    'exchange_rate.deleted',
    async ({ call, make }) => call('DELETE', `${rates}/${await make(rates, rate)}`),
  ],
  importExchangeRates: [
    'exchange_rate.created',
    ({ call }) => call('POST', `${rates}/import`, 'Date, USD\n2026-11-16, 1.08\n', { 'content-type': 'text/csv' }),
  ],
  createAccountingPeriod: ['accounting_period.created', ({ call }) => call('POST', periods, period)],
  closeAccountingPeriod: [
    'accounting_period.closed',
    async ({ call, make }) => call('POST', `${periods}/${await make(periods, period)}/close`),
  ],
  reopenAccountingPeriod: [
    'accounting_period.reopened',
    async ({ call, make }) => {
      const at = `${periods}/${await make(periods, period)}`
      await call('POST', `${at}/close`)
      return call('POST', `${at}/reopen`, { reason: 'x' })
    },
  ],
  deleteAccountingPeriod: [
    'accounting_period.deleted',
    async ({ call, make }) => call('DELETE', `${periods}/${await make(periods, period)}`),
  ],
  createCarrierInvoice: [
    'carrier_invoice.created',
    ({ call }) => call('POST', carrierInvoices, { invoice_number: 'INV-1', currency_id: 'usd' }),
  ],
  updateCarrierInvoice: [
    'carrier_invoice.updated',
    async (doing) => doing.call('PUT', await auditedInvoice(doing), { notes: 'x' }),
  ],
  deleteCarrierInvoice: ['carrier_invoice.deleted', async (doing) => doing.call('DELETE', await auditedInvoice(doing))],
  matchCarrierInvoice: [
    'carrier_invoice.matched',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing)}/match`, { manifest_ids: [] }),
  ],
  auditCarrierInvoice: [
    'carrier_invoice.audited',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing)}/audit`),
  ],
  acceptCarrierInvoice: [
    'carrier_invoice.accepted',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing, 120)}/accept`, { note: 'x' }),
  ],
  shortPayCarrierInvoice: [
    'carrier_invoice.short_paid',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing, 120)}/short_pay`, { note: 'x' }),
  ],
  disputeCarrierInvoice: [
    'carrier_invoice.disputed',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing, 120)}/dispute`, { note: 'x' }),
  ],
  rejectCarrierInvoice: [
    'carrier_invoice.rejected',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing)}/reject`, { note: 'x' }),
  ],
  approveCarrierInvoice: [
    'carrier_invoice.billed',
    async (doing) => doing.call('POST', `${await auditedInvoice(doing)}/approve`),
  ],
  importCarrierInvoices: [
    'carrier_invoice.created',
    ({ call }) =>
      call('POST', `${carrierInvoices}/import`, 'invoice_number,currency_id,line_amount\nA,usd,1\n', {
        'content-type': 'text/csv',
      }),
  ],
  createCarrierInvoicesByEdi: [
    'carrier_invoice.created',
    ({ call }) =>
      call('POST', `${carrierInvoices}/edi`, interchange([truckload()]), { 'content-type': 'application/edi-x12' }),
  ],
  startCarrierInvoiceAudit: ['audit_run.created', ({ call }) => call('POST', `${carrierInvoices}/audit`)],
  createAuditPolicy: ['audit_policy.created', ({ call }) => call('POST', policies, { over_percent: '2' })],
  updateAuditPolicy: [
    'audit_policy.updated',
    async ({ call, make }) => call('PUT', `${policies}/${await make(policies, {})}`, { over_amount: 5 }),
  ],
  deleteAuditPolicy: [
    'audit_policy.deleted',
    async ({ call, make }) => call('DELETE', `${policies}/${await make(policies, {})}`),
  ],
  createPayment: ['payment.issued', ({ call }) => call('POST', payments, payment())],
  updatePayment: ['payment.updated', async (doing) => doing.call('PUT', await paymentAfter(doing), { notes: 'x' })],
  deletePayment: [
    'payment.deleted',
    async (doing) => doing.call('DELETE', await paymentAfter(doing, { status: 'draft' })),
  ],
  issuePayment: [
    'payment.issued',
    async (doing) => doing.call('POST', `${await paymentAfter(doing, { status: 'draft' })}/issue`),
  ],
  clearPayment: ['payment.cleared', async (doing) => doing.call('POST', `${await paymentAfter(doing)}/clear`)],
  repricePayment: [
    'payment.repriced',
    async (doing) => {
      const at = await paymentAfter(doing)
      assert.equal((await doing.call('PUT', '/api/v1/organization', { home_currency_id: 'usd' })).statusCode, 200)
      return doing.call('POST', `${at}/reprice`)
    },
  ],
  voidPayment: [
    'payment.voided',
    async (doing) => doing.call('POST', `${await paymentAfter(doing)}/void`, { reason: 'x' }),
  ],
  refundPayment: [
    'payment.refunded',
    async (doing) => doing.call('POST', `${await paymentAfter(doing)}/refund`, { amount: 1 }),
  ],
  writeOffInvoice: [
    'invoice.written_off',
    async (doing) => doing.call('POST', `${await owedInvoice(doing)}/write_off`, { reason: 'x' }),
  ],
  voidWriteOff: [
    'credit.voided',
    async (doing) => {
      const at = await owedInvoice(doing)
      await doing.call('POST', `${at}/write_off`, { reason: 'x' })
      const { payments: settled } = (await doing.call('GET', `${at}/payments`)).json()
      return doing.call('POST', `${at}/write_offs/${settled[0].credit_id}/void`, { reason: 'x' })
    },
  ],
  allocatePayment: [
    'payment.allocated',
    async (doing) => {
      const { id, ...owed } = await owedBill(doing)
      return doing.call('POST', `${await paymentAfter(doing, owed)}/allocations`, {
        allocations: [{ bill_id: id, amount: 1 }],
      })
    },
  ],
  removeAllocation: [
    'payment.updated',
    async (doing) => {
      const { id, ...owed } = await owedBill(doing)
      const at = await paymentAfter(doing, { ...owed, allocations: [{ bill_id: id, amount: 1 }] })
      return doing.call('DELETE', `${at}/allocations/${(await doing.call('GET', at)).json().payment.allocations[0].id}`)
    },
  ],
  applyCredit: [
    'credit.updated',
    async (doing) => {
      const { id, partner_carrier_id } = await owedBill(doing)
      return doing.call('POST', `${await creditOf(doing, partner_carrier_id)}/apply`, {
        allocations: [{ bill_id: id, amount: 1 }],
      })
    },
  ],
  removeCreditAllocation: [
    'credit.updated',
    async (doing) => {
      const { id, partner_carrier_id } = await owedBill(doing)
      const at = await creditOf(doing, partner_carrier_id)
      await doing.call('POST', `${at}/apply`, { allocations: [{ bill_id: id, amount: 1 }] })
      return doing.call(
        'DELETE',
        `${at}/allocations/${(await doing.call('GET', `${at}/payments`)).json().payments[0].id}`,
      )
    },
  ],
  createPayee: ['payee.change_requested', ({ call }) => call('POST', payees, payee())],
  updatePayee: ['payee.updated', async (doing) => doing.call('PUT', await payeeAfter(doing), { notes: 'x' })],
  deletePayee: [
    'payee.deleted',
    async (doing) => {
      const change = await changeAfter(doing)
      await doing.call('POST', `${change}/reject`, {})
      return doing.call('DELETE', change.split('/changes/')[0] as string)
    },
  ],
  revealPayee: ['payee.revealed', async (doing) => doing.call('POST', `${await payeeAfter(doing)}/reveal`)],
  approvePayeeChange: [
    'payee.change_approved',
    async (doing) => doing.call('POST', `${await changeAfter(doing)}/approve`, {}, byPerson(doing)),
  ],
  rejectPayeeChange: [
    'payee.change_rejected',
    async (doing) => doing.call('POST', `${await changeAfter(doing)}/reject`, {}),
  ],
  setPayingAccount: ['paying_account.created', ({ call }) => call('PUT', `${accounts}/usd`, account)],
  deletePayingAccount: [
    'paying_account.deleted',
    async ({ call }) => {
      await call('PUT', `${accounts}/usd`, account)
      return call('DELETE', `${accounts}/usd`)
    },
  ],
  createPaymentRun: [
    'payment_run.created',
    async (doing) => {
      await doing.call('DELETE', await runAfter(doing))
      return doing.call('POST', runs, { due_until: '2026-11-20', currency_id: 'usd' })
    },
  ],
  deletePaymentRun: ['payment_run.deleted', async (doing) => doing.call('DELETE', await runAfter(doing))],
  removeBillFromPaymentRun: [
    'payment_run.updated',
    async (doing) => {
      const at = await runAfter(doing)
      return doing.call('DELETE', `${at}/bills/${(await firstPayment(doing, at)).bills[0].bill_id}`)
    },
  ],
  removeSetOffFromPaymentRun: [
    'payment_run.updated',
    async (doing) => {
      const at = await runAfter(doing)
      return doing.call('DELETE', `${at}/set_offs/${(await firstPayment(doing, at)).set_offs[0].id}`)
    },
  ],
  approvePaymentRun: [
    'payment_run.approved',
    async (doing) => doing.call('POST', `${await runAfter(doing)}/approve`, {}, byPerson(doing)),
  ],
  issuePaymentRun: [
    'payment_run.issued',
    async (doing) => doing.call('POST', `${await runAfter(doing, 'approve')}/issue`, {}),
  ],
  sendRemittanceAdvices: [
    'payment_run.advised',
    async (doing) => doing.call('POST', `${await runAfter(doing, 'approve', 'issue')}/send`, {}),
  ],
  returnPayment: [
    'payment_run.payment_returned',
    async (doing) => {
      const { payment_id } = await firstPayment(doing, await runAfter(doing, 'approve', 'issue'))
      return doing.call('POST', `${payments}/${payment_id}/return`, { reason: 'x', code: 'R03' })
    },
  ],
  createConnectorOrg: ['connector_org.created', ({ call }) => call('POST', connections, quickbooks)],
  updateConnectorOrg: [
    'connector_org.updated',
    async (doing) => doing.call('PUT', await onlineConnection(doing), { name: 'Books' }),
  ],
  deleteConnectorOrg: ['connector_org.deleted', async (doing) => doing.call('DELETE', await onlineConnection(doing))],
  connectConnectorOrg: [
    'connector_org.connected',
    async (doing) => {
      const at = await onlineConnection(doing)
      return doing.call('POST', `${at}/connect`, await signInAt(doing, at))
    },
  ],
  disconnectConnectorOrg: [
    'connector_org.disconnected',
    async (doing) => doing.call('POST', `${await connected(doing)}/disconnect`),
  ],
  setConnectorMappings: [
    'connector_org.mapped',
    async (doing) => {
      const record_id = await doing.make(types, { name: 'Line haul' })
      return doing.call('POST', `${await fileConnection(doing)}/mappings`, {
        mappings: [{ kind: 'bill_items', record_id, remote_id: '7' }],
      })
    },
  ],
  startConnectorSync: [
    'connector_sync.created',
    async (doing) => doing.call('POST', `${await fileConnection(doing)}/syncs`),
  ],
  retryConnectorSync: [
    'connector_sync.created',
    async (doing) => doing.call('POST', `${await syncOf(doing, { failed: true })}/retry`),
  ],
  cancelConnectorSync: [
    'connector_sync.cancelled',
    async (doing) => doing.call('POST', `${await syncOf(doing)}/cancel`),
  ],
  createEmanifest: [
    'emanifest.created',
    async ({ call, make }) =>
      call('POST', emanifests, { manifest_id: await make('/api/v1/manifests', {}), border: 'aci' }),
  ],
  updateEmanifest: [
    'emanifest.updated',
    async (doing) => doing.call('PUT', await emanifestAfter(doing), complete('CSCDTRIP1')),
  ],
  validateEmanifest: [
    'emanifest.validated',
    async (doing) => doing.call('POST', `${await emanifestAfter(doing, 'fill')}/validate`),
  ],
  submitEmanifest: [
    'emanifest.submitted',
    async (doing) => doing.call('POST', `${await emanifestAfter(doing, 'fill', 'validate')}/submit`),
  ],
  amendEmanifest: [
    'emanifest.amended',
    async (doing) =>
      doing.call('POST', `${await emanifestAfter(doing, 'fill', 'validate', 'submit', 'accept')}/amend`, {
        port: '0901',
      }),
  ],
  cancelEmanifest: [
    'emanifest.cancelled',
    async (doing) => doing.call('POST', `${await emanifestAfter(doing)}/cancel`),
  ],
  acknowledgeEmanifests: [
    'emanifest.acknowledged',
    async (doing) => {
      await emanifestAfter(doing, 'fill', 'validate', 'submit')
      return doing.call('POST', `${emanifests}/acknowledgements`, fromCustoms([syntaxOf('000000001')]), asX12)
    },
  ],
  createPayTerm: ['pay_term.created', ({ call }) => call('POST', terms, term)],
  updatePayTerm: [
    'pay_term.updated',
    async ({ call, make }) => call('PUT', `${terms}/${await make(terms, term)}`, { number_of_days: 7 }),
  ],
  deletePayTerm: ['pay_term.deleted', async ({ call, make }) => call('DELETE', `${terms}/${await make(terms, term)}`)],
  createConsolidatedBill: [
    'consolidated_bill.created',
    async (doing) => doing.call('POST', statements, { bill_ids: [idIn(await billAfter(doing, 'save'))] }),
  ],
  updateConsolidatedBill: [
    'consolidated_bill.updated',
    async (doing) => doing.call('PUT', await statementAfter(doing), { notes: 'x' }),
  ],
  deleteConsolidatedBill: [
    'consolidated_bill.deleted',
    async (doing) => doing.call('DELETE', await statementAfter(doing)),
  ],
  voidConsolidatedBill: [
    'consolidated_bill.voided',
    async (doing) => doing.call('POST', `${await statementAfter(doing, 'save')}/void`, { reason: 'x' }),
  ],
  saveConsolidatedBill: [
    'consolidated_bill.saved',
    async (doing) => doing.call('POST', `${await statementAfter(doing)}/save`),
  ],
  sendConsolidatedBill: [
    'consolidated_bill.sent',
    async (doing) => doing.call('POST', `${await statementAfter(doing, 'save')}/send`),
  ],
  payConsolidatedBill: [
    'consolidated_bill.paid',
    async (doing) => doing.call('POST', `${await statementAfter(doing, 'save')}/pay`),
  ],
  reopenConsolidatedBill: [
    'consolidated_bill.reopened',
    async (doing) => doing.call('POST', `${await statementAfter(doing, 'save', 'pay')}/reopen`, { reason: 'x' }),
  ],
  addBillsToConsolidatedBill: [
    'consolidated_bill.updated',
    async (doing) =>
      doing.call('POST', `${await statementAfter(doing)}/bills`, { bill_ids: [idIn(await billAfter(doing, 'save'))] }),
  ],
  removeBillFromConsolidatedBill: [
    'consolidated_bill.updated',
    async (doing) => {
      const at = await statementAfter(doing)
      return doing.call('DELETE', `${at}/bills/${(await doing.call('GET', at)).json().bills[0].id}`)
    },
  ],
  createOAuthApplication: ['oauth_application.created', ({ call }) => call('POST', applications, application)],
  updateOAuthApplication: [
    'oauth_application.updated',
    async ({ call, make }) =>
      call('PUT', `${applications}/${await make(applications, application)}`, { name: 'Other' }),
  ],
  deleteOAuthApplication: [
    'oauth_application.deleted',
    async ({ call, make }) => call('DELETE', `${applications}/${await make(applications, application)}`),
  ],
  disableOAuthApplication: [
    'oauth_application.disabled',
    async ({ call, make }) => call('POST', `${applications}/${await make(applications, application)}/disable`),
  ],
  enableOAuthApplication: [
    'oauth_application.enabled',
    async ({ call, make }) => {
      const id = await make(applications, application)
      await call('POST', `${applications}/${id}/disable`)
      return call('POST', `${applications}/${id}/enable`)
    },
  ],
  rotateOAuthApplicationSecret: [
    'oauth_application.secret_rotated',
    async ({ call, make }) =>
      call('POST', `${applications}/${await make(applications, application)}/rotate_secret`, {}),
  ],
  createUser: ['user.created', ({ call }) => call('POST', users, user())],
  updateUser: [
    'user.updated',
    async ({ call, make }) => call('PUT', `${users}/${await make(users, user())}`, { name: 'Other' }),
  ],
  disableUser: [
    'user.disabled',
    async ({ call, make }) => call('POST', `${users}/${await make(users, user())}/disable`),
  ],
  enableUser: [
    'user.enabled',
    async ({ call, make }) => {
      const id = await make(users, user())
      await call('POST', `${users}/${id}/disable`)
      return call('POST', `${users}/${id}/enable`)
    },
  ],
  upsertObject: [
    'customer.created',
    ({ call }) => call('PATCH', objects, { objectKey: 'customer', json: { name: 'A' } }),
  ],
  updateObject: [
    'customer.updated',
    async (doing) => doing.call('PUT', await objectAfter(doing), { json: { city: 'X' } }),
  ],
  deleteObject: ['customer.deleted', async (doing) => doing.call('DELETE', await objectAfter(doing))],
  restoreObject: [
    'customer.restored',
    async (doing) => {
      const at = await objectAfter(doing)
      await doing.call('DELETE', at)
      return doing.call('POST', `${at}/restore`)
    },
  ],
  bulkObjects: [
    'customer.created',
    ({ call }) => call('POST', `${objects}/bulk`, { objects: [{ objectKey: 'customer', json: { name: 'A' } }, {}] }),
  ],
  importObjects: [
    'customer.created',
    ({ call }) =>
      call('POST', `${objects}/import?objectKey=customer`, 'name,city\nA,X\n,Y\n', { 'content-type': 'text/csv' }),
  ],
  createBoard: ['board.created', ({ call }) => call('POST', boards, board)],
  updateBoard: ['board.updated', async (doing) => doing.call('PUT', await boardAfter(doing), { name: 'B' })],
  deleteBoard: ['board.deleted', async (doing) => doing.call('DELETE', await boardAfter(doing))],
  createDefinition: ['definition.created', ({ call }) => call('POST', definitions, definition)],
  updateDefinition: [
    'definition.updated',
    ({ call }) => call('PUT', `${definitions}/customer`, { fields: definition.fields }),
  ],
  deleteDefinition: [
    'definition.deleted',
    async ({ call }) => {
      await call('POST', definitions, definition)
      return call('DELETE', `${definitions}/inspection`)
    },
  ],
  setOrganizationLogo: [
    'organization.logo_changed',
    ({ call }) => call('PUT', '/api/v1/organization/logo', pngOf(2, 2), { 'content-type': 'image/png' }),
  ],
  deleteOrganizationLogo: [
    'organization.logo_changed',
    async ({ call }) => {
      await call('PUT', '/api/v1/organization/logo', pngOf(2, 2), { 'content-type': 'image/png' })
      return call('DELETE', '/api/v1/organization/logo')
    },
  ],
  resendMail: ['mail.resent', async (doing) => doing.call('POST', `${await mailAfter(doing)}/resend`)],
  bounceMail: [
    'mail.bounced',
    async (doing) => doing.call('POST', `${await mailAfter(doing)}/bounce`, { reason: '550 No such user' }),
  ],
  sendPayment: [
    'mail.created',
    async (doing) => doing.call('POST', `${await paymentAfter(doing)}/send`, { to: ['ap@cascade.example'] }),
  ],
  sendCustomerStatement: [
    'mail.created',
    async (doing) =>
      doing.call(
        'POST',
        `/api/v1/customers/${await doing.make('/api/v1/customers', { name: 'Acme' })}/statement/send`,
        { to: 'ap@acme.example' },
      ),
  ],
  createWebhook: ['webhook.created', ({ call }) => call('POST', webhooks, webhook)],
  updateWebhook: [
    'webhook.updated',
    async (doing) => doing.call('PUT', await webhookAfter(doing), { description: 'x' }),
  ],
  deleteWebhook: ['webhook.deleted', async (doing) => doing.call('DELETE', await webhookAfter(doing))],
  rotateWebhookSecret: [
    'webhook.secret_rotated',
    async (doing) => doing.call('POST', `${await webhookAfter(doing)}/rotate_secret`),
  ],
  testWebhook: ['webhook.test', async (doing) => doing.call('POST', `${await webhookAfter(doing)}/test`)],
  replayWebhook: [
    'webhook.replayed',
    async (doing) => doing.call('POST', `${await webhookAfter(doing)}/replay`, { from: '2026-01-01' }),
  ],
  redeliverWebhookDelivery: [
    'webhook.redelivered',
    async (doing) => doing.call('POST', `${await deliveryAfter(doing)}/redeliver`),
  ],
  inviteUser: ['user.invited', async ({ call, make }) => call('POST', `${users}/${await make(users, user())}/invite`)],
}

const reads: Record<string, Performance> = {
  ...ofPartners.reads,
  ...Object.fromEntries(faceReads),
  getCustomerStatement: async (doing) => {
    const { call, make } = doing
    const customer_id = await make('/api/v1/customers', { name: 'A' })
    for (const path of ['invoices', 'credits']) {
      const id = await make(`/api/v1/${path}`, { ...newDocument, customer_id })
      await call('POST', `/api/v1/${path}/${id}/save`)
    }
    return call('GET', `/api/v1/customers/${customer_id}/statement`)
  },
  getPartnerCarrierStatement: async (doing) => {
    const { call, make } = doing
    const partner_carrier_id = await make('/api/v1/partner_carriers', { name: 'A' })
    await call('POST', `${bills}/${await make(bills, { ...newDocument, partner_carrier_id })}/save`)
    await make(payments, payment({ partner_carrier_id }))
    return call('GET', `/api/v1/partner_carriers/${partner_carrier_id}/statement`)
  },
  getPlatformModelVersion: ({ call }) => call('GET', '/api/v2/platformModel'),
  getTransfer: async (doing) => doing.call('GET', await transferAfter(doing)),
  getPlatformModelTransfer: async (doing) => doing.call('GET', await transferAfter(doing, 'v2/platformModel')),
  searchTransfers: async (doing) => {
    await transferAfter(doing)
    return doing.call('GET', '/api/v1/transfers')
  },
  searchPlatformModelTransfers: async (doing) => {
    await transferAfter(doing)
    return doing.call('GET', '/api/v2/platformModel/transfers')
  },
  searchMails: async (doing) => {
    await mailAfter(doing)
    return doing.call('GET', '/api/v1/mails')
  },
  getMail: async (doing) => doing.call('GET', await mailAfter(doing)),
  getMailHistory: async (doing) => doing.call('GET', `${await mailAfter(doing)}/history`),
  searchWebhooks: async (doing) => {
    await deliveryAfter(doing)
    return doing.call('GET', webhooks)
  },
  getWebhookHistory: async (doing) => doing.call('GET', `${await webhookAfter(doing)}/history`),
  getWebhook: async (doing) => doing.call('GET', await webhookAfter(doing)),
  searchWebhookDeliveries: async (doing) => {
    await deliveryAfter(doing)
    return doing.call('GET', '/api/v1/webhook_deliveries')
  },
  searchDeliveriesOfWebhook: async (doing) => {
    const at = await webhookAfter(doing)
    await doing.call('POST', `${at}/test`)
    return doing.call('GET', `${at}/deliveries`)
  },
  getWebhookDelivery: async (doing) => doing.call('GET', await deliveryAfter(doing)),
  getObject: async (doing) => doing.call('GET', await objectAfter(doing)),
  getObjectByExternalId: async (doing) => {
    await objectAfter(doing)
    return doing.call('GET', `${objects}/customer/E/external`)
  },
  getObjectHistory: async (doing) => doing.call('GET', `${await objectAfter(doing)}/history`),
  listObjects: async (doing) => {
    await objectAfter(doing)
    return doing.call('GET', `${objects}?objectKey=customer`)
  },
  searchObjects: async (doing) => {
    await objectAfter(doing)
    return doing.call('POST', `${objects}/search`, { objectKey: 'customer', q: 'a' })
  },
  listBoards: async (doing) => {
    await boardAfter(doing)
    return doing.call('GET', boards)
  },
  getConsolidatedBillHistory: async (doing) => doing.call('GET', `${await statementAfter(doing)}/history`),
  getPayTermHistory: async ({ call, make }) => call('GET', `${terms}/${await make(terms, term)}/history`),
  getBillItemTypeHistory: async ({ call, make }) => call('GET', `${types}/${await make(types, { name: 'A' })}/history`),
  getUserHistory: async ({ call, make }) => call('GET', `${users}/${await make(users, user())}/history`),
  getOAuthApplicationHistory: async ({ call, make }) =>
    call('GET', `${applications}/${await make(applications, application)}/history`),
  getBoardHistory: async (doing) => doing.call('GET', `${await boardAfter(doing)}/history`),
  getDefinitionHistory: ({ call }) => call('GET', `${definitions}/customer/history`),
  searchRequestLog: ({ call }) => call('GET', '/api/v1/request_log'),
  getBoard: async (doing) => doing.call('GET', await boardAfter(doing)),
  listBoardObjects: async (doing) => {
    await objectAfter(doing)
    return doing.call('GET', `${await boardAfter(doing)}/objects`)
  },
  listDefinitions: ({ call }) => call('GET', definitions),
  getDefinition: ({ call }) => call('GET', `${definitions}/order`),
  getVersion: ({ call }) => call('GET', '/api/v1'),
  searchBillItemTypes: async ({ call, make }) => {
    await make(types, { name: 'A', class: 'c', external_id: 'e' })
    return call('GET', types)
  },
  getBillItemType: async ({ call, make }) => call('GET', `${types}/${await make(types, { name: 'A' })}`),
  ...Object.assign({}, ...documentNouns.map(documentReads)),
  listEvents: async ({ call, make }) => {
    await make(types, { name: 'A' })
    return call('GET', '/api/v1/events')
  },
  getEvent: async ({ call, make }) => {
    await make(types, { name: 'A' })
    const { events } = (await call('GET', '/api/v1/events')).json()
    return call('GET', `/api/v1/events/${events[1].id}`)
  },
  getOrganization: ({ call }) => call('GET', '/api/v1/organization'),
  getOrganizationHistory: ({ call }) => call('GET', '/api/v1/organization/history'),
  getBillApprovals: async (doing) => {
    const at = await billToApprove(doing)
    await doing.make(rules, { name: 'All', approver_role: 'approver' })
    return doing.call('GET', `${at}/approvals`)
  },
  searchApprovers: async ({ call, make }) => {
    await make('/api/v1/users', { name: 'Avery Brooks', email: `${newId()}@example.com`, role: 'approver' })
    return call('GET', '/api/v1/approvers')
  },
  searchApprovalRules: async ({ call, make }) => {
    await make(rules, { name: 'All' })
    return call('GET', rules)
  },
  getApprovalRule: async ({ call, make }) => call('GET', `${rules}/${await make(rules, { name: 'All' })}`),
  getApprovalRuleHistory: async ({ call, make }) =>
    call('GET', `${rules}/${await make(rules, { name: 'All' })}/history`),
  searchApprovalDelegations: async (doing) => {
    await doing.make(delegations, await delegationOf(doing))
    return doing.call('GET', delegations)
  },
  getApprovalDelegation: async (doing) =>
    doing.call('GET', `${delegations}/${await doing.make(delegations, await delegationOf(doing))}`),
  getApprovalDelegationHistory: async (doing) =>
    doing.call('GET', `${delegations}/${await doing.make(delegations, await delegationOf(doing))}/history`),
  searchTaxRates: async ({ call, make }) => {
    await make(taxes, tax)
    return call('GET', taxes)
  },
  getTaxRate: async ({ call, make }) => call('GET', `${taxes}/${await make(taxes, tax)}`),
  getTaxRateHistory: async ({ call, make }) => call('GET', `${taxes}/${await make(taxes, tax)}/history`),
  searchExchangeRates: async ({ call, make }) => {
    await make(rates, rate)
    return call('GET', rates)
  },
  getExchangeRate: async ({ call, make }) => call('GET', `${rates}/${await make(rates, rate)}`),
  getExchangeRateHistory: async ({ call, make }) => call('GET', `${rates}/${await make(rates, rate)}/history`),
  convertAmount: async ({ call, make }) => {
    await make(rates, rate)
    return call('GET', `${rates}/convert?from=eur&to=usd&amount=100&on=2026-11-16`)
  },
  searchAccountingPeriods: async ({ call, make }) => {
    await make(periods, period)
    return call('GET', periods)
  },
  getAccountingPeriod: async ({ call, make }) => call('GET', `${periods}/${await make(periods, period)}`),
  getAccountingPeriodHistory: async ({ call, make }) =>
    call('GET', `${periods}/${await make(periods, period)}/history`),
  searchCarrierInvoices: async (doing) => {
    await auditedInvoice(doing, 120)
    return doing.call('GET', carrierInvoices)
  },
  getCarrierInvoice: async (doing) => {
    const at = await auditedInvoice(doing, 120)
    await doing.call('POST', `${at}/dispute`, { note: 'x' })
    return doing.call('GET', at)
  },
  getCarrierInvoiceHistory: async (doing) => doing.call('GET', `${await auditedInvoice(doing)}/history`),
  searchDispatchManifests: async (doing) => {
    const { at } = await travelling(doing)
    const partner_carrier_id = await doing.make('/api/v1/partner_carriers', { name: 'A' })
    const equipment_id = await doing.make('/api/v1/equipment', { unit_number: 'T-1' })
    const order = await doing.make('/api/v1/orders', {
      customer_id: await doing.make('/api/v1/customers', { name: 'A' }),
    })
    await doing.call('PUT', at, { partner_carrier_id, equipment_id, driver_name: 'Sam', order_ids: [order] })
    await doing.call('POST', `${at}/positions`, { latitude: 0, longitude: 0 })
    return doing.call('GET', '/api/v1/dispatch/manifests')
  },
  searchOrdersToPlan: async (doing) => {
    await doing.make('/api/v1/orders', {
      customer_id: await doing.make('/api/v1/customers', { name: 'A' }),
      pickup: { city: 'X' },
    })
    return doing.call('GET', '/api/v1/dispatch/orders')
  },
  getManifestTrack: async (doing) => {
    const { at } = await travelling(doing)
    await doing.call('POST', `${at}/positions`, { latitude: 0, longitude: 0 })
    return doing.call('GET', `${at}/track`)
  },
  listCarrierInvoiceProposals: async (doing) => {
    await doing.make(types, { name: 'Line haul' })
    await doing.make('/api/v1/manifests', {
      reference_number: 'TRIP-1',
      payment_items: [{ type: 'Line haul', unit_price: 100 }],
    })
    const invoice = { invoice_number: 'x', reference_number: 'TRIP-1', currency_id: 'usd', total_amount: 100 }
    return doing.call('GET', `${carrierInvoices}/${await doing.make(carrierInvoices, invoice)}/proposals`)
  },
  getCarrierInvoiceAudit: async ({ call }) =>
    call('GET', `/api/v1/audit_runs/${(await call('POST', `${carrierInvoices}/audit`)).json().audit_run.id}`),
  searchAuditPolicies: async ({ call, make }) => {
    await make(policies, { over_percent: '2' })
    return call('GET', policies)
  },
  getAuditPolicy: async ({ call, make }) => call('GET', `${policies}/${await make(policies, { over_amount: 5 })}`),
  getAuditPolicyHistory: async ({ call, make }) => call('GET', `${policies}/${await make(policies, {})}/history`),
  replayAuditPolicy: async (doing) => {
    await auditedInvoice(doing, 120)
    return doing.call('POST', `${policies}/replay`, {
      days: 30,
      policy: { over_percent: '20', approve_automatically: true },
    })
  },
  searchPayments: async (doing) => {
    await paymentAfter(doing)
    return doing.call('GET', payments)
  },
  getPayment: async (doing) =>
    doing.call('GET', await paymentAfter(doing, { status: 'draft', allocations: [{ bill_id: newId(), amount: 1 }] })),
  getPaymentHistory: async (doing) => doing.call('GET', `${await paymentAfter(doing)}/history`),
  listBillDuplicates: async (doing) => {
    const alike = { partner_carrier_id: newId(), reference_number: 'INV-1' }
    await doing.make('/api/v1/bills', alike)
    return doing.call('GET', `/api/v1/bills/${await doing.make('/api/v1/bills', alike)}/duplicates`)
  },
  searchPayees: async (doing) => {
    await payeeAfter(doing)
    return doing.call('GET', payees)
  },
  getPayee: async (doing) => doing.call('GET', await payeeAfter(doing)),
  getPayeeHistory: async (doing) => doing.call('GET', `${await payeeAfter(doing)}/history`),
  listPayeeChanges: async (doing) => doing.call('GET', `${await payeeAfter(doing)}/changes`),
  listPayingAccounts: async ({ call }) => {
    await call('PUT', `${accounts}/usd`, account)
    return call('GET', accounts)
  },
  getPayingAccount: async ({ call }) => {
    await call('PUT', `${accounts}/usd`, account)
    return call('GET', `${accounts}/usd`)
  },
  searchEdiInterchanges: async (doing) => {
    await ediAfter(doing)
    return doing.call('GET', '/api/v1/edi_interchanges')
  },
  getEdiInterchange: async (doing) => doing.call('GET', await ediAfter(doing)),
  getEdiAcknowledgement: async (doing) =>
    doing.call('GET', `${await ediAfter(doing)}/acknowledgement`, undefined, { accept: '*/*' }),
  searchPaymentRuns: async (doing) => {
    await runAfter(doing)
    return doing.call('GET', runs)
  },
  getPaymentRun: async (doing) => doing.call('GET', await runAfter(doing)),
  getPaymentRunHistory: async (doing) => doing.call('GET', `${await runAfter(doing)}/history`),
  listPaymentRunPayments: async (doing) => doing.call('GET', `${await runAfter(doing)}/payments`),
  listRemittanceAdvices: async (doing) =>
    doing.call('GET', `${await runAfter(doing, 'approve', 'issue')}/remittance_advices`),
  listBillPayments: async (doing) => doing.call('GET', `${await billAfter(doing, 'save', 'pay')}/payments`),
  listInvoicePayments: async (doing) =>
    doing.call('GET', `/api/v1/invoices/${await doing.make('/api/v1/invoices', {})}/payments`),
  listCreditPayments: async (doing) => {
    const { id, partner_carrier_id } = await owedBill(doing)
    const at = await creditOf(doing, partner_carrier_id)
    await doing.call('POST', `${at}/apply`, { allocations: [{ bill_id: id, amount: 1 }] })
    return doing.call('GET', `${at}/payments`)
  },
  searchDocuments: async (doing) => {
    await documentFile(doing)
    return doing.call('GET', documents)
  },
  getDocument: async (doing) => doing.call('GET', await documentFile(doing)),
  getDocumentContent: async (doing) => doing.call('GET', `${await documentFile(doing)}/content`),
  getDocumentHistory: async (doing) => doing.call('GET', `${await documentFile(doing)}/history`),
  searchDocumentRules: async ({ call, make }) => {
    await make(documentRules, documentRule)
    return call('GET', documentRules)
  },
  getDocumentRule: async ({ call, make }) => call('GET', `${documentRules}/${await make(documentRules, documentRule)}`),
  getDocumentRuleHistory: async ({ call, make }) =>
    call('GET', `${documentRules}/${await make(documentRules, documentRule)}/history`),
  searchEmanifests: async (doing) => {
    await emanifestAfter(doing, 'fill', 'validate', 'submit', 'accept')
    return doing.call('GET', emanifests)
  },
  getEmanifest: async (doing) => doing.call('GET', await emanifestAfter(doing, 'fill', 'validate', 'submit', 'accept')),
  getEmanifestHistory: async (doing) => doing.call('GET', `${await emanifestAfter(doing, 'fill')}/history`),
  getEmanifestInterchange: async (doing) => {
    const at = await emanifestAfter(doing, 'fill', 'validate', 'submit')
    const [filing] = (await doing.call('GET', at)).json().emanifest.filings
    return doing.call('GET', `${at}/filings/${filing.id}/content`, undefined, { accept: '*/*' })
  },
  listConnectors: ({ call }) => call('GET', '/api/v1/connectors'),
  searchConnectorOrgs: async (doing) => {
    await onlineConnection(doing)
    return doing.call('GET', connections)
  },
  getConnectorOrg: async (doing) => doing.call('GET', await connected(doing)),
  getConnectorOrgHistory: async (doing) => doing.call('GET', `${await connected(doing)}/history`),
  authorizeConnectorOrg: async (doing) => doing.call('POST', `${await onlineConnection(doing)}/authorize`),
  checkConnectorOrg: async (doing) => {
    const at = await onlineConnection(doing)
    await billAfter(doing, 'save')
    return doing.call('POST', `${at}/check`, {})
  },
  searchConnectorMappings: async (doing) => {
    await doing.make(types, { name: 'Line haul' })
    return doing.call('GET', `${await fileConnection(doing)}/mappings?kind=bill_items`)
  },
  listConnectorRemote: async (doing) => doing.call('GET', `${await connected(doing)}/remote/vendors`),
  searchConnectorSyncs: async (doing) => doing.call('GET', (await syncOf(doing)).replace(/\/[^/]+$/, '')),
  getConnectorSync: async (doing) => doing.call('GET', await syncOf(doing)),
  searchConnectorSyncResults: async (doing) => doing.call('GET', `${await syncOf(doing, { failed: true })}/results`),
  searchPayTerms: async ({ call, make }) => {
    await make(terms, term)
    return call('GET', terms)
  },
  getPayTerm: async ({ call, make }) => call('GET', `${terms}/${await make(terms, term)}`),
  searchCurrencies: ({ call }) => call('GET', '/api/v1/currencies'),
  getCurrency: ({ call }) => call('GET', '/api/v1/currencies/usd'),
  searchConsolidatedBills: async (doing) => {
    await statementAfter(doing, 'save')
    return doing.call('GET', statements)
  },
  getConsolidatedBill: async (doing) => doing.call('GET', await statementAfter(doing, 'save', 'send')),
}

/** What the router itself says it has: a tree, a level of which is four characters deep. */
function registeredRoutes(): { method: string; url: string }[] {
  const way: string[] = []
  return service.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods] = /^((?:[│ ] {3})*)[├└]── (\S*) ?(?:\(([A-Z, ]+)\))?/.exec(line) ?? []
      if (indent === undefined || part === undefined) return []
      way.splice(indent.length / 4, way.length, part)
      return (methods?.split(', ') ?? []).map((method) => ({ method, url: way.join('') }))
    })
}

/** What only people do. */
const decisions =
  /\/api\/v1\/(?:(?:bills|carrier_invoices|payees|payment_runs)\/.*\b(?:approve|reject|accept|short_pay|dispute)|approval_delegations\b)/

/** An application acting for itself: it has every scope, and no role to stand in the way. An admin decides. */
async function newDoing(): Promise<Doing & Pick<Caller, 'events'>> {
  const { org, call, events } = await newCaller(service)
  const { keyring, settings } = service
  const token = signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub: 'application', client_id: 'application', org_id: org, scopes: scopeNames },
  )
  const person = callerIn(service, org, scopeNames, () => newId(), 'admin').token
  const doing: Caller['call'] = async (method, url, body, headers) =>
    call(method, url, body, {
      authorization: `Bearer ${decisions.test(url) ? person : await ofPartners.tokenFor(org, url, token)}`,
      ...headers,
    })
  return {
    org,
    call: doing,
    events,
    async make(path, body) {
      const answer = await doing('POST', path, body)
      assert.equal(answer.statusCode, 201, answer.body)
      return (Object.values(answer.json())[0] as { id: string }).id
    },
  }
}

/** Every event is one of the types that are described as webhooks, with the record that is described there. */
function assertEventFits(type: string, data: unknown): void {
  const described = document.webhooks[type]?.post?.requestBody?.content['application/json']?.schema as
    | { allOf: { properties: { data: { properties: { data: Schema } } } }[] }
    | undefined
  assert.ok(described, `${type} is not in the list of event-types.ts`)
  assertFits(described.allOf[1]?.properties.data.properties.data as Schema, data, `the data of ${type}`)
}

function assertAsDescribed(
  { statusCode, body }: LightMyRequestResponse,
  { id, operation }: (typeof operations)[number],
): void {
  const described = operation.responses[statusCode]
  assert.ok(statusCode < 300 && described, `${id} answered ${statusCode}: ${body}`)
  const schema = described.content?.['application/json']?.schema
  if (body === '') assert.equal(statusCode, 204)
  // A file is not described but by its type.
  else if (!schema && described.content) return
  else assertFits(schema as Schema, JSON.parse(body), `${id} ${statusCode}`)
}

/** The operations whose answer is their effect: they show a secret, send a test, or use up what another service gave. Who adds one says so here too. */
const noDryRun: readonly string[] = [
  ...['revealPayee', 'createUser', 'inviteUser', 'createPortalInvitation', 'createPortalLink'],
  ...['createOAuthApplication', 'rotateOAuthApplicationSecret', 'createWebhook', 'rotateWebhookSecret', 'testWebhook'],
  ...['authorizeConnectorOrg', 'connectConnectorOrg', 'acceptPortalTender'],
]

test('every write says whether it takes a dry run, and those that do not are listed', () => {
  const all = secured.filter(({ method }) => method !== 'get')
  assert.deepEqual(
    all.filter(({ operation }) => operation['x-dry-run'] === undefined).map(({ id }) => id),
    [],
  )
  assert.deepEqual(
    all.flatMap(({ id, operation }) => (operation['x-dry-run'] ? [] : [id])).sort(),
    [...noDryRun].sort(),
  )
})

/** The same, with a dry run before each request of the operation: it is answered like the request itself, and leaves nothing. */
function tryingFirst(doing: Doing & Pick<Caller, 'org'>, { method, path, id }: (typeof operations)[number]): Doing {
  const pattern = patternOf(path)
  const call: Caller['call'] = async (asked, url, body, headers) => {
    if (asked.toLowerCase() !== method || !pattern.test(url)) return doing.call(asked, url, body, headers)
    if (noDryRun.includes(id)) {
      const refused = await doing.call(asked, url, body, { ...headers, prefer: 'dry-run' })
      assert.deepEqual([refused.statusCode, refused.json().error_code], [400, 'dry_run_not_possible'], id)
      return doing.call(asked, url, body, headers)
    }
    const before = await tried(doing.call, doing.org, asked, url, body, headers)
    const answer = await doing.call(asked, url, body, headers)
    assertAlike(before, answer)
    return answer
  }
  return { ...doing, call }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`)
}

// Not all at once: there are many more of them than connections, and nobody waits for one for ever.
describe('every write of the API', { concurrency: 8 }, () => {
  const all = operations.filter(({ method, id }) => method !== 'get' && !readsByPost.includes(id))
  for (const entry of someOfEach(all, tagOf)) {
    test(`${entry.id} answers as the document says, and leaves its event, which came with the change or not at all; as a dry run before, it leaves nothing`, async () => {
      const [event, perform] = writes[entry.id] as [string, Performance]
      const doing = await newDoing()
      const answer = await perform(tryingFirst(doing, entry))
      assertAsDescribed(answer, entry)
      const recorded = (await doing.events()) as unknown as {
        type: string
        subject_type: string
        request_id: string | null
        occurred_at: Date
        data: unknown
      }[]
      const last = recorded.filter(({ request_id }) => request_id === answer.headers['x-request-id'])
      const recordedEvents = `events: ${last.map(({ type }) => type)}`
      // A move of a bill says that the state changed, then what happened by its name; the named one comes last.
      assert.equal(last.at(-1)?.type, event, recordedEvents)
      assert.ok(
        last.some(({ subject_type }) => subject_type === event.split('.')[0]),
        recordedEvents,
      )
      assert.equal(new Set(last.map(({ occurred_at }) => Number(occurred_at))).size, 1, 'one transaction has one time')
      for (const { type, data } of last) assertEventFits(type, data)
    })
  }

  test('the table has each of them: how it is done, and the event that it leaves', () => {
    for (const { id, method, path } of all)
      assert.ok(writes[id], `${method} ${path} has no line in the table of this test: add how it is done.`)
  })

  test('the table names no write that is gone', () => {
    assert.deepEqual(
      Object.keys(writes).filter((id) => !operations.some((operation) => operation.id === id)),
      [],
    )
  })

  test('no write under /api is missing from the document', () => {
    const described = new Set(
      operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':')}`),
    )
    const writing = registeredRoutes().filter(
      ({ method, url }) => url.startsWith('/api/') && !['GET', 'HEAD', 'OPTIONS'].includes(method),
    )
    assert.ok(writing.length >= 3)
    // Where two routes name the same part differently, the router shows both names.
    const nameless = (url: string) => url.replace(/:\w+(?:\|:\w+)*/g, ':')
    for (const { method, url } of writing) assert.ok(described.has(`${method} ${nameless(url)}`), `${method} ${url}`)
  })
})

/** Writes under these paths are about money. */
const moneyPaths =
  /^\/api\/v1\/(?:bills|invoices|credits|payments|consolidated_bills)(?:\/|$)|\/(?:bill|invoice)$|\/carrier_invoices\/\{carrierInvoiceID\}\/approve$/

/** Those that change nothing of a document or a payment, though they are about some, and why. */
const freeOfPeriods: Record<string, string> = {
  ...Object.fromEntries(documentNouns.map((noun) => [`start${pascal(noun)}sExport`, 'it reads'])),
  ...Object.fromEntries(
    documentNouns.map((noun) => [
      `start${pascal(noun)}sImport`,
      'its rows are refused one by one when they are written',
    ]),
  ),
  createConsolidatedBill: 'it gathers bills to pay them',
  updateConsolidatedBill: 'a statement is no document',
  deleteConsolidatedBill: 'a statement is no document',
  saveConsolidatedBill: 'a statement is no document',
  voidConsolidatedBill: 'a statement is no document, and its bills change in nothing but that they are free',
  addBillsToConsolidatedBill: 'it gathers bills to pay them',
  removeBillFromConsolidatedBill: 'it gathers bills to pay them',
  sendPayment: 'it mails what was paid',
  approveBill: 'an approval is no entry of the books',
  approveBills: 'an approval is no entry of the books',
  rejectBill: 'an approval is no entry of the books',
}

describe('every write of money, with the period of all its dates closed', { concurrency: 8 }, () => {
  const all = operations.filter(
    ({ method, path, id }) => method !== 'get' && moneyPaths.test(path) && !freeOfPeriods[id],
  )
  for (const entry of someOfEach(all, tagOf)) {
    test(`${entry.id} is refused, and changes nothing`, async () => {
      const doing = await newDoing()
      const pattern = patternOf(entry.path)
      const call: Caller['call'] = async (method, url, body, headers) => {
        if (method.toLowerCase() !== entry.method || !pattern.test(url)) return doing.call(method, url, body, headers)
        const closed = await doing.make(periods, { starts_on: '2000-01-01', ends_on: '2999-12-31' })
        await doing.call('POST', `${periods}/${closed}/close`)
        const before = await contentOf(doing.org)
        const answer = await doing.call(method, url, body, headers)
        assert.deepEqual(await contentOf(doing.org), before)
        return answer
      }
      const answer = await (writes[entry.id] as [string, Performance])[1]({ ...doing, call })
      const { error_code, results = [] } = answer.json()
      const codes =
        results.length > 0
          ? results.map(({ error }: { error?: { error_code: string } }) => error?.error_code)
          : [error_code]
      assert.ok(codes.includes('period_closed'), `${entry.id} answered ${answer.statusCode}: ${answer.body}`)
      assert.equal(answer.statusCode, results.length > 0 ? 200 : 409)
    })
  }
})

describe('every read that is described', { concurrency: 8 }, () => {
  test('the table names none that is gone', () => {
    for (const id of Object.keys(reads)) assert.ok(operationOf(id), `${id} is not in the document`)
  })

  for (const [id, perform] of someOfEach(Object.entries(reads), ([id]) => operationOf(id)?.operation.tags?.[0])) {
    test(`${id} answers as the document says`, async () => {
      const entry = operationOf(id) as (typeof operations)[number]
      let at = ''
      const doing = await newDoing()
      const call: Caller['call'] = (method, url, body, headers) => {
        at = url
        return doing.call(method, url, body, headers)
      }
      const answer = await perform({ ...doing, call })
      assertAsDescribed(answer, entry)
      if (!entry.operation.security?.length || entry.method !== 'get') return
      const again = await doing.call('GET', at, undefined, { 'if-none-match': String(answer.headers.etag ?? '*') })
      assert.equal(
        again.statusCode,
        '304' in entry.operation.responses ? 304 : 200,
        `${at} with the ETag ${answer.headers.etag}`,
      )
    })
  }
})

describe('what was read can be put back whole', { concurrency: 8 }, () => {
  const all = operations.filter(
    ({ id, method, path }) => method === 'put' && document.paths[path]?.get && id !== 'setOrganizationLogo',
  )
  for (const { id, path } of some(all, 5)) {
    test(`${id} takes it, in strict handling too, and changes nothing`, async () => {
      let at = ''
      const doing = await newDoing()
      const call: Caller['call'] = (method, url, body, headers) => {
        if (method === 'PUT') at = url
        return doing.call(method, url, body, headers)
      }
      await writes[id]?.[1]({ ...doing, call })
      const read = await doing.call('GET', at)
      assert.equal(read.statusCode, 200, `${path}: ${read.body}`)
      for (const headers of [{}, { prefer: 'handling=strict' }] as Record<string, string>[]) {
        const answer = await doing.call('PUT', at, read.json(), headers)
        assert.equal(answer.statusCode, 200, answer.body)
        assert.equal((await doing.call('GET', at)).body, read.body)
      }
    })
  }
})

/** Fields of a body example that name records, which whoever tries it has to name by their own. */
const ownRecords: Record<string, readonly string[]> = {
  createConsolidatedBill: ['bill_ids'],
  addBillsToConsolidatedBill: ['bill_ids'],
  ...Object.fromEntries(documentNouns.map((noun) => [`reorder${pascal(noun)}Items`, ['item_ids']])),
  approveBills: ['bill_ids'],
  createApprovalDelegation: ['from_user_id', 'to_user_id'],
  createOrder: ['customer_id'],
  putOrdersOnManifest: ['order_ids'],
  planManifest: ['order_ids'],
  planOrders: ['order_ids'],
  sequenceStops: ['stop_ids'],
  updateDocument: ['attached_to'],
  createPortalInvitation: ['partner_carrier_id'],
  createPortalLink: ['manifest_id'],
  createTender: ['manifest_id', 'partner_carrier_id'],
  openPortalLink: ['token'],
  connectConnectorOrg: ['authorization_code', 'state', 'realm_id'],
  setConnectorMappings: ['mappings'],
  createEmanifest: ['manifest_id'],
}

/** The same, with the example of the document in place of the body of the operation itself. */
function sendingExample(doing: Doing, { method, path, id, operation }: (typeof operations)[number]): Doing {
  const pattern = patternOf(path)
  const example = Object.values(operation.requestBody?.content ?? {})[0]?.example
  const call: Caller['call'] = (asked, url, body, headers) => {
    if (asked.toLowerCase() !== method || !pattern.test(url) || example === undefined)
      return doing.call(asked, url, body, headers)
    if (typeof example === 'string') return doing.call(asked, url, example, headers)
    const own = Object.fromEntries(
      (ownRecords[id] ?? []).map((field) => [field, (body as Record<string, unknown>)[field]]),
    )
    return doing.call(asked, url, { ...(example as object), ...own }, { ...headers, prefer: 'handling=strict' })
  }
  return { ...doing, call }
}

describe('the examples of the reference work when they are sent as they are', { concurrency: 8 }, () => {
  // A picture cannot be written into the document.
  const withBody = operations.filter(({ id, operation }) => operation.requestBody && id !== 'setOrganizationLogo')
  for (const entry of someOfEach(withBody, tagOf)) {
    test(`the body of ${entry.id}`, async () => {
      const perform = writes[entry.id]?.[1] ?? (reads[entry.id] as Performance)
      const doing = sendingExample(await newDoing(), entry)
      const answer = await perform(doing)
      assert.ok(answer.statusCode < 300, answer.body)
      const failed = answer.json().counts?.failed ?? 0
      assert.equal(failed, 0, answer.body)
    })
  }

  const withParameters = operations.filter(
    ({ method, operation }) => method === 'get' && operation.parameters?.some(({ name }) => name),
  )
  for (const { id, path, operation } of someOfEach(withParameters, tagOf)) {
    // A cursor has no example: one that was made up would be refused.
    const parameters = (operation.parameters ?? []).filter(
      (parameter) =>
        (parameter as { in?: string; name?: string }).in === 'query' &&
        // What the test has just made was not there at the moment of the example.
        !['after', 'before', ...(path.includes('{') ? ['as_of'] : [])].includes(parameter.name ?? ''),
    ) as (Parameter & {
      required?: boolean
    })[]
    // A stream does not end: what it takes is tried in events/routes.test.ts. A PDF is read in paper/routes.test.ts.
    if (parameters.length === 0 || id === 'streamEvents' || /^get\w+StatementPdf$/.test(id)) continue
    test(`each parameter of ${id}`, async () => {
      let at = path
      const doing = await newDoing()
      const call: Caller['call'] = (method, url, body, headers) => {
        at = url
        return doing.call(method, url, body, headers)
      }
      if (path.includes('{') || id === 'convertAmount') await (reads[id] as Performance)({ ...doing, call })
      const query = (some: readonly Parameter[]) =>
        some.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')
      const [url] = at.split('?') as [string]
      for (const parameter of parameters) {
        const asked = new Set([...parameters.filter(({ required }) => required), parameter])
        const answer = await doing.call('GET', `${url}?${query([...asked])}`, undefined, { prefer: 'handling=strict' })
        assert.equal(answer.statusCode, 200, `${parameter.name}: ${answer.body}`)
      }
    })
  }
})
