import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testTarget } from '../../../../test/service.ts'
import { Refusal } from '../../core/refusal.ts'
import { newId } from '../../core/values/ids.ts'
import { send } from '../sql/query.ts'
import { join, sql } from '../sql/sql.ts'
import { isAway } from './away.ts'
import { connect, giveBack, type Pool } from './connect.ts'
import { listen } from './listen.ts'

function newPool({ max = 2, waitMs = 60_000 } = {}): Pool {
  const pool = connect(testTarget(), { max, waitMs, name: `pool ${newId()}` })
  after(() => pool.end())
  return pool
}

describe('values', { concurrency: true }, () => {
  test('come back as the types that callers expect', async () => {
    const [row] = await newPool().run(sql`
      select 9007199254740993::int8 as int8, 1.10::numeric as numeric, 7::int4 as int4, 1.5::float8 as float8, true as bool, null::text as none,
        '2026-01-02T03:04:05.678Z'::timestamptz as at, '{"a":[1]}'::jsonb as jsonb, '\\x00ff'::bytea as bytea,
        array['00000000-0000-0000-0000-000000000001']::uuid[] as uuids, array['a,"b', null]::text[] as texts, array[1, 2]::int[] as ints`)
    assert.deepEqual(row, {
      int8: '9007199254740993',
      numeric: '1.10',
      int4: 7,
      float8: 1.5,
      bool: true,
      none: null,
      at: new Date('2026-01-02T03:04:05.678Z'),
      jsonb: { a: [1] },
      bytea: Buffer.from([0, 255]),
      uuids: ['00000000-0000-0000-0000-000000000001'],
      texts: ['a,"b', null],
      ints: [1, 2],
    })
  })

  test('go out as what they are', async () => {
    const { run } = newPool()
    const at = new Date('0099-03-04T05:06:07.008Z')
    const [row] = await run(sql`
      select ${at}::timestamptz as at, ${{ a: 'ü"\\' }}::jsonb as json, ${Buffer.from([0, 255])}::bytea as bytea, ${['a,"\\b', '', null, '{}']}::text[] as texts,
        ${[at]}::timestamptz[] as times, ${null}::text is null as none, ${12n}::int8 as big, ${false}::boolean as no, ${[]}::uuid[] as empty`)
    assert.deepEqual(row, {
      at,
      json: { a: 'ü"\\' },
      bytea: Buffer.from([0, 255]),
      texts: ['a,"\\b', '', null, '{}'],
      times: [at],
      none: true,
      big: '12',
      no: false,
      empty: [],
    })
    await assert.rejects(run(sql`select ${undefined}::text`), /undefined/)
  })
})

describe('a transaction', { concurrency: true }, () => {
  test('is all or nothing, and its first failure is what is thrown, even if somebody caught it inside', async () => {
    const pool = newPool({ max: 1 })
    await pool.run(sql`create temp table numbers (n int primary key)`)
    const insert = (n: number) => sql`insert into numbers values (${n})`
    const count = async () => (await pool.run(sql`select from numbers`)).length
    await pool.transaction((run) => Promise.all([run(insert(1)), run(insert(2))]))
    assert.equal(await count(), 2)
    const failing = pool.transaction(async (run) => {
      await run(insert(3))
      await Promise.allSettled([run(insert(1)), run(sql`select 1`), run(sql`select 1`)])
    })
    await assert.rejects(failing, { code: '23505' })
    assert.equal(await count(), 2)
    await assert.rejects(
      pool.transaction(async (run) => {
        await run(insert(4))
        throw new Error('enough')
      }),
      /enough/,
    )
    assert.equal(await count(), 2)
    let escaped: Pool['run'] | undefined
    await pool.transaction(async (run) => {
      escaped = run
    })
    await assert.rejects((escaped as Pool['run'])(insert(5)), /over/)
    assert.equal(await count(), 2)
  })

  test('cut off by the database fails as away, and the pool goes on', async () => {
    const pool = newPool({ max: 1 })
    const other = newPool()
    const cut = pool.transaction(async (run) => {
      const [own] = await run<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await other.run(sql`select pg_terminate_backend(${own?.pid ?? 0}::int)`)
      await sleep(20)
      return run(sql`select 1`)
    })
    await assert.rejects(cut, isAway)
    assert.deepEqual(await pool.run(sql`select 1 as n`), [{ n: 1 }])
  })
})

describe('a pool', { concurrency: true }, () => {
  test('refuses those who would wait for a connection for longer than its bound, and serves those that come later', async () => {
    const pool = newPool({ max: 1, waitMs: 2_000 })
    const held = await pool.reserve()
    await assert.rejects(pool.run(sql`select 1`), (error) => error instanceof Refusal && error.kind === 'unavailable')
    giveBack(held)
    assert.deepEqual(await pool.run(sql`select 1 as n`), [{ n: 1 }])
  })

  test('keeps no more than 500 statements prepared on a connection, and replaces it then', async () => {
    const pool = newPool({ max: 1 })
    const pidOf = async () => (await pool.run<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
    const first = await pidOf()
    const client = await pool.reserve()
    for (let length = 1; length <= 520; length++)
      await send(
        client,
        sql`select ${join(
          Array.from({ length }, () => sql`1`),
          sql`, `,
        )}`,
      )
    const { rows } = await client.query('select count(*)::int as count from pg_prepared_statements')
    assert.deepEqual(rows, [{ count: 500 }])
    giveBack(client)
    assert.notEqual(await pidOf(), first)
  })

  test('that has ended says that it is away, and so do connections next to it', async () => {
    const pool = connect(testTarget(), { max: 1 })
    await pool.run(sql`select 1`)
    await Promise.all([pool.end(), pool.end(0)])
    await assert.rejects(pool.run(sql`select 1`), isAway)
    await assert.rejects(pool.open(), isAway)
  })

  test('ended while a statement is under way waits no longer than it was told to', async () => {
    const pool = connect(testTarget(), { max: 1 })
    const slow = assert.rejects(pool.run(sql`select pg_sleep(60)`), isAway)
    await sleep(50)
    await pool.end(50)
    await slow
  })
})

test('whoever listens hears what was sent after the connection broke, and is called when it is there again', async () => {
  const pool = newPool()
  const other = newPool()
  const channel = `heard_${newId().replaceAll('-', '')}`
  let heard = 0
  const stop = listen(pool, channel, () => {
    heard += 1
  })
  after(stop)
  const reaches = async (count: number) => {
    while (heard < count) await sleep(5)
  }
  await reaches(1)
  await other.run({ text: `notify ${channel}`, values: [] })
  await reaches(2)
  await other.run(sql`select pg_terminate_backend(pid) from pg_stat_activity where query = ${`listen ${channel}`}`)
  await reaches(3)
  await other.run({ text: `notify ${channel}`, values: [] })
  await reaches(4)
})

test('a connection that breaks before it listens is replaced, and troubles nobody', async () => {
  const pool = newPool()
  const other = newPool()
  let opened = 0
  let heard = 0
  async function open() {
    const client = await pool.open()
    opened += 1
    if (opened > 1) return client
    client.query('select pg_sleep(60)').catch(() => {})
    void other.run(sql`select pg_terminate_backend(${(client as unknown as { processID: number }).processID}::int)`)
    return client
  }
  const stop = listen({ ...pool, open }, `heard_${newId().replaceAll('-', '')}`, () => {
    heard += 1
  })
  after(stop)
  while (heard === 0) await sleep(5)
  assert.equal(opened, 2)
})
