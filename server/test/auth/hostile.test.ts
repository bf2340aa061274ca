import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { some } from '../depth.ts'
import { openService } from '../service.ts'
import { actionIn, authorizeUrl, Browser } from './browser.ts'
import { askToken, basic, callback, credentials, newEmail, newParty, openHouse, password, post } from './house.ts'

const lines: string[] = []
const house = await openHouse({ LOG_LEVEL: 'info' }, { write: (line: string) => void lines.push(line) })
const evil = 'evil.example'
const forged = {
  host: evil,
  'x-forwarded-host': evil,
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '81',
  forwarded: `host=${evil};proto=https`,
}
const garbage = [
  '\0',
  'a\0b',
  '\ud800',
  '%',
  '%00',
  '%ff%fe',
  '"><script>alert(1)</script>',
  "' or 1=1 --",
  '\r\nx-evil: 1',
  '../../etc',
  '💥'.repeat(50),
  'a'.repeat(5_000),
]

describe('whatever a client says of the host,', { concurrency: true }, () => {
  test('the metadata and the key set are the same', async () => {
    for (const url of [
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/oauth2/jwks',
    ]) {
      const plain = await house.app.inject({ url })
      const other = await house.app.inject({ url, headers: forged })
      assert.equal(other.statusCode, 200)
      assert.equal(other.body, plain.body)
      assert.doesNotMatch(other.body, /evil\./)
    }
  })

  test('a person goes from page to page of ours, and back to the registered address', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    let page = await browser.get(authorizeUrl(party, { state: 's' }), forged)
    const seen: string[] = []
    for (let step = 0; step < 12 && !page.location?.startsWith(callback); step++) {
      seen.push(page.location ?? '', page.text, String(page.headers['set-cookie'] ?? ''))
      if (page.location) page = await browser.get(page.location.replace(house.url, ''), forged)
      else
        page = await browser.post(
          actionIn(page),
          actionIn(page).endsWith('login')
            ? { email: party.email, password }
            : { decision: 'allow', organization: party.org },
          forged,
        )
    }
    assert.ok(page.location?.startsWith(`${callback}?code=`), page.text)
    assert.doesNotMatch([...seen, page.location].join(), /evil\./)
    const code = new URL(String(page.location)).searchParams.get('code') ?? ''
    const tokens = await askToken(
      house,
      party,
      { grant_type: 'authorization_code', code, redirect_uri: callback },
      forged,
    )
    assert.equal(tokens.statusCode, 200)
  })
})

describe('the address of a caller is that which the nearest proxy that is not ours was called from,', {
  concurrency: true,
}, () => {
  for (const [trusted, socket, sent, address] of [
    ['', '9.9.9.9', '1.1.1.1', '9.9.9.9'],
    ['', '10.0.0.1', '1.1.1.1', '10.0.0.1'],
    ['1', '10.0.0.1', '1.1.1.1, 5.5.5.5', '5.5.5.5'],
    ['1', '10.0.0.1', undefined, '10.0.0.1'],
    ['2', '10.0.0.2', '1.1.1.1, 5.5.5.5, 10.0.0.1', '5.5.5.5'],
    ['10.0.0.0/8,::1', '10.0.0.2', '1.1.1.1, 5.5.5.5, 10.0.0.1', '5.5.5.5'],
    ['10.0.0.0/8,::1', '::ffff:10.0.0.2', '1.1.1.1, 5.5.5.5', '5.5.5.5'],
    ['10.0.0.0/8,::1', '::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.0/8,::1', '9.9.9.9', '1.1.1.1, 10.0.0.1', '9.9.9.9'],
  ] as const) {
    test(`with TRUST_PROXY=${trusted}, called from ${socket} with ${sent ?? 'no X-Forwarded-For'}`, async () => {
      const { app, said } = await behind(trusted)
      const id = newEmail()
      const headers = { ...forged, ...(sent && { 'x-forwarded-for': sent }), 'x-request-id': id }
      await app.inject({ url: '/health/live', remoteAddress: socket, headers })
      assert.equal(said.map((line) => JSON.parse(line)).find(({ request_id }) => request_id === id)?.ip, address)
    })
  }
})

