import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createJoinedUser, createUser } from '../../src/identity/users/actions.ts'
import { scopeNames } from '../../src/platform/access/scopes.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { deleteOldEntries } from '../../src/platform/security-log/retention.ts'
import { callerIn, newCaller, openService } from '../service.ts'
import { newAdmin, type Session } from './admin.ts'
import { allow, authorizeUrl, Browser, reachConsent, tokensByCode } from './browser.ts'
import { askToken, newEmail, password, sharedHouse, soon, tokensByPassword } from './house.ts'

const path = '/api/v1/users'
const house = await sharedHouse()

describe('POST /users', { concurrency: true }, () => {
  test('a password that an admin of another organization made up is refused at the invitation, also when it is void there', async () => {
    const [here, there] = [await newAdmin(house), await newAdmin(house)]
    const email = newEmail()
    const given = 'seven lanterns over water'
    const { user } = (await there.call('POST', path, { email, name: 'Sam', password: given })).json()
    const { invitation_url } = (await here.call('POST', path, { email, name: 'Sam' })).json()
    const join = (password: string, account?: string) =>
      new Browser(house).post(new URL(invitation_url).pathname, { password, ...(account && { account }) })
    const refused = await join(given)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /the password that you were given/)
    await there.call('POST', `${path}/${user.id}/invite`)
    assert.equal((await join(given)).status, 400)
    assert.equal((await join('a boat of their own making')).status, 200)
  })

  test('with a mail server shows no link to who invites, and takes no first password', async () => {
    const service = await openService({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@tms.example.com' })
    const { org } = await newCaller(service)
    const admin = callerIn(service, org, scopeNames, () => newId(), 'admin')
    const answer = await admin.call('POST', path, { email: newEmail(), name: 'Sam' })
    assert.deepEqual([answer.statusCode, answer.json().invitation_url], [201, null])
    const again = await admin.call('POST', `${path}/${answer.json().user.id}/invite`)
    assert.deepEqual([again.statusCode, again.json().invitation_url], [200, null])
    const refused = await admin.call('POST', path, { email: newEmail(), name: 'Kim', password })
    assert.deepEqual([refused.statusCode, refused.json().error_code], [400, 'invited_by_mail'])
  })

  test('with a password answers 201 and no invitation, and nobody has joined yet; the event holds no secret', async () => {
    const admin = await newAdmin(house)
    const email = newEmail()
    const answer = await admin.call('POST', path, { email, name: 'Sam', role: 'member', password })
    const { user, invitation_url } = answer.json()
    assert.deepEqual([answer.statusCode, invitation_url, answer.headers.location], [201, null, `${path}/${user.id}`])
    assert.deepEqual(Object.keys(user).sort(), [
      'approves_since',
      'created_at',
      'disabled_at',
      'email',
      'id',
      'joined_at',
      'last_login_at',
      'name',
      'partner_carrier_id',
      'revision',
      'role',
      'updated_at',
    ])
    assert.deepEqual((await admin.get(`${path}/${user.id}`)).json(), { user })
    const events = await admin.events('user')
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [['user.created', user]],
    )
    assert.ok(!JSON.stringify(events).includes(password))
    assert.equal(user.joined_at, null)
  })

  test('without a password answers a link, once; replayed under its key it does not show it again', async () => {
    const admin = await newAdmin(house)
    const headers = { 'idempotency-key': newId() }
    const body = { email: newEmail(), name: 'Sam' }
    const first = (await admin.call('POST', path, body, headers)).json()
    assert.ok(first.invitation_url.startsWith(`${house.url}/invitation/`))
    assert.equal(first.user.joined_at, null)
    const again = await admin.call('POST', path, body, headers)
    assert.deepEqual([again.headers['idempotent-replayed'], again.json().invitation_url], ['true', null])
    const kept = await house.database.transaction(admin.party.org, (run) =>
      run({ text: 'select body from idempotency_keys where org_id = $1', values: [admin.party.org] }),
    )
    assert.ok(!JSON.stringify(kept).includes('/invitation/'))
    const renewed = (await admin.call('POST', `${path}/${first.user.id}/invite`)).json()
    assert.notEqual(renewed.invitation_url, first.invitation_url)
    const open = async (url: string) => (await new Browser(house).get(new URL(url).pathname)).status
    assert.deepEqual([await open(first.invitation_url), await open(renewed.invitation_url)], [404, 200])
    await new Browser(house).post(new URL(renewed.invitation_url).pathname, { password })
    assert.ok((await admin.get(`${path}/${first.user.id}`)).json().user.joined_at)
    assert.equal((await admin.call('POST', `${path}/${first.user.id}/invite`)).statusCode, 409)
    assert.deepEqual(
      (await admin.events('user')).map(({ type }) => type),
      ['user.created', 'user.invited', 'user.joined'],
    )
  })

  test('answers 409 to a person who is a user already, in any case', async () => {
    const admin = await newAdmin(house)
    const email = newEmail()
    await admin.call('POST', path, { email, name: 'Sam' })
    const again = await admin.call('POST', path, { email: email.toUpperCase(), name: 'Sam' })
    assert.deepEqual([again.statusCode, again.json().error_code], [409, 'user_exists'])
  })

  for (const [what, body, field] of [
    ['no address', { email: undefined }, 'email'],
    ['a bad address', { email: 'nobody' }, 'email'],
    ['an address with a NUL', { email: 'a\0@example.com' }, 'email'],
    ['no name', { name: undefined }, 'name'],
    ['an unknown role', { role: 'owner' }, 'role'],
    ['a short password', { password: 'short' }, 'password'],
    ['a very long password', { password: 'x'.repeat(1025) }, 'password'],
  ] as const) {
    test(`answers 400 to ${what} and records nothing`, async () => {
      const admin = await newAdmin(house)
      const answer = await admin.call('POST', path, { email: newEmail(), name: 'Sam', ...body })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, field)
      assert.deepEqual(await admin.events('user'), [])
    })
  }

  test('by twenty at once for one person makes one user', async () => {
    const admin = await newAdmin(house)
    const body = { email: newEmail(), name: 'Sam' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.call('POST', path, body)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [
      201,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })
})

describe('users', { concurrency: true }, () => {
  test('are listed newest first and found by a part of name or address', async () => {
    const admin = await newAdmin(house)
    const email = newEmail()
    await admin.call('POST', path, { email, name: 'Zoë Müller' })
    const { users, total } = (await admin.get(path)).json()
    assert.deepEqual([users[0].email, total], [email, 2])
    for (const term of ['MÜLL', email.slice(2, 9)])
      assert.equal((await admin.get(`${path}?search_term=${encodeURIComponent(term)}`)).json().total, 1)
    assert.equal((await admin.get(`${path}?search_term=${encodeURIComponent('%')}`)).json().total, 0)
    assert.equal((await admin.get(`${path}?limit=x`)).statusCode, 400)
  })

  test('are changed by PUT, which records it, and not at all when If-Match is stale or nothing changes', async () => {
    const admin = await newAdmin(house)
    const { id } = await admin.newMember()
    const changed = await admin.call('PUT', `${path}/${id}`, { role: 'admin' }, { 'if-match': '"2"' })
    assert.deepEqual([changed.statusCode, changed.json().user.role, changed.headers.etag], [200, 'admin', '"3"'])
    for (const [method, url, body] of [
      ['PUT', `${path}/${id}`, { name: 'x' }],
      ['POST', `${path}/${id}/disable`],
      ['POST', `${path}/${id}/enable`],
    ] as const) {
      assert.equal((await admin.call(method, url, body, { 'if-match': '"2"' })).statusCode, 412)
    }
    assert.equal((await admin.call('PUT', `${path}/${id}`, { role: 'admin' })).headers.etag, '"3"')
    assert.equal((await admin.call('PUT', `${path}/${id}`, { role: 'king' })).statusCode, 400)
    const events = (await admin.events('user')).filter(({ subject_id }) => subject_id === id)
    assert.deepEqual(
      events.map(({ type, previous }) => [type, previous]),
      [
        ['user.created', null],
        ['user.joined', null],
        ['user.updated', { role: 'member' }],
      ],
    )
  })

  test('are disabled and enabled, each recorded once', async () => {
    const admin = await newAdmin(house)
    const member = await admin.newMember()
    for (const verb of ['disable', 'disable', 'enable', 'enable'])
      assert.equal((await admin.call('POST', `${path}/${member.id}/${verb}`)).statusCode, 200)
    const types = (await admin.events('user')).map(({ type }) => type)
    assert.deepEqual(types, ['user.created', 'user.joined', 'user.disabled', 'user.enabled'])
    assert.equal((await member.get('/api/v1/me')).statusCode, 401)
  })

  test('are disabled by mail to all admins of that moment, the one who is shut out among them, and not to others', async () => {
    const admin = await newAdmin(house)
    const [second, member] = [await admin.newMember(), await admin.newMember()]
    await admin.call('PUT', `${path}/${second.id}`, { role: 'admin' })
    const addresses = new Map<string, string>(
      (await admin.get(path)).json().users.map((user: { id: string; email: string }) => [user.id, user.email]),
    )
    const emailOf = (id: string) => addresses.get(id) as string
    const told = async () => {
      const { mails } = (await admin.get('/api/v1/mails?kinds=notice')).json()
      return mails.map(({ to, subject }: { to: string[]; subject: string }) => [
        to.toSorted(),
        subject.split(' was ')[0],
      ])
    }
    for (const { id } of [member, member, second])
      assert.equal((await admin.call('POST', `${path}/${id}/disable`)).statusCode, 200)
    const admins = [admin.party.user, second.id].map(emailOf).toSorted()
    const nameOf = async (id: string) => (await admin.get(`${path}/${id}`)).json().user.name
    assert.deepEqual(await told(), [
      [admins, await nameOf(second.id)],
      [admins, await nameOf(member.id)],
    ])
  })

  test('who lost the role admin lose it for the tokens they have', async () => {
    const admin = await newAdmin(house)
    const member = await admin.newMember()
    await admin.call('PUT', `${path}/${member.id}`, { role: 'admin' })
    assert.equal((await member.get(path)).statusCode, 200)
    await admin.call('PUT', `${path}/${member.id}`, { role: 'member' })
    assert.equal((await member.get(path)).statusCode, 403)
  })
})

describe('the last admin', { concurrency: true }, () => {
  test('can be neither disabled nor made a member, not even by an application', async () => {
    const admin = await newAdmin(house)
    const own = await admin.asApplication()
    for (const session of [admin, own]) {
      assert.deepEqual(
        (await session.call('POST', `${path}/${admin.party.user}/disable`)).json().error_code,
        'last_admin',
      )
      assert.deepEqual((await session.call('PUT', `${path}/${admin.party.user}`, { role: 'member' })).statusCode, 409)
    }
    await admin.call('POST', path, { email: newEmail(), name: 'Invited, not here yet', role: 'admin' })
    assert.equal((await admin.call('POST', `${path}/${admin.party.user}/disable`)).statusCode, 409)
  })

  test('stays, when all admins are disabled or demoted at once', async () => {
    const admin = await newAdmin(house)
    const own = await admin.asApplication()
    const ids = [admin.party.user]
    const ctx = systemContext(house.database, admin.party.org)
    for (let count = 0; count < 7; count++)
      ids.push((await createJoinedUser(ctx, { email: newEmail(), name: 'A', role: 'admin', password })).id)
    const answers = await Promise.all(
      ids.map((id, index) =>
        index % 2 ? own.call('POST', `${path}/${id}/disable`) : own.call('PUT', `${path}/${id}`, { role: 'member' }),
      ),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [...Array.from({ length: 7 }, () => 200), 409])
  })
})

describe('every operation on /users', { concurrency: true }, () => {
  const operations = (id: string) =>
    [
      ['GET', path],
      ['POST', path, { email: newEmail(), name: 'x' }],
      ['GET', `${path}/${id}`],
      ['PUT', `${path}/${id}`, { name: 'x' }],
      ['POST', `${path}/${id}/disable`],
      ['POST', `${path}/${id}/enable`],
      ['POST', `${path}/${id}/invite`],
    ] as const

  test('answers 403 to a member and to a token without the scope, 401 to none, 404 across organizations, 400 to a malformed id', async () => {
    const admin = await newAdmin(house)
    const member = await admin.newMember()
    const narrow = await admin.withScopes(scopeNames.filter((scope) => scope !== 'users'))
    const stranger = await newAdmin(house)
    for (const [method, url, body] of operations(member.id)) {
      assert.equal((await member.call(method, url, body)).json().error_code, 'admin_required')
      assert.equal((await narrow.call(method, url, body)).json().error_code, 'insufficient_scope')
      assert.equal((await narrow.call(method, url, body, { authorization: '' })).statusCode, 401)
      if (url === path) continue
      assert.equal((await stranger.call(method, url, body)).statusCode, 404, `${method} ${url}`)
      assert.equal((await stranger.call(method, url.replace(member.id, 'nonsense'), body)).statusCode, 400)
    }
  })
})

describe('GET /security_events', { concurrency: true }, () => {
  const log = '/api/v1/security_events'
  type Entry = {
    id: string
    type: string
    summary: string
    user: { id: string } | null
    actor: { id: string } | null
    address: string
    user_agent: string
  }
  const entriesOf = async ({ get }: Session, query = 'limit=200'): Promise<Entry[]> =>
    (await get(`${log}?${query}`)).json().security_events
  const typesOf = (entries: Entry[]) => entries.map(({ type }) => type)
  const signIn = (browser: Browser, email: string, attempt = password) =>
    browser.post('/sign-in', { email, password: attempt }, { 'user-agent': 'A browser of the test' })

  test('has sign-ins that succeeded and failed, with address and user agent, and in what way', async () => {
    const admin = await newAdmin(house)
    const member = await admin.newMember()
    const browser = new Browser(house)
    await signIn(browser, member.email, 'a wrong password')
    await signIn(browser, member.email)
    const about = `user_id=${member.id}&types=sign_in.failed,sign_in.succeeded`
    assert.ok(
      await soon(async () => (await entriesOf(admin, about)).length === 3),
      'nobody waits for the entry of a failure',
    )
    const [byPassword, ...onPage] = (await entriesOf(admin, about)).reverse()
    assert.match(byPassword?.summary ?? '', /through an application/)
    assert.deepEqual(new Set(typesOf(onPage)), new Set(['sign_in.failed', 'sign_in.succeeded']))
    for (const entry of onPage)
      assert.deepEqual([entry.address, entry.user_agent], [browser.address, 'A browser of the test'])
    const failure = onPage.find(({ type }) => type === 'sign_in.failed')
    assert.deepEqual([failure?.summary, failure?.actor], ['Failed to sign in: the password is wrong.', null])
    await admin.call('POST', `${path}/${member.id}/disable`)
    await signIn(new Browser(house), member.email)
    assert.ok(
      await soon(async () =>
        (await entriesOf(admin, about)).some(({ summary }) => /the user is disabled/.test(summary)),
      ),
    )
  })

  test('has every change of users, roles, applications, secrets, grants and passwords, and says who did it from where', async () => {
    const admin = await newAdmin(house)
    const at = { 'x-forwarded-for': '203.0.113.77', 'user-agent': 'lading-test' }
    const { user } = (await admin.call('POST', path, { email: newEmail(), name: 'Sam' }, at)).json()
    await admin.call('PUT', `${path}/${user.id}`, { role: 'admin' }, at)
    await admin.call('POST', `${path}/${user.id}/disable`, undefined, at)
    await admin.call('POST', `${path}/${user.id}/enable`, undefined, at)
    const link = (await admin.call('POST', `${path}/${user.id}/invite`, undefined, at)).json().invitation_url
    await new Browser(house).post(new URL(link).pathname, { password })
    const made = (
      await admin.call('POST', '/api/v1/oauth_applications', { name: 'Sync', grant_types: ['client_credentials'] }, at)
    ).json().oauth_application
    const one = `/api/v1/oauth_applications/${made.id}`
    await admin.call('PUT', one, { scopes: ['bills'] }, at)
    await admin.call('POST', `${one}/rotate_secret`, {}, at)
    for (const verb of ['disable', 'enable']) await admin.call('POST', `${one}/${verb}`, undefined, at)
    await admin.call('DELETE', one, undefined, at)
    const browser = new Browser(house)
    await tokensByCode(house, admin.party, {}, browser)
    const account = (await browser.get('/account')).text
    const csrf = /name="csrf" value="([^"]+)"/.exec(account)?.[1] ?? ''
    await browser.post('/account/grants/revoke', {
      csrf,
      grant: /name="grant" value="([^"]+)"/.exec(account)?.[1] ?? '',
    })
    const application = await admin.asApplication()
    const entries = (await entriesOf(application)).reverse()
    assert.deepEqual(
      typesOf(entries).filter((type) => !type.startsWith('sign_in')),
      ['user.created', 'user.joined', 'oauth_application.created']
        .concat(['user.created', 'user.updated', 'user.disabled', 'user.enabled', 'user.invited', 'user.joined'])
        .concat(
          ['created', 'updated', 'secret_rotated', 'disabled', 'enabled', 'deleted'].map(
            (verb) => `oauth_application.${verb}`,
          ),
        )
        .concat(['grant.created', 'grant.revoked']),
    )
    const role = entries.find(({ type }) => type === 'user.updated')
    assert.deepEqual(
      [role?.summary, role?.user?.id, role?.actor?.id, role?.address, role?.user_agent],
      ['Changed the role of Sam from member to admin.', user.id, admin.party.user, '203.0.113.77', 'lading-test'],
    )
    await browser.post('/account/password', { csrf, current: password, next: 'seven lanterns at dusk' })
    assert.deepEqual(typesOf(await entriesOf(application, 'types=password.changed')), ['password.changed'])
  })

  test('writes nothing when the change is refused', async () => {
    const admin = await newAdmin(house)
    const before = (await entriesOf(admin)).length
    assert.equal((await admin.call('POST', `${path}/${admin.party.user}/disable`)).statusCode, 409)
    assert.equal((await entriesOf(admin)).length, before)
  })

  test('tells no organization when somebody works in another; of failures, which name none, each learns', async () => {
    const [here, there] = [await newAdmin(house), await newAdmin(house)]
    const { email } = here.party
    const { id, invitation } = await createUser(systemContext(house.database, there.party.org), {
      email,
      name: 'Ada Elsewhere',
    })
    await new Browser(house).post(`/invitation/${invitation}`, { account: 'existing', password })
    const before = (await entriesOf(here)).length
    await tokensByPassword(house, { ...there.party, email })
    const browser = new Browser(house)
    const page = await reachConsent(browser, { ...there.party, email }, authorizeUrl(there.party))
    await allow(browser, there.party, page)
    assert.equal((await entriesOf(here)).length, before)
    const about = await entriesOf(there, `user_id=${id}`)
    assert.deepEqual(typesOf(about).reverse(), [
      'user.created',
      'user.joined',
      'sign_in.succeeded',
      'sign_in.succeeded',
      'grant.created',
    ])
    await signIn(new Browser(house), email, 'a wrong password')
    for (const admin of [here, there])
      assert.ok(await soon(async () => (await entriesOf(admin, 'types=sign_in.failed')).length === 1))
    await askToken(house, there.party, { grant_type: 'password', username: newEmail(), password })
    assert.ok(
      await soon(async () => (await entriesOf(there, 'types=sign_in.failed')).length === 2),
      'guesses through an application are its own',
    )
    assert.equal((await entriesOf(here, 'types=sign_in.failed')).length, 1)
  })

  test('pages, filters by time, and refuses what it cannot read, members, and tokens without the scope', async () => {
    const admin = await newAdmin(house)
    const member = await admin.newMember()
    const all = await entriesOf(admin)
    const second = (await admin.get(`${log}?limit=1&offset=1`)).json()
    assert.deepEqual([second.security_events, second.total, second.limit], [[all[1]], all.length, 1])
    assert.deepEqual(await entriesOf(admin, 'occurred_start_at=2099-01-01'), [])
    assert.deepEqual(await entriesOf(admin, 'occurred_end_at=2020-01-01'), [])
    for (const bad of ['types=nonsense', 'user_id=nonsense', 'occurred_start_at=soon', 'limit=x'])
      assert.equal((await admin.get(`${log}?${bad}`)).statusCode, 400)
    assert.equal((await member.get(log)).json().error_code, 'admin_required')
    assert.equal((await (await admin.withScopes(['bills'])).get(log)).json().error_code, 'insufficient_scope')
  })

  test('keeps entries for as long as the operator wants', async () => {
    const admin = await newAdmin(house)
    const [oldest] = (await entriesOf(admin)).reverse()
    const before = (await entriesOf(admin)).length
    await house.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${admin.party.org}'`, values: [] })
      await run(
        sql`update security_events set occurred_at = now() - interval '401 days' where org_id = ${admin.party.org} and id = ${oldest?.id}`,
      )
    })
    await deleteOldEntries(house.database, 400)
    assert.equal((await entriesOf(admin)).length, before - 1)
    assert.ok(!(await entriesOf(admin)).some(({ id }) => id === oldest?.id))
  })
})

test('GET /me says who the token speaks for, in which organization, and what it may do', async () => {
  const admin = await newAdmin(house)
  const narrow = await admin.withScopes(['bills', 'orders'])
  const { user, ...rest } = (await narrow.get('/api/v1/me')).json()
  const { user: id, org, application, email } = admin.party
  assert.deepEqual(rest, {
    actor: { type: 'user', id },
    organization: { id: org, name: 'An organization' },
    application: { client_id: application.client_id },
    access: 'read_write',
    rights: ['read', 'enter', 'approve', 'pay', 'see_bank_details', 'administer'],
    scopes: ['bills', 'orders'],
  })
  assert.deepEqual([user.id, user.email, user.role], [id, email, 'admin'])
  const own = (await (await admin.asApplication()).get('/api/v1/me')).json()
  assert.deepEqual([own.actor, own.user], [{ type: 'application', id: application.client_id }, null])
})
