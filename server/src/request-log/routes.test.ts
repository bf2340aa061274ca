import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Compile } from 'typebox/compile'
import { createApplication } from '../../src/auth/applications/actions.ts'
import { type Caller, newCaller, openService, type Service } from '../../test/service.ts'
import { mint } from '../auth/access-token.ts'
import { consoleClientId } from '../auth/console-client.ts'
import { systemContext } from '../auth/organizations/actions.ts'
import { scopeNames } from '../auth/scopes.ts'
import { createUser } from '../auth/users/actions.ts'
import { newId } from '../core/ids.ts'
import { sql } from '../db/sql.ts'
import { RequestLogEntry } from './model.ts'
import { deleteOldEntries } from './retention.ts'
import { deleteOldRequests } from './store.ts'

const service = await openService({ REQUEST_LOG_DAYS: '7', REQUEST_LOG_RATE: '5' })
const path = '/api/v1/request_log'
const described = Compile(RequestLogEntry)
type Json = Record<string, unknown>

/** Somebody of an organization with a role, through an application that it has. */
async function newPerson(caller: Caller, role: 'admin' | 'member', { keyring, settings, database }: Service = service) {
  const ctx = systemContext(database, caller.org)
  const user = await createUser(ctx, { email: `${newId()}@example.com`, name: 'Ada Admin', role })
  const application = await createApplication(ctx, {
    name: 'Warehouse sync',
    type: 'confidential',
    redirect_uris: [],
    scopes: scopeNames,
    grant_types: ['client_credentials'],
  })
  const issuance = { issuer: settings.authUrl, audience: settings.audience }
  const token = mint(keyring, issuance, { sub: user.id, client_id: application.client_id, org_id: caller.org, scopes: scopeNames })
  const call: Caller['call'] = (method, url, body, headers) => caller.call(method, url, body, { authorization: `Bearer ${token}`, ...headers })
  return { user: user.id, application, call, get: (url: string, headers?: Record<string, string>) => call('GET', url, undefined, headers) }
}

