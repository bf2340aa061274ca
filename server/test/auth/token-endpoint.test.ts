import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { newCarrier } from '../partners.ts'
import { authorize, tokensByCode } from './browser.ts'
import {
  askToken,
  basic,
  callback,
  claimsOf,
  credentials,
  type Fields,
  newParty,
  type Party,
  password,
  post,
  refresh,
  sharedHouse,
  tokensByPassword,
  tryToken,
} from './house.ts'

const house = await sharedHouse()
const audience = house.settings.audience
const elsewhere = 'https://elsewhere.example/'

async function codeFor(party: Party, fields: Fields = {}): Promise<string> {
  return (await authorize(house, party, fields)).searchParams.get('code') ?? ''
}

const byPassword = (party: Party, fields: Fields = {}) =>
  askToken(house, party, { grant_type: 'password', username: party.email, password, ...fields })
const byItself = (party: Party, fields: Fields = {}) =>
  askToken(house, party, { grant_type: 'client_credentials', ...fields })
const byCode = (party: Party, code: string, fields: Fields = {}) =>
  askToken(house, party, { grant_type: 'authorization_code', code, redirect_uri: callback, ...fields })

describe('a token answer', { concurrency: true }, () => {
  test('has exactly the fields of RFC 6749, and must not be kept by anyone', async () => {
    const party = await newParty(house)
    const answer = await byPassword(party, { scope: 'bills orders' })
    assert.equal(answer.statusCode, 200)
    const { access_token, refresh_token, ...rest } = answer.json()
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'bills orders' })
    assert.ok(access_token && refresh_token)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers.pragma, 'no-cache')
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    const code = await tokensByCode(house, party, { scope: 'bills' })
    assert.deepEqual(Object.keys(code).sort(), ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'])
    const withIdentity = await tokensByCode(house, party, { scope: 'openid bills' })
    assert.deepEqual(Object.keys(withIdentity).sort(), [
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ])
    assert.deepEqual(Object.keys((await byItself(party)).json()).sort(), [
      'access_token',
      'expires_in',
      'scope',
      'token_type',
    ])
  })

  test('names, for the person of a carrier, the one scope that the role partner can use, by every flow', async () => {
    const party = await newParty(house)
    const carrier = await newCarrier(house, party.org)
    const person = { ...party, email: carrier.email, user: carrier.user }
    const asked = await tokensByPassword(house, person, { scope: 'bills partner_portal webhooks' })
    const whole = await tokensByPassword(house, person)
    const again = (await refresh(house, person, whole.refresh_token)).json()
    const code = await tokensByCode(house, person, { scope: 'bills partner_portal' })
    for (const { scope, access_token } of [asked, whole, again, code]) {
      assert.equal(scope, 'partner_portal')
      assert.equal(claimsOf(access_token).scope, 'partner_portal')
      assert.equal(await tryToken(house, access_token, '/api/v1/portal/me'), 200)
    }
    const none = await byPassword(person, { scope: 'bills' })
    assert.deepEqual([none.statusCode, none.json().error], [400, 'invalid_scope'])
    assert.match(none.json().error_description, /role partner/)
  })

  test('carries an access token by RFC 9068, with the organization', async () => {
    const party = await newParty(house, { scopes: ['bills'] })
    const { kid } = house.keyring.current()
    for (const [token, sub] of [
      [(await byPassword(party)).json().access_token, party.user],
      [(await byItself(party)).json().access_token, party.application.client_id],
      [(await tokensByCode(house, party)).access_token, party.user],
    ]) {
      assert.deepEqual(JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()), {
        alg: 'RS256',
        typ: 'at+jwt',
        kid,
      })
      const { jti, iat, exp, grant_id, ...claims } = claimsOf(token)
      const role = sub === party.user && { role: 'admin' }
      assert.deepEqual(claims, {
        iss: house.url,
        aud: audience,
        sub,
        client_id: party.application.client_id,
        org_id: party.org,
        scope: 'bills',
        ...role,
      })
      assert.equal(Number(exp) - Number(iat), 3600)
      assert.match(String(jti), /^[\w-]{20,}$/)
      assert.equal(typeof grant_id, sub === party.user ? 'string' : 'undefined')
    }
  })

  test('is the same whether it was asked for by a form or by JSON, with the secret in the body or by Basic', async () => {
    const party = await newParty(house)
    const fields = { grant_type: 'password', username: party.email, password, scope: 'bills', audience }
    const json = { 'content-type': 'application/json' }
    for (const answer of [
      await post(house, '/oauth2/token', { ...credentials(party), ...fields }),
      await post(house, '/oauth2/token', fields, basic(party)),
      await post(house, '/oauth2/token', JSON.stringify({ ...credentials(party), ...fields }), json),
      await post(house, '/oauth2/token', JSON.stringify(fields), { ...basic(party), ...json }),
      await post(house, '/oauth2/token', JSON.stringify({ ...fields, extra: null, more: 7 }), {
        ...basic(party),
        'content-type': 'application/json; charset=utf-8',
      }),
      await post(house, '/oauth2/token', { ...credentials(party), ...fields }, { accept: 'text/html' }),
    ]) {
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal(answer.json().scope, 'bills')
    }
  })
})

