import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as client from 'openid-client'
import { authorize, deny } from './browser.ts'
import { callback, newParty, type Party, password, sharedHouse, tryToken } from './house.ts'

const house = await sharedHouse()
const audience = `${house.url}/`
// A crowded machine may take longer than the library's usual 30 seconds.
const insecure = { execute: [client.allowInsecureRequests], timeout: 600 }

function discover({ application }: Party, auth?: client.ClientAuth): Promise<client.Configuration> {
  return client.discovery(new URL(house.url), application.client_id, undefined, auth, insecure)
}

/** From the library's authorization request, through our pages, to the library's token request. */
async function signIn(config: client.Configuration, party: Party, parameters: Record<string, string>) {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    audience,
    state,
    ...(parameters.scope?.includes('openid') && { nonce }),
    ...parameters,
  })
  const back = await authorize(house, party, Object.fromEntries(url.searchParams))
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(parameters.scope?.includes('openid') && { expectedNonce: nonce, idTokenExpected: true }),
  }
  return client.authorizationCodeGrant(config, back, checks, { audience })
}

describe('openid-client', { concurrency: true }, () => {
  for (const [what, type, auth] of [
    ['a secret in the body', 'confidential', client.ClientSecretPost],
    ['a secret by Basic', 'confidential', client.ClientSecretBasic],
    ['no secret, as a public application', 'public', client.None],
  ] as const) {
    test(`signs a person in with ${what}, checks the ID token against the key set, and reads who they are`, async () => {
      const party = await newParty(house, { type, scopes: ['bills', 'users'] })
      const config = await discover(party, auth(party.application.client_secret))
      const tokens = await signIn(config, party, { scope: 'openid profile email bills' })
      assert.equal(tokens.claims()?.sub, party.user)
      assert.equal(tokens.scope, 'openid profile email bills')
      assert.equal(await tryToken(house, tokens.access_token), 200)
      assert.deepEqual(await client.fetchUserInfo(config, tokens.access_token, party.user), {
        sub: party.user,
        org_id: party.org,
        name: 'Ada Admin',
        email: party.email,
        email_verified: false,
      })
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string, { audience })
      assert.equal(refreshed.claims()?.sub, party.user)
      assert.equal(await tryToken(house, refreshed.access_token), 200)
      await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token as string), { error: 'invalid_grant' })
    })
  }

  test('does the client credentials and the password flow, inspects what it got, and revokes it', async () => {
    const party = await newParty(house)
    const config = await discover(party, client.ClientSecretPost(party.application.client_secret))
    const own = await client.clientCredentialsGrant(config, { audience, scope: 'bills' })
    assert.deepEqual([own.scope, own.refresh_token, own.token_type], ['bills', undefined, 'bearer'])
    const persons = await client.genericGrantRequest(config, 'password', {
      username: party.email,
      password,
      audience,
      scope: 'orders users',
    })
    for (const { access_token } of [own, persons]) {
      const seen = await client.tokenIntrospection(config, access_token)
      assert.deepEqual(
        [seen.active, seen.client_id, seen.org_id, seen.iss],
        [true, party.application.client_id, party.org, house.url],
      )
      await client.tokenRevocation(config, access_token)
      assert.deepEqual(await client.tokenIntrospection(config, access_token), { active: false })
      assert.equal(await tryToken(house, access_token), 401)
    }
    assert.equal((await client.tokenIntrospection(config, persons.refresh_token as string)).active, true)
    await client.tokenRevocation(config, persons.refresh_token as string)
    await assert.rejects(client.refreshTokenGrant(config, persons.refresh_token as string), { error: 'invalid_grant' })
  })

  test('learns of a denial, and of a session that is not there', async () => {
    const party = await newParty(house)
    const config = await discover(party, client.ClientSecretPost(party.application.client_secret))
    const denied = await deny(house, party, { state: 'abc' })
    await assert.rejects(client.authorizationCodeGrant(config, denied, { expectedState: 'abc' }), {
      error: 'access_denied',
    })
    const nobody = await authorize(house, party, { prompt: 'none', state: 'abc' })
    await assert.rejects(client.authorizationCodeGrant(config, nobody, { expectedState: 'abc' }), {
      error: 'login_required',
    })
  })

  test('finds in the metadata everything that is offered, at the public address', async () => {
    const metadata = (await discover(await newParty(house))).serverMetadata()
    assert.equal(metadata.issuer, house.url)
    assert.equal(metadata.authorization_endpoint, `${house.url}/oauth2/authorize`)
    assert.equal(metadata.token_endpoint, `${house.url}/oauth2/token`)
    assert.equal(metadata.jwks_uri, `${house.url}/oauth2/jwks`)
    assert.equal(metadata.userinfo_endpoint, `${house.url}/oauth2/userinfo`)
    assert.equal(metadata.revocation_endpoint, `${house.url}/oauth2/revoke`)
    assert.equal(metadata.introspection_endpoint, `${house.url}/oauth2/introspect`)
    assert.equal(metadata.end_session_endpoint, `${house.url}/oauth2/logout`)
    assert.deepEqual(metadata.response_types_supported, ['code'])
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(metadata.grant_types_supported, [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'password',
    ])
    assert.deepEqual([...(metadata.token_endpoint_auth_methods_supported ?? [])].sort(), [
      'client_secret_basic',
      'client_secret_post',
      'none',
    ])
    assert.equal(metadata.scopes_supported?.length, 20)
    assert.equal(metadata.authorization_response_iss_parameter_supported, true)
  })
})
