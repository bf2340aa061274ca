import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rotateSecret } from '../../src/identity/applications/actions.ts'
import { hashCheaply } from '../../src/identity/passwords/passwords.ts'
import { createUser } from '../../src/identity/users/actions.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { authorize, Browser, tokensByCode } from './browser.ts'
import {
  askToken,
  basic,
  callback,
  credentials,
  newEmail,
  newParty,
  openHouse,
  password,
  post,
  refresh,
  sharedHouse,
  tokensByPassword,
  tryToken,
} from './house.ts'

test('the log of a whole run, down to its finest, contains no secret', async () => {
  const lines: string[] = []
  const house = await openHouse({ LOG_LEVEL: 'trace' }, { write: (line: string) => void lines.push(line) })
  const party = await newParty(house)
  const ctx = systemContext(house.database, party.org)
  const secrets = new Set<string>([password, party.application.client_secret])
  const browser = new Browser(house)

  const code = (await authorize(house, party, { scope: 'openid bills' }, browser)).searchParams.get('code') ?? ''
  secrets.add(code)
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const byCode = (await askToken(house, party, exchange)).json()
  const byPassword = await tokensByPassword(house, party)
  const refreshed = (await refresh(house, party, byPassword.refresh_token)).json()
  const own = (await post(house, '/oauth2/token', { grant_type: 'client_credentials' }, basic(party))).json()
  const again = await tokensByCode(house, party, {}, browser)
  for (const tokens of [byCode, byPassword, refreshed, own, again]) {
    for (const name of ['access_token', 'refresh_token', 'id_token']) if (tokens[name]) secrets.add(tokens[name])
  }
  await askToken(house, party, exchange)
  await askToken(house, party, { grant_type: 'password', username: party.email, password: 'a wrong password' })
  secrets.add('a wrong password')
  await post(house, '/oauth2/token', {
    grant_type: 'client_credentials',
    ...credentials(party),
    client_secret: 'a wrong secret',
  })
  secrets.add('a wrong secret')
  await tryToken(house, own.access_token)
  await tryToken(house, `${own.access_token}x`)
  await house.app.inject({ url: `/api/v1/me?access_token=${own.access_token}` })
  await post(house, '/oauth2/introspect', { ...credentials(party), token: own.access_token })
  await post(house, '/oauth2/revoke', { ...credentials(party), token: own.access_token })
  const rotated = await rotateSecret(ctx, party.application.id, 0)
  secrets.add(rotated.client_secret ?? '')

  const { invitation } = await createUser(ctx, { email: newEmail(), name: 'Ivo' })
  secrets.add(String(invitation))
  secrets.add(String(invitation).split('.')[1] ?? '')
  await browser.get(`/invitation/${invitation}`)
  await browser.get(`/invitation/${invitation}/`)
  await house.app.inject({ method: 'DELETE', url: `/invitation/${invitation}` })
  await browser.post(`/invitation/${invitation}`, { password })
  const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
  secrets.add(csrf)
  await browser.post('/account/password', { csrf, current: password, next: 'another long password' })
  secrets.add('another long password')
  // The name of an interaction is in its address; it opens nothing without the signature next to it.
  for (const [name, value] of browser.cookies) if (!/^lading_(interaction|resume)$/.test(name)) secrets.add(value)

  const first = 'given by the admin'
  const email = newEmail()
  await createUser(ctx, { email, name: 'Ivo', password: first })
  const choosing = await browser.post('/sign-in', { email, password: first })
  const ticket = /name="ticket" value="([^"]+)"/.exec(choosing.text)?.[1] ?? ''
  for (const secret of [first, ticket]) secrets.add(secret)
  await browser.post('/sign-in', { email: 'the password in the wrong field', password: 'x' })
  secrets.add('the password in the wrong field')
  const recorded = await house.database.transaction(party.org, (run) =>
    run(sql`select e::text from security_events e where e.org_id = ${party.org}`),
  )
  assert.ok(recorded.length > 10)

  // A fault, with all of it in the request: what is logged then is the most.
  await house.pool.end(0)
  await tokensByPassword(house, party).catch(() => {})
  await browser.post('/sign-in', { email: party.email, password })
  await browser.get(`/invitation/${invitation}`)

  const log = lines.join('') + JSON.stringify(recorded)
  assert.match(log, /"security_event":"sign_in.failed"/)
  assert.ok(lines.length > 30)
  for (const secret of secrets) assert.ok(secret.length > 5 && !log.includes(secret), `the log contains ${secret}`)
  assert.ok(!log.includes(encodeURIComponent(password)))
})

test('nothing that opens anything lies in the database in clear', async (t) => {
  // Until the test ends, and not for the file: the files that share this process sign in by the hundred.
  hashCheaply(false)
  t.after(() => hashCheaply(true))
  const house = await sharedHouse()
  const party = await newParty(house)
  const browser = new Browser(house)
  const code = (await authorize(house, party, {}, browser)).searchParams.get('code') ?? ''
  const tokens = await tokensByPassword(house, party)
  const { invitation } = await createUser(systemContext(house.database, party.org), { email: newEmail(), name: 'Ivo' })
  const rows = await house.pool.run(sql`
    select payload::text as text from oidc_records where person_id = ${party.user} union all
    select password_hash from people where id = ${party.user} union all
    select encode(id_sha256, 'escape') from oidc_records where person_id = ${party.user}`)
  const scoped = await Promise.all(
    [
      'applications',
      'application_secrets',
      'invitations',
      'grants',
      'events',
      'security_events',
      'idempotency_keys',
    ].map((table) =>
      house.database.transaction(party.org, (run) =>
        run<{ text: string }>({
          text: `select t::text as text from ${table} t where t.org_id = $1`,
          values: [party.org],
        }),
      ),
    ),
  )
  const all = JSON.stringify([rows, scoped])
  assert.ok(all.length > 1_000)
  const session = browser.cookies.get('lading_session') ?? ''
  for (const secret of [
    code,
    tokens.refresh_token,
    tokens.access_token,
    party.application.client_secret,
    String(invitation),
    password,
    session,
  ]) {
    assert.ok(secret.length > 5)
    assert.ok(!all.includes(secret), secret)
  }
  assert.match(JSON.stringify(rows), /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
