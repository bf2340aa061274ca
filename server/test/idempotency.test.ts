import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import type { Run } from '../src/platform/db/sql/rows.ts'
import { sql } from '../src/platform/db/sql/sql.ts'
import { type Caller, callerIn, newCaller, openService, type Service, sharedService } from './service.ts'

const path = '/api/v1/bill_item_types'
const service = await sharedService()
/** As if another process: its own pool, its own memory, the same database. */
const second = await openService()

async function total(caller: Caller): Promise<number> {
  return (await caller.get(`${path}?limit=0`)).json().total
}

/** The owner of the schema acting in one organization. */
function inside<T>({ pool }: Service, org: string, work: (run: Run) => Promise<T>) {
  return pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${org}'`, values: [] })
    return work(run)
  })
}

function post(target: Service, token: string, key: string, body: object = { name: 'Once' }) {
  return target.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    payload: body,
  })
}

function tokenOf(org: string, client_id: string, sub: string = newId()): string {
  const { keyring, settings } = service
  return signToken(
    keyring,
    { issuer: settings.authUrl, audience: settings.audience },
    { sub, client_id, org_id: org, scopes: scopeNames, role: 'member' },
  )
}

describe('a write with an Idempotency-Key', { concurrency: true }, () => {
  test('is done once: a repeat is answered with the first status, body, ETag and Location, and says that it is a replay', async () => {
    const caller = await newCaller(service)
    const headers = { 'idempotency-key': newId() }
    const first = await caller.call('POST', path, { name: 'Once' }, headers)
    const again = await caller.call('POST', path, { name: 'Once' }, headers)
    assert.equal(first.statusCode, 201)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    assert.equal(again.statusCode, 201)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.body, first.body)
    assert.equal(again.headers.etag, first.headers.etag)
    assert.equal(again.headers.location, first.headers.location)
    assert.equal(await total(caller), 1)
    assert.equal((await caller.events()).length, 1)
  })

  test('replays an update and a deletion as well, though the record has moved on', async () => {
    const caller = await newCaller(service)
    const { id } = (await caller.call('POST', path, { name: 'First' })).json().bill_item_type
    const update = () =>
      caller.call('PUT', `${path}/${id}`, { name: 'Second' }, { 'idempotency-key': 'u', 'if-match': '"1"' })
    const updated = await update()
    await caller.call('PUT', `${path}/${id}`, { name: 'Third' })
    assert.equal((await update()).body, updated.body)
    assert.equal((await caller.get(`${path}/${id}`)).json().bill_item_type.name, 'Third')
    const remove = () => caller.call('DELETE', `${path}/${id}`, undefined, { 'idempotency-key': 'd' })
    assert.equal((await remove()).statusCode, 204)
    const removedAgain = await remove()
    assert.equal(removedAgain.statusCode, 204)
    assert.equal(removedAgain.headers['idempotent-replayed'], 'true')
    assert.equal((await caller.events()).length, 4)
  })

  test('twenty at once over two processes: one effect, one event; the others are told to wait, or get the replay', async () => {
    const caller = await newCaller(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(index % 2 ? service : second, caller.token, 'shared')),
    )
    const firsts = answers.filter(({ statusCode, headers }) => statusCode === 201 && !headers['idempotent-replayed'])
    assert.equal(firsts.length, 1)
    for (const answer of answers) {
      if (answer.statusCode === 409) assert.equal(answer.json().error_code, 'idempotency_key_in_flight')
      else assert.equal(answer.body, firsts[0]?.body)
    }
    assert.equal(await total(caller), 1)
    assert.equal((await caller.events()).length, 1)
    assert.equal((await post(second, caller.token, 'shared')).headers['idempotent-replayed'], 'true')
  })

  test('answers 409 while the first is at work, on another process too, and does not wait for it', async () => {
    const caller = await newCaller(service)
    const blocker = newId()
    const once = { name: 'Once', external_id: 'slow' }
    const both = await inside(service, caller.org, async (run) => {
      // Until this commits, the insert of the same external id has to wait.
      await run(
        sql`insert into bill_item_types (org_id, id, name, external_id) values (${caller.org}, ${blocker}, 'Blocker', 'slow')`,
      )
      const both = [post(service, caller.token, 'slow', once), post(second, caller.token, 'slow', once)]
      const refused = await Promise.race(both)
      assert.equal(refused.statusCode, 409)
      assert.equal(refused.json().error_code, 'idempotency_key_in_flight')
      await run(sql`delete from bill_item_types where org_id = ${caller.org} and id = ${blocker}`)
      return { answers: both }
    })
    assert.deepEqual((await Promise.all(both.answers)).map(({ statusCode }) => statusCode).sort(), [201, 409])
    assert.equal(await total(caller), 1)
  })

  test('answers 422 when the key comes with another body, path, method or If-Match, and does nothing', async () => {
    const caller = await newCaller(service)
    const { id } = (await caller.call('POST', path, { name: 'First' }, { 'idempotency-key': 'k' })).json()
      .bill_item_type
    for (const answer of [
      await caller.call('POST', path, { name: 'Second' }, { 'idempotency-key': 'k' }),
      await caller.call('POST', `${path}?x=1`, { name: 'First' }, { 'idempotency-key': 'k' }),
      await caller.call('PUT', `${path}/${id}`, { name: 'First' }, { 'idempotency-key': 'k' }),
      await caller.call('DELETE', `${path}/${id}`, undefined, { 'idempotency-key': 'k' }),
      await caller.call('POST', path, { name: 'First' }, { 'idempotency-key': 'k', 'if-match': '*' }),
    ]) {
      assert.equal(answer.statusCode, 422, answer.body)
      assert.equal(answer.json().error_code, 'idempotency_key_reused')
    }
    assert.equal((await caller.events()).length, 1)
  })

  test('is the same request however its JSON is spaced', async () => {
    const caller = await newCaller(service)
    const first = await caller.call('POST', path, '{"name":"Same","class":"c"}', { 'idempotency-key': 'k' })
    assert.equal(
      (await caller.call('POST', path, '{ "name": "Same", "class": "c" }', { 'idempotency-key': 'k' })).body,
      first.body,
    )
  })

  test('a refused one changes nothing and leaves the key free for the corrected request', async () => {
    const caller = await newCaller(service)
    await caller.call('POST', path, { name: 'Taken', external_id: 'taken' })
    const headers = { 'idempotency-key': 'k' }
    assert.equal((await caller.call('POST', path, {}, headers)).statusCode, 400)
    assert.equal((await caller.call('POST', path, { name: 'x', external_id: 'taken' }, headers)).statusCode, 409)
    assert.equal((await caller.call('PUT', `${path}/${newId()}`, { name: 'x' }, headers)).statusCode, 404)
    assert.equal((await caller.call('POST', path, { name: 'x', external_id: 'free' }, headers)).statusCode, 201)
    assert.equal(await total(caller), 2)
  })

  test('a key is forgotten after 24 hours, also when more than a sweep of others expired before it', async () => {
    const caller = await newCaller(service)
    const client = `test-${newId()}`
    const token = tokenOf(caller.org, client)
    const first = (await post(service, token, 'old')).json().bill_item_type
    const [kept] = await inside(service, caller.org, (run) =>
      run(
        sql`select extract(epoch from expires_at - created_at)::int as life from idempotency_keys where org_id = ${caller.org}`,
      ),
    )
    assert.equal(kept?.life, 86_400)
    await inside(service, caller.org, async (run) => {
      await run(sql`insert into idempotency_keys (org_id, client_id, key, fingerprint, status, headers, expires_at)
        select ${caller.org}, 'another', n::text, '', 200, '{}', now() - interval '2 days' from generate_series(1, 50) as n`)
      await run(
        sql`update idempotency_keys set expires_at = now() - interval '1 second' where org_id = ${caller.org} and client_id = ${client}`,
      )
    })
    const again = await post(service, token, 'old')
    assert.equal(again.statusCode, 201)
    assert.equal(again.headers['idempotent-replayed'], undefined)
    assert.notEqual(again.json().bill_item_type.id, first.id)
    assert.equal((await post(service, token, 'old')).headers['idempotent-replayed'], 'true')
  })

  test('expired keys go away as new ones come', async () => {
    const caller = await newCaller(service)
    await inside(service, caller.org, (run) =>
      run(sql`insert into idempotency_keys (org_id, client_id, key, fingerprint, status, headers, expires_at)
        select ${caller.org}, 'another', n::text, '', 200, '{}', now() - interval '2 days' from generate_series(1, 30) as n`),
    )
    await caller.call('POST', path, { name: 'One' }, { 'idempotency-key': 'one' })
    await caller.call('POST', path, { name: 'Two' }, { 'idempotency-key': 'two' })
    const keys = await inside(service, caller.org, (run) =>
      run(sql`select key from idempotency_keys where org_id = ${caller.org} order by key`),
    )
    assert.deepEqual(
      keys.map(({ key }) => key),
      ['one', 'two'],
    )
  })

  test('two applications and two organizations may use one key; two users of an application do not see each other’s answers', async () => {
    const caller = await newCaller(service)
    const stranger = await newCaller(service)
    const [one, other] = [tokenOf(caller.org, 'app-one'), tokenOf(caller.org, 'app-two')]
    const theirs = tokenOf(stranger.org, 'app-one')
    for (const token of [one, other, theirs]) {
      const answer = await post(service, token, 'same')
      assert.equal(answer.statusCode, 201)
      assert.equal(answer.headers['idempotent-replayed'], undefined)
    }
    assert.equal(await total(caller), 2)
    assert.equal(await total(stranger), 1)
    assert.equal((await post(service, tokenOf(caller.org, 'app-one'), 'same')).statusCode, 422)
  })

  test('the same user with a new token is still the same', async () => {
    const caller = await newCaller(service)
    const sub = newId()
    await post(service, tokenOf(caller.org, 'app', sub), 'k')
    assert.equal((await post(service, tokenOf(caller.org, 'app', sub), 'k')).headers['idempotent-replayed'], 'true')
  })

  test('when the commit fails, neither the effect nor the answer is kept, and a retry does the work', async () => {
    const caller = await newCaller(service)
    const token = tokenOf(caller.org, 'app')
    const doomed = await openService()
    const { transaction } = doomed.database
    let cut = false
    // The connection dies after all statements of the request, before its commit.
    doomed.database.transaction = (org, work) =>
      transaction(org, async (run) => {
        const result = await work(run)
        if (!cut) {
          cut = true
          const [backend] = await run<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          await doomed.pool.run(sql`select pg_terminate_backend(${backend?.pid as number}::int)`)
        }
        return result
      })
    const answer = await post(doomed, token, 'k')
    assert.equal(answer.statusCode, 503, answer.body)
    assert.ok(cut)
    assert.equal(await total(caller), 0)
    assert.deepEqual(await caller.events(), [])
    const retry = await post(doomed, token, 'k')
    assert.equal(retry.statusCode, 201)
    assert.equal(retry.headers['idempotent-replayed'], undefined)
    assert.equal(await total(caller), 1)
  })

  for (const [what, key] of [
    ['an empty key', ''],
    ['a key of 256 characters', 'x'.repeat(256)],
    ['a key with a space', 'a b'],
    ['a key beyond ASCII', 'clé'],
  ] as const) {
    test(`answers 400 to ${what} and does nothing`, async () => {
      const caller = await newCaller(service)
      const answer = await caller.call('POST', path, { name: 'x' }, { 'idempotency-key': key })
      assert.equal(answer.statusCode, 400)
      assert.equal(answer.json().details[0].field, 'Idempotency-Key')
      assert.equal(await total(caller), 0)
    })
  }

  test('means nothing on a read', async () => {
    const caller = await newCaller(service)
    assert.equal((await caller.get(path, { 'idempotency-key': 'k' })).statusCode, 200)
    await caller.call('POST', path, { name: 'x' })
    assert.equal((await caller.get(path, { 'idempotency-key': 'k' })).json().total, 1)
  })

  test('a token of another scope gets no replay', async () => {
    const caller = await newCaller(service)
    await caller.call('POST', path, { name: 'x' }, { 'idempotency-key': 'k' })
    assert.equal(
      (await callerIn(service, caller.org, ['bills']).call('POST', path, { name: 'x' }, { 'idempotency-key': 'k' }))
        .statusCode,
      403,
    )
  })
})