async function entriesOf({ get }: Pick<Caller, 'get'>, query = 'limit=200'): Promise<Json[]> {
  const answer = await get(`${path}?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const entries: Json[] = answer.json().request_log
  for (const entry of entries) assert.ok(described.Check(entry), JSON.stringify(entry))
  return entries
}

describe('GET /request_log', { concurrency: true }, () => {
  test('leaves out what the console asked for, or all else, where that is wanted', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const { authUrl: issuer, audience } = service.settings
    const token = mint(service.keyring, { issuer, audience }, { sub: admin.user, client_id: consoleClientId, org_id: caller.org, scopes: scopeNames })
    await caller.call('POST', '/api/v1/bills', {}, { authorization: `Bearer ${token}` })
    await admin.call('POST', '/api/v1/bills', {})
    const clients = async (query: string) => (await entriesOf(admin, `path=/api/v1/bills${query}`)).map(({ application }) => (application as Json).client_id)
    const other = admin.application.client_id
    assert.deepEqual(
      [await clients(''), await clients('&from_console=false'), await clients('&from_console=true')],
      [[other, consoleClientId], [other], [consoleClientId]],
    )
  })

  test('shows a write with who, what, how long and its body without secrets, and links to the events by the request id', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const body = { email: `${newId()}@example.com`, name: 'Sam', password: 'walnut parade hunter2 orbit' }
    const made = await admin.call('POST', '/api/v1/users?access_token=hunter2', body, { 'x-request-id': 'request-1', 'idempotency-key': 'key-1' })
    assert.equal(made.statusCode, 201, made.body)
    const [entry] = await entriesOf(admin, 'request_id=request-1')
    const { id, occurred_at, duration_ms, ...rest } = entry as Json
    assert.ok(Number(duration_ms) > 0 && Math.abs(Date.parse(String(occurred_at)) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      method: 'POST',
      path: '/api/v1/users',
      query: 'access_token=[masked]',
      status: 201,
      request_id: 'request-1',
      application: { id: admin.application.id, client_id: admin.application.client_id, name: 'Warehouse sync' },
      user: { id: admin.user, name: 'Ada Admin', email: rest.user && (rest.user as Json).email },
      idempotency_key: 'key-1',
      error_code: null,
      body: JSON.stringify({ ...body, password: '[masked]' }),
      body_cut: false,
      body_type: 'application/json',
      body_bytes: Buffer.byteLength(JSON.stringify(body)),
      not_kept: null,
    })
    assert.deepEqual((await admin.get(`${path}/${id}`)).json().request_log_entry, entry)
    const kept = await service.database.transaction(caller.org, (run) => run(sql`select l::text as row from request_log l where l.org_id = ${caller.org}`))
    assert.doesNotMatch(JSON.stringify(kept), /hunter2/)
    const [event] = await service.database.transaction(caller.org, (run) =>
      run(sql`select request_id from events where org_id = ${caller.org} and type = 'user.created' order by id desc limit 1`),
    )
    assert.equal(event?.request_id, 'request-1')
  })

  test('finds by status, class, method, path, application, user, error code and time; refusals carry their code', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    await admin.get('/api/v1/bills')
    await admin.get(`/api/v1/bills/${newId()}`)
    await admin.call('POST', '/api/v1/bills', { currency_id: 'none' })
    await admin.call('POST', '/api/v1/bills', '{"currency_id":')
    await admin.get('/api/v2/platformModel/objects?objectKey=nothing')
    await caller.get('/api/v1/pay_terms')
    const found = async (query: string) => (await entriesOf(admin, `limit=200&${query}`)).map(({ method, path, status }) => `${method} ${path} ${status}`)
    assert.deepEqual(await found('status=400&path=/api/v1'), ['POST /api/v1/bills 400', 'POST /api/v1/bills 400'])
    assert.equal((await found('status=4xx')).length, 4)
    assert.deepEqual(await found('error_code=malformed_json'), ['POST /api/v1/bills 400'])
    assert.equal((await found('error_code=not_found')).length, 1)
    assert.equal((await found('path=/api/v1/bills&method=GET')).length, 2)
    assert.deepEqual(await found('path=/api/v1/pay_terms'), ['GET /api/v1/pay_terms 200'])
    assert.deepEqual(await found(`path=/api/v1/pay_terms&user_id=${admin.user}`), [])
    for (const application of [admin.application.id, admin.application.client_id])
      assert.equal((await found(`method=POST&application_id=${application}`)).length, 2)
    assert.deepEqual(await found('to=2020-01-01'), [])
    assert.equal((await found(`method=POST&from=${new Date(Date.now() - 3_600_000).toISOString()}&to=9999-12-31`)).length, 2)
    const wrong = await admin.get(`${path}?status=fine`)
    assert.deepEqual([wrong.statusCode, wrong.json().details[0].field], [400, 'status'])
    assert.equal((await admin.get(`${path}/${newId()}`)).statusCode, 404)
  })

  test('keeps the beginning of a long body and says so, and of an imported file its type and length only', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const bills = Array.from({ length: 200 }, (_, n) => ({ external_id: `E-${n}`, notes: 'n'.repeat(50) }))
    assert.equal((await admin.call('POST', '/api/v1/bills/bulk', { bills })).statusCode, 200)
    await admin.call('POST', '/api/v1/bills/import', 'external_id,notes\nA,private\n', { 'content-type': 'text/csv' })
    await admin.call('POST', '/api/v1/bills/imports', 'external_id,notes\nB,private\n', { 'content-type': 'text/csv' })
    const [started, imported, bulk] = await entriesOf(admin, 'method=POST')
    assert.deepEqual([bulk?.body_cut, String(bulk?.body).length], [true, 8192])
    assert.match(String(bulk?.body), /^\{"bills":\[\{"external_id":"E-0"/)
    for (const entry of [started, imported]) assert.deepEqual([entry?.body, entry?.body_type, entry?.body_bytes], [null, 'text/csv', 28])
  })

  test('is for admins, with the scope webhooks, of the organization itself; what has no good token is in nobody’s log', async () => {
    const caller = await newCaller(service)
    const [admin, member] = [await newPerson(caller, 'admin'), await newPerson(caller, 'member')]
    const refused = await member.get(path)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [403, 'admin_required'])
    const stranger = await newPerson(await newCaller(service), 'admin')
    const [entry] = await entriesOf(admin, 'error_code=admin_required')
    assert.equal((entry?.user as Json | undefined)?.id, member.user)
    assert.equal((await stranger.get(`${path}/${entry?.id}`)).statusCode, 404)
    assert.deepEqual(await entriesOf(stranger, 'status=4xx&error_code=admin_required'), [])
    await caller.get('/api/v1/bills', { authorization: 'Bearer nonsense', 'x-request-id': 'nobody' })
    assert.deepEqual(await entriesOf(admin, 'request_id=nobody'), [])
  })

  test('above the rate requests are counted, and an entry says how many; reads that succeed do not crowd out writes and refusals', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    await Promise.all(Array.from({ length: 60 }, () => caller.get('/api/v1/currencies?limit=1')))
    await caller.get(`/api/v1/bills/${newId()}`)
    const all = await entriesOf(admin, 'limit=200&to=9999-12-31')
    const kept = all.filter((entry) => entry.path === '/api/v1/currencies').length
    const notKept = all.reduce((sum, { not_kept }) => sum + Number(not_kept ?? 0), 0)
    assert.ok(kept >= 5 && notKept > 0, `${kept} ${notKept}`)
    assert.equal(kept + notKept, 60)
    assert.equal(all.filter(({ status }) => status === 404).length, 1)
    assert.deepEqual(await entriesOf(admin, 'method=GET&status=204'), [])
    const metrics = (await service.app.inject('/metrics')).body
    assert.match(metrics, /lading_request_log_requests_total\{outcome="counted"\} [1-9]/)
  })

  test('entries that are older than the setting are deleted, in lots; later ones stay', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    for (let n = 0; n < 3; n++) await admin.call('POST', '/api/v1/bills', {})
    const [last] = await entriesOf(admin, 'method=POST')
    const at = Date.parse(String(last?.occurred_at))
    const lot = (before: number) => deleteOldRequests(service.pool, caller.org, before, 2)
    assert.equal(await lot(at - 86_400_000), 0)
    const deleted = [await lot(at + 1), await lot(at + 1), await lot(at + 1)]
    assert.deepEqual([deleted[0], deleted.at(-1)], [2, 0])
    assert.deepEqual(await entriesOf(admin, `method=POST&to=${last?.occurred_at}`), [])
    await admin.call('POST', '/api/v1/bills', {})
    await entriesOf(admin, 'method=POST')
    await deleteOldEntries(service.database, 7)
    assert.equal((await entriesOf(admin, 'method=POST')).length, 1)
  })
})

test('what was answered before a clean stop is written by it', async () => {
  const stopping = await openService({ REQUEST_LOG_DAYS: '7' })
  const caller = await newCaller(stopping)
  await caller.call('POST', '/api/v1/bills', {})
  await nextTurn()
  await stopping.app.close()
  const rows = await service.database.transaction(caller.org, (run) => run(sql`select method, status from request_log where org_id = ${caller.org}`))
  assert.deepEqual(rows, [{ method: 'POST', status: 201 }])
})

test('with 0 days nothing is kept, and searches answer an empty list', async () => {
  const off = await openService({ REQUEST_LOG_DAYS: '0' })
  const caller = await newCaller(off)
  const admin = await newPerson(caller, 'admin', off)
  await caller.call('POST', '/api/v1/bills', {})
  assert.deepEqual(await entriesOf(admin), [])
})
