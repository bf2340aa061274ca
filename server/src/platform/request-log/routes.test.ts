import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Compile } from 'typebox/compile'
import { inPlace } from '../../../test/described.ts'
import { personIn } from '../../../test/people.ts'
import { applicationIn, type Caller, newCaller, openService, type Service } from '../../../test/service.ts'
import { createApplication } from '../../identity/applications/actions.ts'
import { createUser } from '../../identity/users/actions.ts'
import { consoleClientId } from '../access/console-client.ts'
import { scopeNames } from '../access/scopes.ts'
import { signToken } from '../access/tokens/access-token.ts'
import { newId } from '../core/values/ids.ts'
import { sql } from '../db/sql/sql.ts'
import { systemContext } from '../organizations/actions.ts'
import { RequestLogEntry, RequestLogEntryWithAnswer } from './model.ts'
import { deleteOldEntries } from './retention.ts'
import { deleteOldRequests } from './store.ts'

const service = await openService({ REQUEST_LOG_DAYS: '7', REQUEST_LOG_RATE: '100' })
const path = '/api/v1/request_log'
const described = Compile(RequestLogEntry)
const describedWhole = Compile(RequestLogEntryWithAnswer)
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
  const token = signToken(keyring, issuance, {
    sub: user.id,
    client_id: application.client_id,
    org_id: caller.org,
    scopes: scopeNames,
  })
  const call: Caller['call'] = (method, url, body, headers) =>
    caller.call(method, url, body, { authorization: `Bearer ${token}`, ...headers })
  return {
    user: user.id,
    application,
    call,
    get: (url: string, headers?: Record<string, string>) => call('GET', url, undefined, headers),
  }
}

