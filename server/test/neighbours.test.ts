import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { Refusal } from '../src/platform/core/refusal.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { connect } from '../src/platform/db/pool/connect.ts'
import { searching, sql } from '../src/platform/db/sql/sql.ts'
import { makeMetrics, observeShares } from '../src/platform/observe/metrics.ts'
import { type Caller, newCaller, openService, testTarget } from './service.ts'

const service = await openService({}, undefined, undefined, { alone: false })
const another = connect(testTarget(), { max: 4 })
after(() => another.end())

const v2 = '/api/v2/platformModel/objects'
const isRefused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

/** Some of everything that an organization does. */
async function work({ call, get }: Caller): Promise<number[]> {
  const answers = await Promise.all([
    get('/api/v1/pay_terms'),
    get('/api/v1/bills?search_term=x'),
    get('/api/v1/bills/totals'),
    call('POST', '/api/v1/bills', {}),
    call('POST', `${v2}/search`, { objectKey: 'customer', filter: { field: 'name', op: 'contains', value: 'x' } }),
    call('POST', `${v2}/bulk`, { objects: [{ objectKey: 'customer', json: { name: 'One' } }] }),
    call('POST', `${v2}/import?objectKey=customer`, 'name\nAcme\n', { 'content-type': 'text/csv' }),
    get(`${v2}/export?objectKey=customer`),
  ])
  return answers.map(({ statusCode }) => statusCode)
}

const allAnswered = [200, 200, 200, 201, 200, 200, 200, 200]

/** A lock that somebody next to the server holds until told otherwise. */
async function hold(lock: ReturnType<typeof sql>, org = ''): Promise<() => Promise<void>> {
  const { promise: over, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: isHeld, reject } = Promise.withResolvers<void>()
  const ended = another.transaction(async (run) => {
    await run(lock)
    isHeld()
    await over
  }, `begin; set local app.org_id = '${org}'`)
  ended.catch(reject)
  await held
  return () => {
    release()
    return ended
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

async function newBill({ call }: Caller): Promise<string> {
  return (await call('POST', '/api/v1/bills', {})).json().bill.id
}

describe('while one organization is loud', () => {
  test('in writes that all wait for one row, others do everything, it reads on itself, and what is too much of it gets 429', async () => {
    const [loud, quiet] = [await newCaller(service), await newCaller(service)]
    const bill = await newBill(loud)
    const release = await hold(sql`select from bills where org_id = ${loud.org} and id = ${bill} for update`, loud.org)
    const writes = Array.from({ length: 130 }, (_, index) =>
      loud.call('PUT', `/api/v1/bills/${bill}`, { notes: `${index}` }),
    )
    const refused = await Promise.race(writes)
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.json().error_code, 'organization_busy')
    assert.equal(refused.headers['retry-after'], '1')
    assert.deepEqual(await work(quiet), allAnswered)
    assert.equal((await loud.get(`/api/v1/bills/${bill}`)).statusCode, 200)
    await release()
    const statuses = (await Promise.all(writes)).map(({ statusCode }) => statusCode)
    assert.deepEqual(
      [200, 429].map((status) => statuses.filter((one) => one === status).length),
      [102, 28],
    )
  })

  test('in searches that do not end, others do everything, it reads and writes on itself, and what is too much of it gets 429', async () => {
    const [loud, quiet] = [await newCaller(service), await newCaller(service)]
    const bill = await newBill(loud)
    const release = await hold(sql`select pg_advisory_xact_lock(hashtext(${loud.org}))`)
    const endless = (n: number) =>
      searching(sql`select pg_advisory_xact_lock_shared(hashtext(${loud.org})), ${n}::int as n`)
    const searches = Array.from({ length: 30 }, (_, n) => service.database.read(loud.org, endless(n)))
    const outcomes = searches.map((search) =>
      search.then(
        () => 'found',
        (error) => error.code,
      ),
    )
    assert.equal(await Promise.race(outcomes), 'organization_busy')
    assert.deepEqual(await work(quiet), allAnswered)
    assert.equal((await loud.get(`/api/v1/bills/${bill}`)).statusCode, 200)
    assert.equal((await loud.call('PUT', `/api/v1/bills/${bill}`, { notes: 'x' })).statusCode, 200)
    await release()
    const ended = await Promise.all(outcomes)
    assert.deepEqual(
      [ended.filter((one) => one === 'found').length, ended.filter((one) => one === 'organization_busy').length],
      [18, 12],
    )
  })

  test('in exports that nobody reads, others export, and it is told to wait', async () => {
    const [loud, quiet] = [await newCaller(service), await newCaller(service)]
    const many = sql`select n from generate_series(1, 100000) n`
    const wide = (rows: object[]) => 'x'.repeat(rows.length * 1000)
    const unread = await service.database.stream(loud.org, many, wide)
    const gone = new AbortController()
    const second = service.database.stream(loud.org, many, wide, '', () => gone.signal)
    assert.deepEqual(await work(quiet), allAnswered)
    gone.abort()
    await assert.rejects(second, isRefused('too_many_streams'))
    unread.destroy()
  })

  test('in bulk requests, what is too much of it gets 429 and writes nothing, and others do everything', async () => {
    const [loud, quiet] = [await newCaller(service), await newCaller(service)]
    const release = await hold(
      sql`insert into counters (org_id, name, value) values (${loud.org}, 'customer', 1) on conflict do nothing`,
      loud.org,
    )
    const writes = Array.from({ length: 8 }, (_, index) =>
      loud.call('POST', `${v2}/bulk`, { objects: [{ objectKey: 'customer', json: { name: `C ${index}` } }] }),
    )
    const refused = await Promise.race(writes)
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.json().code, 'organization_busy')
    assert.deepEqual(await work(quiet), allAnswered)
    await release()
    const written = (await Promise.all(writes)).filter(({ statusCode }) => statusCode === 200)
    assert.equal(written.length, 5)
    assert.equal((await loud.get(`${v2}?objectKey=customer`)).json().total, 5)
  })
})

