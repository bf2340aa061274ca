import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOrganization, systemContext } from '../../src/auth/organizations/actions.ts'
import { createUser } from '../../src/auth/users/actions.ts'
import { actionIn, allow, authorize, authorizeUrl, Browser, reachConsent, tokensByCode } from './browser.ts'
import { askToken, callback, claimsOf, newEmail, newParty, openHouse, password, pkce, tokensByPassword, tryToken } from './house.ts'

const house = await openHouse()

describe('GET /oauth2/authorize', { concurrency: true }, () => {
  test('echoes state and names the issuer, on success and on denial (RFC 9207)', async () => {
    const party = await newParty(house)
    const state = 'a b&c=d/é"<>'
    const back = await authorize(house, party, { state })
    assert.equal(back.href.startsWith(`${callback}?`), true)
    assert.deepEqual([...back.searchParams.keys()].sort(), ['code', 'iss', 'state'])
    assert.equal(back.searchParams.get('state'), state)
    assert.equal(back.searchParams.get('iss'), house.url)

    const browser = new Browser(house)
    const page = await reachConsent(browser, party, authorizeUrl(party, { state }))
    const denied = await browser.follow(await browser.post(actionIn(page), { decision: 'deny' }))
    const { searchParams } = new URL(denied.location ?? '')
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('state'), state)
    assert.equal(searchParams.get('iss'), house.url)
    assert.equal(searchParams.get('code'), null)
  })

  test('asks nothing with prompt=none: login_required, then consent_required, then a code', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const silently = async () =>
      new URL((await browser.follow(await browser.get(authorizeUrl(party, { prompt: 'none', state: 's' })))).location ?? '').searchParams
    assert.equal((await silently()).get('error'), 'login_required')
    await browser.post('/sign-in', { email: party.email, password })
    assert.equal((await silently()).get('error'), 'consent_required')
    await authorize(house, party, {}, browser)
    assert.equal((await silently()).get('state'), 's')
    assert.ok((await silently()).get('code'))
  })

  for (const [what, uri] of [
    ['missing', undefined],
    ['empty', ''],
    ['longer by a byte', `${callback}/`],
    ['shorter by a byte', callback.slice(0, -1)],
    ['in another case', callback.replace('callback', 'Callback')],
    ['with a query', `${callback}?a=b`],
    ['with a fragment', `${callback}#a`],
    ['on another port', callback.replace(':9/', ':10/')],
    ['on another host', 'http://localhost:9/callback'],
    ['of someone else', 'https://elsewhere.example/callback'],
    ['with a user name', 'http://127.0.0.1:9@elsewhere.example/callback'],
    ['a script', 'javascript:alert(1)'],
    ['with a line break', `${callback}\r\nset-cookie: a=b`],
  ] as const) {
    test(`stops on a page of its own where the redirect_uri is ${what}`, async () => {
      const party = await newParty(house)
      const url = new URL(authorizeUrl(party), house.url)
      url.searchParams.delete('redirect_uri')
      if (uri !== undefined) url.searchParams.set('redirect_uri', uri)
      const answer = await new Browser(house).get(`${url.pathname}${url.search}`)
      assert.equal(answer.status, 400)
      assert.equal(answer.location, undefined)
      assert.match(String(answer.headers['content-type']), /^text\/html/)
    })
  }

  test('asks public applications for PKCE, and takes no plain challenge from anyone', async () => {
    const open = await newParty(house, { type: 'public' })
    const closed = await newParty(house)
    const errorOf = async (party: typeof open, fields = {}) => (await authorize(house, party, fields)).searchParams.get('error')
    assert.equal(await errorOf(open), 'invalid_request')
    for (const party of [open, closed]) {
      assert.equal(await errorOf(party, { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }), 'invalid_request')
      assert.equal(await errorOf(party, { code_challenge: 'a'.repeat(43) }), 'invalid_request')
    }
    assert.equal(await errorOf(open, pkce().challenge), null)
  })

  for (const [what, fields, error] of [
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request by reference', { request_uri: 'https://elsewhere.example/r' }, 'request_uri_not_supported'],
    ['an unknown prompt', { prompt: 'nonsense' }, 'invalid_request'],
  ] as const) {
    test(`refuses ${what} with ${error}, at the registered address`, async () => {
      const { search, hash } = await authorize(house, await newParty(house), { ...fields, state: 's' })
      // What would have been answered in the fragment is refused there.
      const answer = new URLSearchParams(search || hash.slice(1))
      assert.equal(answer.get('error'), error)
      assert.equal(answer.get('state'), 's')
    })
  }
})

