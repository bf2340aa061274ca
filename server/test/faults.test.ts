import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { countAttempt } from '../src/identity/passwords/throttle.ts'
import { correctRevocations, revoke } from '../src/platform/access/tokens/revocations.ts'
import { Refusal } from '../src/platform/core/refusal.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { isAway, isBroken, isNodeAway, whyUnusable } from '../src/platform/db/pool/away.ts'
import { connect } from '../src/platform/db/pool/connect.ts'
import { refusalFor } from '../src/platform/db/pool/trouble.ts'
import { type Statement, sql } from '../src/platform/db/sql/sql.ts'
import { startWork } from '../src/platform/work/scheduler.ts'
import { listWaiting } from './cluster.ts'
import { relayTo, through } from './relay.ts'
import { callerIn, connectionName, newCaller, openService, type Service, testTarget } from './service.ts'

const types = '/api/v1/bill_item_types'

const plain = await openService()
/** The one in which PostgreSQL raises what a test says, for all organizations or for one. */
const troubled = await openService()
const raised = raisingIn(troubled)
const relay = await relayTo(testTarget())
const relayed = await openService({}, undefined, undefined, {
  target: through(testTarget(), relay),
  patience: { quietMs: 400, answerMs: 6_000 },
})
after(() => relay.close())

function assertUnavailable(answer: LightMyRequestResponse, outcome?: 'not_written' | 'unknown'): void {
  assert.equal(answer.statusCode, 503, answer.body)
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  assert.equal(answer.json().outcome, outcome)
}

