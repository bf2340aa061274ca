/** The SDK against the service itself: its tokens, its pages, its retries, and the example of its README. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Bill, Lading, TokenAnswer, TokenSource } from '../../../sdk/src/index.ts'
import {
  answerOf,
  clientCredentials,
  createLading,
  each,
  follow,
  LadingConnectionError,
  LadingError,
  pages,
  passwordGrant,
  refreshTokenGrant,
} from '../../../sdk/src/index.ts'
import { exampleIn } from '../../../sdk/test/examples.ts'
import { newParty, type Party, password, post, refresh, sharedHouse, tokensByPassword } from './house.ts'

const house = await sharedHouse()
const baseUrl = house.url

function optionsOf({ application: { client_id, client_secret } }: Party) {
  return { authUrl: house.url, clientId: client_id, clientSecret: client_secret }
}

/** `fetch` that notes what is asked of the token endpoint, and can lose or change answers. */
function noting(bend: (response: Response, request: Request) => Response | Promise<Response> = (response) => response) {
  const asked: string[] = []
  const keys: (string | null)[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (request.url.endsWith('/oauth2/token'))
      asked.push(String(new URLSearchParams(await request.clone().text()).get('grant_type')))
    else if (request.method !== 'GET') keys.push(request.headers.get('idempotency-key'))
    return bend(await fetch(request), request)
  }
  return { asked, keys, fetch: send }
}

async function revoke(party: Party, token: string): Promise<void> {
  const { client_id, client_secret } = party.application
  assert.equal((await post(house, '/oauth2/revoke', { token, client_id, client_secret })).statusCode, 200)
}

const newBill = (lading: Lading, sub_total_amount = 100) =>
  answerOf(lading.POST('/api/v1/bills', { body: { currency_id: 'usd', sub_total_amount } }))

describe('tokens of the SDK', { concurrency: true }, () => {
  test('requests that need a token at once share one, and one that is refused is replaced once for all of them', async () => {
    const party = await newParty(house)
    const noted = noting()
    const source = clientCredentials({ ...optionsOf(party), scope: 'bills', fetch: noted.fetch })
    const lading = createLading({ baseUrl, token: source })
    const ask = () => answerOf(lading.GET('/api/v1/bills'))
    await Promise.all([ask(), ask(), ask()])
    assert.deepEqual(noted.asked, ['client_credentials'])
    await revoke(party, await source.get())
    assert.deepEqual(
      (await Promise.all([ask(), ask(), ask()])).map(({ total }) => total),
      [0, 0, 0],
    )
    assert.deepEqual(noted.asked, ['client_credentials', 'client_credentials'])
  })

  test('a token is replaced before it ends', async () => {
    const party = await newParty(house)
    const shortLived = async (response: Response) =>
      Response.json({ ...((await response.json()) as TokenAnswer), expires_in: 0 })
    const noted = noting((response, { url }) => (url.endsWith('/oauth2/token') ? shortLived(response) : response))
    const source = clientCredentials({ ...optionsOf(party), fetch: noted.fetch })
    assert.notEqual(await source.get(), await source.get())
    assert.deepEqual(noted.asked, ['client_credentials', 'client_credentials'])
  })

  test('each refresh token is handed over before the next is needed, and is good for a new start', async () => {
    const party = await newParty(house)
    const kept: string[] = [(await tokensByPassword(house, party)).refresh_token]
    const start = (): TokenSource =>
      refreshTokenGrant({
        ...optionsOf(party),
        refreshToken: kept.at(-1) as string,
        onTokens: async (tokens) => void kept.push(tokens.refresh_token as string),
      })
    const first = start()
    const token = await first.get()
    await Promise.all([first.renew(token), first.renew(token)])
    assert.equal(kept.length, 3)
    assert.equal((await answerOf(createLading({ baseUrl, token: start() }).GET('/api/v1/bills'))).total, 0)
    assert.equal(new Set(kept).size, 4)
    // What was handed over last is the one that counts: an older one ends the family.
    assert.equal((await refresh(house, party, kept[0] as string)).statusCode, 400)
    await assert.rejects(
      start().get(),
      (error) => error instanceof LadingError && error.status === 400 && error.code === 'invalid_grant',
    )
  })

  test('a user’s password is used first, then refresh tokens, and again where those are over', async () => {
    const party = await newParty(house)
    const noted = noting()
    const tokens: TokenAnswer[] = []
    const source = passwordGrant({
      ...optionsOf(party),
      username: party.email,
      password,
      scope: 'bills',
      fetch: noted.fetch,
      onTokens: (answer) => void tokens.push(answer),
    })
    const token = await source.renew(await source.get())
    await revoke(party, tokens.at(-1)?.refresh_token as string)
    await source.renew(token)
    assert.deepEqual(noted.asked, ['password', 'refresh_token', 'refresh_token', 'password'])
    const wrong = passwordGrant({ ...optionsOf(party), username: party.email, password: 'not the password' })
    await assert.rejects(
      wrong.get(),
      (error) => error instanceof LadingError && error.code === 'invalid_grant' && error.message.length > 10,
    )
  })
})

