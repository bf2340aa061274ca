import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newCaller, sharedService } from '../../../../test/service.ts'
import type { Context } from '../../context.ts'
import { leaseMs } from '../../core/turns/leases.ts'
import { newId } from '../../core/values/ids.ts'
import { sql } from '../../db/sql/sql.ts'
import { claim, hold } from './queue.ts'
import type { QueueTable } from './table.ts'

const service = await sharedService()
/** Longer than a lease. */
const pastLease = leaseMs + 5_000

const queue: QueueTable = { name: 'mails', dueAt: 'next_attempt_at', withoutTime: 'done', waits: ['status', 'queued'] }

/** An organization with so many rows that are due, each a second after the one before it. */
async function newQueue(rows: number) {
  const { ctx } = await newCaller(service)
  const ids = Array.from({ length: rows }, () => newId())
  for (const [index, id] of ids.entries())
    await ctx.transaction((ctx) =>
      ctx.run(sql`
        insert into mails (org_id, id, kind, scope, to_addresses, subject, body_text, created_by, next_attempt_at)
        values (${ctx.org}, ${id}, 'notice', 'bills', '{ann@acme.example}', 'Hello', 'How are you?', 'test',
          statement_timestamp() - ${rows - index} * interval '1 second')`),
    )
  return { ctx, ids }
}

/** A process takes up to so many. */
function take(ctx: Context, most: number, aheadMs = 0) {
  return ctx.transaction((ctx) =>
    claim<{ id: string }>(ctx, queue, { of: sql`q.kind = 'notice'`, most, returning: sql`q.id`, aheadMs }),
  )
}

/** Ends it as a room does. */
function finish(ctx: Context, id: string) {
  return ctx.transaction((ctx) =>
    ctx.run(sql`
      update mails set status = 'sent', next_attempt_at = null, leased_until = null where org_id = ${ctx.org} and id = ${id} and status = 'queued' returning id`),
  )
}

function heldBy(taken: readonly { id: string; leased_until: Date }[]) {
  return { ids: taken.map(({ id }) => id), until: taken[0]?.leased_until as Date }
}

describe('rows of a queue', { concurrency: true }, () => {
  test('are each held by one of many who take them at the same moment, and none is left out', async () => {
    const { ctx, ids } = await newQueue(24)
    const takeAll = async () => {
      const all: string[] = []
      for (let taken = await take(ctx, 2); taken.length > 0; taken = await take(ctx, 2))
        all.push(...taken.map(({ id }) => id))
      return all
    }
    const taken = (await Promise.all(Array.from({ length: 6 }, takeAll))).flat()
    assert.equal(new Set(taken).size, taken.length)
    // Who finds rows that another is just taking goes on without them, and they are taken by that one.
    assert.deepEqual([...taken].sort(), [...ids].sort())
  })

  test('are taken in the order in which they became due', async () => {
    const { ctx, ids } = await newQueue(3)
    const order: (string | undefined)[] = []
    for (let n = 0; n < 3; n++) order.push((await take(ctx, 1))[0]?.id)
    assert.deepEqual(order, ids)
  })

  test('that a process holds are nobody else’s until its lease has passed, and then another’s, for whom the first changes nothing', async () => {
    const { ctx, ids } = await newQueue(2)
    const first = await take(ctx, 2)
    assert.equal(first.length, 2)
    const dead = hold(ctx, queue, heldBy(first))
    dead.stopRenewing()
    assert.deepEqual(await take(ctx, 2, leaseMs - 5_000), [])
    const second = await take(ctx, 2, pastLease)
    assert.deepEqual(second.map(({ id }) => id).sort(), [...ids].sort())
    assert.equal(await dead.renew(), false)
    await dead.release()
    assert.deepEqual(await take(ctx, 2, pastLease), [])
    const alive = hold(ctx, queue, heldBy(second), pastLease)
    assert.equal(await alive.renew(), true)
    await alive.release()
    assert.equal((await take(ctx, 2)).length, 2)
  })

  test('of a process that died are done once more, by one of those that are there', async () => {
    const { ctx, ids } = await newQueue(3)
    assert.equal((await take(ctx, 3)).length, 3)
    const done: string[] = []
    const survivor = async () => {
      for (let taken = await take(ctx, 1, pastLease); taken.length > 0; taken = await take(ctx, 1, pastLease))
        for (const { id } of taken) if ((await finish(ctx, id)).length > 0) done.push(id)
    }
    await Promise.all([survivor(), survivor(), survivor()])
    assert.deepEqual(done.sort(), [...ids].sort())
    assert.deepEqual(await take(ctx, 3, 2 * pastLease), [])
  })

  test('are held for as long as they are renewed, and what is given back can be taken at once or when it has waited', async () => {
    const { ctx, ids } = await newQueue(2)
    const taken = await take(ctx, 2)
    const late = hold(ctx, queue, heldBy(taken), leaseMs)
    assert.equal(await late.renew(), true)
    assert.deepEqual(await take(ctx, 2, pastLease), [])
    await late.release({ ids: ids.slice(0, 1) })
    const again = await take(ctx, 2)
    assert.deepEqual(
      again.map(({ id }) => id),
      ids.slice(0, 1),
    )
    await hold(ctx, queue, heldBy(again)).release({ waitMs: 60_000 })
    assert.deepEqual(await take(ctx, 2), [])
    assert.equal((await take(ctx, 1, 65_000)).length, 1)
  })

  test('that have ended are neither renewed nor given back', async () => {
    const { ctx, ids } = await newQueue(1)
    const ours = hold(ctx, queue, heldBy(await take(ctx, 1)))
    await finish(ctx, ids[0] as string)
    assert.equal(await ours.renew(), false)
    await ours.release({ waitMs: 0 })
    assert.deepEqual(await take(ctx, 1, pastLease), [])
  })
})
