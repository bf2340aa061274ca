import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { authorize } from './browser.ts'
import { askToken, callback, newParty, openSecond, refresh, sharedHouse, tokensByPassword, tryToken } from './house.ts'

const house = await sharedHouse()
const second = await openSecond(house)
const processes = [house, second]

function twenty(ask: (which: typeof house) => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse[]> {
  return Promise.all(Array.from({ length: 20 }, (_, index) => ask(processes[index % 2] as typeof house)))
}

async function requireOneAtMost(
  party: Awaited<ReturnType<typeof newParty>>,
  answers: LightMyRequestResponse[],
): Promise<void> {
  const good = answers.filter(({ statusCode }) => statusCode === 200)
  assert.ok(good.length <= 1, `${good.length} succeeded`)
  for (const answer of answers)
    if (answer !== good[0])
      assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_grant'], answer.body)
  for (const answer of good) {
    const { access_token, refresh_token } = answer.json()
    assert.equal((await refresh(house, party, refresh_token)).json().error, 'invalid_grant')
    for (const process of processes) assert.equal(await tryToken(process, access_token), 401)
  }
}

describe('of twenty who come at once, over two processes,', { concurrency: true }, () => {
  test('one at most exchanges a code, and the family is dead afterwards', async () => {
    const party = await newParty(house)
    const code = (await authorize(house, party)).searchParams.get('code') ?? ''
    await requireOneAtMost(
      party,
      await twenty((process) =>
        askToken(process, party, { grant_type: 'authorization_code', code, redirect_uri: callback }),
      ),
    )
  })

  test('one at most uses a refresh token, and the family is dead afterwards', async () => {
    const party = await newParty(house)
    const first = await tokensByPassword(house, party)
    await requireOneAtMost(party, await twenty((process) => refresh(process, party, first.refresh_token)))
    for (const process of processes) assert.equal(await tryToken(process, first.access_token), 401)
  })

  test('all get tokens of their own by client credentials', async () => {
    const party = await newParty(house)
    const answers = await twenty((process) => askToken(process, party, { grant_type: 'client_credentials' }))
    assert.equal(new Set(answers.map((answer) => answer.json().access_token)).size, 20)
  })
})

test('a refresh token used again later kills the family, and only that one', async () => {
  const party = await newParty(house)
  const [robbed, other] = [await tokensByPassword(house, party), await tokensByPassword(house, party)]
  const next = (await refresh(house, party, robbed.refresh_token)).json()
  assert.equal((await refresh(second, party, robbed.refresh_token)).json().error, 'invalid_grant')
  assert.equal((await refresh(house, party, next.refresh_token)).json().error, 'invalid_grant')
  assert.equal(await tryToken(house, next.access_token), 401)
  assert.equal(await tryToken(house, other.access_token), 200)
  assert.equal((await refresh(house, party, other.refresh_token)).statusCode, 200)
})
