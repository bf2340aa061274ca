import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paceOf } from './pace.ts'

const learning = (...answers: number[]) => {
  const pace = paceOf()
  for (const ms of answers) pace.learn(ms)
  return pace.patienceMs()
}
const many = (count: number, ms: number) => Array.from({ length: count }, () => ms)

test('among quick answers a read waits 25 ms behind a slow one', () => {
  assert.equal(learning(), 25)
  assert.equal(learning(...many(100, 2)), 25)
})

test('where all answers are slow, it waits for several of them', () => {
  assert.ok(learning(...many(100, 200)) > 1_000)
  assert.ok(learning(...many(100, 200), ...many(100, 2)) < 26, 'until they are quick again')
})

test('one slow answer among quick ones changes little', () => {
  assert.ok(learning(...many(100, 2), 10_000) < 40)
})