describe('consent', { concurrency: true }, () => {
  test('is given for one organization, which the person picks, and the token is for that one', async () => {
    const party = await newParty(house)
    const { id: second } = await createOrganization(house.database, 'Another organization')
    const invited = await createUser(systemContext(house.database, second), { email: party.email, name: 'Ada Elsewhere' })
    const browser = new Browser(house)
    const joined = await browser.post(`/invitation/${invited.invitation}`, { password })
    assert.equal(joined.status, 200)
    const { verifier, challenge } = pkce()
    const page = await reachConsent(browser, party, authorizeUrl(party, challenge))
    assert.ok(page.text.includes(party.org) && page.text.includes(second))
    const none = await browser.post(actionIn(page), { decision: 'allow' })
    assert.equal(none.status, 400)
    const foreign = await browser.post(actionIn(page), { decision: 'allow', organization: (await newParty(house)).org })
    assert.equal(foreign.status, 400)
    const back = await allow(browser, party, page, second)
    const exchange = { grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri: callback, code_verifier: verifier }
    const { access_token } = (await askToken(house, party, exchange)).json()
    assert.equal(claimsOf(access_token).org_id, second)
    assert.equal(await tryToken(house, access_token), 200)
  })

  test('once given is not asked for again; taken back it is, and what follows works', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const first = await tokensByCode(house, party, {}, browser)
    const again = await browser.follow(await browser.get(authorizeUrl(party)))
    assert.ok(again.location?.includes('code='))
    const elsewhere = await tokensByCode(house, party, {}, new Browser(house))
    const account = await browser.get('/account')
    assert.equal(account.text.split('name="grant"').length - 1, 1, 'an application is shown once, however often it was allowed')
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    const grant = /name="grant" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    assert.equal((await browser.post('/account/grants/revoke', { csrf, grant })).status, 200)
    await house.authority.revocations.refresh()
    assert.deepEqual([await tryToken(house, first.access_token), await tryToken(house, elsewhere.access_token)], [401, 401])
    const asked = await browser.follow(await browser.get(authorizeUrl(party)))
    assert.equal(asked.status, 200)
    assert.match(actionIn(asked), /\/consent$/)
    const anew = await tokensByCode(house, party, {}, browser)
    assert.equal(await tryToken(house, anew.access_token), 200)
  })

  test('is asked for again where more is wanted than was given', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await tokensByCode(house, party, { scope: 'bills' }, browser)
    const more = await browser.follow(await browser.get(authorizeUrl(party, { scope: 'bills orders' })))
    assert.match(actionIn(more), /\/consent$/)
  })
})

test('signing out at /oauth2/logout asks first, then ends the session', async () => {
  const party = await newParty(house)
  const browser = new Browser(house)
  await tokensByCode(house, party, {}, browser)
  const page = await browser.get('/oauth2/logout')
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  assert.equal((await browser.post('/oauth2/logout/confirm', { xsrf: 'wrong', logout: 'yes' })).status, 400)
  assert.equal((await browser.get('/account')).status, 200)
  await browser.follow(await browser.post('/oauth2/logout/confirm', { xsrf, logout: 'yes' }))
  assert.equal((await browser.get('/account')).location, '/sign-in')
})

test('a person may be invited, choose a password, sign in and be refused nothing that a member may do', async () => {
  const party = await newParty(house)
  const email = newEmail()
  const { invitation } = await createUser(systemContext(house.database, party.org), { email, name: 'Ivo Invited' })
  const browser = new Browser(house)
  assert.equal((await browser.get(`/invitation/${invitation}`)).status, 200)
  assert.equal((await browser.post(`/invitation/${invitation}`, { password: 'short' })).status, 400)
  assert.equal((await browser.post(`/invitation/${invitation}`, { password })).status, 200)
  assert.equal((await browser.post(`/invitation/${invitation}`, { password })).status, 404)
  assert.equal((await tokensByPassword(house, { ...party, email })).token_type, 'Bearer')
})
