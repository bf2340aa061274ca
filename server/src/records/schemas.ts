import Type from 'typebox'
import { named, nameKeyword } from '../platform/core/schema/names.ts'
import { Time } from '../platform/core/schema/schema.ts'
import { objectSchema, sharedOptions, sharedProperties } from './definitions/json-schema.ts'
import { builtInKinds } from './kinds/built-in.ts'
import type { Fields } from './model/object.ts'
import { ObjectKey } from './search/schemas.ts'

const errors = {
  type: 'array',
  description: 'In the answer to a write: what was sent and is not the client’s to set.',
  items: {
    [nameKeyword]: 'IgnoredField',
    type: 'object',
    properties: {
      field: { type: 'string', examples: ['json.id'] },
      code: { type: 'string', examples: ['read_only'] },
      message: { type: 'string', examples: ['"id" is set by the server; what was sent was ignored.'] },
    },
  },
}

/** An object of any kind, or what `paths` left of it. */
export const PlatformObject = Type.Unsafe<Fields>({
  $id: 'PlatformObject',
  type: 'object',
  description:
    'An object of any kind: the fields that the server sets, and at the same level everything that its client sent.',
  properties: {
    ...sharedProperties(),
    ...sharedOptions,
    deletedAt: Time('When it was deleted; in a search for deleted objects only.'),
    errors,
  },
  additionalProperties: true,
})

/** The built-in kinds, from the same data as everything else about them. */
export const kindSchemas = builtInKinds.map((kind) => {
  const { properties, ...schema } = objectSchema(kind) as { properties: object }
  return Type.Unsafe<Fields>({ $id: `${kind.name}Object`, ...schema, properties: { ...properties, errors } })
})

export const AnyObject = named(
  'AnyObject',
  Type.Union([...builtInKinds.map((kind) => Type.Ref(`${kind.name}Object`)), Type.Ref('PlatformObject')], {
    description: 'The object; one of a kind that the organization defined itself as its definition says.',
  }),
)

const Json = Type.Unsafe<Fields>({
  type: 'object',
  additionalProperties: true,
  description: 'The fields of the object.',
  examples: [
    { name: 'Acme Foods', address: '1200 Harbor Way', city: 'Oakland', state: 'CA', postal: '94607', currency: 'usd' },
  ],
})

export const NewObject = Type.Object({
  boardId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The board it is made on; it comes back as `boardId` of the object. Any UUID will do.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e17'],
    }),
  ),
  objectKey: ObjectKey,
  json: Json,
})

export const ObjectEdit = Type.Unsafe<Fields>({
  type: 'object',
  properties: { json: Json },
  additionalProperties: true,
  description: '`{ "json": { … } }`, or the fields themselves.',
})
