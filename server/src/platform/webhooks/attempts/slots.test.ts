import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSlots, type Place } from './slots.ts'

const perSecond = 1_000_000_000

/** Begins as many attempts of an endpoint as it can. */
function fill(place: Place, most = Number.POSITIVE_INFINITY) {
  const ends: NonNullable<ReturnType<Place['begin']>>[] = []
  while (ends.length < most) {
    const end = place.begin(null)
    if (!end) break
    ends.push(end)
  }
  return ends
}

describe('places for attempts', () => {
  test('an endpoint that has all of them leaves the next to those who wait, however often it asks again', async () => {
    const slots = openSlots(perSecond)
    const { signal } = new AbortController()
    const loud = slots.of('loud')
    const ends = fill(loud)
    assert.equal(ends.length, 512)
    const [one, other] = [slots.of('one'), slots.of('other')]
    const waiting = Promise.all([one.wait(signal), other.wait(signal)])
    for (const end of ends.splice(0, 2)) end(true, 1)
    assert.deepEqual([loud.begin(null), loud.isFree()], [null, false])
    const [first, second] = await waiting
    assert.ok(first && second && one.begin(first) && other.begin(second))
    assert.equal(one.begin(null), null)
  })

  test('one that ends while it waits leaves its turn to the next, and what it was given is free once it gives it back', async () => {
    const slots = openSlots(perSecond)
    const ends = fill(slots.of('loud'))
    const gone = new AbortController()
    const refused = assert.rejects(slots.of('gone').wait(gone.signal))
    const kept = slots.of('kept').wait(new AbortController().signal)
    gone.abort()
    await refused
    ends.shift()?.(true, 1)
    const leave = await kept
    assert.equal(slots.of('anyone').isFree(), false)
    leave?.()
    assert.ok(slots.of('anyone').begin(null))
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
      place.begin(null)?.(succeeded, 1)
      return place.limit()
    })
    assert.deepEqual(limits, [6, 8, 4, 6, 3, 1, 1])
  })

  test('no more begin in a second than may, and who waits for that begins then', async () => {
    const place = openSlots(100).of('one')
    const { signal } = new AbortController()
    assert.equal(fill(place).length, 2)
    for (let given = await place.wait(signal); !place.begin(given); given = await place.wait(signal)) given?.()
  })
})