test('whoever hangs up while waiting loses the place in the queue', async () => {
  const caller = await newCaller(service)
  const bill = await newBill(caller)
  const release = await hold(
    sql`select from bills where org_id = ${caller.org} and id = ${bill} for update`,
    caller.org,
  )
  const held = [1, 2].map((n) => caller.call('PUT', `/api/v1/bills/${bill}`, { notes: `${n}` }))
  const { connections } = service.database.shares
  await until(() => connections.counts().held === 2)
  const address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' }
  const left = request(`${address}/api/v1/bills/${bill}`, { method: 'PUT', headers }).on('error', () => {})
  left.end('{"notes":"never"}')
  await until(() => connections.counts().waiting === 1)
  left.destroy()
  await until(() => connections.counts().waiting === 0)
  await release()
  assert.deepEqual(
    (await Promise.all(held)).map(({ statusCode }) => statusCode),
    [200, 200],
  )
  assert.notEqual((await caller.get(`/api/v1/bills/${bill}`)).json().bill.notes, 'never')
})

test('the metrics say how much of each share is in use, how many wait and how many were refused', async () => {
  const metrics = makeMetrics()
  observeShares(metrics, service.database.shares)
  const text = await metrics.text()
  for (const share of ['connections', 'searches', 'exports', 'bulk']) {
    for (const name of ['places_in_use', 'waiting', 'refused_total'])
      assert.match(text, new RegExp(`^lading_share_${name}\\{share="${share}"\\} \\d+$`, 'm'))
  }
})

test('a search that takes longer than one may is refused with what to do, and its place is free again', async (t) => {
  const database = openDatabase(connect(testTarget(), { max: 5 }), { searchMs: 2_000 })
  t.after(() => database.close())
  const { org } = await newCaller(service)
  const slow = (seconds: number) => database.read(org, searching(sql`select pg_sleep(${seconds}::float8), 1 as n`))
  const outcomes = await Promise.allSettled([slow(60), slow(0)])
  assert.equal(outcomes[1].status, 'fulfilled')
  assert.ok(
    outcomes[0].status === 'rejected' &&
      isRefused('search_too_slow')(outcomes[0].reason) &&
      /Narrow it/.test(outcomes[0].reason.message),
  )
  assert.equal(database.shares.searches.counts().held, 0)
})

test('a write that waits too long for a lock is refused as one to repeat, and its connection is free again', async (t) => {
  const database = openDatabase(connect(testTarget(), { max: 5 }), { lockMs: 30 })
  t.after(() => database.close())
  const caller = await newCaller(service)
  const bill = await newBill(caller)
  const release = await hold(
    sql`select from bills where org_id = ${caller.org} and id = ${bill} for update`,
    caller.org,
  )
  const write = database.transaction(caller.org, (run) =>
    run(sql`update bills set notes = 'x' where org_id = ${caller.org} and id = ${bill}`),
  )
  await assert.rejects(write, isRefused('unavailable'))
  assert.equal(database.shares.connections.counts().held, 0)
  await release()
})
