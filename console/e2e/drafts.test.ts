import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, type Faults, valueIn } from '../src/records/form/draft.ts'
import { filterOf, rowsOf } from '../src/records/kinds/filter.ts'
import type { Field, Kind, Shape } from '../src/records/kinds/kind.ts'

test('a value that nobody touched means what it meant, and keeps what its form does not know', () => {
  const items = {
    fields: [
      field('id', { type: 'text', format: 'id' }),
      field('price', { type: 'money' }),
      field('count', { type: 'integer' }),
    ],
  }
  const values: [Shape, unknown][] = [
    [{ type: 'text' }, 'Dock 4'],
    [{ type: 'number' }, -18.5],
    [{ type: 'integer' }, 22],
    [{ type: 'boolean' }, false],
    [{ type: 'money' }, -1],
    [{ type: 'date' }, '2026-11-15'],
    [{ type: 'date-time' }, '2026-11-15T09:30:07.000Z'],
    [{ type: 'multi-select', options: ['a', 'b'] }, ['b', 'a']],
    [{ type: 'address' }, { city: 'Oakland', latitude: 37.7955, gate: { code: 7 } }],
    [{ type: 'list', items: { type: 'text' } }, ['a', 'a, b']],
    [{ type: 'list', items }, [{ id: 'x', price: 185_000, count: 0, extra: [1] }]],
    [{ type: 'text' }, null],
    [{ type: 'list', items }, null],
  ]
  for (const [shape, value] of values) {
    const faults: Faults = {}
    assert.deepEqual(
      [valueIn(shape, draftOf(shape, value, 2), 'field', 2, faults), faults],
      [value, {}],
      JSON.stringify(shape),
    )
  }
})

test('a text that is not a number is an error at its own input', () => {
  const faults: Faults = {}
  const items = { fields: [field('price', { type: 'money' }), field('count', { type: 'integer' })] }
  valueIn({ type: 'list', items }, [{ price: '1.234', count: '1.5' }], 'paymentItems', 2, faults)
  assert.deepEqual(Object.keys(faults), ['paymentItems.0.price', 'paymentItems.0.count'])
  // A group has three digits, so a comma before two of them separates decimals.
  assert.equal(valueIn({ type: 'money' }, '1,50', 'creditLimit', 2, faults), 150)
  assert.equal(valueIn({ type: 'number' }, '18,5', 'weight', 2, faults), 18.5)
})

test('a filter becomes rows and the same filter again; one that says more is left alone', () => {
  const fields = [
    field('city', { type: 'text' }),
    field('limit', { type: 'money' }),
    field('home', { type: 'address' }),
    field('hot', { type: 'boolean' }),
  ]
  const readOnlyFields = [field('billStatusId', { type: 'select', options: ['draft', 'paid'] })]
  const kind = { fields, readOnlyFields, statuses: ['active', 'inactive'] } as unknown as Kind
  const city = { field: 'home.city', op: 'startsWith', value: 'San ' } as const
  const filters = [
    city,
    {
      or: [
        { field: 'limit', op: 'gte', value: 100_000 } as const,
        { field: 'status', op: 'in', value: ['active'] } as const,
      ],
    },
    { field: 'billStatusId', op: 'eq', value: 'draft' } as const,
    { and: [{ field: 'hot', op: 'eq', value: true } as const, { field: 'home', op: 'exists', value: false } as const] },
  ]
  for (const filter of filters)
    assert.deepEqual(filterOf(rowsOf(filter, kind) ?? { match: 'and', rows: [] }, kind), filter)
  assert.equal(rowsOf({ not: city }, kind), null)
  assert.equal(rowsOf({ field: 'gone', op: 'eq', value: 1 }, kind), null)
})

function field(key: string, shape: Shape): Field {
  return { key, name: key, ...shape }
}
