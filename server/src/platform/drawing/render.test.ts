import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readPdf } from '../../../test/pdf.ts'
import { pngOf } from '../../../test/png.ts'
import { blank } from '../../freight/papers/from.ts'
import { Refusal } from '../core/refusal.ts'
import { makeFileCache } from './kept.ts'
import type { Paper } from './paper.ts'
import { renderPaper } from './render.ts'

function paperOf(rows: number, changes: Partial<Paper> = {}): Paper {
  const columns = [
    { label: 'Description', share: 4 },
    { label: 'Amount', share: 1 },
  ]
  const table = {
    columns,
    rows: Array.from({ length: rows }, (_, n) => [`Freight from Oakland to Seattle, load ${n}`, `${n}.00`]),
  }
  const from = { name: 'Northwind', lines: ['1 Quay Street'], logo: null }
  return {
    ...blank,
    title: 'Invoice',
    number: 'INV-1',
    from,
    tables: [table],
    date: new Date(0),
    size: 'A4',
    ...changes,
  }
}

const refusedWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.equal(error.code, code)
  return true
}

test('while a long paper is drawn, this thread answers', async () => {
  await renderPaper(randomUUID(), paperOf(1))
  let longest = 0
  let last = performance.now()
  const turning = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const began = performance.now()
  const file = await renderPaper(randomUUID(), paperOf(800))
  const took = performance.now() - began
  clearInterval(turning)
  assert.equal(file.subarray(0, 5).toString(), '%PDF-')
  assert.ok(longest < took / 2, `the thread was held for ${longest} ms of ${took} ms`)
})

test('many papers of one organization leave a place for another, and those too many are told to come again', async () => {
  const [many, other] = [randomUUID(), randomUUID()]
  let done = 0
  const asked = Array.from({ length: 20 }, (_, n) =>
    renderPaper(many, paperOf(150, { number: `INV-${n}` })).finally(() => done++),
  )
  const settling = Promise.allSettled(asked)
  await renderPaper(other, paperOf(1))
  assert.ok(done < asked.length, 'all papers of the other came first')
  const refused = (await settling).filter((one) => one.status === 'rejected')
  assert.ok(refused.length > 0 && refused.length < asked.length, `${refused.length} were refused`)
  for (const { reason } of refused) refusedWith('organization_busy')(reason)
})

test('nothing is drawn for who has hung up, and the place is free again', async () => {
  const org = randomUUID()
  const [drawing, waiting] = [new AbortController(), new AbortController()]
  const first = renderPaper(org, paperOf(4_000), { signal: drawing.signal })
  const second = renderPaper(org, paperOf(4_001), { signal: waiting.signal })
  waiting.abort()
  await assert.rejects(second, refusedWith('organization_busy'))
  drawing.abort()
  await assert.rejects(first, refusedWith('unavailable'))
  await renderPaper(org, paperOf(2))
})

test('a paper that takes too long is refused in words, and the next one is drawn', async () => {
  const org = randomUUID()
  await assert.rejects(renderPaper(org, paperOf(5_000), { deadlineMs: 50 }), refusedWith('too_costly_to_draw'))
  await renderPaper(org, paperOf(3))
})

test('the same paper is the file of before; one that shows anything else is another', async () => {
  const org = randomUUID()
  const logo = pngOf(2, 2)
  const file = await renderPaper(org, paperOf(4))
  assert.equal(await renderPaper(org, paperOf(4)), file)
  const from = { name: 'Northwind', lines: ['1 Quay Street'], logo: null }
  const others = [
    paperOf(5),
    paperOf(4, { date: new Date(1000) }),
    paperOf(4, { from: { ...from, name: 'Southwind' } }),
    paperOf(4, { from: { ...from, lines: ['2 Quay Street'] } }),
    paperOf(4, { from: { ...from, logo } }),
    paperOf(4, { parties: [{ label: 'Bill to', lines: ['Cascade'] }] }),
  ]
  for (const other of others) assert.notDeepEqual(await renderPaper(org, other), file)
  const { text } = await readPdf(await renderPaper(org, others[2] as Paper))
  assert.match(text, /Southwind/)
})

test('what is kept is bounded, and what was asked for longest ago goes first', () => {
  const kept = makeFileCache({ mostBytes: 10, mostBytesOfOne: 6 })
  kept.keep('a', Buffer.alloc(4))
  kept.keep('b', Buffer.alloc(4))
  kept.find('a')
  kept.keep('c', Buffer.alloc(4))
  kept.keep('d', Buffer.alloc(7))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => kept.find(key)?.length),
    [4, undefined, 4, undefined],
  )
})
