import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { authorize } from './browser.ts'
import { askToken, callback, type Fields, newParty, type Party, pkce, refresh, sharedHouse, tryToken } from './house.ts'

const house = await sharedHouse()

async function codeFor(party: Party, fields: Fields = {}): Promise<string> {
  return (await authorize(house, party, fields)).searchParams.get('code') ?? ''
}

const byCode = (party: Party, code: string, fields: Fields = {}) =>
  askToken(house, party, { grant_type: 'authorization_code', code, redirect_uri: callback, ...fields })

describe('a code', { concurrency: true }, () => {
  test('needs the very redirect_uri it was given for, the right application and the right verifier', async () => {
    const [party, other] = [await newParty(house), await newParty(house)]
    const { verifier, challenge } = pkce()
    const code = await codeFor(party, challenge)
    const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier }
    const missing = await askToken(house, party, exchange)
    assert.deepEqual([missing.statusCode, missing.json().error], [400, 'invalid_request'])
    for (const redirect_uri of [
      `${callback}/`,
      `${callback}?`,
      callback.toUpperCase(),
      'https://elsewhere.example/callback',
    ]) {
      assert.equal((await askToken(house, party, { ...exchange, redirect_uri })).json().error, 'invalid_grant')
    }
    assert.equal((await byCode(other, code, { code_verifier: verifier })).json().error, 'invalid_grant')
    for (const code_verifier of ['x'.repeat(43), 'short', ''])
      assert.equal((await byCode(party, code, { code_verifier })).statusCode, 400)
    assert.equal((await byCode(party, code)).json().error, 'invalid_grant')
    assert.equal((await byCode(party, code, { code_verifier: verifier })).statusCode, 200)
  })

  test('lives for 60 seconds', async () => {
    const party = await newParty(house)
    const code = await codeFor(party)
    const [row] = await house.pool.run<{ seconds: number; payload: { exp: number } }>(
      sql`select extract(epoch from expires_at - created_at)::int as seconds, payload from oidc_records where kind = 'AuthorizationCode' and person_id = ${party.user}`,
    )
    assert.ok(Math.abs((row?.seconds ?? 0) - 60) <= 1)
    const payload = { ...row?.payload, exp: (row?.payload.exp ?? 0) - 61 }
    await house.pool.run(
      sql`update oidc_records set expires_at = statement_timestamp() - interval '1 second', payload = ${payload} where kind = 'AuthorizationCode' and person_id = ${party.user}`,
    )
    assert.equal((await byCode(party, code)).json().error, 'invalid_grant')
  })

  test('used twice kills everything that came of it', async () => {
    const party = await newParty(house)
    const code = await codeFor(party)
    const { access_token, refresh_token } = (await byCode(party, code)).json()
    assert.equal((await byCode(party, code)).json().error, 'invalid_grant')
    assert.equal((await refresh(house, party, refresh_token)).json().error, 'invalid_grant')
    assert.equal(await tryToken(house, access_token), 401)
  })
})
