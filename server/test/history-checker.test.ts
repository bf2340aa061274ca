import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { historyFaults, listFaults, type State } from './faults/checker.ts'
import { type Fate, newHistory, type Write } from './faults/history.ts'

const append = (mark: string, began: number, ended: number, fate: Fate = 'acknowledged'): Write => ({
  ...{ kind: 'line', org: 'o', mark, fate, began, ended, id: mark, answer: '201', list: 'l' },
})
const read = (marks: string[], began: number, ended: number) => ({ list: 'l', marks, began, ended })

/** The fault suite takes minutes and finds nothing on a good day: these say that its checker would. */
describe('the checker of the fault suite', () => {
  test('finds nothing in a history in which everything is as it was answered', () => {
    const appends = [append('a', 0, 1), append('b', 2, 3), append('c', 2, 9, 'unknown')]
    assert.deepEqual(
      listFaults('l', ['a', 'b'], appends, [read([], 0, 1), read(['a'], 1.5, 2.5), read(['a', 'b'], 4, 5)]),
      [],
    )
    assert.deepEqual(historyFaults({ ...newHistory(), writes: appends }, stateOf('a', 'b')), [])
    assert.deepEqual(historyFaults({ ...newHistory(), writes: appends }, stateOf('a', 'b', 'c')), [])
  })

  test('names what was lost, done twice, done though refused, or given another id', () => {
    const found = (write: Write, ...there: string[]) =>
      historyFaults({ ...newHistory(), writes: [write] }, stateOf(...there)).join()
    assert.match(found(append('a', 0, 1)), /a was acknowledged \(201\) and is not there/)
    assert.match(found(append('a', 0, 1, 'unknown'), 'a', 'a'), /a is there 2 times/)
    assert.match(found(append('a', 0, 1, 'refused'), 'a'), /a was refused \(201\) and is there/)
    assert.match(found({ ...append('a', 0, 1), id: 'other' }, 'a'), /answered with the id other/)
  })

  test('names numbers that repeat, are left out, or differ from what was answered', () => {
    const found = (numbers: number[], answered = 'BILL-000001') =>
      historyFaults(
        { ...newHistory(), numbers: [{ org: 'o', bill: 'b1', number: answered }] },
        {
          rows: [],
          numbers: numbers.map((number, index) => ({ org: 'o', kind: 'bills', id: `b${index + 1}`, number })),
        },
      ).join()
    assert.equal(found([1, 2, 3]), '')
    assert.match(found([1, 2, 2]), /do not count from 1 to 3: see 2/)
    assert.match(found([1, 2, 4]), /do not count from 1 to 3: see 4/)
    assert.match(found([1, 2, 3], 'BILL-000002'), /was answered with the number BILL-000002 and has 1/)
  })

  test('names reads that are no beginning of the list, or lack or foresee an append, and appends in the wrong order', () => {
    const [a, b] = [append('a', 0, 1), append('b', 2, 3)]
    assert.match(
      listFaults('l', ['a', 'b'], [a, b], [read(['b'], 0, 9)]).join(),
      /had b in place 1, where in the end there is a/,
    )
    assert.match(
      listFaults('l', ['a', 'b'], [a, b], [read(['a'], 4, 5)]).join(),
      /lacks b, which was acknowledged before/,
    )
    assert.match(listFaults('l', ['a', 'b'], [a, b], [read(['a', 'b'], 0, 1.5)]).join(), /had b before it was appended/)
    assert.match(listFaults('l', ['b', 'a'], [a, b], []).join(), /b stands before a/)
    assert.match(listFaults('l', ['a', 'a'], [a], []).join(), /has an entry twice/)
  })
})

function stateOf(...marks: string[]): State {
  return { rows: marks.map((mark) => ({ kind: 'line', org: 'o', mark, id: mark, list: 'l' })), numbers: [] }
}
