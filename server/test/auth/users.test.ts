import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scopeNames } from '../../src/auth/scopes.ts'
import { newId } from '../../src/core/ids.ts'
import { newAdmin } from './admin.ts'
import { Browser } from './browser.ts'
import { newEmail, openHouse, password, tokensByPassword } from './house.ts'

const path = '/api/v1/users'
const house = await openHouse()

describe('POST /users', { concurrency: true }, () => {
  test('with a password answers 201 and no invitation, and the user can sign in; the event holds no secret', async () => {
    const admin = await newAdmin(house)
    const email = newEmail()
    const answer = await admin.call('POST', path, { email, name: 'Sam', role: 'member', password })
    const { user, invitation_url } = answer.json()
    assert.deepEqual([answer.statusCode, invitation_url, answer.headers.location], [201, null, `${path}/${user.id}`])
    assert.deepEqual(Object.keys(user).sort(), [
      'created_at',
      'disabled_at',
      'email',
      'id',
      'joined_at',
      'last_login_at',
      'name',
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
    await tokensByPassword(house, { ...admin.party, email })
    assert.ok((await admin.get(`${path}/${user.id}`)).json().user.last_login_at)
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
    const kept = await house.database.transaction(admin.party.org, (run) => run({ text: 'select body from idempotency_keys', values: [] }))
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
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array.from({ length: 19 }, () => 409)])
  })
})

describe('users', { concurrency: true }, () => {
  test('are listed newest first and found by a part of name or address', async () => {
    const admin = await newAdmin(house)
    const email = newEmail()
    await admin.call('POST', path, { email, name: 'Zoë Müller' })
    const { users, total } = (await admin.get(path)).json()
    assert.deepEqual([users[0].email, total], [email, 2])
    for (const term of ['MÜLL', email.slice(2, 9)]) assert.equal((await admin.get(`${path}?search_term=${encodeURIComponent(term)}`)).json().total, 1)
    assert.equal((await admin.get(`${path}?search_term=${encodeURIComponent('%')}`)).json().total, 0)
    assert.equal((await admin.get(`${path}?limit=x`)).statusCode, 400)
  })

  test('are changed by PUT, which records it, and not at all when If-Match is stale or nothing changes', async () => {
    const admin = await newAdmin(house)
    const { id } = await admin.newMember()
    const changed = await admin.call('PUT', `${path}/${id}`, { role: 'admin' }, { 'if-match': '"1"' })
    assert.deepEqual([changed.statusCode, changed.json().user.role, changed.headers.etag], [200, 'admin', '"2"'])
    for (const [method, url, body] of [
      ['PUT', `${path}/${id}`, { name: 'x' }],
      ['POST', `${path}/${id}/disable`],
      ['POST', `${path}/${id}/enable`],
    ] as const) {
      assert.equal((await admin.call(method, url, body, { 'if-match': '"1"' })).statusCode, 412)
    }
    assert.equal((await admin.call('PUT', `${path}/${id}`, { role: 'admin' })).headers.etag, '"2"')
    assert.equal((await admin.call('PUT', `${path}/${id}`, { role: 'king' })).statusCode, 400)
    const events = (await admin.events('user')).filter(({ subject_id }) => subject_id === id)
    assert.deepEqual(
      events.map(({ type, previous }) => [type, previous]),
      [
        ['user.created', null],
        ['user.updated', { role: 'member' }],
      ],
    )
  })

  test('are disabled and enabled, each recorded once', async () => {
    const admin = await newAdmin(house)
    const member = await admin.newMember()
    for (const verb of ['disable', 'disable', 'enable', 'enable']) assert.equal((await admin.call('POST', `${path}/${member.id}/${verb}`)).statusCode, 200)
    const types = (await admin.events('user')).map(({ type }) => type)
    assert.deepEqual(types, ['user.created', 'user.disabled', 'user.enabled'])
    assert.equal((await member.get('/api/v1/me')).statusCode, 401)
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
      assert.deepEqual((await session.call('POST', `${path}/${admin.party.user}/disable`)).json().error_code, 'last_admin')
      assert.deepEqual((await session.call('PUT', `${path}/${admin.party.user}`, { role: 'member' })).statusCode, 409)
    }
    await admin.call('POST', path, { email: newEmail(), name: 'Invited, not here yet', role: 'admin' })
    assert.equal((await admin.call('POST', `${path}/${admin.party.user}/disable`)).statusCode, 409)
  })

  test('stays, when all admins are disabled or demoted at once', async () => {
    const admin = await newAdmin(house)
    const own = await admin.asApplication()
    const ids = [admin.party.user]
    for (let count = 0; count < 7; count++) ids.push((await own.call('POST', path, { email: newEmail(), name: 'A', role: 'admin', password })).json().user.id)
    const answers = await Promise.all(
      ids.map((id, index) => (index % 2 ? own.call('POST', `${path}/${id}/disable`) : own.call('PUT', `${path}/${id}`, { role: 'member' }))),
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

test('GET /me says who the token speaks for, in which organization, and what it may do', async () => {
  const admin = await newAdmin(house)
  const narrow = await admin.withScopes(['bills', 'orders'])
  const { user, ...rest } = (await narrow.get('/api/v1/me')).json()
  const { user: id, org, application, email } = admin.party
  assert.deepEqual(rest, {
    actor: { type: 'user', id },
    organization: { id: org, name: 'An organization' },
    application: { client_id: application.client_id },
    scopes: ['bills', 'orders'],
  })
  assert.deepEqual([user.id, user.email, user.role], [id, email, 'admin'])
  const own = (await (await admin.asApplication()).get('/api/v1/me')).json()
  assert.deepEqual([own.actor, own.user], [{ type: 'application', id: application.client_id }, null])
})
