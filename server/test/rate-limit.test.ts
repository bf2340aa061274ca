import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Refusal } from '../src/platform/core/refusal.ts'
import { callerIn, newCaller, openService, type Service, sharedService } from './service.ts'

const path = '/api/v1/bill_item_types?limit=0'
const limit = 40

const byToken = await openService({ RATE_LIMIT_TOKEN: String(limit) })
const byOrganization = [
  await openService({ RATE_LIMIT_ORGANIZATION: String(limit) }),
  await openService({ RATE_LIMIT_ORGANIZATION: String(limit) }),
]
const unlimited = await sharedService()

/** A limit counts by the minute: what ran across the end of one proves nothing and runs again. */
async function withinOneMinute(work: () => Promise<void>): Promise<void> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (;;) {
    const started = minute()
    let fault: unknown
    await work().catch((error) => {
      fault = error
    })
    if (minute() !== started) continue
    if (fault) throw fault
    return
  }
}

function ask({ app }: Service, token: string): Promise<LightMyRequestResponse> {
  return app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
}

describe('rate limits', { concurrency: true }, () => {
  test('a token gets as many answers a minute as the limit says, then 429 with Retry-After, RateLimit and RateLimit-Policy', async () => {
    await withinOneMinute(async () => {
      const { token } = await newCaller(byToken)
      const first = await ask(byToken, token)
      assert.match(String(first.headers.ratelimit), /^"token";r=39;t=\d+$/)
      assert.equal(first.headers['ratelimit-policy'], '"token";q=40;w=60')
      for (let spent = 1; spent < limit; spent++)
        assert.equal((await ask(byToken, token)).statusCode, 200, `request ${spent + 1}`)
      const refused = await ask(byToken, token)
      assert.equal(refused.statusCode, 429)
      assert.equal(refused.json().error_code, 'rate_limited')
      const wait = Number(refused.headers['retry-after'])
      assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After: ${wait}`)
      assert.match(String(refused.headers.ratelimit), /^"token";r=0;t=\d+$/)
      assert.equal(refused.headers['ratelimit-policy'], '"token";q=40;w=60')
    })
  })

  test('a second token of the organization has a limit of its own', async () => {
    await withinOneMinute(async () => {
      const caller = await newCaller(byToken)
      await Promise.all(Array.from({ length: limit + 1 }, () => ask(byToken, caller.token)))
      assert.equal((await ask(byToken, caller.token)).statusCode, 429)
      assert.equal((await ask(byToken, callerIn(byToken, caller.org).token)).statusCode, 200)
    })
  })

  test('two processes together never give an organization more than its limit, whatever its tokens, nor much less', async () => {
    await withinOneMinute(async () => {
      const caller = await newCaller(unlimited)
      const tokens = Array.from({ length: 3 }, () => callerIn(unlimited, caller.org).token)
      const answers: LightMyRequestResponse[] = []
      for (let round = 0; round < 4; round++) {
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 40 }, (_, index) =>
              ask(byOrganization[index % 2] as Service, tokens[index % 3] as string),
            ),
          )),
        )
      }
      const given = answers.filter(({ statusCode }) => statusCode === 200).length
      assert.ok(given <= limit, `${given} were answered`)
      assert.ok(given >= limit * 0.8, `only ${given} were answered`)
      assert.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 429))
    })
  })

  test('what one organization uses is not taken from another', async () => {
    await withinOneMinute(async () => {
      const [greedy, modest] = [await newCaller(unlimited), await newCaller(unlimited)]
      await Promise.all(Array.from({ length: 100 }, () => ask(byOrganization[0] as Service, greedy.token)))
      assert.equal((await ask(byOrganization[0] as Service, greedy.token)).statusCode, 429)
      const answer = await ask(byOrganization[0] as Service, modest.token)
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers.ratelimit), /^"organization";r=39;/)
    })
  })

  test('a bulk request counts as ten, an export as twenty, an import as fifty: one is let through while anything is left, none after it', async () => {
    await withinOneMinute(async () => {
      const objects = '/api/v2/platformModel/objects'
      const { call, get } = await newCaller(byToken)
      assert.match(String((await call('POST', `${objects}/bulk`, { objects: [] })).headers.ratelimit), /"token";r=30;/)
      assert.match(String((await get(`${objects}/export?objectKey=customer`)).headers.ratelimit), /"token";r=10;/)
      const imported = await call('POST', `${objects}/import?objectKey=customer`, 'name\nAcme\n', {
        'content-type': 'text/csv',
      })
      assert.equal(imported.statusCode, 200)
      assert.match(String(imported.headers.ratelimit), /"token";r=0;/)
      assert.equal((await get(path)).statusCode, 429)
    })
  })

  test('a search counts as one for each 100 ms that the searches of its organization took lately', async () => {
    await withinOneMinute(async () => {
      const service = await openService({ RATE_LIMIT_TOKEN: String(limit) })
      const { get } = await newCaller(service)
      service.database.searchMs = () => 350
      assert.match(String((await get('/api/v1/bills')).headers.ratelimit), /"token";r=37;/)
      assert.match(String((await get('/api/v1/pay_terms')).headers.ratelimit), /"token";r=36;/)
      service.database.searchMs = () => 3
      assert.match(String((await get('/api/v1/bills')).headers.ratelimit), /"token";r=35;/)
    })
  })

  test('a refused request does nothing', async () => {
    await withinOneMinute(async () => {
      const caller = await newCaller(byToken)
      await Promise.all(Array.from({ length: limit + 1 }, () => ask(byToken, caller.token)))
      assert.equal((await caller.call('POST', '/api/v1/bill_item_types', { name: 'Too late' })).statusCode, 429)
      assert.deepEqual(await caller.events(), [])
    })
  })

  test('0 switches a limit off, and no header speaks of it', async () => {
    const { token } = await newCaller(unlimited)
    const answers = await Promise.all(Array.from({ length: limit * 2 }, () => ask(unlimited, token)))
    assert.ok(
      answers.every(
        ({ statusCode, headers }) =>
          statusCode === 200 && !('ratelimit' in headers) && !('ratelimit-policy' in headers),
      ),
    )
  })

  test('a limiter that cannot count turns nobody away', async () => {
    const blind = await openService({ RATE_LIMIT_TOKEN: '1', RATE_LIMIT_ORGANIZATION: '1' })
    const { token } = await newCaller(blind)
    blind.database.urgently = () => Promise.reject(new Refusal('unavailable', 'unavailable', 'away'))
    for (let request = 0; request < 5; request++) assert.equal((await ask(blind, token)).statusCode, 200)
  })

  test('requests without a good token are refused as such, and count for nobody; the limits are said all the same', async () => {
    const answer = await byToken.app.inject({ url: path, headers: { authorization: 'Bearer wrong' } })
    assert.equal(answer.statusCode, 401)
    assert.equal(answer.headers.ratelimit, undefined)
    assert.equal(answer.headers['ratelimit-policy'], '"token";q=40;w=60')
  })

  test('every answer says the limits, and every one to a good token what is left, refusals too', async () => {
    const { call, get, org } = await newCaller(byToken)
    const types = '/api/v1/bill_item_types'
    const narrow = callerIn(byToken, org, ['bills'])
    const counted = [
      [200, get(types)],
      [400, get(`${types}?limit=x`)],
      [400, call('POST', types, '{')],
      [403, narrow.get(types)],
      [404, get(`${types}/ext:none`)],
      [406, get(types, { accept: 'text/html' })],
      [415, call('POST', types, 'x', { 'content-type': 'text/plain' })],
      [200, get('/api/v2/platformModel/definitions')],
    ] as const
    const uncounted = [
      [200, get('/api/v1')],
      [404, get('/api/v1/nothing')],
      [405, call('PATCH', types)],
    ] as const
    for (const [status, asked] of [...counted, ...uncounted]) {
      const { statusCode, headers, body } = await asked
      assert.equal(statusCode, status, body)
      assert.equal(headers['ratelimit-policy'], '"token";q=40;w=60', body)
    }
    for (const [, asked] of counted) assert.match(String((await asked).headers.ratelimit), /^"token";r=\d+;t=\d+$/)
    for (const [, asked] of uncounted) assert.equal((await asked).headers.ratelimit, undefined)
  })
})