describe('what PostgreSQL cannot do for the moment is 503 with Retry-After, and says whether a write was saved', () => {
  /** Full disk, no memory, too many connections, cancelled, locked, read-only, input and output, shutting down, lost, colliding again and again. */
  const passing =
    '53100 53200 53300 53400 57014 55P03 25006 58030 58000 57P01 57P03 57P05 08006 40001 40P01 25P03'.split(' ')

  test('whatever SQLSTATE says so, in reads, writes and exports', async () => {
    const { call, get, org } = await newCaller(troubled)
    for (const code of passing) {
      raised.code = code
      // In a read, that it must not write would be a fault of ours.
      if (code !== '25006')
        for (const path of [`${types}?search_term=${code}`, '/api/v1/bills/export']) assertUnavailable(await get(path))
      assertUnavailable(await call('POST', types, { name: code }), 'not_written')
      const v2 = await call('PATCH', '/api/v2/platformModel/objects', { objectKey: 'customer', json: { name: code } })
      assertUnavailable(v2, 'not_written')
      assert.equal(v2.json().statusCode, 503)
    }
    raised.code = 'P0001'
    assert.equal((await get(types)).statusCode, 500)
    assert.equal((await call('POST', types, { name: 'a fault of ours' })).statusCode, 500)
    raised.code = null
    assert.equal((await get(types)).json().total, 0)
    const [events] = await troubled.pool.transaction(
      (run) =>
        run<{ count: number }>(
          sql`select count(*)::int as count from events where org_id = ${org} and subject_type <> 'organization'`,
        ),
      `begin; set local app.org_id = '${org}'`,
    )
    assert.equal(events?.count, 0)
  })

  test('a node of a cluster that is away, for its organizations alone: connections are kept, and the database is not taken to be away', async () => {
    const [its, other] = [await newCaller(troubled), await newCaller(troubled)]
    const processes = async () => {
      const seen = await Promise.all(
        Array.from({ length: 5 }, () =>
          troubled.pool.run<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(0.05)::text`),
        ),
      )
      return new Set(seen.map(([row]) => row?.pid))
    }
    const before = await processes()
    for (const code of ['08006', '08001', '57P03', '53300']) {
      Object.assign(raised, { code, org: its.org })
      const all = [1, 2, 3].flatMap((n) => [
        its.get(`${types}?search_term=${n}`).then((answer) => assertUnavailable(answer)),
        its.call('POST', types, { name: `${n}` }).then((answer) => assertUnavailable(answer, 'not_written')),
        other.get(`${types}?search_term=${n}`).then(({ statusCode }) => assert.equal(statusCode, 200)),
        other.call('POST', types, { name: `${n}` }).then(({ statusCode }) => assert.equal(statusCode, 201)),
      ])
      await Promise.all(all)
    }
    Object.assign(raised, { code: null, org: null })
    assert.equal((await its.get(types)).json().total, 0)
    for (const pid of await processes()) assert.ok(before.has(pid), 'a connection was given up')
  })

  test('a write that waits for a lock and is cancelled, really', async () => {
    const { call, ctx } = await newCaller(plain)
    const { id } = (await call('POST', types, { name: 'Held' })).json().bill_item_type
    await ctx.transaction(async ({ run, org }) => {
      await run(sql`select from bill_item_types where org_id = ${org} and id = ${id} for update`)
      const waiting = call('PUT', `${types}/${id}`, { name: 'Late' })
      let [late] = await listWaiting(plain.pool, connectionName)
      for (; !late; [late] = await listWaiting(plain.pool, connectionName)) await sleep(5)
      await plain.pool.run({ text: `select pg_cancel_backend(${late})`, values: [] })
      assertUnavailable(await waiting, 'not_written')
    })
    assert.equal((await call('PUT', `${types}/${id}`, { name: 'Later' })).statusCode, 200)
  })

  test('a right that PostgreSQL lacks on its disk is not one that the role lacks on a table', () => {
    const denied = (message: string, file: string) => Object.assign(new Error(message), { code: '42501', file })
    assert.equal(
      refusalFor(denied('could not extend file "base/5/16384": Read-only file system', 'md.c'))?.kind,
      'unavailable',
    )
    assert.equal(refusalFor(denied('permission denied for table bills', 'aclchk.c')), null)
    assert.equal(refusalFor(denied('new row violates row-level security policy for table "bills"', 'execMain.c')), null)
  })
})

test('another node is away where an error of the statement says so; what ends the connection, or says that this one takes no writes, is about this one', () => {
  const failing = (code: string, severity?: string) => Object.assign(new Error(code), { code, severity })
  for (const code of ['08006', '08001', '57P03', '53300', '57P01']) {
    assert.deepEqual([isNodeAway(failing(code, 'ERROR')), isBroken(failing(code, 'ERROR'))], [true, false], code)
    assert.deepEqual([isNodeAway(failing(code, 'FATAL')), isBroken(failing(code, 'FATAL'))], [false, true], code)
    assert.equal(refusalFor(failing(code, 'ERROR'))?.kind, 'unavailable')
  }
  for (const code of ['25006', 'ECONNRESET'])
    assert.deepEqual([isNodeAway(failing(code)), isBroken(failing(code))], [false, true], code)
  assert.deepEqual([isNodeAway(failing('42P01', 'ERROR')), isBroken(failing('42P01', 'ERROR'))], [false, false])
})

test('while no host of the address is the primary, reads and writes are refused as while none can be reached', async () => {
  const toPrimary = await relayTo(testTarget())
  const url = through(testTarget(), toPrimary)
  const database = openDatabase(
    connect(`${url}${url.includes('?') ? '&' : '?'}target_session_attrs=standby`, { max: 2 }),
  )
  after(async () => {
    await database.close()
    await toPrimary.close()
  })
  const isRefused = (error: unknown) => error instanceof Refusal && error.kind === 'unavailable'
  const [org, statement] = [newId(), sql`select 1 as one`]
  await assert.rejects(database.read(org, statement), isRefused)
  await assert.rejects(
    database.transaction(org, (run) => run(statement)),
    isRefused,
  )
})

test('a server that the database does not let in, or whose driver is out of step with it, is answered 503', () => {
  for (const code of ['28P01', '28000', '3D000', 'ECONNABORTED', 'ENETDOWN', 'EHOSTDOWN', '08P01'])
    assert.equal(refusalFor(Object.assign(new Error(code), { code }))?.kind, 'unavailable', code)
  for (const message of [
    'Received unexpected commandComplete message from backend.',
    'Connection terminated',
    'timeout expired',
  ])
    assert.equal(isBroken(new Error(message)), true, message)
})

test('only what the driver says of connections means that the database is away', () => {
  const failing = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })
  assert.equal(isAway(failing('ENOENT', 'connect')), true)
  assert.equal(isAway(failing('ENOENT', 'open')), false)
  assert.equal(isAway(failing('ECONNREFUSED', 'connect')), true)
})

test('a password that DATABASE_URL lacks, where the server asks for one, is named in one line', async () => {
  const mechanisms = Buffer.from('SCRAM-SHA-256\0\0')
  const asks = Buffer.concat([Buffer.from('R'), Buffer.from([0, 0, 0, 8 + mechanisms.length, 0, 0, 0, 10]), mechanisms])
  // The first answer of SCRAM begins with what the client has made up.
  const goesOn = (nonce: string) => {
    const text = Buffer.from(`r=${nonce}server,s=c2FsdA==,i=4096`)
    return Buffer.concat([Buffer.from('R'), Buffer.from([0, 0, 0, 8 + text.length, 0, 0, 0, 11]), text])
  }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const nonce = /,r=(.+)$/s.exec(data.toString('latin1'))?.[1]
      socket.write(nonce ? goesOn(nonce) : asks)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const pool = connect(`postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/lading`, { max: 1 })
  const error = await pool.run(sql`select 1`).catch((thrown) => thrown)
  assert.match(whyUnusable(error) ?? '', /^DATABASE_URL names no password, [^\n]+$/)
  await pool.end(0)
  server.close()
})

describe('a database behind a network that fails', () => {
  test('a host that says nothing more: 503 to all who wait, at once to those who come, and back when it speaks', async () => {
    const { call, get } = await newCaller(relayed)
    const { id } = (await call('POST', types, { name: 'There' })).json().bill_item_type
    relay.silence()
    const waiting = await Promise.all([
      get(`${types}/${id}`),
      get(types),
      call('PUT', `${types}/${id}`, { name: 'Lost' }),
    ])
    for (const answer of waiting) assertUnavailable(answer, answer === waiting[2] ? 'not_written' : undefined)
    // A minute would be waited for a connection of the pool.
    const since = performance.now()
    assertUnavailable(await get(`${types}/${id}`))
    const late = await call('PUT', `${types}/${id}`, { name: 'Lost' })
    // Where what was read of revocations has become too old meanwhile, it is refused before it is a write.
    assertUnavailable(late, late.json().outcome && 'not_written')
    assert.ok(performance.now() - since < 45_000)
    relay.resume()
    while ((await get(`${types}/${id}`)).statusCode !== 200) await sleep(50)
    const there = (await get(`${types}/${id}`)).json().bill_item_type
    assert.deepEqual([there.name, there.revision], ['There', 1])
    assert.equal((await call('PUT', `${types}/${id}`, { name: 'Found' })).statusCode, 200)
  })

  for (const side of ['client', 'server'] as const) {
    const what = side === 'client' ? 'before the server has read it' : 'when the server has done it'
    test(`a commit that is lost ${what} is answered unknown, and the same key then gives the truth`, async () => {
      const { call, get } = await newCaller(relayed)
      const key = { 'idempotency-key': newId() }
      const loss = loseNextCommit(side)
      assertUnavailable(await call('POST', types, { name: 'Once' }, key), 'unknown')
      loss.over()
      let answer = await call('POST', types, { name: 'Once' }, key)
      // The server may still be ending the lost transaction.
      for (; [409, 503].includes(answer.statusCode); answer = await call('POST', types, { name: 'Once' }, key))
        await sleep(20)
      assert.equal(answer.statusCode, 201, answer.body)
      assert.equal(answer.headers['idempotent-replayed'], side === 'server' ? 'true' : undefined)
      assert.equal((await get(types)).json().total, 1)
    })
  }

  test('of a request in several transactions, that some of it is saved is unknown to the one who is refused the rest', async () => {
    const { ctx } = await newCaller(troubled)
    await ctx.transaction(async () => {})
    raised.code = '53100'
    await assert.rejects(
      ctx.transaction(async () => {}),
      { kind: 'unavailable', outcome: 'unknown' },
    )
    raised.code = null
  })
})

describe('a clock that was a day ahead and was set back locks nobody out', () => {
  const tomorrow = sql`statement_timestamp() + interval '1 day'`

  test('of the rate limits, whose minutes are the database’s', async () => {
    const limited = { RATE_LIMIT_ORGANIZATION: '5' }
    const [first, second] = [await openService(limited), await openService(limited)]
    const { get, org } = await newCaller(first)
    assert.equal((await get(types)).statusCode, 200)
    await first.database.transaction(org, (run) =>
      run(sql`update rate_limits set window_start = ${tomorrow}, granted = most where org_id = ${org}`),
    )
    const answers = await Promise.all([1, 2, 3].map(() => callerIn(second, org).get(types)))
    for (const { statusCode } of answers) assert.equal(statusCode, 200)
    const [row] = await first.database.read<{ ahead: boolean }>(
      org,
      sql`select window_start > statement_timestamp() + interval '1 minute' as ahead from rate_limits where org_id = ${org}`,
    )
    assert.equal(row?.ahead, false)
  })

  test('of signing in', async () => {
    const { pool } = plain
    const attempt = { from: 'page', account: `${newId()}@example.com`, address: '192.0.2.7' } as const
    const [today, ahead] = [new Date(), new Date(Date.now() + 86_400_000)]
    const until429 = async () => {
      for (;;) await countAttempt(pool, attempt, ahead)
    }
    await assert.rejects(until429(), { code: 'too_many_attempts' })
    await countAttempt(pool, attempt, today)
    await assert.rejects(countAttempt(pool, attempt, today), { code: 'too_many_attempts' })
  })

  test('of background jobs, due and leased then', async () => {
    const { pool } = plain
    const name = `clock ${newId()}`
    let runs = 0
    const run = async () => {
      runs += 1
    }
    const job = { name, everySeconds: 60, runsOn: 'one process', run } as const
    const quiet = { debug() {}, warn() {}, error() {} }
    const work = startWork({ pool, jobs: [job], log: quiet, observe() {} }, { lookEveryMs: 3_600_000 })
    const look = async () => {
      await work.look()
      return runs
    }
    while ((await look()) === 0) await sleep(5)
    // Until its end is noted, which happens after it ran.
    while (
      (await pool.run(sql`select from background_jobs where name = ${name} and runner is null and due_at > now()`))
        .length === 0
    )
      await sleep(5)
    const before = runs
    await pool.run(
      sql`update background_jobs set due_at = ${tomorrow}, leased_until = ${tomorrow}, runner = 'one that is gone' where name = ${name}`,
    )
    assert.equal(await look(), before + 1)
    assert.equal(await look(), before + 1)
    await work.stop()
    await pool.run(sql`delete from background_jobs where name = ${name}`)
  })

  test('of what was revoked then', async () => {
    const { database } = plain
    const { org, ctx } = await newCaller(plain)
    await ctx.transaction((inner) => revoke(inner, 'user', 'someone'))
    await database.transaction(org, (run) =>
      run(sql`update revocations set issued_until = ${tomorrow}, expires_at = ${tomorrow} where org_id = ${org}`),
    )
    await correctRevocations(database)
    const [row] = await database.read<{ ahead: boolean }>(
      org,
      sql`select issued_until > statement_timestamp() as ahead from revocations where org_id = ${org}`,
    )
    assert.equal(row?.ahead, false)
  })
})

/** Cuts all connections when the next transaction of a request is being committed: when the client asks for it, or when the server answers. */
function loseNextCommit(side: 'client' | 'server'): { over(): void } {
  const { pool } = relayed
  const { transaction } = pool
  let armed = false
  pool.transaction = (work, opening) =>
    transaction(async (run) => {
      const result = await work(run)
      armed = true
      return result
    }, opening)
  relay.watch((from, data) => {
    if (!armed || from !== side || !/commit\0/i.test(data.toString('latin1'))) return
    armed = false
    relay.drop()
  })
  return {
    over() {
      pool.transaction = transaction
      relay.watch(() => {})
    },
  }
}

/** Has PostgreSQL raise this code at the beginning of every read and transaction, while there is one. */
function raisingIn({ database }: Service): { code: string | null; org: string | null } {
  const raised: { code: string | null; org: string | null } = { code: null, org: null }
  const raisesFor = (org: string) => raised.code !== null && (raised.org ?? org) === org
  const statement = (): Statement => ({
    text: `do $$ begin raise exception 'raised' using errcode = '${raised.code}'; end $$ -- ${newId()}`,
    values: [],
  })
  const { read, stream, transaction } = database
  database.read = (org, asked) => (raisesFor(org) ? read(org, statement()) : read(org, asked))
  database.stream = (org, asked, toText, head) => stream(org, raisesFor(org) ? statement() : asked, toText, head)
  database.transaction = (org, work) =>
    transaction(org, async (run) => {
      if (raisesFor(org)) await run(statement())
      return work(run)
    })
  return raised
}
