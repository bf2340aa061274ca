import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testTarget } from '../../../../test/service.ts'
import { newId } from '../../core/values/ids.ts'
import { createOrganization } from '../../organizations/actions.ts'
import { openDatabase } from '../database.ts'
import { connect } from '../pool/connect.ts'
import { each, type Statement, sql } from '../sql/sql.ts'

const database = openDatabase(connect(testTarget(), { max: 5, waitMs: 240_000 }), { alone: true })
after(() => database.close())

const org = async () => (await createOrganization(database, 'Readers')).id
const typesOf = (id: string) => sql`select name from bill_item_types where org_id = ${id} order by name`

describe('reads', { concurrency: true }, () => {
  test('equal ones that arrive together share one query; others have their own', async () => {
    const id = newId()
    const chance = (of: number) =>
      database.read<{ chance: number }>(id, sql`select random() as chance, ${of}::int as of`)
    const [[first], [second], [other]] = await Promise.all([chance(1), chance(1), chance(2)])
    assert.equal(first?.chance, second?.chance)
    assert.notEqual(first?.chance, other?.chance)
    const [[later]] = await Promise.all([chance(1)])
    assert.notEqual(first?.chance, later?.chance)
  })

  test('far more at once than there are connections are all answered, each with its own', async () => {
    const id = newId()
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, of) =>
        database.read<{ of: number }>(id, sql`select pg_sleep(0.002), ${of}::int as of`),
      ),
    )
    assert.deepEqual(
      answers.map(([row]) => row?.of),
      Array.from({ length: 600 }, (_, of) => of),
    )
  })

  test('those that differ in an each value alone share one query, and each is answered with its own rows', async () => {
    const id = newId()
    const upTo = (n: number) =>
      database.read<{ n: number; query: number }>(
        id,
        sql`select n, txid_current_if_assigned() as none, statement_timestamp() as query from generate_series(1, ${each('text', String(n))}::int) n`,
      )
    const answers = await Promise.all([3, 0, 1, 3, 2].map(upTo))
    assert.deepEqual(
      answers.map((rows) => rows.map(({ n }) => n)),
      [[1, 2, 3], [], [1], [1, 2, 3], [1, 2]],
    )
    assert.deepEqual(Object.keys(answers[0]?.[0] ?? {}), ['n', 'none', 'query'])
    assert.equal(new Set(answers.flat().map(({ query }) => String(query))).size, 1)
  })

  test('more of them than a query takes are all answered, equal ones among them too', async () => {
    const id = newId()
    const asked = Array.from({ length: 700 }, (_, index) => String(index % 300))
    const answers = await Promise.all(
      asked.map((of) => database.read<{ of: string }>(id, sql`select ${each('text', of)} as of`)),
    )
    assert.deepEqual(
      answers.map((rows) => rows.map((row) => row.of)),
      asked.map((of) => [of]),
    )
  })

  test('in a shared query too, the error of one is its own, and a slow one holds nobody', async () => {
    const id = newId()
    const divide = (by: string) =>
      database.read<{ result: number }>(id, sql`select 6 / ${each('text', by)}::int as result`)
    const answers = await Promise.allSettled([divide('1'), divide('0'), divide('2')])
    assert.deepEqual(
      answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value[0]?.result : (answer.reason as { code?: string }).code,
      ),
      [6, '22012', 3],
    )
    let slowIsBack = false
    const sleep = (seconds: string) => database.read(id, sql`select pg_sleep(${each('text', seconds)}::float8)`)
    const slow = sleep('10').then(() => {
      slowIsBack = true
    })
    await Promise.all([sleep('0'), sleep('0.001')])
    assert.equal(slowIsBack, false)
    await slow
  })

  test('the error of one is not the error of those that arrived with it', async () => {
    const id = newId()
    const divide = (by: number) => database.read<{ result: number }>(id, sql`select 6 / ${by}::int as result`)
    const answers = await Promise.allSettled([divide(1), divide(0), divide(2), divide(0), divide(3)])
    assert.deepEqual(
      answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value[0]?.result : (answer.reason as { code?: string }).code,
      ),
      [6, '22012', 3, '22012', 2],
    )
  })

  test('a slow one does not hold those that arrived with it, nor those that come after', async () => {
    const id = newId()
    let slowIsBack = false
    const slow = database.read(id, sql`select pg_sleep(10)`).then(() => {
      slowIsBack = true
    })
    const quick = [1, 2, 3].map((n) => database.read<{ n: number }>(id, sql`select ${n}::int as n`))
    assert.deepEqual((await Promise.all(quick)).flat().flatMap(Object.values), [1, 2, 3])
    assert.equal((await database.read<{ n: number }>(id, sql`select 4 as n`))[0]?.n, 4)
    assert.equal(slowIsBack, false)
    await slow
  })

  test('one that starts after a write was acknowledged sees it, though an equal one is under way', async () => {
    const id = await org()
    const slowly = sql`select (select count(*)::int from bill_item_types where org_id = ${id}) as count, pg_sleep(0.05)`
    const before: Promise<{ count: number }[]>[] = []
    for (let written = 1; written <= 10; written++) {
      before.push(database.read<{ count: number }>(id, slowly))
      await database.transaction(id, (run) =>
        run(sql`insert into bill_item_types (org_id, id, name) values (${id}, ${newId()}, 'x')`),
      )
      const [seen] = await database.read<{ count: number }>(id, slowly)
      assert.equal(seen?.count, written)
    }
    await Promise.all(before)
  })

  test('organizations never see each other’s rows through it, whatever they ask and however they arrive', async () => {
    const all = await Promise.all([org(), org(), org()])
    for (const id of all)
      await database.transaction(id, (run) =>
        run(sql`insert into bill_item_types (org_id, id, name) values (${id}, ${newId()}, ${id})`),
      )
    const everything = sql`select name from bill_item_types`
    const rounds = Array.from({ length: 20 }, () =>
      all.flatMap((id) => [id, id].map(async (asker) => [asker, await database.read(asker, everything)] as const)),
    )
    for (const [asker, rows] of await Promise.all(rounds.flat())) assert.deepEqual([...rows], [{ name: asker }])
    const [mine, yours] = all as [string, string, string]
    assert.deepEqual([...(await database.read(mine, typesOf(yours)))], [])
  })

  test('those that follow each other closely share a transaction, those that come later do not; each sees what was written before it', async () => {
    const id = await org()
    const look = async () =>
      (
        await database.read<{ began: string; count: number }>(
          id,
          sql`select transaction_timestamp()::text as began, (select count(*)::int from bill_item_types where org_id = ${id}) as count`,
        )
      )[0]
    const began = new Set<string | undefined>()
    for (let written = 1; written <= 20; written++) {
      await database.transaction(id, (run) =>
        run(sql`insert into bill_item_types (org_id, id, name) values (${id}, ${newId()}, 'x')`),
      )
      for (const seen of [await look(), await look(), await look()]) {
        assert.equal(seen?.count, written)
        began.add(seen.began)
      }
    }
    assert.ok(began.size < 50, `${began.size} transactions for 60 reads`)
    const before = await look()
    await sleep(100)
    assert.notEqual((await look())?.began, before?.began)
  })

  test('one whose connection broke while it was kept asks again, and never outside of a transaction of its organization', async () => {
    const id = await org()
    const own = openDatabase(connect(testTarget(), { max: 2, waitMs: 240_000, name: `broken ${id}` }))
    const look = async () =>
      (
        await own.read<{ pid: number; role: string }>(
          id,
          sql`select pg_backend_pid() as pid, current_user::text as role`,
        )
      )[0]
    try {
      const pids = new Set<number | undefined>()
      for (let round = 0; round < 10; round++) {
        const before = await look()
        pids.add(before?.pid)
        // The transaction is still open now, and its connection is gone before the next read.
        await database.pool.run(sql`select pg_terminate_backend(${before?.pid ?? null}::int)`)
        assert.equal((await look())?.role, 'lading_app')
        assert.equal((await look())?.role, 'lading_app')
      }
      assert.ok(pids.size > 5)
    } finally {
      await own.close()
    }
  })

  test('one whose prepared statement no longer fits what it reads is prepared anew, as in transactions and beyond organizations', async () => {
    const id = await org()
    const schema = `scratch_${newId().replaceAll('-', '')}`
    const define = (columns: string, row: string) => ({
      text: `drop function if exists ${schema}.found(); create function ${schema}.found() returns table (${columns}) language sql as 'select ${row}'`,
      values: [],
    })
    await database.pool.run({
      text: `create schema ${schema}; grant usage on schema ${schema} to lading_app`,
      values: [],
    })
    const own = openDatabase(connect(testTarget(), { max: 1, waitMs: 240_000 }))
    const everything: Statement = { name: schema, text: `select * from ${schema}.found()`, values: [] }
    const ways = [
      () => own.read(id, everything),
      () => own.transaction(id, (run) => run(everything)),
      () => own.pool.run(everything),
    ]
    try {
      for (const ask of ways) {
        await database.pool.run(define('n int', '1'))
        assert.deepEqual(await ask(), [{ n: 1 }])
        await database.pool.run(define('n int, text text', '1, $$x$$'))
        assert.deepEqual(await ask(), [{ n: 1, text: 'x' }])
      }
    } finally {
      await own.close()
      await database.pool.run({ text: `drop schema ${schema} cascade`, values: [] })
    }
  })

  test('nothing can be written through it', async () => {
    const id = await org()
    const write = database.read(id, sql`insert into bill_item_types (org_id, id, name) values (${id}, ${newId()}, 'x')`)
    await assert.rejects(write, /a write among reads/)
  })
})
