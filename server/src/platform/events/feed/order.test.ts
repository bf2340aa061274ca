import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inOrder, type UnpublishedEvent } from './order.ts'

const event = (id: string, subject_id: string, revision: number | null, type = 'bill.updated'): UnpublishedEvent => ({
  id,
  type,
  subject_type: 'bill',
  subject_id,
  revision,
})

describe('events enter the feed', () => {
  test('as their ids rise', () => {
    assert.deepEqual(inOrder([event('3', 'b', 1), event('1', 'a', 1), event('2', 'c', 1)]), ['1', '2', '3'])
  })

  test('of one record as its revisions rise, although a process with a slow clock made the later one', () => {
    assert.deepEqual(inOrder([event('1', 'a', 2), event('2', 'b', 1), event('3', 'a', 1)]), ['2', '3', '1'])
  })

  test('with the deletion of a record last', () => {
    assert.deepEqual(inOrder([event('1', 'a', 3, 'bill.deleted'), event('2', 'a', 3), event('3', 'b', 1)]), [
      '2',
      '1',
      '3',
    ])
  })

  test('each once, and those of a record in order, whatever the ids are', () => {
    const events = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[0-9a-f]{1,4}$/),
        subject: fc.constantFrom('a', 'b', 'c'),
        revision: fc.nat(5),
      }),
      {
        selector: ({ id }) => id,
      },
    )
    fc.assert(
      fc.property(events, (made) => {
        const all = made.map(({ id, subject, revision }) => event(id, subject, revision))
        const order = inOrder(all)
        assert.deepEqual(order.toSorted(), all.map(({ id }) => id).toSorted())
        for (const subject of ['a', 'b', 'c']) {
          const revisions = order.flatMap(
            (id) => all.find((one) => one.id === id && one.subject_id === subject)?.revision ?? [],
          )
          assert.deepEqual(
            revisions,
            revisions.toSorted((one, other) => one - other),
          )
        }
      }),
    )
  })
})
