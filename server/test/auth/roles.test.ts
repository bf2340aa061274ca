import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createJoinedUser } from '../../src/identity/users/actions.ts'
import {
  type Right,
  type Role,
  rightNames,
  rights,
  roleNames,
  roles,
  usableScopes,
} from '../../src/platform/access/roles.ts'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { signToken } from '../../src/platform/access/tokens/access-token.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { workAll } from '../../src/platform/transfers/rounds.ts'
import { transferables } from '../../src/transferables.ts'
import { bills, booksOf, statements } from '../books/books.ts'
import { someOfEach } from '../depth.ts'
import { applicationIn, callerIn, databaseOf, newCaller, type Service } from '../service.ts'
import {
  askToken,
  claimsOf,
  type House,
  newEmail,
  newParty,
  password,
  refresh,
  sharedHouse,
  tokensByPassword,
} from './house.ts'

type Operation = { 'x-right'?: Right | 'any'; 'x-access'?: 'read' | 'write'; security?: { oauth2?: string[] }[] }

const house = await sharedHouse()
const service: Service = house
const { paths } = (await service.app.inject({ url: '/openapi.json' })).json() as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/v1/') || path.startsWith('/api/v2/platformModel/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  // It needs no token, so it asks for no role.
  .filter(({ path }) => path !== '/api/v1/portal/link_sessions')

/** Who adds an operation that pays, approves or administers, or that reads with POST, says so here too. */
const listed: [Right | 'any', RegExp][] = [
  ['any', /^GET \/api\/v1\/me$/],
  ['use_portal', /^\w+ \/api\/v1\/portal\//],
  ['administer', /^\w+ \/api\/v1\/partner_portal\/invitations$/],
  [
    'administer',
    /^(?:POST|PUT|DELETE) \/api\/v1\/(?:accounting_periods|webhooks|webhook_deliveries|users|oauth_applications|organization|approval_rules|document_rules|paying_accounts|audit_policies(?!\/replay))\b/,
  ],
  ['administer', /^(?:POST|PUT|DELETE) \/api\/v1\/connectors_orgs(?!\/\{connectionID\}\/(?:check|syncs)\b)/],
  ['administer', /^GET \/api\/v1\/(?:users|oauth_applications|security_events|request_log)\b/],
  ['administer', /^GET \/api\/v1\/webhooks\/\{webhookID\}\/history$/],
  ['administer', /^(?:POST|PUT|DELETE) \/api\/v2\/platformModel\/definitions\b/],
  ['approve', /^POST \/api\/v1\/bills\/(?:approve|\{billID\}\/(?:approve|reject))$/],
  ['approve', /^(?:POST|DELETE) \/api\/v1\/approval_delegations\b/],
  ['approve', /^POST \/api\/v1\/carrier_invoices\/\{carrierInvoiceID\}\/(?:accept|short_pay|dispute|reject|approve)$/],
  [
    'approve',
    /^POST \/api\/v1\/(?:payees\/\{payeeID\}\/changes\/\{changeID\}\/(?:approve|reject)|payment_runs\/\{paymentRunID\}\/approve)$/,
  ],
  ['pay', /^(?:POST|DELETE) \/api\/v1\/payment_runs\b/],
  ['pay', /^POST \/api\/v1\/(?:bills|invoices|credits|consolidated_bills)\/\{\w+\}\/(?:pay|reopen)$/],
  ['pay', /^(?:POST|PUT|DELETE) \/api\/v1\/payments\b/],
  ['pay', /^POST \/api\/v1\/invoices\/\{invoiceID\}\/write_off/],
  ['pay', /^(?:POST|DELETE) \/api\/v1\/credits\/\{creditID\}\/(?:apply|allocations)\b/],
  [
    'see_bank_details',
    /^(?:POST \/api\/v1\/payees\/\{payeeID\}\/reveal|GET \/api\/v1\/payment_runs\/\{paymentRunID\}\/files\/\{format\})$/,
  ],
  ['read', /^GET /],
  ['read', /^POST \S+\/(?:exports|objects\/search|audit_policies\/replay|connectors_orgs\/\{connectionID\}\/check)$/],
  ['enter', /^/],
]

function rightOf(method: string, path: string): Right | 'any' {
  return listed.find(([, pattern]) => pattern.test(`${method} ${path}`))?.[0] as Right | 'any'
}

function call(method: string, path: string, token: string) {
  return service.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: path.replace(/\{[^}]+\}/g, newId()),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { payload: '{}' }),
  })
}

const codeIn = (body: string) => {
  try {
    const { error_code, code = error_code } = JSON.parse(body)
    return code as string
  } catch {
    return ''
  }
}