describe('calls of the SDK', { concurrency: true }, () => {
  test('a write whose answer is lost is done once, by the same key', async () => {
    const party = await newParty(house)
    let lost = 0
    const noted = noting((response, { method }) => {
      if (method === 'POST' && lost++ < 2) throw new TypeError('fetch failed')
      return response
    })
    const lading = createLading({
      baseUrl,
      token: clientCredentials(optionsOf(party)),
      fetch: noted.fetch,
      retry: { pauseMs: 1 },
    })
    const { bill } = await newBill(lading)
    assert.equal(bill.sub_total_amount, 100)
    assert.equal(noted.keys.length, 3)
    assert.equal(new Set(noted.keys).size, 1)
    await newBill(lading)
    assert.equal(new Set(noted.keys).size, 2)
    assert.equal((await answerOf(lading.GET('/api/v1/bills'))).total, 2)
  })

  test('a payment that got no answer is repeated with the key of its error, and is made once', async () => {
    const party = await newParty(house)
    let isDown = true
    const noted = noting((response, { method }) => {
      if (method === 'POST' && isDown) throw new TypeError('fetch failed')
      return response
    })
    const lading = createLading({
      baseUrl,
      token: clientCredentials(optionsOf(party)),
      fetch: noted.fetch,
      retry: { times: 1, pauseMs: 1 },
    })
    const body = { direction: 'out', partner_carrier_id: crypto.randomUUID(), currency_id: 'usd', amount: 500 } as const
    const pay = (key?: string) =>
      answerOf(
        lading.POST('/api/v1/payments', { body, params: { header: { ...(key && { 'Idempotency-Key': key }) } } }),
      )
    const error = await pay().then(
      () => assert.fail('it has no answer'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof LadingConnectionError)
    assert.deepEqual([error.attempts, error.timedOut], [2, false])
    isDown = false
    await pay(error.idempotencyKey)
    assert.equal((await answerOf(lading.GET('/api/v1/payments'))).total, 1)
    assert.equal(new Set(noted.keys).size, 1)
  })

  test('a refresh token whose answer is lost is not sent again for a request that needs it', async () => {
    const party = await newParty(house)
    const { refresh_token } = await tokensByPassword(house, party)
    let sent = 0
    const fetch: typeof globalThis.fetch = async (...request) => {
      sent++
      await globalThis.fetch(...request)
      throw new TypeError('fetch failed')
    }
    const token = refreshTokenGrant({ ...optionsOf(party), refreshToken: refresh_token, fetch })
    const lading = createLading({ baseUrl, token, retry: { pauseMs: 1 } })
    await assert.rejects(lading.GET('/api/v1/bills'), (error) => {
      assert.ok(error instanceof LadingConnectionError)
      assert.deepEqual([error.attempts, (error.cause as Error).message], [0, 'fetch failed'])
      return true
    })
    assert.equal(sent, 1)
  })

  test('without retries nothing is repeated, and whoever repeats a write has its key; what was refused is an error with its facts', async () => {
    const party = await newParty(house)
    const noted = noting((response, { method }) =>
      method === 'POST'
        ? Response.json({ outcome: 'unknown' }, { status: 503, headers: { 'retry-after': '0' } })
        : response,
    )
    const lading = createLading({
      baseUrl,
      token: clientCredentials(optionsOf(party)),
      fetch: noted.fetch,
      retry: false,
    })
    await assert.rejects(newBill(lading), (error) => {
      assert.ok(error instanceof LadingError && error.status === 503 && error.outcome === 'unknown')
      assert.match(error.idempotencyKey ?? '', /^[0-9a-f]{32}$/)
      assert.deepEqual(noted.keys, [error.idempotencyKey])
      return true
    })
    const sent = lading.PUT('/api/v1/bills/{billID}', {
      params: { path: { billID: 'ext:none' } },
      body: { notes: 'x' },
    })
    await assert.rejects(answerOf(sent), (error) => {
      assert.ok(error instanceof LadingError)
      assert.deepEqual([error.status, error.code, error.details], [404, 'not_found', []])
      assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/)
      return true
    })
    const v2 = lading.POST('/api/v2/platformModel/objects/search', { body: { objectKey: 'customer', sort: 'nothing' } })
    assert.equal((await v2).response.status, 503)
  })

  test('iterators go through every page of v1 and v2, and stop where the reader does', async () => {
    const party = await newParty(house)
    const lading = createLading({ baseUrl, token: clientCredentials(optionsOf(party)) })
    for (const amount of [100, 200, 300, 400, 500]) await newBill(lading, amount)
    const amounts: number[] = []
    for await (const { total_amount } of each(lading, '/api/v1/bills', {
      params: { query: { sort: 'total_amount', limit: 2 } },
    }))
      amounts.push(total_amount)
    assert.deepEqual(amounts, [100, 200, 300, 400, 500])
    const sizes: number[] = []
    for await (const { bills, total } of pages(lading, '/api/v1/bills', { params: { query: { limit: 2 } } })) {
      sizes.push(bills.length, total)
      if (sizes.length === 4) break
    }
    assert.deepEqual(sizes, [2, 5, 2, 5])
    for (const name of ['Acme', 'Bolt', 'Cedar'])
      await answerOf(lading.PATCH('/api/v2/platformModel/objects', { body: { objectKey: 'customer', json: { name } } }))
    const names: unknown[] = []
    for await (const { name } of each(lading, '/api/v2/platformModel/objects/search', {
      body: { objectKey: 'customer', sort: '-name', limit: 1 },
    }))
      names.push(name)
    assert.deepEqual(names, ['Cedar', 'Bolt', 'Acme'])
    const wrong = each(lading, '/api/v2/platformModel/objects/search', {
      body: { objectKey: 'customer', sort: 'nothing' },
    })
    await assert.rejects(wrong.next(), (error) => error instanceof LadingError && error.code === 'unknown_field')
  })
})

