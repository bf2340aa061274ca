import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createJoinedUser, createUser, disableUser, enableUser } from '../../src/identity/users/actions.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { createOrganization, systemContext } from '../../src/platform/organizations/actions.ts'
import { openService } from '../service.ts'
import { actionIn, allow, authorize, authorizeUrl, Browser, type Page, reachConsent, tokensByCode } from './browser.ts'
import {
  askToken,
  callback,
  claimsOf,
  credentials,
  newEmail,
  newParty,
  type Party,
  password,
  pkce,
  post,
  refresh,
  sharedHouse,
  soon,
  tokensByPassword,
  tryToken,
} from './house.ts'

const house = await sharedHouse()

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
      new URL(
        (await browser.follow(await browser.get(authorizeUrl(party, { prompt: 'none', state: 's' })))).location ?? '',
      ).searchParams
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
    const errorOf = async (party: typeof open, fields = {}) =>
      (await authorize(house, party, fields)).searchParams.get('error')
    assert.equal(await errorOf(open), 'invalid_request')
    for (const party of [open, closed]) {
      assert.equal(
        await errorOf(party, { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }),
        'invalid_request',
      )
      assert.equal(await errorOf(party, { code_challenge: 'a'.repeat(43) }), 'invalid_request')
    }
    assert.equal(await errorOf(open, pkce().challenge), null)
  })

  test('asks a confidential application for PKCE where it requires it', async () => {
    const party = await newParty(house, { require_pkce: true })
    assert.equal((await authorize(house, party)).searchParams.get('error'), 'invalid_request')
    assert.equal(await tryToken(house, (await tokensByCode(house, party)).access_token), 200)
  })

  test('answers in the fragment where that is asked for', async () => {
    const { search, hash } = await authorize(house, await newParty(house), { response_mode: 'fragment', state: 's' })
    assert.equal(search, '')
    assert.deepEqual([...new URLSearchParams(hash.slice(1)).keys()].sort(), ['code', 'iss', 'state'])
  })

  test('with response_mode=form_post answers a form that sends itself, under a policy that lets it, on success and on denial', async () => {
    const party = await newParty(house)
    const state = '"><script>alert(1)</script>'
    for (const [decision, status, names] of [
      ['deny', 400, ['error', 'error_description', 'iss', 'state']],
      ['allow', 200, ['code', 'iss', 'state']],
    ] as const) {
      const browser = new Browser(house)
      const asked = await reachConsent(browser, party, authorizeUrl(party, { response_mode: 'form_post', state }))
      const page = await browser.follow(await browser.post(actionIn(asked), { decision, organization: party.org }))
      assert.equal(page.status, status)
      assert.equal(actionIn(page), callback)
      assert.deepEqual(
        [...page.text.matchAll(/<input type="hidden" name="(\w+)"/g)].map(([, name]) => name).sort(),
        names,
      )
      const scripts = [...page.text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script as string)
      const policy = String(page.headers['content-security-policy'])
      assert.deepEqual(scripts.length, 1)
      assert.ok(
        policy.includes(
          `script-src 'sha256-${createHash('sha256')
            .update(scripts[0] as string)
            .digest('base64')}';`,
        ),
        policy,
      )
      assert.match(policy, /form-action 'self' http: https:;/)
      assert.match(String(page.headers['cache-control']), /no-store/)
    }
  })

  test('with prompt=login consent asks for either once', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await authorize(house, party, {}, browser)
    const login = await browser.follow(await browser.get(authorizeUrl(party, { prompt: 'login consent' })))
    const consent = await browser.follow(await browser.post(actionIn(login), { email: party.email, password }))
    assert.match(actionIn(consent), /\/consent$/)
    assert.ok((await allow(browser, party, consent)).searchParams.get('code'))
  })

  test('lets somebody else sign in where someone was signed in, by a page that works under its policy', async () => {
    const [first, second] = [await newParty(house), await newParty(house)]
    const browser = new Browser(house)
    await browser.post('/sign-in', { email: first.email, password })
    const login = await browser.follow(await browser.get(authorizeUrl(second, { prompt: 'login' })))
    const page = await browser.follow(await browser.post(actionIn(login), { email: second.email, password }))
    assert.match(page.text, /Sign in as someone else/)
    assert.match(String(page.headers['content-security-policy']), /script-src 'sha256-/)
    const fields = Object.fromEntries(
      [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    const consent = await browser.follow(await browser.post(new URL(actionIn(page)).pathname, fields))
    assert.match(consent.text, new RegExp(second.email))
    assert.ok((await allow(browser, second, consent)).searchParams.get('code'))
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

describe('POST /oauth2/authorize', { concurrency: true }, () => {
  const fieldsOf = (party: Party, extra = {}) =>
    Object.fromEntries(new URL(authorizeUrl(party, { state: 'posted', ...extra }), house.url).searchParams)

  test('does what GET does, for someone who is signed in too', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const page = await reachConsent(browser, party, authorizeUrl(party))
    await allow(browser, party, page)
    // As a form of another site: without cookies.
    const posted = await new Browser(house).post('/oauth2/authorize', fieldsOf(party), {
      'sec-fetch-site': 'cross-site',
    })
    assert.equal(posted.status, 303)
    const back = new URL((await browser.follow(posted)).location ?? '')
    assert.ok(back.href.startsWith(callback))
    assert.equal(back.searchParams.get('state'), 'posted')
    assert.ok(back.searchParams.get('code'))
  })

  test('refuses what GET refuses, what is too long, and what is no form, each on a page', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const long = await browser.post('/oauth2/authorize', fieldsOf(party, { state: 's'.repeat(9_000) }))
    assert.equal(long.status, 413)
    assert.match(String(long.headers['content-type']), /^text\/html/)
    const stranger = await browser.follow(
      await browser.post('/oauth2/authorize', fieldsOf(party, { redirect_uri: 'https://elsewhere.example/' })),
    )
    assert.deepEqual([stranger.status, stranger.location], [400, undefined])
    const json = await house.app.inject({
      method: 'POST',
      url: '/oauth2/authorize',
      payload: fieldsOf(party),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(json.statusCode, 415)
    assert.match(String(json.headers['content-type']), /^text\/html/)
  })
})

describe('over https', { concurrency: true }, async () => {
  const secure = await openService({ PUBLIC_URL: 'https://tms.example.com', TRUST_PROXY: '1' })

  test('every cookie is for this host alone, several tabs sign in at once, and nothing is left of a sign-in that is over', async () => {
    const party = await newParty(secure)
    const browser = new Browser(secure)
    const tabs = []
    for (const state of ['one', 'two'])
      tabs.push(await browser.follow(await browser.get(authorizeUrl(party, { state }))))
    for (const name of browser.cookies.keys()) assert.match(name, /^__Host-lading_/)
    const [one, two] = tabs as [Page, Page]
    const consent = await browser.follow(await browser.post(actionIn(one), { email: party.email, password }))
    assert.equal((await allow(browser, party, consent)).searchParams.get('state'), 'one')
    assert.match(
      (await browser.post(actionIn(two), { email: party.email, password: 'a wrong password' })).text,
      /is wrong/,
    )
    const [uid = ''] = /[\w-]+(?=\/login)/.exec(actionIn(two)) ?? []
    assert.deepEqual(
      [...browser.cookies.keys()].filter((name) => !name.includes(uid)),
      ['__Host-lading_browser', '__Host-lading_session', '__Host-lading_session.sig'],
    )
  })

  test('each is set as browsers demand of such names, and of many unfinished ones the oldest go', async () => {
    const party = await newParty(secure)
    const browser = new Browser(secure)
    for (let round = 0; round < 12; round++) {
      const { headers } = await browser.get(authorizeUrl(party))
      for (const cookie of [headers['set-cookie'] ?? []].flat()) {
        assert.match(cookie, /^__Host-/)
        assert.match(cookie, /; path=\/(?:;|$)/i)
        assert.match(cookie, /; secure/i)
        assert.match(cookie, /; httponly/i)
        assert.match(cookie, /; samesite=lax/i)
        assert.doesNotMatch(cookie, /; domain=/i)
      }
    }
    assert.ok(browser.cookies.size <= 4 * 9, `${browser.cookies.size}`)
    const signedIn = await browser.post('/sign-in', { email: party.email, password })
    assert.match(String(signedIn.headers['set-cookie']), /^__Host-lading_session=[^;]+; path=\/;.*; secure/i)
    assert.equal((await browser.get('/account')).status, 200)
  })
})

describe('consent', { concurrency: true }, () => {
  test('names the organization that owns the application, and warns whoever is not a user of it', async () => {
    const [party, stranger] = [await newParty(house), await newParty(house)]
    const own = await reachConsent(new Browser(house), party, authorizeUrl(party))
    assert.match(own.text, /The application belongs to <strong>An organization<\/strong>\.<\/p>/)
    assert.doesNotMatch(own.text, /not a user of/)
    const other = await reachConsent(new Browser(house), stranger, authorizeUrl(party))
    assert.match(other.text, /belongs to <strong>An organization<\/strong>, an organization that you are not a user of/)
  })

  test('is given for one organization, which the person picks, and the token is for that one', async () => {
    const party = await newParty(house)
    const { id: second } = await createOrganization(house.database, 'Another organization')
    const invited = await createUser(systemContext(house.database, second), {
      email: party.email,
      name: 'Ada Elsewhere',
    })
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
    const exchange = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    }
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
    assert.equal(
      account.text.split('name="grant"').length - 1,
      1,
      'an application is shown once, however often it was allowed',
    )
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    const grant = /name="grant" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    assert.equal((await browser.post('/account/grants/revoke', { csrf, grant })).status, 200)
    assert.deepEqual(
      [await tryToken(house, first.access_token), await tryToken(house, elsewhere.access_token)],
      [401, 401],
    )
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

describe('a session', { concurrency: true }, () => {
  const csrfOf = async (browser: Browser) =>
    /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
  const isActive = async (party: Party, token: string) =>
    (await post(house, '/oauth2/introspect', { ...credentials(party), token })).json().active

  for (const [way, signOut] of [
    [
      'on the account page',
      async (browser: Browser) => void (await browser.post('/sign-out', { csrf: await csrfOf(browser) })),
    ],
    [
      'at /oauth2/logout',
      async (browser: Browser) => {
        const xsrf = /name="xsrf" value="([^"]+)"/.exec((await browser.get('/oauth2/logout')).text)?.[1] ?? ''
        await browser.follow(await browser.post('/oauth2/logout/confirm', { xsrf, logout: 'yes' }))
      },
    ],
    [
      'from another browser',
      async (_browser: Browser, party: Party) => {
        const here = new Browser(house)
        await here.post('/sign-in', { email: party.email, password })
        const page = (await here.get('/account')).text
        await here.post('/account/sessions/end', {
          csrf: await csrfOf(here),
          session: /name="session" value="([^"]+)"/.exec(page)?.[1] ?? '',
        })
      },
    ],
  ] as const) {
    test(`ended ${way} is over, and so is what applications were allowed in it, unless they were allowed it offline`, async () => {
      const party = await newParty(house)
      const browser = new Browser(house)
      const tokens = await tokensByCode(house, party, { scope: 'bills' }, browser)
      assert.equal(await isActive(party, tokens.access_token), true)
      await signOut(browser, party)
      assert.equal((await browser.get('/account')).location, '/sign-in')
      assert.deepEqual(
        [await isActive(party, tokens.access_token), await isActive(party, tokens.refresh_token)],
        [false, false],
      )
      assert.equal((await refresh(house, party, tokens.refresh_token)).json().error, 'invalid_grant')
      assert.ok(await soon(async () => (await tryToken(house, tokens.access_token)) === 401))
      const again = new Browser(house)
      const offline = await tokensByCode(
        house,
        party,
        { scope: 'openid offline_access bills', prompt: 'consent' },
        again,
      )
      await signOut(again, party)
      assert.equal((await refresh(house, party, offline.refresh_token)).statusCode, 200)
    })
  }

  test('has a new id after every sign-in, and the old one opens nothing', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await browser.post('/sign-in', { email: party.email, password })
    const before = new Map(browser.cookies)
    await browser.post('/sign-in', { email: party.email, password })
    assert.notEqual(browser.cookies.get('lading_session'), before.get('lading_session'))
    const planted = Object.assign(new Browser(house), { cookies: before })
    assert.equal((await planted.get('/account')).location, '/sign-in')
    assert.equal((await browser.get('/account')).status, 200)
    const [stranger, shared] = [await newParty(house), new Map(browser.cookies)]
    const page = await browser.follow(await browser.get(authorizeUrl(stranger, { prompt: 'login' })))
    await browser.follow(await browser.post(actionIn(page), { email: party.email, password }))
    assert.equal((await Object.assign(new Browser(house), { cookies: shared }).get('/account')).location, '/sign-in')
  })

  test('is over SESSION_DAYS after somebody signed in, however much it is used', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await browser.post('/sign-in', { email: party.email, password })
    const signedInDaysAgo = (days: number) =>
      house.pool.run(sql`update oidc_records set payload = payload || jsonb_build_object('loginTs', extract(epoch from now())::int - ${days}::int * 86400)
        where kind = 'Session' and person_id = ${party.user}`)
    await signedInDaysAgo(29)
    await browser.follow(await browser.get(authorizeUrl(party)))
    const [used] = await house.pool.run(
      sql`select expires_at < now() + interval '25 hours' as soon from oidc_records where kind = 'Session' and person_id = ${party.user}`,
    )
    assert.equal(used?.soon, true, 'using it does not prolong it beyond that')
    assert.equal((await browser.get('/account')).status, 200)
    await signedInDaysAgo(31)
    assert.equal((await browser.get('/account')).location, '/sign-in')
  })

  test('ends with the user who is disabled, but for someone in two organizations not the one in which they are in the other', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    const ctx = systemContext(house.database, other.org)
    const { id, invitation } = await createUser(ctx, { email: party.email, name: 'Ada Elsewhere' })
    await new Browser(house).post(`/invitation/${invitation}`, { account: 'existing', password })
    const browser = new Browser(house)
    const page = await reachConsent(browser, party, authorizeUrl(party))
    await allow(browser, party, page)
    await disableUser(ctx, id, null)
    assert.equal((await browser.get('/account')).status, 200)
    assert.ok(!(await browser.get('/account')).text.includes(other.org))
    const only = await createJoinedUser(ctx, { email: newEmail(), name: 'Mo', password })
    const email = JSON.parse(only.json).email
    const member = new Browser(house)
    const tokens = await tokensByCode(house, { ...other, email }, {}, member)
    await disableUser(ctx, only.id, null)
    assert.equal((await member.get('/account')).location, '/sign-in')
    for (const token of [tokens.access_token, tokens.refresh_token]) assert.equal(await isActive(other, token), false)
    await enableUser(ctx, only.id, null)
    assert.equal((await member.get('/account')).location, '/sign-in', 'what was ended stays ended')
    for (const token of [tokens.access_token, tokens.refresh_token]) assert.equal(await isActive(other, token), false)
  })
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
