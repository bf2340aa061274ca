import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Relay, relayTo, through } from '../../../../test/relay.ts'
import { testTarget } from '../../../../test/service.ts'
import { newId } from '../../core/values/ids.ts'
import { migrate } from '../schema/migrate.ts'
import { sql } from '../sql/sql.ts'
import { isAway } from './away.ts'
import { connect, giveBack, type Pool } from './connect.ts'
import { listen } from './listen.ts'

/** A machine that does much else is not to be taken for one that vanished. */
const patience = { quietMs: 400, answerMs: 6_000 }

async function relayedPool({ max = 2, relays = 1 } = {}): Promise<{ pool: Pool; relay: Relay; second: Relay }> {
  const all = await Promise.all(Array.from({ length: relays }, () => relayTo(testTarget())))
  const pool = connect(through(testTarget(), ...all), { max, waitMs: 60_000, name: `silence ${newId()}`, patience })
  after(async () => {
    await pool.end(0)
    for (const relay of all) await relay.close()
  })
  return { pool, relay: all[0] as Relay, second: all.at(-1) as Relay }
}

const one = sql`select 1 as n`

async function untilAnswers(pool: Pool): Promise<void> {
  while (!(await pool.run(one).catch(() => null))) await sleep(20)
}

describe('a database that says nothing more', { concurrency: true }, () => {
  test('is given up on every connection, is then known to be away, and is found again when it speaks', async () => {
    const { pool, relay } = await relayedPool()
    const channel = `silent_${newId().replaceAll('-', '')}`
    let heard = 0
    after(
      listen(pool, channel, () => {
        heard += 1
      }),
    )
    while (heard === 0) await sleep(5)
    await pool.run(one)
    relay.silence()
    await assert.rejects(pool.run(one), isAway)
    // The pool would wait a minute for a connection.
    const since = performance.now()
    await assert.rejects(pool.run(one), isAway)
    await assert.rejects(pool.open(), isAway)
    await assert.rejects(migrate(pool), isAway)
    assert.ok(performance.now() - since < 45_000)
    const before = heard
    relay.resume()
    await untilAnswers(pool)
    while (heard === before) await sleep(5)
    await pool.run({ text: `notify ${channel}`, values: [] })
    while (heard < before + 2) await sleep(5)
  })

  test('has said nothing for as long as it is asked whether it is there, and for a moment after it speaks that is known', async () => {
    const { pool, relay } = await relayedPool()
    await pool.run(one)
    relay.silence()
    const asked = pool.run(one).catch(() => {})
    while (pool.quietMs() === 0) await sleep(5)
    // Longer than it takes until a new connection asks.
    await sleep(3 * patience.quietMs)
    assert.ok(pool.quietMs() > 2 * patience.quietMs, `${pool.quietMs()} ms`)
    relay.resume()
    await asked
    await sleep(patience.quietMs)
    assert.ok(pool.quietMs() > 2 * patience.quietMs, `${pool.quietMs()} ms after it spoke`)
    while (pool.quietMs() > patience.quietMs) {
      await pool.run(one)
      await sleep(50)
    }
  })

  test('before there is a connection is given up too', async () => {
    const { pool, relay } = await relayedPool()
    relay.silence()
    const quick = connect(through(testTarget(), relay), { max: 1, waitMs: 500, patience })
    after(() => quick.end(0))
    await assert.rejects(quick.run(one), isAway)
    relay.resume()
    await untilAnswers(quick)
    await pool.run(one)
  })

  test('fails every statement on its connection once, and sends none of them again', async () => {
    const { pool, relay } = await relayedPool({ max: 1 })
    const client = await pool.reserve()
    await client.query('select 1')
    const marks = Array.from({ length: 5 }, () => newId())
    let sent = ''
    relay.watch((from, data) => {
      if (from === 'client') sent += data.toString('latin1')
    })
    relay.silence()
    const failures = marks.map(() => 0)
    await Promise.all(
      marks.map((mark, index) =>
        client.query(`select '${mark}'`).catch((error) => {
          assert.ok(isAway(error))
          failures[index] = (failures[index] as number) + 1
        }),
      ),
    )
    giveBack(client, true)
    assert.deepEqual(failures, [1, 1, 1, 1, 1])
    relay.resume()
    await untilAnswers(pool)
    for (const mark of marks) assert.equal(sent.split(mark).length, 2)
  })

  test('while another host of the address answers is left for that one', async () => {
    const { pool, relay, second } = await relayedPool({ relays: 2 })
    await pool.run(one)
    assert.equal(second.connections, 0)
    relay.silence()
    await assert.rejects(pool.run(one), isAway)
    await untilAnswers(pool)
    assert.ok(second.connections > 0)
  })
})

describe('a single connection', { concurrency: true }, () => {
  test('that was lost without a word is given up while others go on, and the locks of its transaction with it', async () => {
    const { pool, relay } = await relayedPool()
    const other = connect(testTarget(), { max: 1, waitMs: 60_000 })
    after(() => other.end())
    const key = Math.floor(Math.random() * 2 ** 31)
    const cut = pool.transaction(async (run) => {
      await run(sql`select pg_advisory_xact_lock(${key})`)
      relay.silenceThese()
      await run(one)
    })
    await assert.rejects(cut, isAway)
    // Who waited behind it is told that the database did not answer, and not that they send too much.
    assert.ok(pool.quietMs() >= patience.quietMs, `${pool.quietMs()} ms`)
    await pool.run(one)
    await other.transaction((run) => run(sql`select pg_advisory_xact_lock(${key})`))
  })

  test('on which a statement takes long is kept, as long as the server works on it, or on a cluster another node does', async () => {
    const { pool } = await relayedPool()
    const id = newId()
    const slow = async () => {
      const asOrganization = `begin; set local app.org_id = '${id}'`
      await pool.transaction(
        (run) => run(sql`insert into organizations (org_id, name) values (${id}, 'Slow')`),
        asOrganization,
      )
      return pool.transaction(
        (run) => run(sql`select 1 as n from organizations where org_id = ${id} and pg_sleep(2) is not null`),
        asOrganization,
      )
    }
    assert.deepEqual(await Promise.all([pool.run(sql`select 1 as n from pg_sleep(2)`), slow()]), [
      [{ n: 1 }],
      [{ n: 1 }],
    ])
  })

  test('on which a statement takes longer than its deadline is given up, unless it is not one of the pool', async () => {
    const pool = connect(testTarget(), { max: 1, waitMs: 60_000, patience: { ...patience, deadlineMs: 3_000 } })
    after(() => pool.end())
    await assert.rejects(pool.run(sql`select pg_sleep(60)`), isAway)
    const opened = await pool.open()
    await opened.query('select pg_sleep(5)')
    await opened.end()
    assert.deepEqual(await pool.run(one), [{ n: 1 }])
  })
})