describe('the feed in the SDK', { concurrency: true }, () => {
  test('each ends with the last event there is, and goes on from a position', async () => {
    const lading = createLading({ baseUrl, token: clientCredentials(optionsOf(await newParty(house))) })
    for (const amount of [100, 200, 300]) await newBill(lading, amount)
    const read = async (after?: string) => {
      const query = { types: ['bill.created'], limit: 2, ...(after && { after }) }
      const amounts: unknown[] = []
      for await (const { data } of each(lading, '/api/v1/events', { params: { query } }))
        amounts.push((data as Bill).sub_total_amount)
      return amounts
    }
    assert.deepEqual(await read(), [100, 200, 300])
    let end: string | undefined
    for await (const { next_after } of pages(lading, '/api/v1/events')) end = next_after
    assert.deepEqual(await read(end), [])
    await newBill(lading, 400)
    assert.deepEqual(await read(end), [400])
  })

  test('follow goes on over the end of a stream with the token that it was opened with, and misses and repeats nothing', {
    timeout: 60_000,
  }, async () => {
    const party = await newParty(house)
    const source = clientCredentials(optionsOf(party))
    const lading = createLading({ baseUrl, token: source })
    /** Reading the feed publishes what was written: there is no background here. */
    const publish = () => answerOf(lading.GET('/api/v1/events'))
    await newBill(lading, 100)
    const { next_after: start } = await publish()
    await newBill(lading, 200)
    await publish()
    const stop = new AbortController()
    const seen: unknown[] = []
    for await (const { event, position } of follow(lading, {
      after: start,
      types: ['bill.created'],
      signal: stop.signal,
    })) {
      assert.equal(typeof position, 'string')
      seen.push((event.data as Bill).sub_total_amount)
      if (seen.length === 1) {
        await revoke(party, await source.get())
        await newBill(lading, 300)
        await publish()
      }
      if (seen.length === 2) stop.abort()
    }
    assert.deepEqual(seen, [200, 300])
  })
})

