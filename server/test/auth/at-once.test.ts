import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { removeApplication, rotateSecret, updateApplication } from '../../src/auth/applications/actions.ts'
import { systemContext } from '../../src/auth/organizations/actions.ts'
import { createJoinedUser, disableUser, enableUser } from '../../src/auth/users/actions.ts'
import { Browser, tokensByCode } from './browser.ts'
import {
  askToken,
  credentials,
  newEmail,
  newParty,
  openHouse,
  openSecond,
  type Party,
  password,
  post,
  refresh,
  soon,
  tokensByPassword,
  tryToken,
} from './house.ts'

const house = await openHouse()
const second = await openSecond(house)

const contextOf = ({ org }: Party) => systemContext(house.database, org)
const diesElsewhere = (token: string) => soon(async () => (await tryToken(second, token)) === 401)
const byItself = (party: Party) => askToken(second, party, { grant_type: 'client_credentials' })

describe('within a second, on another process,', { concurrency: true }, () => {
  test('a revoked access token is dead, and no other', async () => {
    const party = await newParty(house)
    const [one, other] = [await tokensByPassword(house, party), await tokensByPassword(house, party)]
    assert.equal(await tryToken(second, one.access_token), 200)
    assert.equal((await post(house, '/oauth2/revoke', { ...credentials(party), token: one.access_token })).statusCode, 200)
    assert.ok(await diesElsewhere(one.access_token))
    assert.equal(await tryToken(second, other.access_token), 200)
    assert.equal((await refresh(second, party, one.refresh_token)).statusCode, 200, 'its grant lives on')
  })

  test('a revoked refresh token takes its access tokens along', async () => {
    const party = await newParty(house)
    const tokens = await tokensByPassword(house, party)
    await post(house, '/oauth2/revoke', { ...credentials(party), token: tokens.refresh_token, token_type_hint: 'refresh_token' })
    assert.ok(await diesElsewhere(tokens.access_token))
    assert.equal((await refresh(second, party, tokens.refresh_token)).json().error, 'invalid_grant')
  })

  test('nobody else can revoke a token, or look into it', async () => {
    const [party, stranger] = [await newParty(house), await newParty(house)]
    const tokens = await tokensByPassword(house, party)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.equal((await post(house, '/oauth2/revoke', { ...credentials(stranger), token })).statusCode, 200)
      assert.deepEqual((await post(house, '/oauth2/introspect', { ...credentials(stranger), token })).json(), { active: false })
    }
    await second.authority.revocations.refresh()
    assert.equal(await tryToken(second, tokens.access_token), 200)
    assert.equal((await refresh(second, party, tokens.refresh_token)).statusCode, 200)
  })

  test('a secret rotated out is worth nothing; with an overlap both are good', async () => {
    const party = await newParty(house)
    const { id } = party.application
    const next = await rotateSecret(contextOf(party), id, 60)
    const renewed = { ...party, application: next as Party['application'] }
    assert.equal((await byItself(party)).statusCode, 200)
    assert.equal((await byItself(renewed)).statusCode, 200)
    const last = await rotateSecret(contextOf(party), id, 0)
    for (const old of [party, renewed]) assert.equal((await byItself(old)).statusCode, 401)
    assert.equal((await byItself({ ...party, application: last as Party['application'] })).statusCode, 200)
  })

  test('a deleted application is unknown and all its tokens are dead', async () => {
    const party = await newParty(house)
    const persons = await tokensByPassword(house, party)
    const own = (await byItself(party)).json().access_token
    await removeApplication(contextOf(party), party.application.id, null)
    for (const token of [persons.access_token, own]) assert.ok(await diesElsewhere(token))
    assert.equal((await byItself(party)).json().error, 'invalid_client')
    assert.equal((await refresh(second, party, persons.refresh_token)).json().error, 'invalid_client')
  })

  test('a scope taken from an application is gone from its tokens, and does not come back by refreshing', async () => {
    const party = await newParty(house, { scopes: ['bills', 'orders'] })
    const persons = await tokensByPassword(house, party)
    await updateApplication(contextOf(party), party.application.id, { scopes: ['bills'] }, null)
    assert.ok(await diesElsewhere(persons.access_token))
    const refreshed = (await refresh(second, party, persons.refresh_token)).json()
    assert.equal(refreshed.scope, 'bills')
    assert.equal(await tryToken(second, refreshed.access_token), 200)
    assert.equal(await tryToken(second, (await byItself(party)).json().access_token), 200)
  })

  test('a disabled user is out, and in again when enabled, though not with what was theirs before', async () => {
    const party = await newParty(house)
    const email = newEmail()
    const { id } = await createJoinedUser(contextOf(party), { email, name: 'Mo Member', password })
    const member = { ...party, email }
    const before = await tokensByPassword(house, member)
    const admins = await tokensByPassword(house, party)
    await disableUser(contextOf(party), id, null)
    assert.ok(await diesElsewhere(before.access_token))
    assert.equal((await refresh(second, member, before.refresh_token)).json().error, 'invalid_grant')
    const refused = await askToken(second, member, { grant_type: 'password', username: email, password })
    assert.equal(refused.json().error, 'invalid_grant')
    assert.equal(await tryToken(second, admins.access_token), 200)
    await enableUser(contextOf(party), id, null)
    const again = await tokensByPassword(second, member)
    assert.equal(await tryToken(second, again.access_token), 200)
    assert.equal(await tryToken(second, before.access_token), 401)
    assert.equal((await refresh(second, member, before.refresh_token)).json().error, 'invalid_grant')
  })

  test('a changed password ends every other session and every token, and the old one opens nothing', async () => {
    const party = await newParty(house)
    const [here, there] = [new Browser(house), new Browser(house)]
    const tokens = await tokensByCode(house, party, {}, there)
    assert.equal((await here.post('/sign-in', { email: party.email, password })).location, '/account')
    const csrf = /name="csrf" value="([^"]+)"/.exec((await here.get('/account')).text)?.[1] ?? ''
    const next = 'another long password'
    assert.equal((await here.post('/account/password', { csrf, current: 'wrong password', next })).status, 400)
    assert.equal((await here.post('/account/password', { csrf, current: password, next: 'short' })).status, 400)
    assert.equal((await here.post('/account/password', { csrf, current: password, next })).status, 200)
    assert.ok(await diesElsewhere(tokens.access_token))
    assert.equal((await refresh(second, party, tokens.refresh_token)).json().error, 'invalid_grant')
    assert.equal((await there.get('/account')).location, '/sign-in')
    assert.equal((await here.get('/account')).status, 200)
    assert.equal((await askToken(second, party, { grant_type: 'password', username: party.email, password })).statusCode, 400)
    const renewed = await tokensByPassword(second, party, { password: next })
    assert.equal(await tryToken(second, renewed.access_token), 200)
  })

  test('a session ended on the account page is over', async () => {
    const party = await newParty(house)
    const [here, there] = [new Browser(house), new Browser(second)]
    for (const browser of [here, there]) await browser.post('/sign-in', { email: party.email, password })
    const page = (await here.get('/account')).text
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const session = /name="session" value="([^"]+)"/.exec(page)?.[1] ?? ''
    await here.post('/account/sessions/end', { csrf, session })
    assert.equal((await there.get('/account')).location, '/sign-in')
  })
})