describe('scope', { concurrency: true }, () => {
  test('is what was asked for, or else all that the application has', async () => {
    const party = await newParty(house, { scopes: ['bills', 'orders', 'webhooks'] })
    assert.equal((await byPassword(party)).json().scope, 'bills orders webhooks')
    assert.equal((await byItself(party, { scope: '' })).json().scope, 'bills orders webhooks')
    assert.equal((await byItself(party, { scope: 'orders' })).json().scope, 'orders')
    assert.equal((await tokensByCode(house, party)).scope, 'bills orders webhooks')
    const tokens = await tokensByPassword(house, party)
    const narrowed = await refresh(house, party, tokens.refresh_token, { scope: 'bills' })
    assert.equal(narrowed.json().scope, 'bills')
    assert.equal((await refresh(house, party, narrowed.json().refresh_token)).json().scope, 'bills orders webhooks')
    assert.equal((await byItself(await newParty(house))).json().scope, scopeNames.join(' '))
  })

  test('that does not exist, or that the application does not have, is refused in every flow', async () => {
    const party = await newParty(house, { scopes: ['bills'] })
    const { refresh_token } = await tokensByPassword(house, party)
    for (const scope of [
      'orders',
      'bills orders',
      'nonsense',
      'bills nonsense',
      'BILLS',
      'bills,orders',
      'constructor',
    ]) {
      for (const answer of [
        await byPassword(party, { scope }),
        await byItself(party, { scope }),
        await refresh(house, party, refresh_token, { scope }),
      ]) {
        assert.equal(answer.statusCode, 400, `${scope}: ${answer.body}`)
        assert.equal(answer.json().error, 'invalid_scope', scope)
      }
      const back = await authorize(house, party, { scope, state: 's' })
      assert.equal(back.searchParams.get('error'), 'invalid_scope', scope)
    }
    assert.equal(
      (await refresh(house, party, refresh_token)).statusCode,
      200,
      'asking for too much must not cost the grant',
    )
  })
})

describe('audience', { concurrency: true }, () => {
  for (const name of ['audience', 'resource']) {
    test(`as ${name} may be absent or right; a wrong one is refused and costs nothing`, async () => {
      const party = await newParty(house)
      for (const wrong of [elsewhere, audience.slice(0, -1), `${audience}x`, 'nonsense', `${audience}#f`]) {
        for (const ask of [byPassword, byItself]) {
          const answer = await ask(party, { [name]: wrong })
          assert.equal(answer.statusCode, 400)
          assert.equal(answer.json().error, 'invalid_target', wrong)
        }
        assert.equal((await authorize(house, party, { [name]: wrong })).searchParams.get('error'), 'invalid_target')
      }
      for (const ask of [byPassword, byItself]) assert.equal((await ask(party, { [name]: audience })).statusCode, 200)
      const code = await codeFor(party, { [name]: audience })
      assert.equal((await byCode(party, code, { [name]: elsewhere })).json().error, 'invalid_target')
      const tokens = await byCode(party, code, { [name]: audience })
      assert.equal(tokens.statusCode, 200, tokens.body)
      const { refresh_token, access_token } = tokens.json()
      assert.equal((await refresh(house, party, refresh_token, { [name]: elsewhere })).json().error, 'invalid_target')
      assert.equal((await refresh(house, party, refresh_token, { [name]: audience })).statusCode, 200)
      assert.equal(await tryToken(house, access_token), 200)
    })
  }

  test('twice, right and wrong, is refused', async () => {
    const party = await newParty(house)
    for (const both of [
      { audience, resource: elsewhere },
      { audience: elsewhere, resource: audience },
      { audience: elsewhere, resource: 'https://third.example/' },
    ]) {
      for (const ask of [byPassword, byItself]) {
        const answer = await ask(party, both)
        assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_target'], answer.body)
      }
      assert.equal((await authorize(house, party, both)).searchParams.get('error'), 'invalid_target')
      const code = await codeFor(party)
      assert.equal((await byCode(party, code, both)).json().error, 'invalid_target')
      assert.equal((await byCode(party, code)).statusCode, 200, 'the code is not used up by it')
    }
    assert.equal(
      (
        await post(
          house,
          '/oauth2/token',
          `grant_type=client_credentials&audience=${audience}&audience=${elsewhere}`,
          basic(party),
        )
      ).statusCode,
      400,
    )
    assert.equal((await byItself(party, { audience, resource: audience })).statusCode, 200)
  })
})

