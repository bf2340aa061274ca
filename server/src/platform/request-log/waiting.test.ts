import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../core/values/ids.ts'
import type { Entry } from './entry.ts'
import { makeWaiting } from './waiting.ts'

function entry(body: string | null = null): Entry {
  const who = {
    client_id: 'app',
    user_id: null,
    idempotency_key: null,
    prefer: null,
    dry_run: false,
    error_code: null,
    error_message: null,
    request_id: 'r',
  }
  const answered = {
    id: newId(),
    occurred_at: new Date(),
    method: 'GET',
    path: '/api/v1/bills',
    query: null,
    status: 200,
    duration_ms: 1,
  }
  const sent = { body, body_cut: false, body_type: null, body_bytes: null }
  return { ...answered, ...who, ...sent, answer_body: null, answer_cut: false, answer_type: null, answer_scopes: [] }
}

describe('entries that wait to be written', () => {
  test('each second has its rate again, and each minute a summary of its own', () => {
    let time = 0
    const waiting = makeWaiting(2, () => time)
    for (const second of [0, 1, 60]) {
      time = second * 1000
      for (let n = 0; n < 5; n++) waiting.add('a', true, entry)
    }
    const { entries, summaries } = waiting.next('a')
    assert.deepEqual([entries.length, summaries.map(({ not_kept }) => not_kept)], [6, [6, 3]])
    assert.deepEqual(waiting.counts.notKept, 9)
  })

  test('what was written is forgotten, what came meanwhile stays, and a summary that grew is written again under its id', () => {
    const waiting = makeWaiting(1, () => 0)
    for (let n = 0; n < 3; n++) waiting.add('a', true, entry)
    const first = waiting.next('a')
    waiting.add('a', false, entry)
    waiting.add('a', true, entry)
    assert.equal(waiting.done('a', first), true)
    const second = waiting.next('a')
    assert.deepEqual(
      [second.entries.length, second.summaries.map(({ id, not_kept }) => [id, not_kept])],
      [1, [[first.summaries[0]?.id, 3]]],
    )
    assert.equal(waiting.done('a', second), false)
    assert.deepEqual([waiting.queue.size, waiting.counts.entries, waiting.counts.bytes], [0, 0, 0])
  })

  test('while nothing can be written, memory is bounded: the rest is counted', () => {
    const waiting = makeWaiting(1_000_000, () => 0)
    for (let n = 0; n < 12_000; n++) waiting.add(`org ${n % 1000}`, true, entry)
    assert.deepEqual([waiting.counts.entries, waiting.counts.notKept], [10_000, 2_000])
    const heavy = makeWaiting(1_000_000, () => 0)
    for (let n = 0; n < 3_000; n++) heavy.add('a', true, () => entry('x'.repeat(8192)))
    assert.ok(heavy.counts.bytes < 17 * 2 ** 20 && heavy.counts.notKept > 900)
    assert.ok(heavy.next('a').entries.length < 150)
  })

  test('those that have waited longest are first', () => {
    const waiting = makeWaiting(10, () => 0)
    for (const org of ['a', 'b', 'a', 'c']) waiting.add(org, true, entry)
    assert.deepEqual([...waiting.queue], ['a', 'b', 'c'])
  })
})
