import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2'
import { deepOnly } from '../depth.ts'
import { authorize } from './browser.ts'
import { callback, newParty, type Party, password, sharedHouse, tryToken } from './house.ts'

const house = await sharedHouse()
const audience = `${house.url}/`

function configFor({ application: { client_id, client_secret } }: Party, options: object, paths: object = {}): object {
  return {
    client: { id: client_id, secret: client_secret },
    auth: { tokenHost: house.url, tokenPath: '/oauth2/token', revokePath: '/oauth2/revoke', ...paths },
    options,
  }
}

describe('simple-oauth2', { concurrency: true, ...deepOnly }, () => {
  for (const [what, options] of [
    [
      'a form with the secret by Basic',
      { bodyFormat: 'form', authorizationMethod: 'header', credentialsEncodingMode: 'strict' },
    ],
    [
      'a form with the secret by Basic, loosely encoded',
      { bodyFormat: 'form', authorizationMethod: 'header', credentialsEncodingMode: 'loose' },
    ],
    ['a form with the secret in it', { bodyFormat: 'form', authorizationMethod: 'body' }],
    ['JSON with the secret by Basic', { bodyFormat: 'json', authorizationMethod: 'header' }],
    ['JSON with the secret in it', { bodyFormat: 'json', authorizationMethod: 'body' }],
  ] as const) {
    test(`gets along with every flow by ${what}`, async () => {
      const party = await newParty(house, { scopes: ['bills', 'orders'] })
      const code = new AuthorizationCode(configFor(party, options, { authorizePath: '/oauth2/authorize' }))
      const url = new URL(code.authorizeURL({ redirect_uri: callback, state: 'abc', scope: ['bills'], audience }))
      assert.equal(url.origin + url.pathname, `${house.url}/oauth2/authorize`)
      const back = await authorize(house, party, Object.fromEntries(url.searchParams))
      assert.equal(back.searchParams.get('state'), 'abc')
      const first = await code.getToken({ code: back.searchParams.get('code'), redirect_uri: callback, audience })
      assert.equal(first.token.scope, 'bills')
      const second = await first.refresh({ scope: 'bills' })
      assert.equal(await tryToken(house, second.token.access_token), 200)
      await second.revoke('refresh_token')
      await assert.rejects(second.refresh())
      assert.equal(await tryToken(house, second.token.access_token), 401)

      const own = await new ClientCredentials(configFor(party, options)).getToken({ audience })
      assert.equal(own.token.scope, 'bills orders')
      const persons = await new ResourceOwnerPassword(configFor(party, options)).getToken({
        username: party.email,
        password,
        audience,
        scope: 'orders',
      })
      for (const { token } of [own, persons]) assert.equal(await tryToken(house, token.access_token), 200)
      await persons.revoke('access_token')
      assert.equal(await tryToken(house, persons.token.access_token), 401)
    })
  }
})
