import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessOf } from '../../src/identity/account/access.ts'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { type Admin, newAdmin } from './admin.ts'
import { authorizeUrl, Browser } from './browser.ts'
import { askToken, type Party, password, refresh, sharedHouse, tokensByPassword, tryToken } from './house.ts'

const path = '/api/v1/oauth_applications'
const house = await sharedHouse()

async function make(admin: Admin, body: object = {}) {
  const answer = await admin.call('POST', path, { name: 'Warehouse sync', ...body })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().oauth_application
}

describe('POST /oauth_applications', { concurrency: true }, () => {
  test('answers 201 with the secret, which is shown this once, and records the event without it', async () => {
    const admin = await newAdmin(house)
    const answer = await admin.call('POST', path, {
      name: 'Sync',
      redirect_uris: ['https://sync.example.com/cb'],
      scopes: ['bills'],
      grant_types: ['client_credentials'],
    })
    const { client_secret, ...made } = answer.json().oauth_application
    assert.equal(answer.statusCode, 201)
    assert.equal(answer.headers.location, `${path}/${made.id}`)
    assert.equal(answer.headers.etag, '"1"')
    assert.match(client_secret, /^[\w-]{43}$/)
    assert.deepEqual(Object.keys(made).sort(), [
      'access',
      'client_id',
      'created_at',
      'disabled_at',
      'grant_types',
      'id',
      'last_used_at',
      'name',
      'redirect_uris',
      'require_pkce',
      'revision',
      'scopes',
      'type',
      'updated_at',
    ])
    assert.deepEqual((await admin.get(`${path}/${made.id}`)).json(), { oauth_application: made })
    const events = await admin.events('oauth_application')
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [['oauth_application.created', made]],
    )
    const party = { ...admin.party, application: { ...made, client_secret } } as Party
    assert.equal((await askToken(house, party, { grant_type: 'client_credentials' })).statusCode, 200)
    const used = (await admin.get(`${path}/${made.id}`)).json().oauth_application
    assert.equal(made.last_used_at, null)
    assert.match(used.last_used_at, /^\d{4}-\d\d-\d\dT/)
    assert.equal(used.revision, 1)
  })

  test('keeps the secret out of what an Idempotency-Key stores, and replays without it', async () => {
    const admin = await newAdmin(house)
    const headers = { 'idempotency-key': newId() }
    const first = await admin.call('POST', path, { name: 'Sync' }, headers)
    const again = await admin.call('POST', path, { name: 'Sync' }, headers)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.json().oauth_application.client_secret, null)
    assert.equal(again.json().oauth_application.id, first.json().oauth_application.id)
    const kept = await house.database.transaction(admin.party.org, (run) =>
      run({ text: 'select body from idempotency_keys where org_id = $1', values: [admin.party.org] }),
    )
    assert.ok(!JSON.stringify(kept).includes(first.json().oauth_application.client_secret))
  })

  test('never compresses the answer with the secret, however long it is', async () => {
    const admin = await newAdmin(house)
    const redirect_uris = Array.from({ length: 40 }, (_, index) => `https://sync.example.com/callback/${index}`)
    const made = await admin.call('POST', path, { name: 'Sync', redirect_uris }, { 'accept-encoding': 'gzip' })
    assert.equal(made.headers['content-encoding'], undefined)
    const read = await admin.get(`${path}/${made.json().oauth_application.id}`, { 'accept-encoding': 'gzip' })
    assert.equal(read.headers['content-encoding'], 'gzip')
  })

  test('makes a public application without a secret', async () => {
    const made = await make(await newAdmin(house), { type: 'public', redirect_uris: ['http://127.0.0.1:5000/cb'] })
    assert.deepEqual(
      [made.type, made.client_secret, made.grant_types],
      ['public', null, ['authorization_code', 'refresh_token']],
    )
  })

  test('requires PKCE where it is asked to, always of public ones, and can be told otherwise later', async () => {
    const admin = await newAdmin(house)
    assert.equal((await make(admin)).require_pkce, false)
    assert.equal((await make(admin, { type: 'public' })).require_pkce, true)
    const { id, require_pkce } = await make(admin, { require_pkce: true })
    assert.equal(require_pkce, true)
    const changed = await admin.call('PUT', `${path}/${id}`, { require_pkce: false })
    assert.equal(changed.json().oauth_application.require_pkce, false)
    assert.deepEqual((await admin.events('oauth_application')).at(-1)?.previous, { require_pkce: true })
  })

  for (const [what, body, field] of [
    ['a public one without PKCE', { type: 'public', require_pkce: false }, 'require_pkce'],
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['an unknown type', { type: 'secret' }, 'type'],
    ['an unknown scope', { scopes: ['everything'] }, 'scopes.0'],
    ['an unknown flow', { grant_types: ['implicit'] }, 'grant_types.0'],
    ['the password flow for a public one', { type: 'public', grant_types: ['password'] }, 'grant_types'],
    ['client credentials for a public one', { type: 'public', grant_types: ['client_credentials'] }, 'grant_types'],
    ...[
      'http://sync.example.com/cb',
      'http://127.0.0.1.evil.example/',
      'http://localhost.evil.example/',
      'sync.example.com',
      '/cb',
      'javascript:alert(1)',
      'myapp://cb',
      'https://a.example/#f',
      'https://a.example/#',
      'https://user@a.example/',
      'https://user:pw@a.example/',
      'ftp://a.example/',
      '',
      ' https://a.example/',
      'https://a.example/\n',
      'https://*.example.com/cb',
    ].map((uri) => [`the redirect URI ${JSON.stringify(uri)}`, { redirect_uris: [uri] }, 'redirect_uris'] as const),
  ] as const) {
    test(`answers 400 to ${what} and records nothing`, async () => {
      const admin = await newAdmin(house)
      const answer = await admin.call('POST', path, { name: 'Sync', ...body })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, field)
      assert.deepEqual(await admin.events('oauth_application'), [])
    })
  }

  test('takes https anywhere and http on loopback', async () => {
    const redirect_uris = [
      'https://a.example/cb?x=1',
      'https://a.example:8443/',
      'http://127.0.0.1/cb',
      'http://[::1]:3000/cb',
      'http://localhost:3000/cb',
    ]
    assert.deepEqual((await make(await newAdmin(house), { redirect_uris })).redirect_uris, redirect_uris)
  })
})

