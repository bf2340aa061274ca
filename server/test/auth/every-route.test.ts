import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { type Scope, scopeNames } from '../../src/platform/access/scopes.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { someOfEach } from '../depth.ts'
import { callerIn, newCaller, sharedService } from '../service.ts'

/** Operations that ask for a good token and no scope, and those that ask for nothing. Whoever adds one says so here. */
const forAnyToken = [
  'GET /api/v1/me',
  'GET /api/v1/scopes',
  'GET /api/v1/time_zones/of_place',
  'GET /api/v1/organization',
  'GET /api/v1/organization/history',
  'GET /api/v1/organization/logo',
  'GET /api/v1/organization/usage',
  'GET /api/v1/accounting_periods',
  'GET /api/v1/accounting_periods/{accountingPeriodID}',
  'GET /api/v1/accounting_periods/{accountingPeriodID}/history',
  'GET /api/v2/platformModel/definitions',
  'GET /api/v2/platformModel/definitions/{objectKey}',
]
const forAnyone = ['GET /api/v1', 'GET /api/v2/platformModel', 'POST /api/v1/portal/link_sessions']

type Operation = { security?: { oauth2?: string[] }[] }

const service = await sharedService()
const { org } = await newCaller(service)
const { paths } = (await service.app.inject({ url: '/openapi.json' })).json() as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map(([method, { security }]) => ({
        method: method.toUpperCase(),
        path,
        scopes: security?.flatMap(({ oauth2 }) => oauth2 ?? []) ?? [],
      })),
  )

function call(method: string, path: string, token?: string) {
  return service.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: path.replace(/\{[^}]+\}/g, newId()),
    // A stream of events, which does not end, is refused to who takes JSON alone.
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { payload: '{}' }),
  })
}

test('the check sees the operations', () => {
  assert.ok(operations.length >= 15)
})

describe('an operation', { concurrency: 8 }, () => {
  const guarded = operations
    .map((operation) => ({ ...operation, name: `${operation.method} ${operation.path}` }))
    .filter(({ name }) => !forAnyone.includes(name))
  for (const { method, path, scopes, name } of someOfEach(guarded, ({ scopes }) => scopes.join(' '))) {
    test(`${name} answers 401 without a token${forAnyToken.includes(name) ? '' : ', and 403 to one with every scope but its own'}`, async () => {
      const without = await call(method, path)
      assert.equal(without.statusCode, 401, without.body)
      assert.match(String(without.headers['www-authenticate']), /^Bearer /)
      if (forAnyToken.includes(name)) return assert.deepEqual(scopes, [])
      // Objects of many kinds, transfers of anything, credits and payments of both directions, and documents and mails of all of them are behind one path: which scope it takes is known when
      // the kind is. A bill is made from a manifest with the scopes of both, a dispatcher works with manifests and orders, some reports read several resources, and what is done to a statement is done to its bills.
      const ofSeveral =
        /^\/api\/v2\/platformModel\/(?:objects|boards)|\/transfers|\/credits|v1\/payments|v1\/documents|v1\/mails|\/manifests\/\{manifestID\}\/(?:bill$|orders|planning_findings)|\/dispatch\/manifests|\/invoice$|\/statement(?:$|\/)|\/reports\/|consolidated_bills\/\{consolidatedBillID\}\/(?:send|pay|reopen)$/
      assert.ok(scopes.length === 1 || ofSeveral.test(path), 'it declares one scope')
      const others = scopeNames.filter((scope) => !scopes.includes(scope))
      const { token } = callerIn(service, org, others)
      const refused = await call(method, path, token)
      assert.equal(refused.statusCode, 403, refused.body)
      assert.match(
        String(refused.headers['www-authenticate']),
        new RegExp(`error="insufficient_scope".*scope="${scopes.join(' ')}"`),
      )
      const own = await call(method, path, callerIn(service, org, scopes as Scope[]).token)
      assert.doesNotMatch(String(own.headers['www-authenticate']), /insufficient_scope/)
    })
  }
})
