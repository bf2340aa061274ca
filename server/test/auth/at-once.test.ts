import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endAllAccess } from '../../src/identity/account/access.ts'
import {
  disableApplication,
  enableApplication,
  removeApplication,
  rotateSecret,
  updateApplication,
} from '../../src/identity/applications/actions.ts'
import { findGrant, keepGrant } from '../../src/identity/people/grants.ts'
import { findPeopleByEmail, type Owner } from '../../src/identity/people/people-store.ts'
import { proofOf } from '../../src/identity/people/proofs.ts'
import { createJoinedUser, disableUser, enableUser } from '../../src/identity/users/actions.ts'
import { newIdWithin } from '../../src/platform/access/organization-ids.ts'
import type { Claims } from '../../src/platform/access/tokens/access-token.ts'
import { leaseMs } from '../../src/platform/access/tokens/lease.ts'
import { type Revocations, revoke, watchRevocations } from '../../src/platform/access/tokens/revocations.ts'
import { transaction } from '../../src/platform/context.ts'
import { Refusal } from '../../src/platform/core/refusal.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import type { Pool } from '../../src/platform/db/pool/connect.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { systemContext } from '../../src/platform/organizations/actions.ts'
import { actionIn, authorizeUrl, Browser, tokensByCode } from './browser.ts'
import {
  askToken,
  credentials,
  newEmail,
  newParty,
  openSecond,
  type Party,
  password,
  post,
  refresh,
  sharedHouse,
  tokensByPassword,
  tryToken,
} from './house.ts'

const house = await sharedHouse()
const second = await openSecond(house)

const contextOf = ({ org }: Party) => systemContext(house.database, org)
const ownerAt = async ({ email }: Party) => (await findPeopleByEmail(house.pool, email))[0] as Owner
const isDeadElsewhere = async (token: string) => (await tryToken(second, token)) === 401
const byItself = (party: Party) => askToken(second, party, { grant_type: 'client_credentials' })