test('the nightly sync of the README exports every bill once, what changed again, and what failed the next time', async () => {
  type Example = {
    syncBills: (
      settings: object,
      accounting: { put(bill: Bill): Promise<string> },
      state: object,
    ) => Promise<{ since?: string; revisions: object }>
  }
  const folder = mkdtempSync(join(tmpdir(), 'lading-readme-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const sdk = new URL('../../../sdk/src/index.ts', import.meta.url).href
  writeFileSync(join(folder, 'nightly-sync.ts'), exampleIn('nightly-sync').replace("'@lading/sdk'", `'${sdk}'`))
  const { syncBills } = (await import(pathToFileURL(join(folder, 'nightly-sync.ts')).href)) as Example

  const party = await newParty(house)
  const { clientId, clientSecret } = optionsOf(party)
  const lading = createLading({ baseUrl, token: clientCredentials(optionsOf(party)) })
  const rows = Array.from(
    { length: 5 },
    (_, n) =>
      ({
        external_id: `N-${n}`,
        currency_id: 'usd',
        sub_total_amount: n,
        status_id: n === 4 ? 'draft' : 'sent',
      }) as const,
  )
  await answerOf(lading.POST('/api/v1/bills/bulk', { body: { bills: [...rows] } }))
  const taken: string[] = []
  let broken = 'N-2'
  const accounting = {
    async put({ external_id }: Bill) {
      if (external_id === broken) throw new Error('The books are closed.')
      taken.push(external_id as string)
      return `ACC-${external_id}`
    },
  }
  const night = async (state: object) => {
    taken.length = 0
    return syncBills({ url: house.url, clientId, clientSecret }, accounting, state)
  }
  const find = async (query: object) => {
    const bills: Bill[] = []
    for await (const bill of each(lading, '/api/v1/bills', { params: { query } })) bills.push(bill)
    return bills
  }

  const first = await night({ revisions: {} })
  assert.deepEqual([taken.toSorted(), first.since], [['N-0', 'N-1', 'N-3'], undefined])
  assert.deepEqual(
    (await find({ exported: false, sort: 'number' }))
      .map(({ external_id, qb_error_msg }) => [external_id, qb_error_msg])
      .toSorted(),
    [
      ['N-2', 'Error: The books are closed.'],
      ['N-4', null],
    ],
  )
  broken = ''
  const second = await night(first)
  assert.deepEqual([taken, typeof second.since], [['N-2'], 'string'])
  assert.deepEqual(
    (await find({ exported: true }))
      .map(({ qb_external_id, qb_error_msg }) => [qb_external_id, qb_error_msg])
      .toSorted(),
    [
      ['ACC-N-0', null],
      ['ACC-N-1', null],
      ['ACC-N-2', null],
      ['ACC-N-3', null],
    ],
  )
  await answerOf(
    lading.PUT('/api/v1/bills/{billID}', {
      params: { path: { billID: 'ext:N-1' } },
      body: { reference_number: 'PO 7' },
    }),
  )
  const third = await night(second)
  assert.deepEqual(taken, ['N-1'])
  await night(third)
  assert.deepEqual(taken, [])
})

test('the example of the README sends a file with a bill, and reads back what it sent', async () => {
  type Example = {
    attachToBill: (lading: Lading, bill: string, file: Blob, name: string) => Promise<{ id: string; file_name: string }>
    documentsOf: (lading: Lading, bill: string) => Promise<{ document: { id: string }; content: Blob }[]>
  }
  const folder = mkdtempSync(join(tmpdir(), 'lading-readme-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const sdk = new URL('../../../sdk/src/index.ts', import.meta.url).href
  writeFileSync(join(folder, 'documents.ts'), exampleIn('documents').replace("'@lading/sdk'", `'${sdk}'`))
  const { attachToBill, documentsOf } = (await import(pathToFileURL(join(folder, 'documents.ts')).href)) as Example
  const lading = createLading({ baseUrl, token: clientCredentials(optionsOf(await newParty(house))) })
  const { bill } = await newBill(lading)
  const sent = await attachToBill(
    lading,
    bill.id,
    new Blob(['%PDF-1.4 signed'], { type: 'application/pdf' }),
    'pod.pdf',
  )
  const [found, ...others] = await documentsOf(lading, bill.id)
  assert.deepEqual(
    [found?.document.id, await found?.content.text(), others.length, sent.file_name],
    [sent.id, '%PDF-1.4 signed', 0, 'pod.pdf'],
  )
})
