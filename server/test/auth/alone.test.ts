import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { deleteExpired } from '../../src/identity/people/expiry.ts'
import { openKeyring, rotateKeys } from '../../src/platform/access/tokens/keyring.ts'
import { connect } from '../../src/platform/db/pool/connect.ts'
import type { Address } from '../../src/platform/db/postgres/embedded.ts'
import { migrate } from '../../src/platform/db/schema/migrate.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { addressWith, makeDatabase } from '../cluster.ts'
import { testTarget } from '../service.ts'
import { authorize } from './browser.ts'
import { credentials, newParty, openHouse, openSecond, post, refresh, tokensByPassword, tryToken } from './house.ts'

/** What concerns the service as a whole would disturb the other tests: this file has a database of its own, where the role may make one. */
async function databaseOfOurOwn(): Promise<boolean> {
  const target = testTarget()
  const name = `lading_alone_${randomBytes(6).toString('hex')}`
  try {
    const drop = typeof target === 'string' ? await makeDatabase(target, name) : await makeEmbedded(target, name)
    after(drop)
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return false
    throw error
  }
  process.env.LADING_TEST_DATABASE = JSON.stringify(
    typeof target === 'string' ? addressWith(target, name) : { ...target, database: name },
  )
  return true
}

async function makeEmbedded(target: Address, name: string): Promise<() => Promise<void>> {
  const admin = connect(target, { max: 1 })
  await admin.run({ text: `create database ${name}`, values: [] })
  const pool = connect({ ...target, database: name }, { max: 1 })
  await migrate(pool)
  await pool.end()
  return async () => {
    await admin.run({ text: `drop database ${name} with (force)`, values: [] })
    await admin.end()
  }
}

const own = await databaseOfOurOwn()
const skip = own ? false : 'the role may not make a database'

const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid

test('a new key is published before it signs, old tokens stay good, and a retired key is worth nothing', {
  skip,
}, async () => {
  const [house, second] = await openHouse().then(async (first) => [first, await openSecond(first)] as const)
  const party = await newParty(house)
  const before = await tokensByPassword(house, party)
  const old = house.keyring.current().kid
  const fresh = await rotateKeys(house.pool)
  await house.authority.reloadKeys()
  const published = (await house.app.inject({ url: '/oauth2/jwks' })).json().keys.map(({ kid }: { kid: string }) => kid)
  assert.deepEqual(new Set(published), new Set([old, fresh]))
  assert.equal(published.length, 2)
  assert.equal(kidOf((await tokensByPassword(house, party)).access_token), old, 'it does not sign yet')

  // Its time comes.
  await house.pool.run(sql`update signing_keys set active_from = now() where kid = ${fresh}`)
  for (const process of [second, house]) await process.authority.reloadKeys()
  const after = await tokensByPassword(house, party, { scope: 'openid bills' })
  assert.equal(kidOf(after.access_token), fresh)
  for (const process of [house, second]) {
    for (const { access_token } of [before, after]) assert.equal(await tryToken(process, access_token), 200)
  }
  const refreshed = (await refresh(house, party, before.refresh_token)).json()
  assert.equal(kidOf(refreshed.access_token), fresh)
  const keys = (await house.app.inject({ url: '/oauth2/jwks' })).json().keys
  assert.deepEqual(
    new Set(keys.flatMap((key: object) => Object.keys(key))),
    new Set(['kty', 'use', 'kid', 'alg', 'e', 'n']),
    'nothing private is published',
  )

  await house.pool.run(sql`update signing_keys set retired_at = now() - interval '1 second' where kid = ${old}`)
  for (const process of [house, second]) await process.authority.reloadKeys()
  for (const process of [house, second]) {
    assert.equal(await tryToken(process, before.access_token), 401)
    assert.equal(await tryToken(process, after.access_token), 200)
  }
})

test('of the signing keys one alone has no end, however many processes make the first or rotate them at once', {
  skip,
}, async () => {
  const [house, second] = await openHouse().then(async (first) => [first, await openSecond(first)] as const)
  const current = () => house.pool.run<{ kid: string }>(sql`select kid from signing_keys where retired_at is null`)
  await house.pool.run(sql`delete from signing_keys`)
  // None of them knows that the others look too.
  const keyrings = await Promise.all([house, second, house, second].map(({ pool }) => openKeyring(pool)))
  assert.deepEqual(
    new Set(keyrings.map((keyring) => keyring.current().kid)),
    new Set((await current()).map(({ kid }) => kid)),
  )
  const made = await Promise.all([house, second, house, second].map(({ pool }) => rotateKeys(pool)))
  const [last, ...others] = await current()
  assert.ok(made.includes(last?.kid ?? '') && others.length === 0)
  assert.equal((await house.pool.run(sql`select from signing_keys where kid = any(${made}::text[])`)).length, 4)
  await assert.rejects(house.pool.run(sql`insert into signing_keys (kid, private_jwk) values ('one more', '{}')`), {
    code: '23505',
  })
})

test('what has expired is deleted, and nothing else', { skip }, async () => {
  const house = await openHouse()
  const party = await newParty(house)
  const code = (await authorize(house, party)).searchParams.get('code') ?? ''
  const tokens = await tokensByPassword(house, party)
  const count = async () => Number((await house.pool.run(sql`select count(*)::int as n from oidc_records`))[0]?.n)
  const full = await count()
  await deleteExpired(house.database)
  assert.equal(await count(), full)
  await house.pool.run(
    sql`update oidc_records set expires_at = now() - interval '1 second' where kind in ('AuthorizationCode', 'Session')`,
  )
  await house.pool.run(
    sql`insert into sign_in_failures (subject_sha256, failures, blocked_until, expires_at) values ('\\x00', 1, now(), now() - interval '1 second'), ('\\x01', 1, now(), now() + interval '1 minute')`,
  )
  const gone = Number(
    (await house.pool.run(sql`select count(*)::int as n from oidc_records where expires_at < now()`))[0]?.n,
  )
  assert.ok(gone >= 2)
  assert.equal(await deleteExpired(house.database), gone + 1)
  assert.equal(await count(), full - gone)
  assert.equal(
    (await house.pool.run(sql`select from sign_in_failures where subject_sha256 in ('\\x00', '\\x01')`)).length,
    1,
  )
  assert.equal((await refresh(house, party, tokens.refresh_token)).statusCode, 200)
  assert.ok(code)
})

test('with the listening connections cut, a revocation still holds on another process when it is answered', {
  skip,
}, async () => {
  const house = await openHouse()
  const second = await openSecond(house)
  const party = await newParty(house)
  const { access_token } = await tokensByPassword(house, party)
  assert.equal(await tryToken(second, access_token), 200)
  const cut = await second.pool.run(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%lading_revocations%' and datname = current_database()`,
  )
  assert.ok(cut.length > 0)
  await post(house, '/oauth2/revoke', { ...credentials(party), token: access_token })
  assert.equal(await tryToken(second, access_token), 401)
})