describe('every operation', { concurrency: 4 }, async () => {
  const { org } = await newCaller(service)
  const tokens = Object.fromEntries(
    roleNames.map((role) => [role, callerIn(service, org, scopeNames, () => newId(), role).token]),
  ) as Record<Role, string>
  const readOnly = readOnlyTokenIn(org)

  test('a token names the scopes for which the role has an operation, and no other', () => {
    for (const role of roleNames) {
      const open = operations.filter(
        ({ 'x-right': right }) => right !== 'any' && (roles[role] as readonly Right[]).includes(right as Right),
      )
      const used = new Set(open.flatMap(({ security = [] }) => security.flatMap(({ oauth2 = [] }) => oauth2)))
      assert.deepEqual(
        usableScopes(role, scopeNames),
        scopeNames.filter((scope) => used.has(scope)),
        role,
      )
    }
  })

  test('declares the right that it takes, and whether it writes', () => {
    for (const { method, path, 'x-right': declared, 'x-access': access } of operations) {
      const right = rightOf(method, path)
      assert.equal(declared, right, `${method} ${path}`)
      assert.equal(access, right === 'read' || method === 'GET' ? 'read' : 'write', `${method} ${path}`)
    }
  })

  for (const { method, path, 'x-access': access } of someOfEach(
    operations,
    ({ method, path }) => `${method} ${rightOf(method, path)}`,
  )) {
    const right = rightOf(method, path)
    test(`${method} ${path} is open to the roles with the right ${right}, and to no other`, async () => {
      for (const role of roleNames) {
        const answer = await call(method, path, tokens[role])
        const refused = ['right_required', 'admin_required'].includes(codeIn(answer.body))
        assert.equal(
          refused,
          right !== 'any' && !(roles[role] as readonly Right[]).includes(right),
          `${role}: ${answer.statusCode} ${answer.body.slice(0, 200)}`,
        )
        if (refused) assert.equal(answer.statusCode, 403)
      }
      const withReadOnly = await call(method, path, readOnly)
      assert.equal(codeIn(withReadOnly.body) === 'read_only_token', access === 'write', withReadOnly.body.slice(0, 200))
    })
  }
})

test('the check sees the operations, and the table names every right and gives each to somebody', () => {
  assert.ok(operations.length > 100)
  for (const right of rightNames)
    assert.ok(roleNames.some((role) => (roles[role] as readonly Right[]).includes(right)) && rights[right])
})

test('what pays in a roundabout way takes the right to pay too: PUT, bulk, import, transfer and statement', async () => {
  const caller = await newCaller(service)
  const books = booksOf(caller)
  const clerk = callerIn(service, caller.org, scopeNames, () => newId(), 'clerk')
  const [one, two] = [await books.bill('saved'), await books.bill('saved', { partner_carrier_id: newId() })]
  const statement = await books.statement([two])
  await caller.call('POST', `${statements}/${statement.id}/save`)
  const paid = await books.bill('paid')
  for (const [method, path, body] of [
    ['PUT', `${bills}/${one.id}`, { status_id: 'paid' }],
    ['PUT', `${bills}/${paid.id}`, { status_id: 'edited', reason: 'Wrong' }],
    ['PUT', `${statements}/${statement.id}`, { status_id: 'paid' }],
  ] as const) {
    const answer = await clerk.call(method, path, body)
    assert.deepEqual(
      [answer.statusCode, answer.json().error_code],
      [403, 'right_required'],
      `${method} ${path} ${JSON.stringify(body)}`,
    )
  }
  const rows = [
    { external_id: 'plain', currency_id: 'usd', sub_total_amount: 5 },
    { external_id: 'paid', currency_id: 'usd', sub_total_amount: 5, status_id: 'paid' },
    { id: one.id, status_id: 'paid' },
  ]
  const bulk = (await clerk.call('POST', `${bills}/bulk?mode=best_effort`, { bills: rows, mode: 'best_effort' })).json()
  assert.deepEqual(
    bulk.results.map(
      ({ status, error }: { status: string; error?: { error_code: string } }) => error?.error_code ?? status,
    ),
    ['created', 'right_required', 'right_required'],
  )
  const csv = 'external_id,currency_id,sub_total_amount,status_id\nby-csv,usd,5,paid\nby-csv-2,usd,5,saved\n'
  const imported = await clerk.call('POST', `${bills}/import`, csv, { 'content-type': 'text/csv' })
  assert.deepEqual(
    imported
      .json()
      .results.map(
        ({ status, error }: { status: string; error?: { error_code: string } }) => error?.error_code ?? status,
      ),
    ['right_required', 'created'],
  )
  const started = await clerk.call('POST', `${bills}/imports`, csv.replaceAll('by-csv', 'by-transfer'), {
    'content-type': 'text/csv',
  })
  assert.equal(started.statusCode, 202, started.body)
  await workAll(databaseOf(service, new Set([caller.org])), transferables)
  const failures = await clerk.get(`/api/v1/transfers/${started.json().transfer.id}/failures`)
  assert.match(failures.body, /right_required/)
  assert.doesNotMatch(failures.body, /by-transfer-2/)
  assert.equal(
    (await caller.get(`${bills}?status_ids=paid`)).json().bills.filter(({ id }: { id: string }) => id !== paid.id)
      .length,
    0,
  )
  const payer = callerIn(service, caller.org, scopeNames, () => newId(), 'payer')
  assert.equal((await payer.call('POST', `${bills}/${one.id}/pay`)).statusCode, 200)
  assert.equal((await payer.call('POST', `${statements}/${statement.id}/pay`)).statusCode, 200)
})

