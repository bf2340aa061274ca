import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '../src/platform/core/values/ids.ts'
import { type Caller, newCaller, sharedService } from './service.ts'

const path = '/api/v1/bill_item_types'
const service = await sharedService()
const { kid, privateKey, publicKey } = service.keyring.current()
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const goodHeader = { alg: 'RS256', typ: 'at+jwt', kid }

function encode(part: object | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

function signed(header: object, claims: object | string, key: KeyObject = privateKey): string {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`
}

function goodClaims(org: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  const { authUrl, audience } = service.settings
  return {
    iss: authUrl,
    aud: audience,
    sub: newId(),
    client_id: 'app',
    org_id: org,
    role: 'member',
    scope: 'bill_item_types',
    jti: newId(),
    iat: now,
    exp: now + 600,
  }
}

function without(claims: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
}

type Forgery = (caller: Caller) => string

const forgeries: Record<string, Forgery> = {
  'alg none, without a signature': ({ org }) => `${encode({ ...goodHeader, alg: 'none' })}.${encode(goodClaims(org))}.`,
  'alg none, with a signature': ({ org }) => signed({ ...goodHeader, alg: 'none' }, goodClaims(org)),
  'HS256 with the public key as the secret': ({ org }) => {
    const content = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(goodClaims(org))}`
    return `${content}.${createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
      .update(content)
      .digest('base64url')}`
  },
  'RS512 in the header': ({ org }) => signed({ ...goodHeader, alg: 'RS512' }, goodClaims(org)),
  'the key of someone else under our kid': ({ org }) => signed(goodHeader, goodClaims(org), stranger.privateKey),
  'an unknown kid': ({ org }) => signed({ ...goodHeader, kid: 'unknown' }, goodClaims(org)),
  'no kid': ({ org }) => signed({ alg: 'RS256', typ: 'at+jwt' }, goodClaims(org)),
  'a kid that is no text': ({ org }) => signed({ ...goodHeader, kid: { toString: kid } }, goodClaims(org)),
  'a key that it brings itself': ({ org }) =>
    signed(
      { ...goodHeader, kid: 'mine', jwk: stranger.publicKey.export({ format: 'jwk' }) },
      goodClaims(org),
      stranger.privateKey,
    ),
  'the type of an ID token': ({ org }) => signed({ ...goodHeader, typ: 'JWT' }, goodClaims(org)),
  'no type': ({ org }) => signed({ alg: 'RS256', kid }, goodClaims(org)),
  'another issuer': ({ org }) => signed(goodHeader, { ...goodClaims(org), iss: 'https://elsewhere.example' }),
  'another audience': ({ org }) => signed(goodHeader, { ...goodClaims(org), aud: 'https://elsewhere.example/' }),
  'other audiences': ({ org }) =>
    signed(goodHeader, { ...goodClaims(org), aud: ['https://a.example/', 'https://b.example/'] }),
  'a time that is over': ({ org }) =>
    signed(goodHeader, { ...goodClaims(org), exp: Math.floor(Date.now() / 1000) - 1 }),
  'a time that is no number': ({ org }) => signed(goodHeader, { ...goodClaims(org), exp: '9999999999' }),
  'a changed payload': ({ org, token }) => {
    const [head, , signature] = token.split('.')
    return `${head}.${encode(goodClaims(org))}.${signature}`
  },
  'a changed signature': ({ token }) => {
    const at = token.lastIndexOf('.') + 1
    return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
  },
  'a cut signature': ({ token }) => token.slice(0, -8),
  'an empty signature': ({ token }) => token.slice(0, token.lastIndexOf('.') + 1),
  'a fourth part': ({ token }) => `${token}.x`,
  'two parts': ({ token }) => token.split('.').slice(0, 2).join('.'),
  'a payload that is no object': () => signed(goodHeader, '7'),
  'a payload that is null': () => signed(goodHeader, 'null'),
  'a payload that is no JSON': () => signed(goodHeader, 'nonsense'),
  ...Object.fromEntries(
    ['iss', 'aud', 'sub', 'client_id', 'org_id', 'exp'].map((name) => [
      `no claim ${name}`,
      ({ org }: Caller) => signed(goodHeader, without(goodClaims(org), name)),
    ]),
  ),
  garbage: () => 'garbage',
  'dots alone': () => '...',
  'a very long text': () => 'a'.repeat(8_000),
}