const behindProxies = new Map<string, Promise<{ app: typeof house.app; said: string[] }>>()

function behind(trusted: string): Promise<{ app: typeof house.app; said: string[] }> {
  const said: string[] = []
  const opened =
    behindProxies.get(trusted) ??
    openService(
      { TRUST_PROXY: trusted, LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
      { write: (line: string) => void said.push(line) },
    ).then(({ app }) => ({
      app,
      said,
    }))
  behindProxies.set(trusted, opened)
  return opened
}

describe('nonsense in any parameter', { concurrency: true }, () => {
  test('of the authorization request never fails us, is never shown as HTML and never leaves by a header', async () => {
    const party = await newParty(house)
    for (const name of [
      'client_id',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
      'nonce',
      'prompt',
      'audience',
      'resource',
      'login_hint',
      'ui_locales',
      'display',
      'max_age',
      'code_challenge',
      'code_challenge_method',
      'response_mode',
      'claims',
      'id_token_hint',
      'acr_values',
      'request',
      'nobody-knows-this',
    ]) {
      for (const value of some(garbage)) {
        const browser = new Browser(house)
        const first = await browser.get(authorizeUrl(party, { [name]: value }))
        const page = await browser.follow(first)
        assert.ok(page.status < 500, `${name}=${JSON.stringify(value)}: ${page.status}`)
        assert.ok(!page.text.includes('<script>'), `${name} is shown as it is`)
        assert.equal(page.headers['x-evil'], undefined)
        if (page.location) assert.ok(page.location.startsWith(callback), page.location)
      }
      const twice = await new Browser(house).get(`${authorizeUrl(party)}&${name}=a&${name}=b`)
      assert.ok(twice.status < 500)
    }
  })

  test('of a token, revocation or introspection request is refused and never fails us', async () => {
    const party = await newParty(house)
    for (const name of [
      'grant_type',
      'client_id',
      'client_secret',
      'username',
      'password',
      'scope',
      'audience',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'token',
      'token_type_hint',
      'nobody-knows-this',
    ]) {
      for (const value of some(garbage)) {
        const known =
          name === 'code' || name === 'redirect_uri' || name === 'code_verifier'
            ? 'authorization_code'
            : name === 'refresh_token'
              ? 'refresh_token'
              : 'password'
        const fields = {
          ...credentials(party),
          grant_type: known,
          username: newEmail(),
          password: 'x',
          code: 'x',
          redirect_uri: callback,
          refresh_token: 'x',
          token: 'x',
          [name]: value,
        }
        for (const path of [
          '/oauth2/token',
          ...(name.includes('token') || name.includes('client') ? ['/oauth2/revoke', '/oauth2/introspect'] : []),
        ]) {
          const answer = await post(house, path, fields)
          assert.ok(answer.statusCode < 500, `${path} ${name}=${JSON.stringify(value)}: ${answer.body}`)
          assert.match(String(answer.headers['content-type']), /^application\/json/)
          const json = await post(house, path, JSON.stringify(fields), { 'content-type': 'application/json' })
          assert.ok(json.statusCode < 500, `${path} ${name}=${JSON.stringify(value)} as JSON`)
        }
      }
    }
  })

  test('of a page of ours never fails us', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await browser.post('/sign-in', { email: party.email, password })
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
    for (const value of some(garbage)) {
      for (const [path, fields] of [
        ['/account/sessions/end', { csrf, session: value }],
        ['/account/grants/revoke', { csrf, grant: value }],
        ['/account/grants/revoke', { csrf: value, grant: 'x' }],
        ['/sign-in', { email: value, password: value }],
        [`/invitation/${encodeURIComponent(value.toWellFormed())}`, { password: value }],
        [`/interaction/${encodeURIComponent(value.toWellFormed())}/login`, { email: value, password: value }],
        [`/interaction/${encodeURIComponent(value.toWellFormed())}/consent`, { decision: value, organization: value }],
      ] as const) {
        const page = await browser.post(path, fields as never)
        assert.ok(page.status < 500, `${path} ${JSON.stringify(value)}: ${page.status}`)
        assert.ok(!page.text.includes('<script>'))
      }
    }
    for (const name of ['state', 'id_token_hint', 'client_id', 'post_logout_redirect_uri']) {
      for (const value of ['\0', ...some(garbage)]) {
        const page = await new Browser(house).get(`/oauth2/logout?${new URLSearchParams({ [name]: value })}`)
        assert.ok(page.status < 500, `${name} ${JSON.stringify(value)}: ${page.status}`)
      }
    }
    for (const raw of ['%ff%fe=%ff', 'a=%00', '=', '&&&', '%', `${'a=b&'.repeat(5_000)}`]) {
      for (const path of ['/sign-in', '/account/password', '/oauth2/token', '/invitation/x'])
        assert.ok((await browser.post(path, raw)).status < 500, path)
    }
  })

  test('in the Authorization header is refused and never fails us', async () => {
    for (const value of [
      'Basic',
      'Basic ',
      'Basic !!!',
      'Basic Og==',
      `Basic ${Buffer.from('a').toString('base64')}`,
      `Basic ${Buffer.from('\0:\0').toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
      `Basic ${Buffer.from('%zz:%zz').toString('base64')}`,
      'Bearer x',
      'Negotiate x',
    ]) {
      const answer = await post(house, '/oauth2/token', { grant_type: 'client_credentials' }, { authorization: value })
      assert.ok([400, 401].includes(answer.statusCode), `${value}: ${answer.body}`)
    }
  })

  test('as the body of a token request is refused in the form of OAuth', async () => {
    const party = await newParty(house)
    for (const body of [
      '[]',
      '"text"',
      '7',
      'null',
      '{',
      '',
      '{"grant_type":{"a":1}}',
      '{"grant_type":{"toString":1}}',
      '{"grant_type":[{"toString":1}]}',
      `{"grant_type":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      '{"grant_type":["password","password"]}',
      '{"__proto__":{"grant_type":"password"}}',
      `${'['.repeat(10_000)}`,
    ]) {
      const answer = await post(house, '/oauth2/token', body, { ...basic(party), 'content-type': 'application/json' })
      assert.equal(answer.statusCode, 400, `${body.slice(0, 50)}: ${answer.body}`)
      assert.ok(answer.json().error)
    }
    const huge = await post(house, '/oauth2/token', `grant_type=${'x'.repeat(200_000)}`)
    assert.deepEqual([huge.statusCode, huge.json().error], [413, 'invalid_request'])
    const hugePage = await new Browser(house).post('/sign-in', `email=${'x'.repeat(200_000)}`)
    assert.equal(hugePage.status, 413)
    const other = await post(house, '/oauth2/token', 'grant_type=password', { 'content-type': 'text/plain' })
    assert.deepEqual([other.statusCode, other.json().error], [400, 'invalid_request'])
    for (const repeated of ['grant_type', 'client_id', 'scope', 'username', 'client_secret']) {
      const fields = new URLSearchParams({
        ...credentials(party),
        grant_type: 'password',
        username: party.email,
        password,
        scope: 'bills',
      })
      fields.append(repeated, fields.get(repeated) ?? '')
      assert.equal((await post(house, '/oauth2/token', fields.toString())).json().error, 'invalid_request', repeated)
    }
  })
})

test('nothing of all this was a fault of ours', () => {
  const faults = lines.filter((line) => /"level":"(error|fatal)"/.test(line))
  assert.deepEqual(faults, [])
})