describe('a role', { concurrency: true }, () => {
  test('that is changed counts at once, for the tokens that are there too; a refresh gives one that carries it, and /me its rights', async () => {
    const party = await newParty(house)
    const email = newEmail()
    const { id } = await createJoinedUser((await newCallerOf(house, party.org)).ctx, {
      email,
      name: 'Cleo',
      role: 'member',
      password,
    })
    const member = await tokensByPassword(house, { ...party, email })
    assert.equal(claimsOf(member.access_token).role, 'member')
    const admin = await tokensByPassword(house, party)
    const change = await house.app.inject({
      ...{
        method: 'PUT',
        url: `/api/v1/users/${id}`,
        headers: { authorization: `Bearer ${admin.access_token}` },
        payload: { role: 'read_only' },
      },
    })
    assert.equal(change.statusCode, 200, change.body)
    assert.equal(codeIn((await call('POST', bills, member.access_token)).body), 'right_required')
    assert.equal((await call('GET', bills, member.access_token)).statusCode, 200)
    const again = (await refresh(house, { ...party, email }, member.refresh_token)).json()
    assert.equal(claimsOf(again.access_token).role, 'read_only')
    const me = (await call('GET', '/api/v1/me', again.access_token)).json()
    assert.deepEqual([me.user.role, me.rights, me.access], ['read_only', ['read'], 'read_write'])
    assert.equal(codeIn((await call('POST', bills, again.access_token)).body), 'right_required')
  })

  test('is read from the database for a token that does not say it', async () => {
    const { org, ctx } = await newCaller(service)
    const { id: sub } = await createJoinedUser(ctx, { email: newEmail(), name: 'Cleo', role: 'clerk', password })
    const token = signToken(service.keyring, issuance(), { sub, client_id: 'old', org_id: org, scopes: scopeNames })
    assert.equal((await call('POST', bills, token)).statusCode, 201)
    assert.equal(codeIn((await call('POST', '/api/v1/payments', token)).body), 'right_required')
    assert.deepEqual((await call('GET', '/api/v1/me', token)).json().rights, ['read', 'enter'])
    const nobody = signToken(service.keyring, issuance(), {
      sub: newId(),
      client_id: 'old',
      org_id: org,
      scopes: scopeNames,
    })
    assert.equal(codeIn((await call('POST', bills, nobody)).body), 'right_required')
  })

  test('other than admin leaves the last admin where they are', async () => {
    const party = await newParty(house)
    const { access_token } = await tokensByPassword(house, party)
    const payload = { role: 'clerk' }
    const answer = await house.app.inject({
      method: 'PUT',
      url: `/api/v1/users/${party.user}`,
      headers: { authorization: `Bearer ${access_token}` },
      payload,
    })
    assert.deepEqual([answer.statusCode, answer.json().error_code], [409, 'last_admin'])
  })
})

test('an application with access read gets tokens that read and do nothing else, for itself and for an admin; changing it ends them', async () => {
  const party = await newParty(house, { access: 'read' })
  const own = (await askToken(house, party, { grant_type: 'client_credentials' })).json().access_token as string
  const forAdmin = await tokensByPassword(house, party)
  for (const token of [own, forAdmin.access_token]) {
    assert.equal((await call('GET', bills, token)).statusCode, 200)
    assert.equal((await call('GET', '/api/v1/users', token)).statusCode, 200)
    assert.equal((await call('GET', '/api/v1/me', token)).json().access, 'read')
    const answer = await call('POST', bills, token)
    assert.deepEqual([answer.statusCode, codeIn(answer.body)], [403, 'read_only_token'])
  }
  const change = await applicationIn(service, party.org).call(
    'PUT',
    `/api/v1/oauth_applications/${party.application.id}`,
    { access: 'read_write' },
  )
  assert.equal(change.json().oauth_application.access, 'read_write', change.body)
  assert.equal((await call('GET', bills, own)).statusCode, 401)
  const again = (await refresh(house, party, forAdmin.refresh_token)).json().access_token
  assert.equal((await call('POST', bills, again)).statusCode, 201)
})

function issuance() {
  return { issuer: service.settings.authUrl, audience: service.settings.audience }
}

function readOnlyTokenIn(org_id: string): string {
  return signToken(service.keyring, issuance(), {
    sub: 'reader',
    client_id: 'reader',
    org_id,
    scopes: scopeNames,
    access: 'read',
  })
}

async function newCallerOf(within: House, org: string) {
  return callerIn(within, org)
}