describe('GET, PUT and DELETE /oauth_applications', { concurrency: true }, () => {
  test('list newest first, with paging and no secrets', async () => {
    const admin = await newAdmin(house)
    const [first, second] = [await make(admin), await make(admin, { name: 'B' })]
    const { oauth_applications, total } = (await admin.get(`${path}?limit=2`)).json()
    assert.deepEqual(
      oauth_applications.map(({ id }: { id: string }) => id),
      [second.id, first.id],
    )
    assert.equal(total, 3)
    assert.ok(!JSON.stringify(oauth_applications).includes('secret'))
    assert.equal((await admin.get(`${path}?limit=-1`)).statusCode, 400)
  })

  test('PUT merges, raises the revision, records what was before, and changes nothing when nothing changes', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin, { scopes: ['bills'] })
    const answer = await admin.call('PUT', `${path}/${made.id}`, { name: 'Renamed' })
    assert.deepEqual(
      [answer.statusCode, answer.json().oauth_application.name, answer.headers.etag],
      [200, 'Renamed', '"2"'],
    )
    assert.deepEqual(answer.json().oauth_application.scopes, ['bills'])
    assert.equal((await admin.call('PUT', `${path}/${made.id}`, { name: 'Renamed' })).headers.etag, '"2"')
    const events = await admin.events('oauth_application')
    assert.deepEqual(
      events.map(({ type, previous }) => [type, previous]),
      [
        ['oauth_application.created', null],
        ['oauth_application.updated', { name: 'Warehouse sync' }],
      ],
    )
    assert.equal(
      (await admin.call('PUT', `${path}/${made.id}`, { redirect_uris: ['http://evil.example/'] })).statusCode,
      400,
    )
    assert.equal((await admin.call('PUT', `${path}/${made.id}`, { scopes: ['nonsense'] })).statusCode, 400)
  })

  test('PUT and DELETE answer 412 when If-Match is stale, and do nothing', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin)
    for (const method of ['PUT', 'DELETE']) {
      const answer = await admin.call(method, `${path}/${made.id}`, method === 'PUT' ? { name: 'x' } : undefined, {
        'if-match': '"7"',
      })
      assert.equal(answer.statusCode, 412)
    }
    assert.equal((await admin.get(`${path}/${made.id}`)).json().oauth_application.revision, 1)
  })

  test('DELETE answers 204 and records the event; the application is gone', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin)
    assert.equal((await admin.call('DELETE', `${path}/${made.id}`)).statusCode, 204)
    assert.equal((await admin.get(`${path}/${made.id}`)).statusCode, 404)
    assert.equal((await admin.events('oauth_application')).at(-1)?.type, 'oauth_application.deleted')
  })

  test('rotate_secret answers a new secret and records the event without it; a public application has none', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin)
    const answer = await admin.call('POST', `${path}/${made.id}/rotate_secret`, { overlap_seconds: 0 })
    assert.equal(answer.statusCode, 200)
    const { client_secret } = answer.json().oauth_application
    assert.notEqual(client_secret, made.client_secret)
    const events = JSON.stringify(await admin.events('oauth_application'))
    assert.match(events, /oauth_application\.secret_rotated/)
    for (const secret of [client_secret, made.client_secret]) assert.ok(!events.includes(secret))
    for (const overlap_seconds of [-1, 1.5, 'long', 30 * 86_400 + 1]) {
      assert.equal((await admin.call('POST', `${path}/${made.id}/rotate_secret`, { overlap_seconds })).statusCode, 400)
    }
    const open = await make(admin, { type: 'public' })
    assert.equal((await admin.call('POST', `${path}/${open.id}/rotate_secret`, {})).statusCode, 400)
  })

  test('twenty rotations at once leave one secret that is good', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin, { grant_types: ['client_credentials'] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => admin.call('POST', `${path}/${made.id}/rotate_secret`, { overlap_seconds: 0 })),
    )
    const parties = answers.map((answer) => ({ ...admin.party, application: answer.json().oauth_application }) as Party)
    const statuses = await Promise.all(
      parties.map(async (party) => (await askToken(house, party, { grant_type: 'client_credentials' })).statusCode),
    )
    assert.deepEqual(statuses.filter((status) => status === 200).length, 1)
  })
})

