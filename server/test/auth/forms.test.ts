import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createUser } from '../../src/identity/users/actions.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { mailJob } from '../../src/platform/mail/delivering.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { actionIn, authorizeUrl, Browser, reachConsent, tokensByCode } from './browser.ts'
import {
  askToken,
  claimsOf,
  newEmail,
  newParty,
  type Party,
  password,
  refresh,
  sharedHouse,
  soon,
  tokensByPassword,
  tryToken,
} from './house.ts'

const house = await sharedHouse()
const evil = 'evil.example'

describe('cookies and forms', { concurrency: true }, () => {
  test('a tampered session cookie is no session', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    await tokensByCode(house, party, {}, browser)
    assert.equal((await browser.get('/account')).status, 200)
    for (const [name, value] of [...browser.cookies].filter(([name]) => name.startsWith('lading_session'))) {
      const robbed = new Browser(house)
      for (const [other, kept] of browser.cookies) robbed.cookies.set(other, kept)
      robbed.cookies.set(name, `${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`)
      const page = await robbed.get('/account')
      assert.equal(page.location ?? page.status, '/sign-in', name)
    }
    const header = String(
      (await new Browser(house).post('/sign-in', { email: party.email, password })).headers['set-cookie'],
    )
    assert.match(header, /httponly/i)
    assert.match(header, /samesite=lax/i)
  })

  test('an interaction belongs to the browser that began it', async () => {
    const party = await newParty(house)
    const [one, other] = [new Browser(house), new Browser(house)]
    const page = await one.follow(await one.get(authorizeUrl(party)))
    await other.follow(await other.get(authorizeUrl(party)))
    for (const thief of [other, new Browser(house)]) {
      const answer = await thief.post(actionIn(page), { email: party.email, password })
      assert.equal(answer.status, 400)
      assert.equal(answer.location, undefined)
    }
    const consent = await reachConsent(one, party, authorizeUrl(party))
    assert.equal((await other.post(actionIn(consent), { decision: 'allow', organization: party.org })).status, 400)
  })

  test('a form sent from elsewhere does nothing, on every page that takes one', async () => {
    const party = await newParty(house)
    const tokens = await tokensByPassword(house, party)
    const browser = new Browser(house)
    await browser.post('/sign-in', { email: party.email, password })
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
    const { invitation } = await createUser(systemContext(house.database, party.org), { email: newEmail(), name: 'x' })
    for (const path of [
      '/sign-in',
      '/sign-out',
      '/account/password',
      '/account/sessions/end',
      '/account/grants/revoke',
      `/invitation/${invitation}`,
      '/forgot-password',
      '/password-reset/abc',
      '/interaction/abc/login',
      '/interaction/abc/consent',
    ]) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: `https://${evil}` },
        { origin: `http://${new URL(house.url).hostname}:1` },
      ]) {
        const answer = await browser.post(
          path,
          { csrf, password, current: password, next: 'another long password' },
          headers,
        )
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`)
      }
    }
    for (const path of ['/sign-out', '/account/password', '/account/sessions/end', '/account/grants/revoke']) {
      assert.equal(
        (await browser.post(path, { csrf: 'wrong', current: password, next: 'another long password' })).status,
        403,
        path,
      )
      assert.equal((await browser.post(path, {})).status, 403, path)
    }
    assert.equal((await browser.get('/account')).status, 200)
    assert.equal((await refresh(house, party, tokens.refresh_token)).statusCode, 200)
    assert.equal((await browser.get(`/invitation/${invitation}`)).status, 200)
  })

  test('every page forbids script, framing and keeping', async () => {
    const party = await newParty(house)
    const browser = new Browser(house)
    const signIn = await browser.follow(await browser.get(authorizeUrl(party)))
    const consent = await reachConsent(browser, party, authorizeUrl(party))
    for (const page of [
      signIn,
      consent,
      await browser.get('/account'),
      await browser.get('/oauth2/logout'),
      await new Browser(house).get('/sign-in'),
      await browser.get('/invitation/none'),
      await browser.get('/interaction/none'),
      await browser.get('/oauth2/authorize?client_id=none'),
      await browser.post('/sign-in', { email: 'a@b.example', password: 'x' }),
      await browser.post('/sign-in', {}, { 'sec-fetch-site': 'cross-site' }),
      await browser.post('/sign-in', `email=${'x'.repeat(20_000)}`),
    ]) {
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.match(policy, /form-action /)
      assert.doesNotMatch(policy, /unsafe|script-src|\*/)
      assert.equal(page.headers['x-frame-options'], 'DENY')
      assert.equal(page.headers['x-content-type-options'], 'nosniff')
      assert.equal(page.headers['referrer-policy'], 'no-referrer')
      assert.match(String(page.headers['cache-control']), /no-store/)
      assert.doesNotMatch(page.text, /<script|javascript:|\son\w+=/i)
    }
  })
})

describe('an account belongs to its person', { concurrency: true }, () => {
  test('an organization can neither pull in the user of another nor set their password', async () => {
    const [victim, thief] = [await newParty(house), await newParty(house)]
    const stolen = await createUser(systemContext(house.database, thief.org), {
      email: victim.email.toUpperCase(),
      name: 'Mine now',
      role: 'admin',
    })
    assert.notEqual(stolen.id, victim.user, 'nothing tells whether the address has an account')
    assert.equal(JSON.parse(stolen.json).joined_at, null)
    const asThief = { ...thief, email: victim.email }
    assert.equal(
      (await askToken(house, asThief, { grant_type: 'password', username: victim.email, password })).statusCode,
      400,
    )
    const page = await new Browser(house).get(`/invitation/${stolen.invitation}`)
    const fresh = await createUser(systemContext(house.database, thief.org), { email: newEmail(), name: 'New' })
    const unknown = await new Browser(house).get(`/invitation/${fresh.invitation}`)
    const alike = (text: string, token: string | null, email: string) =>
      text.replaceAll(String(token), '').replaceAll(email, '')
    const [one, two] = [JSON.parse(stolen.json).email, JSON.parse(fresh.json).email]
    assert.equal(
      alike(page.text, stolen.invitation, one),
      alike(unknown.text, fresh.invitation, two),
      'nor does the page',
    )
    const wrong = await new Browser(house).post(`/invitation/${stolen.invitation}`, {
      account: 'existing',
      password: 'chosen by the thief',
    })
    assert.equal(wrong.status, 400)
    assert.equal(
      (await new Browser(house).post(`/invitation/${stolen.invitation}`, { account: 'existing', password })).status,
      200,
    )
    const [here, there] = [await tokensByPassword(house, victim), await tokensByPassword(house, asThief)]
    for (const { access_token } of [here, there]) assert.equal(await tryToken(house, access_token), 200)
    assert.deepEqual([claimsOf(here.access_token).sub, claimsOf(there.access_token).sub], [victim.user, stolen.id])
  })

  test('nobody keeps an address from its owner by inviting it: who cannot show that the account is theirs gets their own', async () => {
    const [thief, honest] = [await newParty(house), await newParty(house)]
    const email = newEmail()
    const { invitation } = await createUser(systemContext(house.database, thief.org), { email, name: 'Mine now' })
    const stolenPassword = 'chosen by the thief'
    assert.equal((await new Browser(house).post(`/invitation/${invitation}`, { password: stolenPassword })).status, 200)
    const real = await createUser(systemContext(house.database, honest.org), { email, name: 'The owner' })
    assert.equal((await new Browser(house).post(`/invitation/${real.invitation}`, { password })).status, 200)
    const tokenIn = (party: Party, attempt: string) =>
      askToken(house, { ...party, email }, { grant_type: 'password', username: email, password: attempt })
    assert.equal((await tokenIn(honest, password)).statusCode, 200)
    assert.equal((await tokenIn(honest, stolenPassword)).statusCode, 400)
    assert.equal((await tokenIn(thief, password)).statusCode, 400)
    for (const [attempt, organization] of [
      [password, honest.org],
      [stolenPassword, thief.org],
    ] as const) {
      const browser = new Browser(house)
      await browser.post('/sign-in', { email, password: attempt })
      const orgs =
        (await house.pool.run(sql`select u.org_id from oidc_records r join users u on u.person_id = r.person_id
        where r.kind = 'Session' and r.address = ${browser.address}`)) as { org_id: string }[]
      assert.deepEqual(
        orgs.map(({ org_id }) => org_id),
        [organization],
      )
    }
  })

  test('a first password opens the page on which they choose their own, in that organization, once', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    const email = newEmail()
    const first = 'given by the admin'
    const invited = await createUser(systemContext(house.database, party.org), { email, name: 'Ivo', password: first })
    assert.equal(invited.invitation, null)
    await createUser(systemContext(house.database, other.org), {
      email,
      name: 'Ivo elsewhere',
      password: 'given by another admin',
    })
    const refused = await askToken(house, party, { grant_type: 'password', username: email, password: first })
    assert.deepEqual([refused.statusCode, refused.json().error], [400, 'invalid_grant'])
    assert.match(refused.json().error_description, /first password.*\/sign-in/)
    const browser = new Browser(house)
    const page = await browser.post('/sign-in', { email, password: first })
    assert.match(page.text, /Choose your own password/)
    assert.equal((await browser.get('/account')).location, '/sign-in', 'it opens nothing else')
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const choose = (next: string, over = {}) => browser.post(actionIn(page), { email, ticket, password: next, ...over })
    assert.equal((await choose(password, { ticket: `${ticket}x` })).status, 400)
    for (const [bad, why] of [
      ['short', /at least 10 characters/],
      [first, /the password that you were given/],
      ['ivo-ivo-2026', /a name that others know/],
    ] as const) {
      const again = await choose(bad)
      assert.equal(again.status, 400)
      assert.match(again.text, why)
    }
    assert.equal((await choose(password)).location, '/account')
    assert.equal((await browser.get('/account')).status, 200)
    assert.equal((await choose('another long sentence')).status, 400, 'once')
    assert.equal((await new Browser(house).post('/sign-in', { email, password: first })).status, 400)
    const member = { ...party, email }
    assert.equal(claimsOf((await tokensByPassword(house, member)).access_token).sub, invited.id)
    assert.equal(
      (await askToken(house, other, { grant_type: 'password', username: email, password })).statusCode,
      400,
      'it opens no other organization',
    )
  })

  test('a first password also lets someone join with the account they have, on the way to an application', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    await createUser(systemContext(house.database, other.org), {
      email: party.email,
      name: 'Ada elsewhere',
      password: 'given by the admin',
    })
    const browser = new Browser(house)
    const page = await browser.follow(await browser.get(authorizeUrl(other)))
    const choosing = await browser.post(actionIn(page), { email: party.email, password: 'given by the admin' })
    const ticket = /name="ticket" value="([^"]+)"/.exec(choosing.text)?.[1] ?? ''
    const consent = await browser.follow(
      await browser.post(actionIn(choosing), { email: party.email, ticket, password }),
    )
    assert.ok(consent.text.includes(party.org) && consent.text.includes(other.org), 'both organizations are theirs now')
  })

  test('an invitation is void after use, after a newer one, after its time, and when the user is disabled', async () => {
    const party = await newParty(house)
    const ctx = systemContext(house.database, party.org)
    const { id, invitation } = await createUser(ctx, { email: newEmail(), name: 'x' })
    const open = async (token: string | null) => (await new Browser(house).get(`/invitation/${token}`)).status
    assert.equal(await open(invitation), 200)
    const own = new Browser(house)
    assert.equal((await own.post(`/invitation/${invitation}x`, { password })).status, 404)
    await house.database.transaction(party.org, (run) =>
      run({ text: 'update users set disabled_at = now() where org_id = $1 and id = $2', values: [party.org, id] }),
    )
    assert.equal(await open(invitation), 404)
    await house.database.transaction(party.org, (run) =>
      run({ text: 'update users set disabled_at = null where org_id = $1 and id = $2', values: [party.org, id] }),
    )
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => own.post(`/invitation/${invitation}`, { password })),
    )
    assert.equal(taken.filter(({ status }) => status === 200).length, 1)
    assert.equal(await open(invitation), 404)
  })
})

/** The texts of the mails that an organization has to send. */
async function sentIn(org: string): Promise<{ to: readonly string[]; text: string }[]> {
  const all: { to: readonly string[]; text: string }[] = []
  const transport = {
    leaves: 'sent' as const,
    reach: async () => {},
    async send({ to, message }: { to: readonly string[]; message: Buffer }) {
      all.push({ to, text: message.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=') })
      return { accepted: to, refused: [], later: [] }
    },
    close() {},
  }
  await mailJob({ database: house.database, transport, from: 'no-reply@lading.example', onlyIn: org }).run(
    new AbortController().signal,
  )
  return all
}

describe('mails that let people in', { concurrency: true }, () => {
  test('an invitation is mailed with its link, which is in the answer too, and in nothing else that can be read', async () => {
    const party = await newParty(house)
    const { access_token } = await tokensByPassword(house, party)
    const headers = { authorization: `Bearer ${access_token}` }
    const email = newEmail()
    const made = (
      await house.app.inject({ method: 'POST', url: '/api/v1/users', headers, payload: { email, name: 'Ivo' } })
    ).json()
    const again = (
      await house.app.inject({ method: 'POST', url: `/api/v1/users/${made.user.id}/invite`, headers })
    ).json()
    const mails = await sentIn(party.org)
    assert.deepEqual(
      mails.map(({ to }) => to),
      [[email], [email]],
    )
    for (const { invitation_url } of [made, again])
      assert.equal(mails.filter(({ text }) => text.includes(invitation_url)).length, 1)
    const listed = await house.app.inject({ url: '/api/v1/mails', headers })
    assert.equal(listed.json().total, 2)
    const events = await house.app.inject({
      url: '/api/v1/events',
      headers: { ...headers, accept: 'application/json' },
    })
    for (const { body } of [listed, events]) assert.ok(!body.includes(again.invitation_url.split('/').at(-1)))
    const page = await new Browser(house).post(new URL(again.invitation_url).pathname, {
      password: 'a quite long new password',
    })
    assert.equal(page.status, 200, page.text)
  })

  test('who forgot their password gets a link that works once, even at the same moment, and is signed out everywhere; of an address without an account nothing is said', async () => {
    const party = await newParty(house)
    const tokens = await tokensByPassword(house, party)
    const browser = new Browser(house)
    const [known, unknown] = [
      await browser.post('/forgot-password', { email: party.email.toUpperCase() }),
      await browser.post('/forgot-password', { email: newEmail() }),
    ]
    assert.deepEqual([known.status, unknown.status], [200, 200])
    assert.equal(
      known.text.replace(party.email.toUpperCase(), ''),
      unknown.text.replace(/[0-9a-f]{16}@example\.com/, ''),
    )
    const mails: { to: readonly string[]; text: string }[] = []
    assert.ok(
      await soon(async () => {
        mails.push(...(await sentIn(party.org)))
        return mails.length > 0
      }, 60_000),
    )
    assert.deepEqual([mails.length, mails[0]?.to], [1, [party.email]])
    const [link = ''] = /\/password-reset\/[\w.-]+/.exec(mails[0]?.text ?? '') ?? []
    assert.equal((await browser.get(link)).status, 200)
    assert.equal((await browser.get(`${link.slice(0, -2)}xx`)).status, 404)
    assert.equal((await browser.post(link, { password: 'short' })).status, 400)
    const choices = Array.from({ length: 5 }, (_, n) => `another good long password ${n}`)
    const statuses = await Promise.all(choices.map(async (password) => (await browser.post(link, { password })).status))
    assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404, 404])
    assert.equal((await browser.post(link, { password: 'and yet another long one' })).status, 404, 'it works once')
    const next = choices[statuses.indexOf(200)] as string
    assert.equal(await tryToken(house, tokens.access_token), 401)
    assert.equal((await browser.post('/sign-in', { email: party.email, password })).status, 400)
    assert.equal((await browser.post('/sign-in', { email: party.email, password: next })).location, '/account')
  })

  test('links that are asked for again and again have to wait, with or without an account', async () => {
    const browser = new Browser(house)
    const statuses: number[] = []
    for (let n = 0; n < 7; n++)
      statuses.push((await browser.post('/forgot-password', { email: 'nobody-at-all@example.com' })).status)
    assert.deepEqual(statuses.slice(0, 5), [200, 200, 200, 200, 200])
    assert.equal(statuses.at(-1), 429)
  })
})
