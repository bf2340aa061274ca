import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isMainThread, threadId } from 'node:worker_threads'
import { apart } from './apart.ts'
import { Refusal } from './refusal.ts'

/** What is read apart, in this file too: the threads load it as a module, and must not take it for a test. */
export function whereabouts(text: string) {
  return { isMainThread, threadId, length: text.length, units: new Map([['usd', 2]]) }
}

export function neverEnds(text: string): number {
  for (let count = 0; ; count++) if (text === String(count)) count = 0
}

export function refuses(_text: string): number {
  throw new Refusal('invalid', 'bad_edi', 'Segment 1 is wrong.', {
    details: [{ field: 'B3', code: 'bad_edi', message: 'It is wrong.' }],
    cause: { faults: [1] },
  })
}

export function fails(_text: string): number {
  throw new TypeError('a bug')
}

if (isMainThread) {
  test('what is small is read at once, and what is not in another thread', async () => {
    const read = apart(import.meta.url, whereabouts, { small: 10 })
    assert.equal((await read('a'.repeat(10))).isMainThread, true)
    const { threadId: _, ...there } = await read('a'.repeat(11))
    assert.deepEqual(there, { isMainThread: false, length: 11, units: new Map([['usd', 2]]) })
  })

  test('a refusal comes back whole, and a bug as one', async () => {
    await assert.rejects(apart(import.meta.url, refuses, { small: 0 })('a'), (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual(
        [error.kind, error.code, error.message, error.details[0]?.field, error.cause],
        ['invalid', 'bad_edi', 'Segment 1 is wrong.', 'B3', { faults: [1] }],
      )
      return true
    })
    await assert.rejects(apart(import.meta.url, fails, { small: 0 })('a'), { name: 'TypeError', message: 'a bug' })
  })

  test('what takes too long is refused, its thread ends, this one goes on meanwhile, and the next is read', async () => {
    let turns = 0
    const turning = setInterval(() => turns++, 1)
    await assert.rejects(apart(import.meta.url, neverEnds, { small: 0, deadlineMs: 200 })('a'), (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual([error.kind, error.code], ['too_large', 'too_costly_to_read'])
      return true
    })
    clearInterval(turning)
    assert.ok(turns > 1, `it had ${turns} turns`)
    assert.equal((await apart(import.meta.url, whereabouts, { small: 0 })('a')).isMainThread, false)
  })

  test('as many as there are at once are all read, and none is refused for those before it', async () => {
    const read = apart(import.meta.url, whereabouts, { small: 0 })
    const lengths = await Promise.all(Array.from({ length: 40 }, async (_, index) => (await read('a'.repeat(index + 1))).length))
    assert.deepEqual(
      lengths,
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  })

  test('a process that has read something apart ends by itself', async () => {
    const script = `const { apart } = await import('./apart.ts'); const { ediText } = await import('../x12/text.ts')
      process.stdout.write(await apart(new URL('../x12/text.ts', import.meta.resolve('./apart.ts')).href, ediText, { small: 0 })(new TextEncoder().encode('ISA')))`
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd })
    assert.equal(stdout, 'ISA')
  })
}
