import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barOf, lineOf, showProgress } from './progress.ts'

test('a bar fills as far as the work has come, and the line next to it says how fast and how long yet', () => {
  assert.equal(barOf(0, 10, 4), '[░░░░]')
  assert.equal(barOf(5, 10, 4), '[██░░]')
  assert.equal(barOf(10, 10, 4), '[████]')
  assert.equal(barOf(0, 0, 2), '[██]')
  assert.equal(
    lineOf({ done: 25_000, total: 100_000, failures: 3, seconds: 10 }),
    '25,000/100,000 25%, 2,500 rows/s, 30 s left, 3 failed',
  )
  assert.equal(lineOf({ done: 10, total: 10, failures: 0, seconds: 2 }), '10/10 100%, 5 rows/s')
})

test('a terminal gets one line that is drawn over, anything else gets nothing but plain lines', () => {
  const shown = (isTTY: boolean) => {
    const written: string[] = []
    const progress = showProgress(2, { isTTY, columns: 80, write: (text: string) => written.push(text) > 0 } as never)
    progress.add(1, 0)
    progress.add(1, 1)
    progress.end()
    return written.join('').replaceAll('\u001b[2K', '(clear)')
  }
  assert.match(shown(true), /^\r\(clear\)\[█+░+\] 1\/2 50%.*\r\(clear\)\[█+\] 2\/2 100%.*, 1 failed\n$/s)
  assert.doesNotMatch(shown(false), /\r|clear/)
})
