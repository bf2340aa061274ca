import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../core/refusal.ts'
import { shareOut } from '../../core/turns/shares.ts'
import { type Leave, sharesOf } from './shares.ts'

const codeOf = (error: unknown) => error instanceof Refusal && error.code
const refusedWith = (code: string) => (error: unknown) => codeOf(error) === code

/** Enters as often as it can without waiting. */
async function fill(enter: (waits: () => AbortSignal) => Promise<Leave>): Promise<Leave[]> {
  const entered: Leave[] = []
  for (;;) {
    const waiting = new AbortController()
    const leave = await enter(() => {
      waiting.abort()
      return waiting.signal
    }).catch(() => null)
    if (!leave) return entered
    entered.push(leave)
  }
}

describe('connections', () => {
  const { connections } = sharesOf({ max: 10, waitMs: 60_000, quietMs: () => 0 }, () => 1)

  test('one organization alone has most of them, its searches and writes leave it some to read with, and others still find some', async () => {
    const searches = await fill((waits) => connections.enter('loud', 'search', waits))
    assert.equal(searches.length, 4)
    for (const leave of searches) leave()
    const writes = await fill((waits) => connections.enter('loud', 'write', waits))
    assert.equal(writes.length, 5)
    const reads = await fill((waits) => connections.enter('loud', 'read', waits))
    assert.equal(reads.length, 1)
    const others = [await connections.enter('quiet', 'write'), await connections.enter('another', 'write')]
    assert.deepEqual(connections.counts(), { held: 8, waiting: 0, refused: 0 })
    for (const leave of [...writes, ...reads, ...others]) leave()
    assert.deepEqual(connections.counts(), { held: 0, waiting: 0, refused: 0 })
  })

  test('to give a place back twice gives back one', async () => {
    const leave = await connections.enter('one')
    const other = await connections.enter('one')
    leave()
    leave()
    assert.equal(connections.counts().held, 1)
    other()
  })
})

describe('a share', () => {
  const rules = { places: 1, mayEnter: (_: number, free: number) => free > 0, mostWaiting: 2, waitMs: 60_000 }
  const busy = () => new Refusal('too_many', 'organization_busy', 'busy')

  test('serves those who wait in turn, an organization after the other, however many of one wait', async () => {
    const share = shareOut({ ...rules, refuse: busy })
    const order: string[] = []
    const leave = await share.enter('first')
    const waiting = ['loud', 'loud', 'quiet'].map(async (org) => {
      const done = await share.enter(org)
      order.push(org)
      done()
    })
    leave()
    await Promise.all(waiting)
    assert.deepEqual(order, ['loud', 'quiet', 'loud'])
  })

  test('refuses at once who comes after as many as may wait, those of that organization only', async () => {
    const share = shareOut({ ...rules, refuse: busy })
    const leave = await share.enter('loud')
    const waiting = [share.enter('loud'), share.enter('loud')]
    await assert.rejects(share.enter('loud'), refusedWith('organization_busy'))
    const quiet = share.enter('quiet')
    assert.deepEqual(share.counts(), { held: 1, waiting: 3, refused: 1 })
    leave()
    for (const entered of [...waiting, quiet]) entered.then((done) => done())
    await Promise.all([...waiting, quiet])
    assert.deepEqual(share.counts(), { held: 0, waiting: 0, refused: 1 })
  })

  test('refuses who has waited too long, and gives no place to who has gone', async () => {
    const share = shareOut({ ...rules, waitMs: 1, refuse: busy })
    const leave = await share.enter('loud')
    await assert.rejects(share.enter('loud'), refusedWith('organization_busy'))
    const gone = new AbortController()
    const given = share.enter('loud', 'read', () => gone.signal)
    gone.abort()
    await assert.rejects(given)
    leave()
    assert.deepEqual(share.counts(), { held: 0, waiting: 0, refused: 1 })
  })
})

test('of quick searches many are under way at once, of slow ones few', async () => {
  const took = new Map([
    ['quick', 1],
    ['slow', 1000],
  ])
  const { searches } = sharesOf({ max: 10, waitMs: 60_000, quietMs: () => 0 }, (org) => took.get(org) as number)
  assert.equal((await fill((waits) => searches.enter('quick', 'read', waits))).length, 400)
  assert.equal((await fill((waits) => searches.enter('slow', 'read', waits))).length, 1)
})

test('who waits in vain for a database that has stopped answering is not told to send less', async () => {
  let quietMs = 0
  const shares = sharesOf({ max: 10, waitMs: 5, quietMs: () => quietMs }, () => 1)
  for (const [name, share] of Object.entries(shares)) {
    quietMs = 0
    const held = await fill((waits) => share.enter('one', 'write', waits))
    await assert.rejects(
      share.enter('one', 'write'),
      refusedWith(name === 'exports' ? 'too_many_streams' : 'organization_busy'),
    )
    quietMs = 3_000
    await assert.rejects(share.enter('one', 'write'), refusedWith('unavailable'))
    for (const leave of held) leave()
  }
})
