import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../refusal.ts'
import { type Leave, shareOut } from './shares.ts'

const rules = {
  places: 2,
  mayEnter: (_: number, free: number) => free > 0,
  mostWaiting: 100,
  waitMs: 60_000,
  refuse: () => new Refusal('too_many', 'busy', 'busy'),
}
const refused = { code: 'busy' }

describe('places that are shared', () => {
  test('one who comes with a hundred delays another by one turn', async () => {
    const share = shareOut({ ...rules, places: 1 })
    const order: string[] = []
    const first = await share.enter('loud')
    const come = async (org: string) => {
      const leave = await share.enter(org)
      order.push(org)
      leave()
    }
    const all = [...Array.from({ length: 100 }, () => come('loud')), come('quiet')]
    first()
    await Promise.all(all)
    assert.equal(order.indexOf('quiet'), 1)
    assert.equal(order.length, 101)
  })

  test('who is ahead has the next place, whoever came before', async () => {
    const share = shareOut<'ahead'>({ ...rules, places: 1, ahead: 'ahead' })
    const order: string[] = []
    const first = await share.enter('one')
    const all = (['read', 'read', 'ahead'] as const).map(async (use, index) => {
      const leave = await share.enter(`org ${index}`, use)
      order.push(`${use} ${index}`)
      leave()
    })
    first()
    await Promise.all(all)
    assert.deepEqual(order, ['ahead 2', 'read 0', 'read 1'])
  })

  test('so many of one may wait, and so many of all, who are counted for each use', async () => {
    const share = shareOut<'ahead'>({
      ...rules,
      places: 1,
      mostWaiting: (org) => (org === 'large' ? 2 : 1),
      mostWaitingInAll: 3,
    })
    const leave = await share.enter('large')
    const waiting = [share.enter('large'), share.enter('large'), share.enter('small')]
    await assert.rejects(share.enter('small'), refused)
    await assert.rejects(share.enter('another'), refused)
    waiting.push(share.enter('another', 'ahead'))
    assert.deepEqual(share.counts(), { held: 1, waiting: 4, refused: 2 })
    leave()
    await Promise.all(waiting.map(async (entered) => (await entered)()))
    assert.deepEqual(share.counts(), { held: 0, waiting: 0, refused: 2 })
  })

  test('a place without a wait is given where one is free, and passes nobody of the same organization', async () => {
    const share = shareOut({ ...rules, mayEnter: (held: number, free: number) => free > 0 && held < 1 })
    const [one, other] = [share.tryEnter('one'), share.tryEnter('other')]
    assert.ok(one && other)
    assert.equal(share.tryEnter('third'), null)
    const waiting = share.enter('one')
    other()
    assert.equal(share.tryEnter('one'), null)
    const third = share.tryEnter('third')
    assert.ok(third)
    one()
    ;(await waiting)()
    third()
    assert.deepEqual(share.counts(), { held: 0, waiting: 0, refused: 0 })
  })

  test('who hangs up, or has waited too long, leaves no place taken, whatever others do meanwhile', async () => {
    type Step = { org: number; act: 'enter' | 'leave' | 'abort' | 'wait briefly' }
    const steps = fc.array(
      fc.record({ org: fc.nat(3), act: fc.constantFrom('enter', 'enter', 'leave', 'abort', 'wait briefly') }),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (steps: Step[]) => {
        const share = shareOut({ ...rules, mostWaiting: 5 })
        const held: Leave[] = []
        const waits: { stop: AbortController; ended: Promise<unknown> }[] = []
        for (const { org, act } of steps) {
          if (act === 'leave') held.shift()?.()
          else if (act === 'abort') waits.shift()?.stop.abort()
          else {
            const stop = new AbortController()
            const ended = share
              .enter(`org ${org}`, 'read', () => stop.signal, act === 'enter' ? 60_000 : 0)
              .then((leave) => held.push(leave))
              .catch((error) => assert.ok(error instanceof Refusal))
            waits.push({ stop, ended })
          }
          await new Promise(setImmediate)
          assert.ok(share.counts().held <= rules.places)
          assert.equal(share.counts().held, held.length)
          if (share.counts().waiting > 0) assert.equal(share.counts().held, rules.places)
        }
        for (const { stop } of waits) stop.abort()
        await Promise.all(waits.map(({ ended }) => ended))
        for (const leave of held) leave()
        assert.deepEqual([share.counts().held, share.counts().waiting], [0, 0])
        assert.ok(share.tryEnter('org 0'))
      }),
      { numRuns: 50 },
    )
  })
})