describe('an application', { concurrency: true }, () => {
  test('that may not use a flow is told unauthorized_client', async () => {
    const party = await newParty(house, { grant_types: [] })
    for (const grant_type of ['password', 'client_credentials', 'authorization_code', 'refresh_token']) {
      const answer = await askToken(house, party, {
        grant_type,
        username: party.email,
        password,
        code: 'x',
        redirect_uri: callback,
        refresh_token: 'x',
      })
      assert.equal(answer.statusCode, 400)
      assert.equal(answer.json().error, 'unauthorized_client', grant_type)
    }
    const page = await house.app.inject({
      url: `/oauth2/authorize?response_type=code&client_id=${party.application.client_id}&redirect_uri=${callback}`,
    })
    assert.equal(page.statusCode, 400)
    assert.equal(page.headers.location, undefined)
  })

  test('gets the password flow only after it was switched on, and for users of its own organization', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    const usual = await newParty(house, { grant_types: ['authorization_code', 'refresh_token'] })
    assert.equal((await byPassword(usual)).json().error, 'unauthorized_client')
    const foreign = await byPassword({ ...party, email: other.email })
    assert.deepEqual([foreign.statusCode, foreign.json().error], [400, 'invalid_grant'])
    assert.equal(foreign.body, (await byPassword({ ...party, email: 'nobody@example.com' })).body)
  })

  test('without refresh_token among its flows gets no refresh token', async () => {
    const party = await newParty(house, { grant_types: ['authorization_code', 'password'] })
    assert.equal((await byPassword(party)).json().refresh_token, undefined)
    assert.equal((await tokensByCode(house, party)).refresh_token, undefined)
  })

  test('that does not authenticate, or not rightly, is answered 401 invalid_client', async () => {
    const party = await newParty(house)
    const { client_id } = party.application
    const grant = { grant_type: 'client_credentials' }
    for (const fields of [
      {},
      { client_id },
      { client_id, client_secret: 'wrong' },
      { client_id: 'nobody', client_secret: 'x' },
      { client_id: 'A'.repeat(38), client_secret: 'x' },
    ]) {
      const answer = await post(house, '/oauth2/token', { ...grant, ...fields })
      assert.equal(answer.statusCode, 401, answer.body)
      assert.equal(answer.json().error, 'invalid_client')
    }
    for (const pair of [`${client_id}:wrong`, 'nobody:x', `${'A'.repeat(38)}:x`]) {
      const answer = await post(house, '/oauth2/token', grant, {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      })
      assert.equal(answer.statusCode, 401)
      assert.match(String(answer.headers['www-authenticate']), /^Basic realm="/)
    }
    const both = await post(house, '/oauth2/token', { ...grant, ...credentials(party) }, basic(party))
    assert.deepEqual([both.statusCode, both.json().error], [400, 'invalid_request'])
  })

  test('that is public has no secret to present, and none to guess', async () => {
    const party = await newParty(house, { type: 'public' })
    assert.equal(party.application.client_secret, null)
    for (const client_secret of ['kept as a hash', 'x']) {
      const answer = await post(house, '/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: party.application.client_id,
        client_secret,
      })
      assert.equal(answer.json().error, 'invalid_client')
    }
    const confidential = await newParty(house)
    const guess = await post(house, '/oauth2/token', {
      grant_type: 'client_credentials',
      client_id: confidential.application.client_id,
      client_secret: 'kept as a hash',
    })
    assert.equal(guess.statusCode, 401)
  })
})
