import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runs, some } from '../../../../test/depth.ts'
import { type Caller, callerIn, newCaller, openService, sharedService } from '../../../../test/service.ts'
import { signToken } from '../../access/tokens/access-token.ts'
import { revoke } from '../../access/tokens/revocations.ts'
import { newId } from '../../core/values/ids.ts'
import { readAllOrganizations } from '../../db/schema/organizations.ts'
import type { Run } from '../../db/sql/rows.ts'
import { type Statement, sql } from '../../db/sql/sql.ts'
import { listChainFaults } from '../feed/chain-store.ts'
import { listFeedFaults, listUnpublished, lockFeed, savePositions } from '../feed/feed-store.ts'
import { inOrder } from '../feed/order.ts'
import { writePosition } from '../feed/position.ts'
import { chainAll, publish, publishAll, publishingJobHere } from '../feed/publishing.ts'
import { expirePositions } from '../feed/retention.ts'
import { record } from '../record.ts'

type Event = {
  id: string
  type: string
  revision: number
  subject: { type: string; id: string }
  data: { name?: string }
}
type Page = { events: Event[]; next_after: string; next_before?: string | null; has_more: boolean }

const service = await sharedService()
const feed = '/api/v1/events'

async function page(caller: Caller, query: Record<string, string> = {}): Promise<Page> {
  const answer = await caller.get(`${feed}?${new URLSearchParams(query)}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

/** Everything behind a position, page by page. */
async function readOn(
  caller: Caller,
  query: Record<string, string> = {},
): Promise<{ events: Event[]; next_after: string }> {
  const events: Event[] = []
  for (let after = query.after; ; ) {
    const next = await page(caller, { ...query, ...(after && { after }) })
    events.push(...next.events)
    after = next.next_after
    if (!next.has_more) return { events, next_after: after }
  }
}

async function createType(caller: Caller, name: string): Promise<string> {
  const answer = await caller.call('POST', '/api/v1/bill_item_types', { name })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().bill_item_type.id
}

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)

describe('GET /events', () => {
  test('answers what happened, the oldest first, a deletion too, and each once to who goes on with next_after', async () => {
    const caller = await newCaller(service)
    const start = await page(caller)
    assert.deepEqual([typesOf(start.events), start.has_more], [['organization.created'], false])
    const id = await createType(caller, 'Fuel')
    const first = await page(caller, { after: start.next_after })
    assert.deepEqual(typesOf(first.events), ['bill_item_type.created'])
    assert.equal(first.events[0]?.subject.id, id)
    await caller.call('PUT', `/api/v1/bill_item_types/${id}`, { name: 'Fuel surcharge' })
    await caller.call('DELETE', `/api/v1/bill_item_types/${id}`)
    const second = await page(caller, { after: first.next_after })
    assert.deepEqual(typesOf(second.events), ['bill_item_type.updated', 'bill_item_type.deleted'])
    const nothing = await page(caller, { after: second.next_after })
    assert.deepEqual(nothing, { events: [], next_after: second.next_after, has_more: false })
  })

  test('is read in pages of any size with the same result', async () => {
    const caller = await newCaller(service)
    for (let n = 0; n < 7; n++) await createType(caller, `Type ${n}`)
    const whole = await page(caller, { limit: '200' })
    assert.equal(whole.events.length, 8)
    for (const limit of some([1, 2, 3, 8, 9])) {
      const { events, next_after } = await readOn(caller, { limit: String(limit) })
      assert.deepEqual(events, whole.events)
      assert.equal(next_after, whole.next_after)
    }
  })

  test('keeps events of types, of all types of a noun, of a kind of record, and of one record', async () => {
    const caller = await newCaller(service)
    const id = await createType(caller, 'Fuel')
    await createType(caller, 'Toll')
    await caller.call('PUT', `/api/v1/bill_item_types/${id}`, { name: 'Fuel surcharge' })
    const answer = await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 30', number_of_days: 30 })
    assert.equal(answer.statusCode, 201, answer.body)
    const typesFor = async (query: Record<string, string>) => typesOf((await page(caller, query)).events)
    const [created, updated] = ['bill_item_type.created', 'bill_item_type.updated']
    assert.deepEqual(await typesFor({ types: 'bill_item_type.created' }), [created, created])
    assert.deepEqual(await typesFor({ types: 'bill_item_type.updated,pay_term.*' }), [updated, 'pay_term.created'])
    assert.deepEqual(await typesFor({ types: 'pay_term.*' }), ['pay_term.created'])
    assert.equal((await typesFor({ types: '*' })).length, 5)
    assert.deepEqual(await typesFor({ types: 'manifest.created' }), [])
    assert.deepEqual(await typesFor({ subject_type: 'pay_term' }), ['pay_term.created'])
    assert.deepEqual(await typesFor({ subject_type: 'bill_item_type', subject_id: id }), [created, updated])
    const filtered = await page(caller, { types: 'manifest.created' })
    assert.deepEqual(filtered, { events: [], next_after: (await page(caller)).next_after, has_more: false })
  })

  test('answers the newest first to who asks so, in pages of any size, and says where to follow on', async () => {
    const caller = await newCaller(service)
    for (let n = 0; n < 5; n++) await createType(caller, `Type ${n}`)
    const whole = await page(caller)
    const newest = whole.events.toReversed()
    for (const limit of some([1, 2, 3, 6, 7])) {
      const events: Event[] = []
      for (let before: string | null | undefined; before !== null; ) {
        const next = await page(caller, { newest_first: 'true', limit: String(limit), ...(before && { before }) })
        events.push(...next.events)
        assert.equal(next.next_after, whole.next_after)
        assert.equal(next.has_more, next.next_before !== null)
        before = next.next_before
      }
      assert.deepEqual(events, newest)
    }
    assert.deepEqual((await page(caller, { newest_first: 'true', types: 'manifest.created' })).events, [])
    const { next_after: after } = await page(caller, { limit: '4' })
    assert.deepEqual(await page(caller, { newest_first: 'true', after }), {
      events: newest.slice(0, 2),
      next_after: whole.next_after,
      next_before: null,
      has_more: false,
    })
    await createType(caller, 'Late')
    assert.deepEqual(typesOf((await page(caller, { after: whole.next_after })).events), ['bill_item_type.created'])
  })

  test('keeps events that one request made, and nothing of the same id elsewhere', async () => {
    const [caller, other] = [await newCaller(service), await newCaller(service)]
    const made = await caller.call('POST', '/api/v1/bill_item_types', { name: 'Fuel' })
    await createType(caller, 'Toll')
    const request_id = String(made.headers['x-request-id'])
    const { events } = await page(caller, { request_id })
    assert.deepEqual(
      events.map(({ subject }) => subject.id),
      [made.json().bill_item_type.id],
    )
    assert.deepEqual((await page(caller, { request_id, newest_first: 'true' })).events, events)
    assert.deepEqual((await page(other, { request_id })).events, [])
  })

  test('refuses what is no position, no type and no number, and says what to send', async () => {
    const caller = await newCaller(service)
    for (const [query, code] of [
      ['after=12', 'invalid_position'],
      [`after=${writePosition(1)}x`, 'invalid_position'],
      ['before=12', 'invalid_position'],
      ['types=bills', 'bad_event_type'],
      ['types=bill.Paid', 'bad_event_type'],
      ['limit=0', 'too_small'],
      ['limit=x', 'wrong_type'],
      ['subject_id=7', 'bad_uuid'],
    ] as const) {
      const answer = await caller.get(`${feed}?${query}`)
      assert.equal(answer.statusCode, 400, `${query}: ${answer.body}`)
      assert.equal(answer.json().error_code, code, answer.body)
    }
  })

  test('needs the scope webhooks', async () => {
    const { org } = await newCaller(service)
    for (const path of [feed, `${feed}/stream`, `${feed}/${newId()}`]) {
      const answer = await callerIn(service, org, ['bills']).get(path, { accept: '*/*' })
      assert.equal(answer.statusCode, 403, path)
    }
  })

  test('shows nothing of another organization', async () => {
    const [one, other] = [await newCaller(service), await newCaller(service)]
    await createType(one, 'Fuel')
    const [, mine] = (await page(one)).events
    assert.deepEqual(typesOf((await page(other)).events), ['organization.created'])
    assert.equal((await one.get(`${feed}/${mine?.id}`)).json().event.id, mine?.id)
    assert.equal((await other.get(`${feed}/${mine?.id}`)).statusCode, 404)
  })

  test('answers 410 for a position from before the time that events are kept, and for one that the feed has never reached', async () => {
    const caller = await newCaller(service)
    await createType(caller, 'Fuel')
    const old = await page(caller, { limit: '1' })
    await createType(caller, 'Toll')
    const end = await page(caller, { after: old.next_after })
    await service.pool.transaction(
      (run) =>
        run(
          sql`update events set occurred_at = now() - interval '100 days' where org_id = ${caller.org} and position < 3`,
        ),
      `begin; set local app.org_id = '${caller.org}'`,
    )
    const own = { ...service.database, pool: { ...service.pool, run: async () => [{ org_id: caller.org }] } as never }
    await expirePositions(own, 90)
    const gone = await caller.get(`${feed}?after=${old.next_after}`)
    assert.equal(gone.statusCode, 410, gone.body)
    assert.equal(gone.json().error_code, 'position_expired')
    assert.deepEqual((await page(caller)).events.length, 1, 'without a position it begins with the oldest that is kept')
    assert.deepEqual((await page(caller, { after: end.next_after })).events, [])
    assert.equal((await caller.get(`${feed}?after=${writePosition(99)}`)).statusCode, 410)
  })
})

describe('positions', () => {
  test('skip and repeat nothing while 16 writers commit late, out of order or not at all, and two processes publish', async () => {
    const caller = await newCaller(service)
    const other = await openService()
    const records = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => createType(caller, name)))
    const committed: { id: string; revision: number; name: string }[] = []
    let writing = true

    async function write(writer: number): Promise<void> {
      const { ctx } = writer % 2 ? caller : callerIn(other, caller.org)
      for (let n = 0; n < 12; n++) {
        const id = records[(writer * 7 + n * 3) % records.length] as string
        const name = `${writer}.${n}`
        const fails = n % 5 === 4
        await ctx
          .transaction(async (ctx) => {
            const [row] = await ctx.run<{ revision: number }>(
              sql`update bill_item_types set revision = revision + 1 where org_id = ${ctx.org} and id = ${id} returning revision`,
            )
            const revision = row?.revision as number
            await record(ctx, {
              type: 'bill_item_type.updated',
              subject: { type: 'bill_item_type', id },
              revision,
              data: JSON.stringify({ name }),
            })
            await sleep(n % 4 === 0 ? 60 : 1)
            if (fails) throw new Error('not committed')
            return revision
          })
          .then(
            (revision) => committed.push({ id, revision, name }),
            (error) => assert.match(error.message, /not committed/),
          )
      }
    }

    const publishAll = () => publish(caller.org, (work) => other.database.transaction(caller.org, work))
    async function publishOften(): Promise<void> {
      while (writing) {
        await publishAll()
        await sleep(3)
      }
    }

    const collected: Event[] = []
    async function collect(): Promise<void> {
      for (let after: string | undefined, last = false; ; ) {
        const next = await page(caller, { limit: '7', ...(after && { after }) })
        collected.push(...next.events)
        after = next.next_after
        if (last && !next.has_more) return
        last = !writing
        if (!next.has_more) await sleep(2)
      }
    }

    // What another process has written last is in the feed when somebody has published it: whoever collects must not end before.
    const writers = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)))
      .then(publishAll)
      .finally(() => {
        writing = false
      })
    await Promise.all([writers, publishOften(), collect()])

    const updates = collected.filter(({ type }) => type === 'bill_item_type.updated')
    assert.equal(new Set(collected.map(({ id }) => id)).size, collected.length, 'none comes twice')
    assert.deepEqual(
      updates.map(({ data }) => data.name).toSorted(),
      committed.map(({ name }) => name).toSorted(),
      'what is committed is there, and nothing else',
    )
    for (const id of records) {
      const revisions = updates.filter(({ subject }) => subject.id === id).map(({ revision }) => revision)
      assert.deepEqual(
        revisions,
        revisions.toSorted((one, next) => one - next),
        'the events of a record come in the order in which they happened',
      )
    }
  })

  test('are given to more events than are taken at once, those of each record in order', async () => {
    const caller = await newCaller(service)
    const [first, second] = [newId(), newId()]
    await caller.ctx.transaction(async (ctx) => {
      for (const [subject, count] of [
        [first, 1500],
        [second, 700],
      ] as const)
        await ctx.run(sql`
          insert into events (org_id, id, type, actor, subject_type, subject_id, revision, data)
          select own.org_id, e.id, 'bill.updated', '{}', 'bill', ${subject}::uuid, e.n, '{}'
          from organizations own cross join unnest(${Array.from({ length: count }, newId)}::uuid[]) with ordinality as e(id, n) where own.org_id = ${ctx.org}`)
    })
    const { events } = await readOn(caller, { limit: '200' })
    for (const [subject, count] of [
      [first, 1500],
      [second, 700],
    ] as const)
      assert.deepEqual(
        events.filter((event) => event.subject.id === subject).map(({ revision }) => revision),
        Array.from({ length: count }, (_, n) => n + 1),
      )
  })

  test('are given by the background to what was written here, and to what a process left behind', async () => {
    const caller = await newCaller(service)
    const unpublished = async () => {
      const rows = await caller.ctx.run(sql`select id from events where org_id = ${caller.org} and position is null`)
      return rows.length
    }
    assert.equal(await unpublished(), 1)
    await publishAll({
      ...service.database,
      pool: { ...service.pool, run: async () => [{ org_id: caller.org }] } as never,
    })
    assert.equal(await unpublished(), 0)
    const { run, wokenBy } = publishingJobHere(service.database)
    const woken = Promise.withResolvers<void>()
    const stop = wokenBy(woken.resolve)
    await createType(caller, 'Fuel')
    await woken.promise
    await run(new AbortController().signal)
    stop()
    assert.equal(await unpublished(), 0)
  })

  test('are verified: one that is missing is found', async () => {
    const [sound, faulty] = [await newCaller(service), await newCaller(service)]
    for (const caller of [sound, faulty]) await page(caller)
    const undo = new Error('what was broken is put back')
    let faults = ''
    const look = service.pool.transaction(async (run) => {
      await run(sql`update feeds set last_position = 2 where org_id = ${faulty.org}`)
      await readAllOrganizations(run)
      faults = (await listFeedFaults(run)).join()
      throw undo
    }, `begin; set local app.org_id = '${faulty.org}'`)
    await assert.rejects(look, undo)
    assert.match(faults, new RegExp(`${faulty.org} ends at 2, but has 1 events, the last of them at 1`))
    assert.doesNotMatch(faults, new RegExp(sound.org))
  })

  test('are all that can be changed of an event by who serves requests', async () => {
    const caller = await newCaller(service)
    const change = (text: string) => caller.ctx.transaction((ctx) => ctx.run({ text, values: [ctx.org] }))
    await assert.rejects(change(`update events set data = '{}' where org_id = $1`), /permission denied/)
    await assert.rejects(change('delete from events where org_id = $1'), /permission denied/)
  })
})

describe('the chain of hashes', () => {
  const { database, pool } = service
  const publishAt = (caller: Caller) => publish(caller.org, (work) => database.transaction(caller.org, work))
  /** With the rights of the schema's owner. */
  const change = (caller: Caller, work: (run: Run) => Promise<unknown>) =>
    pool.transaction((run) => work(run), `begin; set local app.org_id = '${caller.org}'`)

  async function faultsOf(caller: Caller, run: Run): Promise<string[]> {
    await readAllOrganizations(run)
    return (await listChainFaults(run)).filter((fault) => fault.includes(caller.org))
  }

  /** What doctor would find after a change, which is not kept. */
  async function faultsAfter(caller: Caller, statement: Statement): Promise<string[]> {
    const undo = new Error('what was broken is put back')
    let faults: string[] = []
    const look = change(caller, async (run) => {
      const changed = await run(
        sql`with changed as (${statement} returning 1) select count(*)::int as count from changed`,
      )
      assert.ok((changed[0] as { count: number }).count > 0, 'it changes something')
      faults = await faultsOf(caller, run)
      throw undo
    })
    await assert.rejects(look, undo)
    return faults
  }

  const hashesOf = async (caller: Caller) =>
    (await readOn(caller)).events.map((event) => (event as unknown as { hash: string | null }).hash)

  test('gives each event a hash of the one before and of its content: what is changed, taken out or put in is found', async () => {
    const caller = await newCaller(service)
    const { org } = caller
    for (const name of ['A', 'B', 'C', 'D']) await createType(caller, name)
    const hashes = await hashesOf(caller)
    assert.equal(new Set(hashes).size, 5)
    for (const hash of hashes) assert.match(String(hash), /^[0-9a-f]{64}$/)
    assert.deepEqual(await change(caller, (run) => faultsOf(caller, run)), [])
    const at = (position: number) => sql`where org_id = ${org} and position = ${position}`
    for (const [what, found] of [
      [sql`update events set data = jsonb_set(data, '{name}', '"Z"') ${at(3)}`, /at position 3 .*was changed/],
      [sql`update events set actor = '{"type": "user", "id": "someone else"}' ${at(2)}`, /at position 2/],
      [sql`update events set occurred_at = timestamptz '2026-01-01' ${at(4)}`, /at position 4/],
      [sql`update events set previous = '{}' ${at(4)}`, /at position 4/],
      [sql`delete from events ${at(3)}`, /at position 4/],
      [sql`update events set hash = null ${at(3)}`, /at position 3/],
      [sql`update events set hash = sha256('x') ${at(5)}`, /at position 5/],
      [
        sql`update events set position = case position when 2 then 2000003 else 2 end where org_id = ${org} and position in (2)`,
        /at position 3/,
      ],
      [sql`delete from events ${at(5)}`, /not the one with which its chain ended/],
    ] as const)
      assert.match((await faultsAfter(caller, what)).join(' '), found, what.text)
  })

  test('is of the content and not of how it is stored: SHA-256 of the hash before, the place, and the lines of the event', async () => {
    const caller = await newCaller(service)
    await createType(caller, 'A')
    await readOn(caller)
    const rows = await caller.ctx.run<Record<string, string | null> & { hash: Buffer; position: string }>(sql`
      select org_id, id, type, wire_time(occurred_at) as occurred_at, actor::text, subject_type, subject_id, revision::text, data::text, previous::text, request_id,
        position, hash from events where org_id = ${caller.org} order by position`)
    let before = Buffer.alloc(32)
    for (const { position, hash, ...parts } of rows) {
      const place = Buffer.alloc(8)
      place.writeBigInt64BE(BigInt(position))
      const content = Object.values(parts)
        .map((part) => part ?? '')
        .join('\n')
      const digest = createHash('sha256').update(content).digest()
      before = createHash('sha256').update(before).update(place).update(digest).digest()
      assert.equal(hash.toString('hex'), before.toString('hex'))
    }
    assert.equal(rows.length, 2)
  })

  test('takes up events from before it, those from before the feed first, and those that an older server published; new ones wait for none', async () => {
    const caller = await newCaller(service)
    for (let n = 0; n < 4; n++) await createType(caller, `Type ${n}`)
    const expected = await hashesOf(caller)
    // As an older version left them: two of before the feed, and the others with places, but no hashes.
    await change(caller, async (run) => {
      await run(
        sql`update events set hash = null, position = greatest(position - 2, 0) where org_id = ${caller.org} and position <= 2`,
      )
      // By way of places that no event has: each is checked at once, in whichever order the rows come.
      await run(
        sql`update events set hash = null, position = position + 1000 where org_id = ${caller.org} and position > 2`,
      )
      await run(sql`update events set position = position - 1002 where org_id = ${caller.org} and position > 1000`)
      await run(
        sql`update feeds set last_position = 3, chained_position = null, chained_hash = null where org_id = ${caller.org}`,
      )
    })
    assert.deepEqual(await change(caller, (run) => faultsOf(caller, run)), [], 'what has no hash yet is no fault')
    await createType(caller, 'New')
    await publishAt(caller)
    await chainAll({ ...database, pool: { ...pool, run: async () => [{ org_id: caller.org }] } as never })
    const rows = await caller.ctx.run<{ hash: Buffer | null }>(
      sql`select hash from events where org_id = ${caller.org} order by position, id`,
    )
    assert.equal(rows.length, 6)
    for (const { hash } of rows) assert.equal(hash?.length, 32)
    assert.notEqual(rows[2]?.hash?.toString('hex'), expected[2], 'a place is part of it')
    assert.deepEqual(await change(caller, (run) => faultsOf(caller, run)), [])
    const old = sql`update events set data = '{}' where org_id = ${caller.org} and position = 0`
    assert.match((await faultsAfter(caller, old)).join(' '), /at position 0/)
    // An older server gives a place and no hash while newer ones serve.
    await createType(caller, 'By an older server')
    await change(caller, async (run) => {
      await run(sql`update events set position = 5 where org_id = ${caller.org} and position is null`)
      await run(sql`update feeds set last_position = 5 where org_id = ${caller.org}`)
    })
    await createType(caller, 'Newest')
    await publishAt(caller)
    const all = await caller.ctx.run<{ hash: Buffer | null }>(
      sql`select hash from events where org_id = ${caller.org} and position > 4 order by position`,
    )
    assert.deepEqual(
      all.map(({ hash }) => hash?.length),
      [32, 32],
    )
    assert.deepEqual(await change(caller, (run) => faultsOf(caller, run)), [])
  })
})

describe('GET /events/stream', () => {
  let port = 0
  const { keyring, settings, database } = service

  before(async () => {
    if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
    port = (service.app.server.address() as AddressInfo).port
  })
  const open: ClientRequest[] = []
  after(() => {
    for (const request of open) request.destroy()
  })

  type Stream = {
    response: IncomingMessage
    text(): string
    until(what: RegExp): Promise<string>
    ended: Promise<unknown>
  }

  async function follow(
    { token }: { token: string },
    path = '',
    headers: Record<string, string> = {},
  ): Promise<Stream> {
    const request = get({
      port,
      path: `${feed}/stream${path}`,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
      agent: false,
    })
    open.push(request)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    const ended = new Promise((resolve) => response.once('close', resolve))
    return {
      response,
      text: () => text,
      ended,
      async until(what) {
        while (!what.test(text))
          await Promise.race([once(response, 'data'), ended.then(() => assert.fail(`the stream ended with: ${text}`))])
        return text
      },
    }
  }

  const lastId = (text: string) => /.*^id: (\S+)$/ms.exec(text)?.[1] as string
  const published = (caller: Caller) => publish(caller.org, (work) => database.transaction(caller.org, work))

  test('sends what happens from now on, and resumes behind Last-Event-ID without a gap', async () => {
    const caller = await newCaller(service)
    await published(caller)
    const stream = await follow(caller)
    assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8')
    await stream.until(/^id: /m)
    await createType(caller, 'Fuel')
    await published(caller)
    const text = await stream.until(/"name": ?"Fuel"/)
    assert.doesNotMatch(text, /organization.created/)
    stream.response.destroy()
    await createType(caller, 'Toll')
    await published(caller)
    const resumed = await follow(caller, '', { 'last-event-id': lastId(text) })
    assert.doesNotMatch(await resumed.until(/"name": ?"Toll"/), /"name": ?"Fuel"/)
  })

  test('begins behind a position, keeps types, and hears of what another process publishes', async () => {
    const caller = await newCaller(service)
    const { next_after } = await page(caller)
    await createType(caller, 'Fuel')
    const stream = await follow(caller, `?after=${next_after}&types=pay_term.*`)
    await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 30', number_of_days: 30 })
    // As another process does it: nothing in this one is told.
    await database.transaction(caller.org, async (run) => {
      const { last } = await lockFeed({ org: caller.org, run })
      const events = await listUnpublished({ org: caller.org, run }, 100)
      const placed = inOrder(events).map((id, index) => ({ id, position: last + 1 + index, hash: null }))
      await savePositions({ org: caller.org, run }, placed)
    })
    assert.doesNotMatch(await stream.until(/pay_term.created/), /bill_item_type/)
  })

  test('ends at once when the token is revoked or the role of its user changed, and when it expires', async () => {
    const caller = await newCaller(service)
    const revoked = callerIn(service, caller.org)
    const stream = await follow(revoked)
    await stream.until(/^id: /m)
    const { jti } = JSON.parse(Buffer.from(revoked.token.split('.')[1] as string, 'base64url').toString())
    await caller.ctx.transaction((ctx) => revoke(ctx, 'token', jti))
    await stream.ended
    const grant = {
      sub: newId(),
      client_id: 'test',
      org_id: caller.org,
      scopes: ['webhooks'] as const,
      role: 'member' as const,
    }
    const demoted = await follow({
      token: signToken(keyring, { issuer: settings.authUrl, audience: settings.audience }, grant, 600),
    })
    await demoted.until(/^id: /m)
    await caller.ctx.transaction((ctx) => revoke(ctx, 'role', grant.sub))
    await demoted.ended
    const short = await follow({
      token: signToken(
        keyring,
        { issuer: settings.authUrl, audience: settings.audience },
        { ...grant, sub: newId() },
        2,
      ),
    })
    await short.ended
    assert.equal(short.response.complete, true, 'it ends well')
  })

  test('is held by a thousand readers of one process, and each hears of everything', async () => {
    const caller = await newCaller(service)
    await published(caller)
    const streams: Awaited<ReturnType<typeof follow>>[] = []
    // A token has so many streams at once, so each has one of its own.
    const reader = () => callerIn(service, caller.org)
    // Not all at once: what a busy machine cannot accept in time, the server closes.
    while (streams.length < runs(1_000))
      streams.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(50, runs(1_000) - streams.length) }, () => follow(reader())),
        )),
      )
    await Promise.all(streams.map((stream) => stream.until(/^id: /m)))
    for (const name of ['Fuel', 'Toll']) {
      await createType(caller, name)
      await published(caller)
      await Promise.all(streams.map((stream) => stream.until(new RegExp(`"name": ?"${name}"`))))
    }
    for (const stream of streams) assert.equal(stream.text().match(/^data: /gm)?.length, 2)
  })

  test('refuses a position that is none, and a caller who takes no stream', async () => {
    const caller = await newCaller(service)
    assert.equal((await follow(caller, '?after=x')).response.statusCode, 400)
    assert.equal((await follow(caller, '', { 'last-event-id': 'x' })).response.statusCode, 400)
    assert.equal((await follow(caller, '', { accept: 'application/json' })).response.statusCode, 406)
    assert.equal((await follow(caller, `?after=${writePosition(99)}`)).response.statusCode, 410)
  })
})
