import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createJoinedUser, createUser, disableUser } from '../../src/identity/users/actions.ts'
import { acceptInvitation } from '../../src/identity/users/invitations.ts'
import { consoleClientId, consoleScope } from '../../src/platform/access/console-client.ts'
import { createOrganization, systemContext } from '../../src/platform/organizations/actions.ts'
import { actionIn, Browser, type Page } from './browser.ts'
import {
  claimsOf,
  type Fields,
  newParty,
  type Party,
  password,
  pkce,
  post,
  sharedHouse,
  type Tokens,
  tryToken,
} from './house.ts'

const house = await sharedHouse()
const redirect_uri = `${house.url}/signed-in`

function consoleUrl(fields: Fields = {}): string {
  return `/oauth2/authorize?${new URLSearchParams({ response_type: 'code', client_id: consoleClientId, redirect_uri, scope: consoleScope, state: 'here', nonce: 'once', ...fields })}`
}

/** Up to the page that asks something, or to the console's own address. */
async function follow(browser: Browser, page: Page): Promise<Page> {
  let at = page
  while (at.location !== undefined && !at.location.startsWith(redirect_uri)) {
    const { pathname, search } = new URL(at.location, house.url)
    at = await browser.get(`${pathname}${search}`)
  }
  return at
}

async function enter(browser: Browser, party: Pick<Party, 'email'>, fields: Fields): Promise<Page> {
  const page = await follow(browser, await browser.get(consoleUrl(fields)))
  if (!/action="[^"]+\/login"/.test(page.text)) return page
  return follow(browser, await browser.post(actionIn(page), { email: party.email, password }))
}

function choose(browser: Browser, page: Page, organization: string): Promise<Page> {
  return browser.post(actionIn(page), { decision: 'allow', organization }).then((next) => follow(browser, next))
}

async function exchange(page: Page, code_verifier: string): Promise<Tokens> {
  const back = new URL(page.location ?? '', house.url)
  const code = back.searchParams.get('code') ?? ''
  const answer = await post(house, '/oauth2/token', {
    grant_type: 'authorization_code',
    client_id: consoleClientId,
    redirect_uri,
    code,
    code_verifier,
  })
  assert.equal(answer.statusCode, 200, `${page.location} ${page.text} ${answer.body}`)
  return answer.json()
}

async function signedIn(
  party: Pick<Party, 'email'>,
  browser = new Browser(house),
  organization?: string,
): Promise<Tokens & { browser: Browser }> {
  const { verifier, challenge } = pkce()
  const page = await enter(browser, party, challenge)
  return { ...(await exchange(organization ? await choose(browser, page, organization) : page, verifier)), browser }
}

function refresh(refresh_token: string) {
  return post(house, '/oauth2/token', { grant_type: 'refresh_token', client_id: consoleClientId, refresh_token })
}

/** A person in two organizations. */
async function newTraveller(): Promise<Party & { second: string }> {
  const party = await newParty(house)
  const { id: second } = await createOrganization(house.database, 'Another organization')
  const { id, invitation } = await createUser(systemContext(house.database, second), {
    email: party.email,
    name: 'Ada Elsewhere',
  })
  const accepting = { org_id: second, organization: '', user_id: id, name: '', email: party.email }
  await acceptInvitation(house.database, invitation as string, accepting, { person: party.user })
  return { ...party, second }
}

