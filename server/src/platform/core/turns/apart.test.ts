import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isMainThread, threadId } from 'node:worker_threads'
import { Refusal } from '../refusal.ts'
import { runInThread, threads } from './apart.ts'
import type { Leave } from './shares.ts'

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
    const read = runInThread(import.meta.url, whereabouts, { small: 10 })
    assert.equal((await read('one', 'a'.repeat(10))).isMainThread, true)
    const { threadId: _, ...there } = await read('one', 'a'.repeat(11))
    assert.deepEqual(there, { isMainThread: false, length: 11, units: new Map([['usd', 2]]) })
  })

  test('a refusal comes back whole, and a bug as one', async () => {
    await assert.rejects(runInThread(import.meta.url, refuses, { small: 0 })('one', 'a'), (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual(
        [error.kind, error.code, error.message, error.details[0]?.field, error.cause],
        ['invalid', 'bad_edi', 'Segment 1 is wrong.', 'B3', { faults: [1] }],
      )
      return true
    })
    await assert.rejects(runInThread(import.meta.url, fails, { small: 0 })('one', 'a'), {
      name: 'TypeError',
      message: 'a bug',
    })
  })

  test('what takes too long is refused, its thread ends, this one goes on meanwhile, and the next is read', async () => {
    let turns = 0
    const turning = setInterval(() => turns++, 1)
    await assert.rejects(
      runInThread(import.meta.url, neverEnds, { small: 0, deadlineMs: 200 })('one', 'a'),
      (error) => {
        assert.ok(error instanceof Refusal)
        assert.deepEqual([error.kind, error.code], ['too_large', 'too_costly_to_read'])
        return true
      },
    )
    clearInterval(turning)
    assert.ok(turns > 1, `it had ${turns} turns`)
    assert.equal((await runInThread(import.meta.url, whereabouts, { small: 0 })('one', 'a')).isMainThread, false)
  })

  test('as many as there are at once are all read, and none is refused for those before it', async () => {
    const read = runInThread(import.meta.url, whereabouts, { small: 0 })
    const lengths = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => (await read('one', 'a'.repeat(index + 1))).length),
    )
    assert.deepEqual(
      lengths,
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  })

  test('one organization that fills the queue keeps no other waiting for what it sends, nor for a paper, and is asked to come again', async () => {
    const read = runInThread(import.meta.url, whereabouts, { small: 0 })
    const loud = Array.from({ length: 60 }, () => threads.enter('loud').catch((error: Refusal) => error))
    const refused = await loud.at(-1)
    assert.ok(refused instanceof Refusal)
    assert.deepEqual([refused.kind, refused.headers], ['unavailable', { 'retry-after': '5' }])
    const waits = threads.counts().waiting
    const paper = await threads.enter('quiet', 'draw')
    assert.equal((await read('third', 'a')).isMainThread, false)
    assert.deepEqual([waits, threads.counts().waiting], [50, 50])
    paper()
    for await (const one of loud) if (!(one instanceof Refusal)) one()
    assert.equal(threads.counts().held, 0)
  })

  test('papers leave a thread to what arrives, and one that finds none is told that the server is busy, not its organization', async () => {
    const read = runInThread(import.meta.url, whereabouts, { small: 0 })
    const papers: Leave[] = []
    for (let org = 0; ; org++) {
      const leave = await threads.enter(`org ${org}`, 'draw', undefined, 1).catch((error) => error)
      if (leave instanceof Refusal) {
        assert.equal(leave.kind, 'unavailable')
        break
      }
      papers.push(leave)
    }
    await assert.rejects(threads.enter('org 0', 'draw', undefined, 1), { code: 'organization_busy' })
    assert.ok(papers.length > 1)
    assert.equal((await read('other', 'a')).isMainThread, false)
    for (const leave of papers) leave()
  })

  test('a process that has read something apart ends by itself', async () => {
    const script = `const { runInThread } = await import('./apart.ts'); const { ediText } = await import('../../x12/text.ts')
      process.stdout.write(await runInThread(new URL('../../x12/text.ts', import.meta.resolve('./apart.ts')).href, ediText, { small: 0 })('one', new TextEncoder().encode('ISA')))`
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd })
    assert.equal(stdout, 'ISA')
  })
}
