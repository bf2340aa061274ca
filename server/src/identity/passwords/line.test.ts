import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeLine, makeLines, type PlaceInLine } from './line.ts'

describe('a line', () => {
  /** Comes to the line, and is in `begun` once it is served, until `end` ends it. */
  function makeVisitors(line = makeLine(2)) {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const come = (name: string, place?: PlaceInLine) =>
      line(async () => {
        begun.push(name)
        await new Promise<void>((end) => ends.push(end))
      }, place)
    const endAll = async () => {
      for (let next = ends.shift(); next; next = ends.shift()) {
        next()
        await new Promise(setImmediate)
      }
    }
    return { begun, come, endAll }
  }

  test('serves two at a time, those in known browsers first, then each source in turn', async () => {
    const { begun, come, endAll } = makeVisitors()
    const all = [
      come('a'),
      come('b'),
      come('flood 1', { source: 'x' }),
      come('flood 2', { source: 'x' }),
      come('flood 3', { source: 'x' }),
    ]
    all.push(come('other', { source: 'y' }), come('known', { ahead: true }))
    await new Promise(setImmediate)
    assert.deepEqual(begun, ['a', 'b'])
    await endAll()
    await Promise.all(all)
    assert.deepEqual(begun, ['a', 'b', 'known', 'flood 1', 'other', 'flood 2', 'flood 3'])
  })

  test('holds 64 of one source and 128 in all, and refuses the others with a Retry-After', async () => {
    const { begun, come, endAll } = makeVisitors()
    const refused: string[] = []
    const note = ({ code, headers }: { code: string; headers: Record<string, string> }) =>
      void refused.push(`${code} ${headers['retry-after']}`)
    const all = [come('a'), come('b'), ...Array.from({ length: 70 }, () => come('x', { source: 'x' }).catch(note))]
    await new Promise(setImmediate)
    assert.deepEqual(refused, Array(6).fill('busy 2'))
    all.push(
      ...Array.from({ length: 70 }, (_, index) => come('other', { source: String(index) }).catch(note)),
      come('known', { ahead: true }),
    )
    await new Promise(setImmediate)
    assert.equal(refused.length, 12)
    await endAll()
    await Promise.all(all)
    assert.equal(begun.length, 2 + 128 + 1)
  })
})

test('of each subject one goes on at a time, and one that failed lets the next go on', async () => {
  const inOwnLine = makeLines()
  const going = new Map<string, number>()
  const most = new Map<string, number>()
  let all = 0
  let mostOfAll = 0
  const work = (subject: string) => async () => {
    going.set(subject, (going.get(subject) ?? 0) + 1)
    mostOfAll = Math.max(mostOfAll, ++all)
    most.set(subject, Math.max(most.get(subject) ?? 0, going.get(subject) as number))
    await new Promise(setImmediate)
    going.set(subject, (going.get(subject) as number) - 1)
    all -= 1
    throw new Error('wrong')
  }
  const ended = await Promise.allSettled(['a', 'b', 'a', 'b', 'a'].map((subject) => inOwnLine(subject, work(subject))))
  assert.deepEqual(
    [...most],
    [
      ['a', 1],
      ['b', 1],
    ],
  )
  assert.deepEqual([mostOfAll, ended.every(({ status }) => status === 'rejected')], [2, true])
})
