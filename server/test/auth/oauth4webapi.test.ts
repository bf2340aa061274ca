import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { deepOnly } from '../depth.ts'
import { authorize } from './browser.ts'
import { callback, newParty, password, sharedHouse, tryToken } from './house.ts'

const house = await sharedHouse()
const audience = `${house.url}/`
const insecure = { [oauth.allowInsecureRequests]: true }

async function discover(algorithm: 'oidc' | 'oauth2'): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(house.url)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure }))
}

describe('oauth4webapi', { concurrency: true, ...deepOnly }, () => {
  for (const [what, type, algorithm, auth] of [
    ['a secret in the body', 'confidential', 'oidc', oauth.ClientSecretPost],
    ['a secret by Basic', 'confidential', 'oauth2', oauth.ClientSecretBasic],
    ['no secret, as a public application', 'public', 'oauth2', oauth.None],
  ] as const) {
    test(`gets tokens by code with ${what}, refreshes, reads userinfo and holds the access token against RFC 9068`, async () => {
      const as = await discover(algorithm)
      const party = await newParty(house, { type, scopes: ['bills'] })
      const app = { client_id: party.application.client_id }
      const authentication = auth(party.application.client_secret)
      const verifier = oauth.generateRandomCodeVerifier()
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const challenge = {
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      const back = await authorize(house, party, { ...challenge, scope: 'openid bills', state, nonce, audience })
      const parameters = oauth.validateAuthResponse(as, app, back, state)
      const extra = { additionalParameters: { audience }, ...insecure }
      const answer = await oauth.authorizationCodeGrantRequest(
        as,
        app,
        authentication,
        parameters,
        callback,
        verifier,
        extra,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(as, app, answer, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      await oauth.validateApplicationLevelSignature(as, answer, insecure)
      const call = new Request(`${house.url}/api/v1/me`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      })
      const claims = await oauth.validateJwtAccessToken(as, call, audience, insecure)
      assert.deepEqual([claims.sub, claims.org_id, claims.scope], [party.user, party.org, 'openid bills'])
      const userinfo = await oauth.userInfoRequest(as, app, tokens.access_token, insecure)
      assert.equal((await oauth.processUserInfoResponse(as, app, party.user, userinfo)).org_id, party.org)
      const again = await oauth.refreshTokenGrantRequest(as, app, authentication, tokens.refresh_token as string, extra)
      const refreshed = await oauth.processRefreshTokenResponse(as, app, again)
      assert.equal(await tryToken(house, refreshed.access_token), 200)
    })
  }

  test('does the client credentials and the password flow, introspection and revocation', async () => {
    const as = await discover('oauth2')
    const party = await newParty(house)
    const app = { client_id: party.application.client_id }
    const auth = oauth.ClientSecretBasic(party.application.client_secret)
    const own = await oauth.clientCredentialsGrantRequest(as, app, auth, { audience }, insecure)
    const { access_token } = await oauth.processClientCredentialsResponse(as, app, own)
    const byPassword = await oauth.genericTokenEndpointRequest(
      as,
      app,
      auth,
      'password',
      { username: party.email, password, audience },
      insecure,
    )
    const persons = await oauth.processGenericTokenEndpointResponse(as, app, byPassword)
    for (const token of [access_token, persons.access_token, persons.refresh_token as string]) {
      const seen = await oauth.processIntrospectionResponse(
        as,
        app,
        await oauth.introspectionRequest(as, app, auth, token, insecure),
      )
      assert.equal(seen.active, true)
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, app, auth, token, insecure))
      const after = await oauth.processIntrospectionResponse(
        as,
        app,
        await oauth.introspectionRequest(as, app, auth, token, insecure),
      )
      assert.equal(after.active, false)
    }
  })
})