async function entriesOf({ get }: Pick<Caller, 'get'>, query = 'limit=200'): Promise<Json[]> {
  const answer = await get(`${path}?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const entries: Json[] = answer.json().request_log
  for (const entry of entries) assert.ok(described.Check(entry), JSON.stringify(entry))
  return entries
}

async function entryOf({ get }: Pick<Caller, 'get'>, id: unknown): Promise<Json> {
  const answer = await get(`${path}/${id}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const entry: Json = answer.json().request_log_entry
  assert.ok(describedWhole.Check(entry), JSON.stringify(entry))
  return entry
}

/** All that is kept of an organization's requests. */
async function logOf(org: string): Promise<string> {
  return JSON.stringify(
    await service.database.transaction(org, (run) =>
      run(sql`select l::text as row from request_log l where l.org_id = ${org}`),
    ),
  )
}

/** The entry of a request with what was answered. */
async function lastOf(caller: Pick<Caller, 'get'>, requestId: string): Promise<Json> {
  return entryOf(caller, (await entriesOf(caller, `request_id=${requestId}`))[0]?.id)
}

describe('GET /request_log', { concurrency: true }, () => {
  test('leaves out what the console asked for, or all else, where that is wanted', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const { authUrl: issuer, audience } = service.settings
    const token = signToken(
      service.keyring,
      { issuer, audience },
      { sub: admin.user, client_id: consoleClientId, org_id: caller.org, scopes: scopeNames },
    )
    await caller.call('POST', '/api/v1/bills', {}, { authorization: `Bearer ${token}` })
    await admin.call('POST', '/api/v1/bills', {})
    const clients = async (query: string) =>
      (await entriesOf(admin, `path=/api/v1/bills${query}`)).map(({ application }) => (application as Json).client_id)
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
    const made = await admin.call('POST', '/api/v1/users?access_token=hunter2', body, {
      'x-request-id': 'request-1',
      'idempotency-key': 'key-1',
    })
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
      prefer: null,
      dry_run: false,
      error_code: null,
      error_message: null,
      body: JSON.stringify({ ...body, password: '[masked]' }),
      body_cut: false,
      body_type: 'application/json',
      body_bytes: Buffer.byteLength(JSON.stringify(body)),
      not_kept: null,
    })
    const { answer_body, ...answered } = await entryOf(admin, id)
    assert.deepEqual(answered, { ...entry, answer_cut: false, answer_type: 'application/json; charset=utf-8' })
    assert.deepEqual(JSON.parse(String(answer_body)), { ...made.json(), invitation_url: null })
    assert.doesNotMatch(await logOf(caller.org), /hunter2/)
    const [event] = await service.database.transaction(caller.org, (run) =>
      run(
        sql`select request_id from events where org_id = ${caller.org} and type = 'user.created' order by id desc limit 1`,
      ),
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
    const found = async (query: string) =>
      (await entriesOf(admin, `limit=200&${query}`)).map(({ method, path, status }) => `${method} ${path} ${status}`)
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
    assert.equal(
      (await found(`method=POST&from=${new Date(Date.now() - 3_600_000).toISOString()}&to=9999-12-31`)).length,
      2,
    )
    const wrong = await admin.get(`${path}?status=fine`)
    assert.deepEqual([wrong.statusCode, wrong.json().details[0].field], [400, 'status'])
    assert.equal((await admin.get(`${path}/${newId()}`)).statusCode, 404)
  })

  test('keeps Prefer, and says of a dry run that it was one, whichever way it was asked for and whatever came of it', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const csv = { 'content-type': 'text/csv' }
    const asked: [string, unknown, Record<string, string>, string | null, boolean][] = [
      ['/api/v1/bills', {}, { prefer: 'handling=strict, dry-run' }, 'handling=strict, dry-run', true],
      ['/api/v1/bills?dry_run=true', {}, {}, null, true],
      ['/api/v1/bills?dryRun=true', { currency_id: 'none' }, {}, null, true],
      ['/api/v1/bills/import?dry_run=true', 'external_id\nA\n', csv, null, true],
      ['/api/v1/bills?dry_run=false', {}, { prefer: 'dry-run=false' }, 'dry-run=false', false],
      [
        '/api/v1/bills',
        {},
        { prefer: 'handling=strict; token=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYW0ifQ.c2ln' },
        'handling=strict; token=[masked]',
        false,
      ],
    ]
    for (const [url, body, headers, prefer, dry_run] of asked) {
      const requestId = newId()
      await admin.call('POST', url, body, { 'x-request-id': requestId, ...headers })
      const [entry] = await entriesOf(admin, `request_id=${requestId}`)
      assert.deepEqual([entry?.prefer, entry?.dry_run], [prefer, dry_run], url)
    }
    await admin.get('/api/v1/bills?dry_run=true', { prefer: 'dry-run' })
    assert.equal((await entriesOf(admin, 'method=GET&path=/api/v1/bills'))[0]?.dry_run, false)
  })

  test('keeps the words of a refusal and the answer, in v2 too; none of a file, and of a long page the beginning', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const refused = await admin.call('POST', '/api/v1/bills', { currency_id: 'none' }, { 'x-request-id': 'refused' })
    const { answer_body, error_message } = await lastOf(admin, 'refused')
    assert.deepEqual([JSON.parse(String(answer_body)), error_message], [refused.json(), refused.json().error_message])
    const inV2 = await admin.get('/api/v2/platformModel/objects?objectKey=nothing', { 'x-request-id': 'v2' })
    assert.deepEqual([(await lastOf(admin, 'v2')).error_message].flat(), [inV2.json().message].flat())

    await admin.get('/api/v1/bills/export', { accept: 'text/csv', 'x-request-id': 'file' })
    const file = await lastOf(admin, 'file')
    assert.deepEqual([file.status, file.answer_body, String(file.answer_type).split(';')[0]], [200, null, 'text/csv'])
    const page = await admin.get('/api/v1/currencies?limit=200', { 'x-request-id': 'page' })
    const long = await lastOf(admin, 'page')
    assert.ok(page.body.length > 4096 && long.answer_cut, page.body)
    assert.ok(String(long.answer_body).length > 1000 && String(long.answer_body).length <= 2048)
    assert.match(String(long.answer_body), /^\{"currencies":\[\{.*[\]}"0-9]$/)
    await caller.call('HEAD', '/api/v1/currencies', undefined, { 'x-request-id': 'head' })
    assert.equal((await lastOf(admin, 'head')).answer_body, null)
  })

  test('what was sent and answered is shown to who did it, and to who has all scopes of who did', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    await caller.call('POST', '/api/v1/bills', { notes: 'Not for all' }, { 'x-request-id': 'of-another' })
    const narrow = applicationIn(service, caller.org, ['webhooks'])
    await narrow.get('/api/v1/events?limit=1', { 'x-request-id': 'of-its-own' })
    const seen = async (by: Pick<Caller, 'get'>, id: string) => (await lastOf(by, id)).answer_body !== null
    assert.deepEqual([await seen(admin, 'of-another'), await seen(admin, 'of-its-own')], [true, true])
    assert.deepEqual([await seen(narrow, 'of-another'), await seen(narrow, 'of-its-own')], [false, true])
    const bodies = async (by: Pick<Caller, 'get'>) => [
      (await entriesOf(by, 'request_id=of-another'))[0]?.body,
      (await lastOf(by, 'of-another')).body,
    ]
    const sent = '{"notes":"Not for all"}'
    assert.deepEqual(
      [await bodies(admin), await bodies(narrow)],
      [
        [sent, sent],
        [null, null],
      ],
    )
    // What somebody was shown in the log is an answer as well.
    const [entry] = await entriesOf(admin, 'request_id=of-another')
    await admin.get(`${path}/${entry?.id}`, { 'x-request-id': 'log-of-log' })
    assert.deepEqual([await seen(admin, 'log-of-log'), await seen(narrow, 'log-of-log')], [true, false])
  })

  test('the words of a refusal are not kept where they may repeat a secret', async () => {
    const caller = await newCaller(service)
    const admin = await newPerson(caller, 'admin')
    const wrong: [string, unknown][] = [
      ['/api/v1/users', '{"email":"a@example.com","password": hunter2}'],
      ['/api/v1/users', { email: `${newId()}@example.com`, name: 'Sam', role: 'member', password: 'hunter2' }],
      ['/api/v1/webhooks', { url: 'https://sam:hunter2@example.com/hook?token=hunter2', event_types: ['*'] }],
      ['/api/v1/payees', { partner_carrier_id: newId(), name: 'X', method: 'wire', bank_details: { iban: 'hunter2' } }],
    ]
    for (const [url, body] of wrong) {
      const answer = await admin.call('POST', url, body)
      assert.equal(answer.statusCode, 400, answer.body)
    }
    const [payee, hook, password, malformed] = await entriesOf(admin, 'status=400')
    assert.deepEqual(
      [malformed?.error_code, malformed?.error_message, password?.error_message, payee?.error_message],
      ['malformed_json', '[masked]', '[masked]', '[masked]'],
    )
    assert.match(String(hook?.error_message), /\[masked\]@example.com.*token=\[masked\]/)
    assert.doesNotMatch(await logOf(caller.org), /hunter2/)
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
    for (const entry of [started, imported])
      assert.deepEqual([entry?.body, entry?.body_type, entry?.body_bytes], [null, 'text/csv', 28])
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
    const slow = await openService({ REQUEST_LOG_DAYS: '7', REQUEST_LOG_RATE: '5' })
    const caller = await newCaller(slow)
    const admin = await newPerson(caller, 'admin', slow)
    await Promise.all(Array.from({ length: 60 }, () => caller.get('/api/v1/currencies?limit=1')))
    await caller.get(`/api/v1/bills/${newId()}`)
    const all = await entriesOf(admin, 'limit=200&to=9999-12-31')
    const kept = all.filter((entry) => entry.path === '/api/v1/currencies').length
    const notKept = all.reduce((sum, { not_kept }) => sum + Number(not_kept ?? 0), 0)
    assert.ok(kept >= 5 && notKept > 0, `${kept} ${notKept}`)
    assert.equal(kept + notKept, 60)
    assert.equal(all.filter(({ status }) => status === 404).length, 1)
    assert.deepEqual(await entriesOf(admin, 'method=GET&status=204'), [])
    const metrics = (await slow.app.inject('/metrics')).body
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
  const rows = await service.database.transaction(caller.org, (run) =>
    run(sql`select method, status from request_log where org_id = ${caller.org}`),
  )
  assert.deepEqual(rows, [{ method: 'POST', status: 201 }])
})

test('with 0 days nothing is kept, and searches answer an empty list', async () => {
  const off = await openService({ REQUEST_LOG_DAYS: '0' })
  const caller = await newCaller(off)
  const admin = await newPerson(caller, 'admin', off)
  await caller.call('POST', '/api/v1/bills', {})
  assert.deepEqual(await entriesOf(admin), [])
})

describe('answers with a secret in them', () => {
  const details = { bank_name: 'First Example Bank', routing_number: '021000021', account_number: '000123456789' }

  test('no operation answers one that the log would have', async () => {
    const { org } = await newCaller(service)
    const admin = await personIn(service, org, 'admin')
    const tried = new Set<string>()
    const secrets: string[] = []
    /** Makes the request as the operation of the reference that it is, and notes what of the answer must not be kept. */
    async function ask(
      operation: string,
      url: string,
      body: object,
      secretsIn: (answer: Json) => unknown[],
    ): Promise<Json> {
      const answer = await admin.call('POST', url, body)
      assert.ok(answer.statusCode < 300, `${url}: ${answer.body}`)
      tried.add(operation)
      for (const secret of secretsIn(answer.json()))
        secrets.push(
          String(secret)
            .split(/#|invitation\//)
            .at(-1) as string,
        )
      return answer.json()
    }
    const made = async (url: string, body: object) => {
      const answer = await admin.call('POST', url, body)
      assert.equal(answer.statusCode, 201, answer.body)
      return Object.values(answer.json())[0] as Json
    }
    const of = (name: string, field: string) => (answer: Json) => [(answer[name] as Json)[field]]
    const link = ({ invitation_url }: Json) => [invitation_url]

    const application = {
      name: 'Sync',
      type: 'confidential',
      redirect_uris: [],
      scopes: ['bills'],
      grant_types: ['client_credentials'],
    }
    const client = await ask(
      'createOAuthApplication',
      '/api/v1/oauth_applications',
      application,
      of('oauth_application', 'client_secret'),
    )
    await ask(
      'rotateOAuthApplicationSecret',
      `/api/v1/oauth_applications/${(client.oauth_application as Json).id}/rotate_secret`,
      {},
      of('oauth_application', 'client_secret'),
    )
    const hook = await ask(
      'createWebhook',
      '/api/v1/webhooks',
      { url: 'https://example.com/hook', event_types: ['*'] },
      of('webhook', 'secret'),
    )
    await ask(
      'rotateWebhookSecret',
      `/api/v1/webhooks/${(hook.webhook as Json).id}/rotate_secret`,
      {},
      of('webhook', 'secret'),
    )
    const user = await ask(
      'createUser',
      '/api/v1/users',
      { email: `${newId()}@example.com`, name: 'Sam', role: 'member' },
      link,
    )
    await ask('inviteUser', `/api/v1/users/${(user.user as Json).id}/invite`, {}, link)
    const { id: partner_carrier_id } = await made('/api/v1/partner_carriers', { name: 'Cascade Carriers' })
    const invited = { email: `${newId()}@example.com`, name: 'Lee', partner_carrier_id }
    await ask('createPortalInvitation', '/api/v1/partner_portal/invitations', invited, link)
    const bill = await made('/api/v1/bills', {
      partner_carrier_id,
      currency_id: 'usd',
      items: [{ unit_price: 100, description: 'Haul' }],
    })
    await admin.call('POST', `/api/v1/bills/${bill.id}/save`)
    await ask('createPortalLink', '/api/v1/partner_portal/links', { bill_id: bill.id }, ({ url }) => [url])
    const payee = await made('/api/v1/payees', {
      partner_carrier_id,
      name: 'Cascade',
      method: 'ach',
      bank_details: details,
    })
    await ask('revealPayee', `/api/v1/payees/${payee.id}/reveal`, {}, () => [
      details.account_number,
      details.routing_number,
    ])
    const connection = {
      connector_id: 'xero',
      settings: { client_id: 'client' },
      secrets: { client_secret: 'hunter2' },
    }
    const { id } = await made('/api/v1/connectors_orgs', connection)
    await ask('authorizeConnectorOrg', `/api/v1/connectors_orgs/${id}/authorize`, {}, ({ state }) => [state])

    assert.deepEqual(
      [...tried].sort(),
      operationsWithSecrets(inPlace((await service.app.inject('/openapi.json')).json())),
    )
    assert.ok((await entriesOf(admin, 'method=POST')).length >= tried.size)
    const log = await logOf(org)
    for (const secret of [...secrets, 'hunter2']) {
      assert.ok(secret.length >= 7, secret)
      assert.ok(!log.includes(secret), `the log has ${secret}`)
    }
  })

  /** By the names of their fields: whoever adds an operation that answers a secret meets it here, and says in the test above how it is called. */
  function operationsWithSecrets(api: Json): string[] {
    const told = /(?:^|_)(?:secret|password|access_token|refresh_token|invitation_url|account_number)$|^url$/
    /** Shown to everybody who can read the record; bank details in them are masked already. The last needs no token, so it is in no log. */
    const harmless =
      /^(?:get|search|update|test|enable|disable)Webhook|Payee(?:s|Change)?$|PayingAccount|PaymentRun|openPortalLink|createLinkSession/
    const found = new Set<string>()
    for (const [, operations] of Object.entries(api.paths as Json))
      for (const { operationId, responses = {} } of Object.values(
        operations as Record<string, { operationId: string; responses?: Json }>,
      ))
        for (const [status, answer] of Object.entries(responses))
          if (status < '300' && has(answer, new Set())) found.add(operationId)
    return [...found]
      .filter((name) => name === 'revealPayee' || name === 'createWebhook' || !harmless.test(name))
      .sort()

    function has(schema: unknown, seen: Set<string>): boolean {
      if (typeof schema !== 'object' || schema === null) return false
      const { $ref, properties } = schema as { $ref?: string; properties?: Json }
      if ($ref !== undefined) {
        if (seen.has($ref)) return false
        seen.add($ref)
        return has(((api.components as Json).schemas as Json)[$ref.split('/').at(-1) as string], seen)
      }
      if (properties && Object.keys(properties).some((name) => told.test(name))) return true
      return Object.values(schema).some((inner) => has(inner, seen))
    }
  }
})
