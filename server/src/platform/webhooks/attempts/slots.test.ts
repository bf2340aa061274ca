import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSlots, type Place } from './slots.ts'

const perSecond = 1_000_000_000
const turns = () => new Promise(setImmediate)

/** Begins as many attempts of an endpoint as it can. */
function fill(place: Place, most = Number.POSITIVE_INFINITY) {
  const ends: ((succeeded: boolean, durationMs: number) => void)[] = []
  while (ends.length < most) {
    const end = place.enter()
    if (!end) break
    ends.push(end)
  }
  return ends
}

describe('places for attempts', () => {
  test('an endpoint that takes all of them leaves the next two to those who wait, however often it asks again', async () => {
    const slots = openSlots(perSecond)
    const loud = slots.of('loud')
    const ends = fill(loud)
    assert.equal(ends.length, 512)
    const come = (name: string) => {
      const place = slots.of(name)
      const called = { times: 0 }
      place.whenFree(() => called.times++)
      place.whenFree(() => called.times++)
      return { place, called }
    }
    const [one, other] = [come('one'), come('other')]
    loud.whenFree(() => {})
    for (const end of ends.splice(0, 2)) end(true, 1)
    await turns()
    assert.deepEqual([one.called.times, other.called.times, loud.isFree()], [1, 1, false])
    assert.ok(one.place.enter() && other.place.enter())
    assert.equal(one.place.enter(), null)
  })

  test('one that gives up while it waits, before its turn or when it has come, leaves its place to the next', async () => {
    const slots = openSlots(perSecond)
    const ends = fill(slots.of('loud'))
    const [gone, late, kept] = ['gone', 'late', 'kept'].map((name) => slots.of(name)) as [Place, Place, Place]
    let called = 0
    gone.whenFree(() => called++)
    late.whenFree(() => called++)
    kept.whenFree(() => called++)
    gone.giveUp()
    ends.shift()?.(true, 1)
    late.giveUp()
    await turns()
    assert.equal(called, 1)
    assert.ok(kept.isFree())
    kept.giveUp()
    assert.ok(slots.of('anyone').enter())
  })

  test('those that fail share few places, and take none of the others', () => {
    const slots = openSlots(perSecond)
    const dead = Array.from({ length: 100 }, (_, index) => slots.of(`dead ${index}`))
    for (const place of dead) for (const end of fill(place, 4)) end(false, 10_000)
    assert.equal(dead.flatMap((place) => fill(place, 1)).length, 64)
    assert.equal(fill(slots.of('well')).length, 512)
  })

  test('it has more places at once while it answers quickly, and half after a failure', () => {
    const place = openSlots(perSecond).of('one')
    const limits = [true, true, false, true, false, false, false].map((succeeded) => {
      place.enter()?.(succeeded, 1)
      return place.limit()
    })
    assert.deepEqual(limits, [6, 8, 4, 6, 3, 1, 1])
  })

  test('no more begin in a second than may, and who waits for that is called', async () => {
    const place = openSlots(100).of('one')
    assert.equal(fill(place).length, 2)
    await new Promise<void>((called) => place.whenFree(called))
    while (!place.enter()) await new Promise<void>((called) => place.whenFree(called))
  })
})