describe('POST /oauth_applications/{id}/disable and enable', { concurrency: true }, () => {
  const everyFlow = {
    redirect_uris: ['https://sync.example.com/cb'],
    scopes: ['bills'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
  }
  const usedBy = ({ party }: Admin, application: Party['application']) => ({ ...party, application }) as Party
  const switched = (admin: Admin, id: string, verb: 'disable' | 'enable', headers = {}) =>
    admin.call('POST', `${path}/${id}/${verb}`, undefined, headers)

  test('a disabled application is treated like an unknown one, and its tokens are dead when that is answered', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin, everyFlow)
    const party = usedBy(admin, made)
    const [ofUser, own] = [
      await tokensByPassword(house, party),
      (await askToken(house, party, { grant_type: 'client_credentials' })).json(),
    ]
    const tokens = [ofUser.access_token, own.access_token]
    for (const token of tokens) assert.equal(await tryToken(house, token), 200)

    const answer = await switched(admin, made.id, 'disable')
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.headers.etag, '"2"')
    assert.match(answer.json().oauth_application.disabled_at, /^\d{4}-\d\d-\d\dT/)
    for (const token of tokens) assert.equal(await tryToken(house, token), 401)

    const unknown = usedBy(admin, { ...made, client_id: `${made.client_id.slice(0, -4)}AAAA` })
    const flows = [
      { grant_type: 'client_credentials' },
      { grant_type: 'password', username: party.email, password },
      { grant_type: 'refresh_token', refresh_token: ofUser.refresh_token },
      { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://sync.example.com/cb' },
    ]
    for (const fields of flows) {
      const [refused, asUnknown] = [await askToken(house, party, fields), await askToken(house, unknown, fields)]
      assert.deepEqual([refused.statusCode, refused.json().error], [401, 'invalid_client'])
      assert.deepEqual(refused.json(), asUnknown.json())
    }
    const page = async (of: Party) => {
      const { status, text } = await new Browser(house).get(
        authorizeUrl(of, { redirect_uri: 'https://sync.example.com/cb' }),
      )
      return [status, text.replaceAll(of.application.client_id, '')]
    }
    assert.deepEqual(await page(party), await page(unknown))
    assert.equal((await page(party))[0], 400)
  })

  test('an enabled one gets tokens again, by its secret and by the refresh tokens it has; the access tokens from before stay dead', async () => {
    const admin = await newAdmin(house)
    const made = await make(admin, everyFlow)
    const party = usedBy(admin, made)
    const before = await tokensByPassword(house, party)
    await switched(admin, made.id, 'disable')
    assert.equal((await refresh(house, party, before.refresh_token)).statusCode, 401)
    const { applications } = await accessOf(house.database, party.email)
    assert.ok(
      applications.some(({ application }) => application === made.name),
      'people still see that they allowed it',
    )
    const enabled = await switched(admin, made.id, 'enable')
    assert.deepEqual([enabled.statusCode, enabled.json().oauth_application.disabled_at], [200, null])
    const answers = [
      await askToken(house, party, { grant_type: 'client_credentials' }),
      await refresh(house, party, before.refresh_token),
    ]
    for (const answer of answers) {
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal(await tryToken(house, answer.json().access_token), 200)
    }
    assert.equal(await tryToken(house, before.access_token), 401)
  })

  test('do nothing the second time, keep the state through other changes, honour If-Match, and record what was before', async () => {
    const admin = await newAdmin(house)
    const { id } = await make(admin, everyFlow)
    assert.equal((await switched(admin, id, 'enable')).headers.etag, '"1"')
    assert.equal((await switched(admin, id, 'disable', { 'if-match': '"7"' })).statusCode, 412)
    const { disabled_at } = (await switched(admin, id, 'disable', { 'if-match': '"1"' })).json().oauth_application
    const again = await switched(admin, id, 'disable')
    assert.deepEqual([again.headers.etag, again.json().oauth_application.disabled_at], ['"2"', disabled_at])
    const renamed = await admin.call('PUT', `${path}/${id}`, { name: 'Renamed' })
    assert.equal(renamed.json().oauth_application.disabled_at, disabled_at)
    const rotated = await admin.call('POST', `${path}/${id}/rotate_secret`, {})
    assert.equal(rotated.json().oauth_application.disabled_at, disabled_at)
    assert.equal((await switched(admin, id, 'enable', { 'if-match': '"3"' })).statusCode, 412)
    assert.equal((await switched(admin, id, 'enable')).headers.etag, '"5"')
    const events = (await admin.events('oauth_application')).filter(({ type }) => /abled$/.test(type))
    assert.deepEqual(
      events.map(({ type, previous }) => [type, previous]),
      [
        ['oauth_application.disabled', { disabled_at: null }],
        ['oauth_application.enabled', { disabled_at }],
      ],
    )
  })
})