/** RFC 6750 section 3: auth-params with quoted values, which contain neither quotation marks nor backslashes. */
const challenge = /^Bearer realm="lading", error="invalid_token", error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/

describe('an access token', { concurrency: true }, () => {
  test('that is signed as it should be is good, under the scheme in any case', async () => {
    const caller = await newCaller(service)
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      assert.equal(
        (await caller.get(path, { authorization: `${scheme} ${signed(goodHeader, goodClaims(caller.org))}` }))
          .statusCode,
        200,
        scheme,
      )
    }
    const several = signed(goodHeader, {
      ...goodClaims(caller.org),
      aud: ['https://elsewhere.example/', service.settings.audience],
    })
    assert.equal((await caller.get(path, { authorization: `Bearer ${several}` })).statusCode, 200)
  })

  for (const [what, forge] of Object.entries(forgeries)) {
    test(`with ${what} is answered 401 and says so as RFC 6750 has it`, async () => {
      const caller = await newCaller(service)
      const answer = await caller.get(path, { authorization: `Bearer ${forge(caller)}` })
      assert.equal(answer.statusCode, 401, answer.body)
      assert.equal(answer.json().error_code, 'invalid_token')
      assert.match(String(answer.headers['www-authenticate']), challenge)
    })
  }

  for (const [what, header] of [
    ['two tokens in one header', 'Bearer aaa, Bearer bbb'],
    ['two tokens with a space', 'Bearer aaa bbb'],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['quotation marks', 'Bearer "aaa"'],
  ] as const) {
    test(`sent as ${what} is answered 401`, async () => {
      const answer = await (await newCaller(service)).get(path, { authorization: header })
      assert.equal(answer.statusCode, 401)
      assert.match(String(answer.headers['www-authenticate']), challenge)
    })
  }

  for (const [what, headers] of [
    ['no Authorization header', {}],
    ['an empty one', { authorization: '' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a scheme that only begins like Bearer', { authorization: 'Bearerx abc' }],
  ] as const) {
    test(`is asked for without details where there is ${what}`, async () => {
      const answer = await service.app.inject({ url: path, headers })
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="lading"')
      assert.equal(answer.json().error_code, 'token_required')
    })
  }

  test('in the query string or in a cookie is not looked at', async () => {
    const { token } = await newCaller(service)
    for (const name of ['access_token', 'token', 'authorization']) {
      assert.equal((await service.app.inject({ url: `${path}?${name}=${token}` })).statusCode, 401)
    }
    assert.equal(
      (await service.app.inject({ url: path, headers: { cookie: `access_token=${token}` } })).statusCode,
      401,
    )
  })

  test('that was good is refused once its time is over, though it is remembered', async () => {
    const caller = await newCaller(service)
    const exp = Math.floor(Date.now() / 1000) + 10
    const brief = signed(goodHeader, { ...goodClaims(caller.org), exp })
    const ask = () => caller.get(path, { authorization: `Bearer ${brief}` })
    assert.equal((await ask()).statusCode, 200)
    while (Date.now() <= exp * 1000) await new Promise((resolve) => setTimeout(resolve, 100))
    const late = await ask()
    assert.equal(late.statusCode, 401)
    assert.match(late.json().error_message, /expired/)
  })

  test('without the scope is answered 403, and the challenge names the scope', async () => {
    const caller = await newCaller(service)
    for (const scope of ['bills', '', 'bill_item_types_more', 'BILL_ITEM_TYPES', 'bills,bill_item_types']) {
      const answer = await caller.get(path, {
        authorization: `Bearer ${signed(goodHeader, { ...goodClaims(caller.org), scope })}`,
      })
      assert.equal(answer.statusCode, 403, scope)
      assert.match(
        String(answer.headers['www-authenticate']),
        /^Bearer realm="lading", error="insufficient_scope", .*scope="bill_item_types"$/,
      )
    }
  })

  test('of an organization that does not exist finds nothing, and writes nothing', async () => {
    const caller = await newCaller(service)
    const authorization = `Bearer ${signed(goodHeader, goodClaims(newId()))}`
    assert.equal((await caller.get(path, { authorization })).json().total, 0)
    assert.notEqual((await caller.call('POST', path, { name: 'x' }, { authorization })).statusCode, 201)
  })
})
