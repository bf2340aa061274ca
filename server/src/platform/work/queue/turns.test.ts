import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workInTurns } from './turns.ts'

/** Things to do of several organizations, of which one of each is listed. */
function newWork(todo: Record<string, number>) {
  const left = new Map(Object.entries(todo))
  const order: string[] = []
  let listed = 0
  const parts = {
    keyOf: (org: string) => org,
    async list() {
      listed++
      return [...left].filter(([, count]) => count > 0).map(([org]) => org)
    },
    async work(org: string): Promise<boolean> {
      left.set(org, (left.get(org) ?? 0) - 1)
      order.push(org)
      return true
    },
  }
  return { parts, order, left, listed: () => listed }
}

describe('turns', () => {
  test('go from one organization to the next: one that has much to do delays another by one turn', async () => {
    const { parts, order } = newWork({ loud: 50, quiet: 2 })
    await workInTurns(parts)
    assert.deepEqual(order.slice(0, 4), ['loud', 'quiet', 'loud', 'quiet'])
    assert.equal(order.length, 52)
  })

  test('that fail do not keep others from theirs, and are told at the end', async () => {
    const { parts, order, left } = newWork({ broken: 1, well: 3 })
    const work = async (org: string) => {
      if (org !== 'broken') return parts.work(org)
      left.set(org, 0)
      throw new Error('broken')
    }
    await assert.rejects(workInTurns({ ...parts, work }), /^Error: broken$/)
    assert.deepEqual(order, ['well', 'well', 'well'])
  })

  test('in which nothing could be done end the work, and are not tried again and again', async () => {
    const { parts, listed } = newWork({ held: 1, waiting: 1 })
    let tried = 0
    await workInTurns({ ...parts, work: async () => ++tried === 0 })
    assert.deepEqual([tried, listed()], [2, 1])
  })

  test('of one that hangs hold up nobody else, and nobody has two at the same time', async () => {
    const { parts, order, left, listed } = newWork({ hanging: 2, one: 5, other: 5 })
    const hangs = Promise.withResolvers<void>()
    let underWay = 0
    let most = 0
    const work = async (org: string) => {
      most = Math.max(most, ++underWay)
      if (org === 'hanging') await hangs.promise
      underWay--
      return parts.work(org)
    }
    const all = workInTurns({ ...parts, work, atOnce: 2 })
    while (left.get('one') !== 0 || left.get('other') !== 0) await new Promise(setImmediate)
    assert.deepEqual([order.includes('hanging'), underWay, most], [false, 1, 2])
    const before = listed()
    for (let n = 0; n < 20; n++) await new Promise(setImmediate)
    // It may be looking at this moment; after that it waits.
    assert.ok(listed() - before <= 2, `it looked ${listed() - before} times`)
    hangs.resolve()
    await all
    assert.equal(order.filter((org) => org === 'hanging').length, 2)
  })

  test('are begun no more once the work is to stop, which waits for those that go on', async () => {
    const { parts, order } = newWork({ one: 3, other: 3 })
    const stop = new AbortController()
    const goesOn = Promise.withResolvers<void>()
    const work = async (org: string) => {
      stop.abort(new Error('stopped'))
      await goesOn.promise
      return parts.work(org)
    }
    const all = workInTurns({ ...parts, work, signal: stop.signal })
    let ended = false
    void all
      .catch(() => {})
      .finally(() => {
        ended = true
      })
    await new Promise(setImmediate)
    assert.equal(ended, false)
    goesOn.resolve()
    await assert.rejects(all, /^Error: stopped$/)
    assert.deepEqual(order, ['one'])
  })
})
