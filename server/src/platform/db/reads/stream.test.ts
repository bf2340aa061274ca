import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testTarget } from '../../../../test/service.ts'
import { Refusal } from '../../core/refusal.ts'
import { connect } from '../pool/connect.ts'
import { sharesOf } from '../pool/shares.ts'
import { sql } from '../sql/sql.ts'
import { streamRows } from './stream.ts'

const numbers = sql`select n from generate_series(1, ${600}::int) n`
const lines = (rows: { n: number }[]) => rows.map(({ n }) => `${n}\n`).join('')

test('streams wait for their turn and are told when it does not come; one that fails or is left gives its turn back', async (t) => {
  const pool = connect(testTarget(), { max: 3 })
  t.after(() => pool.end())
  const stream = (waitMs: number) =>
    streamRows(pool, sharesOf({ max: 3, waitMs, quietMs: () => 0 }, () => 1).exports, () => 'set local timezone = utc')
  const patient = stream(60_000)
  const whole = `n\n${lines(Array.from({ length: 600 }, (_, index) => ({ n: index + 1 })))}`
  const all = await Promise.all(Array.from({ length: 3 }, async () => text(await patient('', numbers, lines, 'n\n'))))
  assert.deepEqual(all, [whole, whole, whole])
  assert.equal(await text(await patient('', sql`select 1 as n where false`, lines, 'n\n')), 'n\n')

  const hasty = stream(500)
  const wide = (rows: object[]) => 'x'.repeat(rows.length * 1000)
  const held = await hasty('', numbers, wide)
  await assert.rejects(
    hasty('', numbers, lines),
    (error) => error instanceof Refusal && error.code === 'too_many_streams',
  )
  held.destroy()
  await assert.rejects(patient('', sql`select 1 / 0 as n`, lines), /division by zero/)
  await assert.rejects(
    async () => text(await patient('', sql`select 1 / (500 - n) as n from generate_series(1, 600) n`, lines)),
    /division by zero/,
  )
  assert.equal(await text(await patient('', numbers, lines, 'n\n')), whole)
})

test('a reader who does not read on is given up, with an error, and its turn is free again', async (t) => {
  const pool = connect(testTarget(), { max: 3 })
  t.after(() => pool.end())
  const { exports } = sharesOf({ max: 3, waitMs: 60_000, quietMs: () => 0 }, () => 1)
  const stream = streamRows(pool, exports, () => 'set local timezone = utc', 20)
  const stalled = await stream('', numbers, (rows: object[]) => 'x'.repeat(rows.length * 1000))
  stalled.once('readable', () => stalled.read(1))
  const [error] = await once(stalled, 'error')
  assert.match(error.message, /did not read on/)
  assert.equal(
    await text(await streamRows(pool, exports, () => 'set local timezone = utc')('', sql`select 7 as n`, lines)),
    '7\n',
  )
})
