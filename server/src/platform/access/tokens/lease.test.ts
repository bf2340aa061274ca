import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseMs, openLease, registeredMs } from './lease.ts'

function underTest() {
  const at = { steady: 1_000, wall: 1_700_000_000_000 }
  const lease = openLease(() => ({ ...at }))
  const pass = (ms: number) => {
    at.steady += ms
    at.wall += ms
  }
  return { lease, at, pass }
}

test('memory is gone by for the length of the lease from the moment before the database was asked, and no longer', () => {
  const { lease, pass } = underTest()
  assert.equal(lease.holds(), false)
  lease.haveRegistered(lease.now())
  assert.equal(lease.holds(), false)
  const began = lease.now()
  pass(1_000)
  lease.haveRead(began)
  pass(leaseMs - 1_001)
  assert.equal(lease.holds(), true)
  pass(1)
  assert.equal(lease.holds(), false)
})

test('a process that was stopped, a machine that slept and a clock that was set all end the lease', () => {
  for (const [what, steady, wall] of [
    ['stopped', leaseMs, leaseMs],
    ['asleep: the steady clock stood still', 0, leaseMs],
    ['set forward', 0, 3_600_000],
    ['set back', 10, -5],
    ['set back while it was stopped', leaseMs, 0],
  ] as const) {
    const { lease, at } = underTest()
    lease.haveRegistered(lease.now())
    lease.haveRead(lease.now())
    assert.equal(lease.holds(), true)
    at.steady += steady
    at.wall += wall
    assert.equal(lease.holds(), false, what)
  }
})

test('nothing that was read holds longer than the row by which others know of the process, with seconds to spare', () => {
  const { lease, pass } = underTest()
  lease.haveRegistered(lease.now())
  pass(registeredMs - 2_000)
  lease.haveRead(lease.now())
  assert.equal(lease.holds(), false)
})

test('after a gap in which nobody waited for the process, what it read before the gap counts no more', () => {
  const { lease, pass } = underTest()
  lease.haveRegistered(lease.now())
  pass(registeredMs - 2_001)
  lease.haveRead(lease.now())
  const began = lease.now()
  pass(1)
  lease.haveRegistered(began)
  assert.equal(lease.holds(), false)
  lease.haveRead(lease.now())
  assert.equal(lease.holds(), true)
})

test('the row is renewed long before others stop waiting for the process', () => {
  const { lease, pass } = underTest()
  assert.equal(lease.registrationIsDue(), true)
  lease.haveRegistered(lease.now())
  assert.equal(lease.registrationIsDue(), false)
  pass(registeredMs / 2)
  assert.equal(lease.registrationIsDue(), true)
})