describe('when it is answered, on another process,', { concurrency: true }, () => {
  test('a revoked access token is dead, and no other', async () => {
    const party = await newParty(house)
    const [one, other] = [await tokensByPassword(house, party), await tokensByPassword(house, party)]
    assert.equal(await tryToken(second, one.access_token), 200)
    assert.equal(
      (await post(house, '/oauth2/revoke', { ...credentials(party), token: one.access_token })).statusCode,
      200,
    )
    assert.ok(await isDeadElsewhere(one.access_token))
    assert.equal(await tryToken(second, other.access_token), 200)
    assert.equal((await refresh(second, party, one.refresh_token)).statusCode, 200, 'its grant lives on')
  })

  test('a revoked refresh token takes its access tokens along', async () => {
    const party = await newParty(house)
    const tokens = await tokensByPassword(house, party)
    await post(house, '/oauth2/revoke', {
      ...credentials(party),
      token: tokens.refresh_token,
      token_type_hint: 'refresh_token',
    })
    assert.ok(await isDeadElsewhere(tokens.access_token))
    assert.equal((await refresh(second, party, tokens.refresh_token)).json().error, 'invalid_grant')
  })

  test('nobody else can revoke a token, or look into it', async () => {
    const [party, stranger] = [await newParty(house), await newParty(house)]
    const tokens = await tokensByPassword(house, party)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.equal((await post(house, '/oauth2/revoke', { ...credentials(stranger), token })).statusCode, 200)
      assert.deepEqual((await post(house, '/oauth2/introspect', { ...credentials(stranger), token })).json(), {
        active: false,
      })
    }
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
    for (const token of [persons.access_token, own]) assert.ok(await isDeadElsewhere(token))
    assert.equal((await byItself(party)).json().error, 'invalid_client')
    assert.equal((await refresh(second, party, persons.refresh_token)).json().error, 'invalid_client')
  })

  test('a disabled application is unknown and all its access tokens are dead; an enabled one gets new ones', async () => {
    const party = await newParty(house)
    const persons = await tokensByPassword(house, party)
    const own = (await byItself(party)).json().access_token
    await disableApplication(contextOf(party), party.application.id, null)
    for (const token of [persons.access_token, own]) assert.ok(await isDeadElsewhere(token))
    assert.equal((await byItself(party)).json().error, 'invalid_client')
    assert.equal((await refresh(second, party, persons.refresh_token)).json().error, 'invalid_client')
    await enableApplication(contextOf(party), party.application.id, null)
    assert.equal(await tryToken(second, (await byItself(party)).json().access_token), 200)
    assert.ok(await isDeadElsewhere(own))
  })

  test('a scope taken from an application is gone from its tokens, and does not come back by refreshing', async () => {
    const party = await newParty(house, { scopes: ['bills', 'orders'] })
    const persons = await tokensByPassword(house, party)
    await updateApplication(contextOf(party), party.application.id, { scopes: ['bills'] }, null)
    assert.ok(await isDeadElsewhere(persons.access_token))
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
    assert.ok(await isDeadElsewhere(before.access_token))
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
    assert.ok(await isDeadElsewhere(tokens.access_token))
    assert.equal((await refresh(second, party, tokens.refresh_token)).json().error, 'invalid_grant')
    assert.equal((await there.get('/account')).location, '/sign-in')
    assert.equal((await here.get('/account')).status, 200)
    assert.equal(
      (await askToken(second, party, { grant_type: 'password', username: party.email, password })).statusCode,
      400,
    )
    const renewed = await tokensByPassword(second, party, { password: next })
    assert.equal(await tryToken(second, renewed.access_token), 200)
  })

  const changePassword = async ({ email }: Party) => {
    const browser = new Browser(house)
    await browser.post('/sign-in', { email, password })
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? ''
    assert.equal(
      (await browser.post('/account/password', { csrf, current: password, next: 'another long password' })).status,
      200,
    )
    assert.equal((await browser.get('/account')).status, 200, 'who changed it stays signed in')
  }
  const endings: [string, (party: Party) => Promise<void>][] = [
    ['a changed password', changePassword],
    ['the end of all access', ({ email }) => endAllAccess(house.database, email)],
  ]
  for (const [what, end] of endings) {
    test(`${what} voids sign-ins that are not finished yet`, async () => {
      const party = await newParty(house)
      const browser = new Browser(second)
      const page = await browser.follow(await browser.get(authorizeUrl(party)))
      const entered = await browser.post(actionIn(page), { email: party.email, password })
      await end(party)
      const after = await browser.follow(entered)
      assert.match(actionIn(after), /\/login$/)
      assert.equal((await browser.get('/account')).location, '/sign-in')
    })

    test(`${what} voids what requests under way write only then`, async () => {
      const party = await newParty(house)
      const { id: person } = await ownerAt(party)
      const [signedIn, entered] = [new Browser(second), new Browser(second)]
      await signedIn.post('/sign-in', { email: party.email, password })
      const consent = await signedIn.follow(await signedIn.get(authorizeUrl(party)))
      const page = await entered.follow(await entered.get(authorizeUrl(party)))
      const onward = await entered.post(actionIn(page), { email: party.email, password })
      const by = { person, proof: proofOf(await ownerAt(party)) }
      const written = await house.pool.run(sql`
        select to_jsonb(r) as row from oidc_records r where person_id = ${person} or payload -> 'result' -> 'login' ->> 'accountId' = ${person}`)
      assert.equal(written.length, 2, 'a session, and what was entered on the sign-in page')
      await end(party)
      await house.pool.run(sql`
        insert into oidc_records select (jsonb_populate_record(null::oidc_records, w -> 'row')).* from jsonb_array_elements(${JSON.stringify(written)}::jsonb) as w
        on conflict do nothing`)
      assert.equal((await signedIn.get('/account')).location, '/sign-in')
      assert.match(
        (await signedIn.post(actionIn(consent), { decision: 'allow', organization: party.org })).text,
        /expired/i,
      )
      assert.match(actionIn(await entered.follow(onward)), /\/login$/)
      const grant = {
        id: newIdWithin(party.org),
        org_id: party.org,
        user_id: party.user,
        client_id: party.application.client_id,
        seconds: 60,
      }
      assert.equal(await keepGrant(house.database, { ...grant, by }), false)
      assert.equal(await findGrant(house.database, grant.id), undefined)
    })
  }

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

/** A token of a user, as far as revocations look at it. */
const claimsFor = ({ org }: Party, sub: string) =>
  ({ org_id: org, sub, jti: newId(), client_id: 'app', iat: Math.floor(Date.now() / 1000) }) as Claims

/** Whether a process would take the token without asking the database first. */
function takes(process: Revocations, claims: Claims): boolean {
  const waiting = process.catchUp()
  waiting?.catch(() => {})
  return !waiting && !process.isRevoked(claims)
}

async function newMember(party: Party): Promise<string> {
  return (await createJoinedUser(contextOf(party), { email: newEmail(), name: 'Mo Member', password })).id
}

/** One more process that checks tokens, on a connection to the database that a test can spoil. */
async function watching(t: TestContext, spoilt: Partial<Pool> = {}) {
  let broken: Promise<never> | null = null
  let ahead = 0
  const run: Pool['run'] = async (statement) => {
    if (broken) await broken
    return house.pool.run(statement)
  }
  const process = await watchRevocations({ ...house.pool, run, ...spoilt }, () => ({
    steady: performance.now() + ahead,
    wall: Date.now() + ahead,
  }))
  const { promise: stalled, reject: fail } = Promise.withResolvers<never>()
  stalled.catch(() => {})
  t.after(() => {
    fail(new Error('the test is over'))
    // Else its row would stay, and others would wait for it.
    broken = null
    return process.close()
  })
  return {
    process,
    /** From now on no answer of the database reaches it. */
    stall() {
      broken = stalled
    },
    fail() {
      broken = stalled
      fail(new Error('away'))
    },
    later(ms: number) {
      ahead += ms
    },
  }
}

describe('when a user or an application is disabled, no process takes their token without asking the database,', {
  concurrency: true,
}, () => {
  test('not one that hears no notifications', async (t) => {
    const { process } = await watching(t, { open: () => Promise.reject(new Error('no notifications here')) })
    const party = await newParty(house)
    const id = await newMember(party)
    const claims = claimsFor(party, id)
    assert.equal(process.isRevoked(claims), false)
    await disableUser(contextOf(party), id, null)
    assert.equal(takes(process, claims), false)
  })

  test('not one that stalls, for whichever of two who disable at once is answered first', async (t) => {
    const { process, stall } = await watching(t)
    const party = await newParty(house)
    const id = await newMember(party)
    const claims = claimsFor(party, id)
    stall()
    const both = [disableUser(contextOf(party), id, null), disableUser(contextOf(party), id, null)]
    await Promise.race(both)
    assert.equal(takes(process, claims), false)
    await Promise.all(both)
  })

  test('nor the token of an application that two disable at once', async (t) => {
    const { process, stall } = await watching(t)
    const party = await newParty(house)
    const { id, client_id } = party.application
    const claims = { ...claimsFor(party, client_id), client_id }
    stall()
    const both = [disableApplication(contextOf(party), id, null), disableApplication(contextOf(party), id, null)]
    await Promise.race(both)
    assert.equal(takes(process, claims), false)
    await Promise.all(both)
  })

  test('not one that started while they were being disabled', async (t) => {
    const party = await newParty(house)
    for (let round = 0; round < 5; round++) {
      const id = await newMember(party)
      const claims = claimsFor(party, id)
      const [{ process }] = await Promise.all([watching(t), disableUser(contextOf(party), id, null)])
      assert.equal(takes(process, claims), false)
    }
  })
})

describe('a process', { concurrency: true }, () => {
  test('whose lease is over reads before it answers, and where it cannot says so instead of guessing', async (t) => {
    const { process, later, fail } = await watching(t)
    const party = await newParty(house)
    later(leaseMs)
    await process.catchUp()
    assert.equal(process.catchUp(), null)
    later(leaseMs)
    fail()
    await assert.rejects(
      async () => process.catchUp(),
      (error) => error instanceof Refusal && error.kind === 'unavailable',
    )
    assert.equal(takes(process, claimsFor(party, newId())), false)
  })
})

describe('a token that is being issued while something is taken away', { concurrency: true }, () => {
  test('is no younger than the revocation, however long that took to be committed', async () => {
    const party = await newParty(house)
    let last: Date | undefined
    await transaction(contextOf(party), async (ctx) => {
      await revoke(ctx, 'application', party.application.client_id)
      await sleep(200)
      ;[{ last }] = (await ctx.run<{ last: Date }>(sql`select clock_timestamp() as last`)) as [{ last: Date }]
    })
    const [row] = await house.pool.run<{ issued_until: Date }>(
      sql`select issued_until from revocations where kind = 'application' and subject = ${party.application.client_id}`,
    )
    assert.ok(
      (row?.issued_until as Date) >= (last as Date),
      `${row?.issued_until.toISOString()} ${last?.toISOString()}`,
    )
  })

  test('does not keep a scope that the application lost while the request waited', async () => {
    const party = await newParty(house, { scopes: ['bills', 'orders', 'legs'] })
    const { id } = party.application
    await updateApplication(contextOf(party), id, { scopes: ['bills', 'orders'] }, null)
    // It waits out the second of the first change, with what it knew of the application when it came.
    const waiting = byItself(party)
    await updateApplication(contextOf(party), id, { scopes: ['bills'] }, null)
    const answer = await waiting
    const { access_token, scope, error } = answer.json()
    if (scope === 'bills orders') assert.equal(await tryToken(second, access_token), 401)
    else assert.ok(scope === 'bills' || error === 'invalid_scope', answer.body)
  })
})