describe('every operation on /oauth_applications', { concurrency: true }, () => {
  const operations = (id: string) =>
    [
      ['GET', path],
      ['POST', path, { name: 'x' }],
      ['GET', `${path}/${id}`],
      ['PUT', `${path}/${id}`, { name: 'x' }],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/disable`],
      ['POST', `${path}/${id}/enable`],
      ['POST', `${path}/${id}/rotate_secret`, {}],
    ] as const

  test('answers 403 to a member and to a token without the scope, 401 to none', async () => {
    const admin = await newAdmin(house)
    const { id } = await make(admin)
    const member = await admin.newMember()
    const narrow = await admin.withScopes(scopeNames.filter((scope) => scope !== 'users'))
    for (const [method, url, body] of operations(id)) {
      assert.equal((await member.call(method, url, body)).json().error_code, 'admin_required')
      assert.equal((await narrow.call(method, url, body)).json().error_code, 'insufficient_scope')
      assert.equal((await narrow.call(method, url, body, { authorization: '' })).statusCode, 401)
    }
  })

  test('answers 404 across organizations and 400 to a malformed id', async () => {
    const { id } = await make(await newAdmin(house))
    const stranger = await newAdmin(house)
    for (const [method, url, body] of operations(id)) {
      if (url === path) continue
      assert.equal((await stranger.call(method, url, body)).statusCode, 404, `${method} ${url}`)
      assert.equal((await stranger.call(method, url.replace(id, 'nonsense'), body)).statusCode, 400)
    }
  })

  test('is open to an application acting for itself, by its scope alone', async () => {
    const admin = await newAdmin(house)
    const own = await admin.asApplication()
    const made = await own.call('POST', path, { name: 'By a machine' })
    assert.equal(made.statusCode, 201)
    assert.equal((await own.get('/api/v1/me')).json().user, null)
    const [event] = await admin.events('oauth_application')
    assert.deepEqual(event?.actor, { type: 'application', id: admin.party.application.client_id })
  })
})
