import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepLease, leaseMs } from './leases.ts'

test('what a process that was killed held is free soon enough for another to have it within half a minute, a look every 5 s included', () => {
  assert.ok(leaseMs + 5_000 < 30_000)
})

test('a lease is renewed several times before it would pass, and not after it was given back', async () => {
  let renewed = 0
  const lease = keepLease(async () => ++renewed > 0, 200)
  while (renewed < 5) await sleep(5)
  assert.equal(lease.lost.aborted, false)
  lease.stopRenewing()
  const before = renewed
  await sleep(150)
  assert.equal(renewed, before)
})

test('it is lost where another has it, at once, and where it cannot be renewed, once it has passed', async () => {
  const taken = keepLease(async () => false, 100)
  const silent = keepLease(() => Promise.reject(new Error('the database is away')), 400)
  const since = performance.now()
  while (!taken.lost.aborted) await sleep(5)
  while (!silent.lost.aborted) await sleep(5)
  assert.ok(performance.now() - since >= 395)
  for (const { stopRenewing } of [taken, silent]) stopRenewing()
})