describe('the console', { concurrency: true }, () => {
  test('gets its tokens from a sign-in alone, without consent, in the only organization there is, and again without a question', async () => {
    const party = await newParty(house)
    const { access_token, refresh_token, id_token, browser } = await signedIn(party)
    const { org_id, sub, client_id, scope } = claimsOf(access_token)
    assert.deepEqual({ org_id, sub, client_id }, { org_id: party.org, sub: party.user, client_id: consoleClientId })
    assert.ok(String(scope).split(' ').includes('users'))
    assert.equal(claimsOf(id_token as string).nonce, 'once')
    assert.equal(await tryToken(house, access_token, '/api/v1/oauth_applications'), 200)
    const renewed = await refresh(refresh_token)
    assert.equal(renewed.statusCode, 200)
    const again = pkce()
    const silent = await follow(browser, await browser.get(consoleUrl({ ...again.challenge, prompt: 'none' })))
    assert.equal(
      claimsOf((await exchange(silent, again.verifier)).access_token).grant_id,
      claimsOf(access_token).grant_id,
    )
  })

  test('is refused without PKCE, at any address but its own, and in any flow but its own', async () => {
    const browser = new Browser(house)
    const { challenge } = pkce()
    const bare = await browser.get(consoleUrl())
    assert.match(String(bare.location), /error=invalid_request/)
    for (const elsewhere of [
      `${redirect_uri}/`,
      `${redirect_uri}?x=1`,
      `${house.url}/`,
      'https://evil.example/signed-in',
      `${house.url}/signed-in/../x`,
    ]) {
      const page = await browser.get(consoleUrl({ ...challenge, redirect_uri: elsewhere }))
      assert.equal(page.status, 400, elsewhere)
      assert.equal(page.location, undefined)
    }
    for (const fields of [
      { grant_type: 'client_credentials' },
      { grant_type: 'password', username: 'a@b.example', password },
    ]) {
      const refused = await post(house, '/oauth2/token', { client_id: consoleClientId, scope: 'bills', ...fields })
      assert.notEqual(refused.statusCode, 200)
      assert.match(refused.json().error, /unauthorized_client|invalid_request/)
    }
  })

  test('lets someone in two organizations choose, stays there, and leaves it at once when they choose the other', async () => {
    const person = await newTraveller()
    const first = await signedIn(person, new Browser(house), person.org)
    assert.equal(claimsOf(first.access_token).org_id, person.org)
    assert.equal(claimsOf((await signedIn(person, first.browser)).access_token).org_id, person.org)
    const { verifier, challenge } = pkce()
    const page = await enter(first.browser, person, { ...challenge, prompt: 'consent' })
    assert.match(page.text, /Choose an organization/)
    const foreign = await createOrganization(house.database, 'Of others')
    assert.match((await choose(first.browser, page, foreign.id)).text, /Choose one of your organizations/)
    const second = await exchange(await choose(first.browser, page, person.second), verifier)
    assert.equal(claimsOf(second.access_token).org_id, person.second)
    assert.equal((await refresh(first.refresh_token)).statusCode, 400)
    assert.equal(await tryToken(house, first.access_token), 401)
    assert.equal(await tryToken(house, second.access_token), 200)
  })

  test('signs out with its ID token and no question; session and tokens are over', async () => {
    const { access_token, refresh_token, id_token = '', browser } = await signedIn(await newParty(house))
    const sign = new URLSearchParams({
      client_id: consoleClientId,
      id_token_hint: id_token,
      post_logout_redirect_uri: `${house.url}/`,
    })
    const out = await browser.get(`/oauth2/logout?${sign}`)
    assert.equal(out.status, 303)
    assert.equal(out.location, `${house.url}/`)
    assert.equal(await tryToken(house, access_token), 401)
    assert.equal((await refresh(refresh_token)).statusCode, 400)
    assert.match((await follow(browser, await browser.get(consoleUrl(pkce().challenge)))).text, /Sign in/)
    assert.equal((await browser.get(`/oauth2/logout?${sign}`)).location, `${house.url}/`)
  })

  test('does not sign out someone else: with another person’s ID token, or none, the page asks; and it leads nowhere else', async () => {
    const other = await signedIn(await newParty(house))
    const { access_token, browser } = await signedIn(await newParty(house))
    for (const fields of [{ id_token_hint: other.id_token ?? '' }, { client_id: consoleClientId }]) {
      const asked = await browser.get(
        `/oauth2/logout?${new URLSearchParams({ ...fields, post_logout_redirect_uri: `${house.url}/` } as Fields)}`,
      )
      assert.match(asked.text, /Sign out of Lading\?/)
    }
    const evil = new URLSearchParams({ client_id: consoleClientId, post_logout_redirect_uri: 'https://evil.example/' })
    assert.equal((await browser.get(`/oauth2/logout?${evil}`)).status, 400)
    assert.equal(await tryToken(house, access_token), 200)
  })

  test('ends with its session, wherever that is ended from', async () => {
    const party = await newParty(house)
    const [here, there] = [await signedIn(party), await signedIn(party)]
    const account = await here.browser.get('/account')
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    const session = /name="session" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    await here.browser.post('/account/sessions/end', { csrf, session })
    assert.equal(await tryToken(house, there.access_token), 401)
    assert.equal((await refresh(there.refresh_token)).statusCode, 400)
    assert.equal(await tryToken(house, here.access_token), 200)
    await here.browser.post('/sign-out', { csrf })
    assert.equal(await tryToken(house, here.access_token), 401)
  })

  test('is nothing that a person allowed, nor an application of the organization', async () => {
    const party = await newParty(house)
    const { access_token, browser } = await signedIn(party)
    assert.match((await browser.get('/account')).text, /None yet\./)
    const list = await house.app.inject({
      url: '/api/v1/oauth_applications',
      headers: { authorization: `Bearer ${access_token}` },
    })
    assert.deepEqual(
      list.json().oauth_applications.map(({ client_id }: { client_id: string }) => client_id),
      [party.application.client_id],
    )
  })

  test('shuts out a disabled user at once, and ends their session', async () => {
    const party = await newParty(house)
    const ctx = systemContext(house.database, party.org)
    await createJoinedUser(ctx, { email: `other-${party.email}`, name: 'Another Admin', role: 'admin', password })
    const { access_token, refresh_token, browser } = await signedIn(party)
    await disableUser(ctx, party.user, null)
    assert.equal(await tryToken(house, access_token), 401)
    assert.equal((await refresh(refresh_token)).statusCode, 400)
    const page = await follow(browser, await browser.get(consoleUrl(pkce().challenge)))
    assert.match(page.text, /<h1>Sign in<\/h1>/, 'their session is over')
  })
})

