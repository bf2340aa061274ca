import assert from 'node:assert/strict'
import { test } from 'node:test'
import Typebox from 'typebox'
import Type from './type.ts'

test('every maker makes the schema that typebox makes, to the order of its keywords', () => {
  for (const [name, make] of Object.entries(examples))
    assert.equal(JSON.stringify(make(Type)), JSON.stringify(make(Typebox as never)), name)
  assert.deepEqual(Object.keys(examples).sort(), Object.keys(Type).sort())
})

test('a copy of an optional field with spread syntax is required again, as with typebox', () => {
  for (const made of [Type, Typebox as never as typeof Type]) {
    const optional = made.Optional(made.String())
    assert.deepEqual(made.Object({ a: optional, b: { ...optional } }).required, ['b'])
    assert.deepEqual(made.Object({ c: made.Unsafe(made.Optional(made.String())) }), {
      type: 'object',
      properties: { c: { type: 'string' } },
    })
  }
})

const options = { description: 'What it is.', examples: ['a'] }

const examples: Record<string, (type: typeof Type) => unknown> = {
  Array: (type) => [type.Array(type.String()), type.Array(type.String(), { maxItems: 2, ...options })],
  Boolean: (type) => [type.Boolean(), type.Boolean(options)],
  Enum: (type) => [type.Enum(['a', 'b']), type.Enum(['a', 'b'], options)],
  Integer: (type) => [type.Integer(), type.Integer({ minimum: 1, ...options })],
  Intersect: (type) => [
    type.Intersect([type.Ref('A'), type.Object({ a: type.Null() })]),
    type.Intersect([type.Ref('A')], options),
  ],
  Null: (type) => [type.Null(), type.Null(options)],
  Number: (type) => [type.Number(), type.Number({ maximum: 1, ...options })],
  Object: (type) => [
    type.Object({}),
    type.Object({ a: type.String(), b: type.Optional(type.String()), c: type.Null() }, { $id: 'A', ...options }),
  ],
  Optional: (type) => [type.Optional(type.String(options)), type.Optional(type.Optional(type.Ref('A')))],
  Partial: (type) => [
    type.Partial(type.Object({ a: type.String(), b: type.Optional(type.Null()) }, options)),
    type.Partial(type.Object({}), options),
  ],
  Record: (type) => [type.Record(type.String(), type.Integer()), type.Record(type.String(), type.Integer(), options)],
  Ref: (type) => [type.Ref('A'), type.Ref('A', options)],
  String: (type) => [type.String(), type.String({ maxLength: 3, format: 'uuid', ...options })],
  Union: (type) => [type.Union([type.String(), type.Null()]), type.Union([type.String()], options)],
  Unknown: (type) => [type.Unknown(), type.Unknown(options)],
  Unsafe: (type) => [type.Unsafe<string | null>({ type: ['string', 'null'], ...options })],
}
