import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askToken, credentials, newParty, post, sharedHouse, tokensByPassword } from './house.ts'

const house = await sharedHouse()
const page = 'https://app.example.com'

describe('a page in a browser', { concurrency: true }, () => {
  test('may read a token answer only from an origin of its application', async () => {
    const party = await newParty(house, { redirect_uris: [`${page}/callback`, 'http://127.0.0.1:9/callback'] })
    const other = await newParty(house)
    const from = async (origin: string, whose = party) =>
      (await askToken(house, whose, { grant_type: 'client_credentials' }, { origin })).headers[
        'access-control-allow-origin'
      ]
    assert.equal(await from(page), page)
    assert.equal(await from('http://127.0.0.1:9'), 'http://127.0.0.1:9')
    for (const origin of [
      'https://evil.example',
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://app.example.com.evil.example',
      'null',
    ]) {
      const answer = await askToken(house, party, { grant_type: 'client_credentials' }, { origin })
      assert.equal(answer.headers['access-control-allow-origin'], undefined, origin)
      assert.doesNotMatch(answer.body, /access_token/, origin)
    }
    assert.equal(await from(page, other), undefined)
  })

  test('may ask beforehand, and read the metadata and the keys from anywhere, without cookies', async () => {
    const preflight = await house.app.inject({
      method: 'OPTIONS',
      url: '/oauth2/token',
      headers: {
        origin: page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,authorization',
      },
    })
    assert.ok(preflight.statusCode < 300)
    assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
    for (const url of [
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/oauth2/jwks',
    ]) {
      const answer = await house.app.inject({ url, headers: { origin: 'https://anyone.example' } })
      assert.ok(['*', 'https://anyone.example'].includes(String(answer.headers['access-control-allow-origin'])), url)
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    }
  })

  test('may neither revoke nor look into tokens from elsewhere, nor read our pages', async () => {
    const party = await newParty(house, {
      redirect_uris: [`${page}/callback`],
      grant_types: ['password', 'authorization_code', 'refresh_token'],
    })
    const { refresh_token } = await tokensByPassword(house, party)
    for (const path of ['/oauth2/revoke', '/oauth2/introspect']) {
      const answer = await post(
        house,
        path,
        { ...credentials(party), token: refresh_token },
        { origin: 'https://evil.example' },
      )
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
    for (const url of ['/sign-in', '/account', '/oauth2/authorize']) {
      assert.equal(
        (await house.app.inject({ url, headers: { origin: page } })).headers['access-control-allow-origin'],
        undefined,
      )
    }
  })
})