describe('the pages of the console', { concurrency: true }, () => {
  const html = { accept: 'text/html' }

  test('/ is the landing page for those who are signed out, and the console for those who are signed in', async () => {
    const visitor = new Browser(house)
    assert.match((await visitor.get('/')).text, /This installation is running/)
    visitor.cookies.set('lading_session', 'made-up')
    assert.match((await visitor.get('/')).text, /This installation is running/)
    const { browser } = await signedIn(await newParty(house))
    const page = await browser.get('/')
    assert.match(page.text, /<div id="console">/)
    assert.match(String(page.headers.vary), /Cookie/)
  })

  test('its paths all answer the page, under a policy of its own each time; other paths never do', async () => {
    const nonces = new Set<string>()
    for (const path of [
      '/home',
      '/settings',
      '/settings/api/oauth-applications',
      '/bills/some-id',
      '/signed-in?code=x',
    ]) {
      const { statusCode, headers, body } = await house.app.inject({ url: path, headers: html })
      assert.equal(statusCode, 200, path)
      assert.equal(headers['cache-control'], 'no-cache')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/)
      assert.doesNotMatch(policy, /unsafe/)
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      assert.ok(body.includes(`nonce="${nonce}"`))
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 5)
    for (const path of [
      '/api/v1/nothing',
      '/oauth2/nothing',
      '/interaction/nothing',
      '/assets/nothing.js',
      '/assets/..%2findex.html',
    ]) {
      const { statusCode, body } = await house.app.inject({ url: path, headers: html })
      assert.ok(statusCode >= 400, path)
      assert.ok(!body.includes('id="console"'), path)
    }
  })

  test('a mistyped address is its page with 404 to a browser, and JSON to whoever asks for anything else or where programs ask', async () => {
    const chromium = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' }
    for (const path of ['/setings', '/settingsx/people?page=2', '/nothing']) {
      for (const headers of [html, chromium]) {
        const { statusCode, headers: answered, body } = await house.app.inject({ url: path, headers })
        assert.deepEqual(
          [statusCode, answered['content-type'], body.includes('id="console"')],
          [404, 'text/html; charset=utf-8', true],
          path,
        )
        assert.match(String(answered['content-security-policy']), /script-src 'self'; style-src 'self' 'nonce-/)
        assert.match(String(answered.vary), /Accept/)
      }
    }
    const asked = [
      ...['*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0, */*'].map((accept) => ({
        url: '/setings',
        headers: { accept },
      })),
      { url: '/setings' },
      { url: '/setings', method: 'POST' as const, headers: html },
      ...[
        '/api',
        '/api/v3/bills',
        '/oauth/authorize',
        '/oauth2/nothing',
        '/docs/nothing',
        '/health',
        '/.well-known/nothing',
      ].map((url) => ({
        url,
        headers: html,
      })),
    ]
    for (const one of asked) {
      const { statusCode, headers } = await house.app.inject(one)
      assert.deepEqual(
        [statusCode, headers['content-type']],
        [404, 'application/json; charset=utf-8'],
        JSON.stringify(one),
      )
    }
  })

  test('its files keep for ever and go out compressed', async () => {
    const { body } = await house.app.inject({ url: '/home' })
    const path = /src="(\/assets\/[^"]+\.js)"/.exec(body)?.[1] ?? ''
    const { statusCode, headers } = await house.app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(statusCode, 200, 'the console is built: npm run build')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['content-encoding'], 'br')
    assert.match(String(headers['content-type']), /javascript/)
    assert.equal(
      (
        await house.app.inject({
          url: path,
          headers: { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) },
        })
      ).statusCode,
      304,
    )
  })
})
