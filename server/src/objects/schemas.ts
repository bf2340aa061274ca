import Type, { type Static } from 'typebox'
import { refuseBent } from '../core/json-text.ts'
import { invalid, quote } from '../core/refusal.ts'
import { paging, Time } from '../core/schema.ts'
import { requireStorable } from '../core/storable.ts'
import { objectSchema, sharedOptions, sharedProperties } from './definitions/json-schema.ts'
import { builtInKinds } from './kinds/built-in.ts'
import type { Fields } from './model/apply.ts'
import type { Search } from './search/search.ts'

const errors = {
  type: 'array',
  description: 'In the answer to a write: what was sent and is not the client’s to set.',
  items: {
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
  description: 'An object of any kind: what the server says of it, and at the same level everything that its client sent.',
  properties: { ...sharedProperties(), ...sharedOptions, deletedAt: Time('When it was deleted; in a search for deleted objects only.'), errors },
  additionalProperties: true,
})

/** The built-in kinds, from the same data as everything else about them. */
export const kindSchemas = builtInKinds.map((kind) => {
  const { properties, ...schema } = objectSchema(kind) as { properties: object }
  return Type.Unsafe<Fields>({ $id: `${kind.name}Object`, ...schema, properties: { ...properties, errors } })
})

export const AnyObject = Type.Union([...builtInKinds.map((kind) => Type.Ref(`${kind.name}Object`)), Type.Ref('PlatformObject')], {
  description: 'The object; one of a kind that the organization defined itself as its definition says.',
})

const ObjectKey = Type.String({ minLength: 1, maxLength: 100, description: 'The kind of object.', examples: ['customer'] })
const Json = Type.Unsafe<Fields>({
  type: 'object',
  additionalProperties: true,
  description: 'The fields of the object.',
  examples: [{ name: 'Acme Foods', address: '1200 Harbor Way', city: 'Oakland', state: 'CA', postal: '94607', currency: 'usd' }],
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

const asked = {
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Words; each must be the beginning of a word in a text field. Upper and lower case are the same.',
      examples: ['acme oak'],
    }),
  ),
  sort: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Up to three fields to order by, with commas between them, each with - in front for descending; -createdAt unless said. Equal ones are ordered by id.',
      examples: ['-creditLimit,name'],
    }),
  ),
  ...paging,
}
const deleted = Type.Optional(
  Type.Enum(['only'], {
    description:
      'Finds the deleted objects instead, last deleted first unless said, each with its `deletedAt`: by id, name, fullId, externalId, status, source, version, and when and by whom it was made, changed and deleted.',
    examples: ['only'],
  }),
)
const Paths = Type.Array(Type.String({ maxLength: 500 }), {
  maxItems: 100,
  description: 'The fields to answer, through references too: `name`, `customerId.name`. `*` is all of them.',
  examples: [['name', 'customerId.name']],
})

export const SearchBody = Type.Object({
  objectKey: ObjectKey,
  filter: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description:
        '`{ "and": […] }`, `{ "or": […] }`, `{ "not": … }` or `{ "field", "op", "value" }` with the operators eq, ne, in, lt, lte, gt, gte, contains, startsWith, exists. A field that the definition does not name has `otherFields.` in front.',
      examples: [
        {
          and: [
            { field: 'city', op: 'eq', value: 'Oakland' },
            { field: 'creditLimit', op: 'gte', value: 100000 },
          ],
        },
      ],
    }),
  ),
  paths: Type.Optional(Paths),
  deleted,
  ...asked,
})

export const ListQuery = Type.Object({
  objectKey: ObjectKey,
  status: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, description: 'Keeps the objects in one of these states.', examples: [['active']] }),
  ),
  externalId: Type.Optional(Type.String({ maxLength: 255, description: 'Keeps the object with this external id.', examples: ['ERP-1001'] })),
  filter: Type.Optional(
    Type.String({
      maxLength: 8000,
      description: 'A filter as in POST …/objects/search, as JSON text.',
      examples: ['{"field":"city","op":"eq","value":"Oakland"}'],
    }),
  ),
  paths: Type.Optional(Paths),
  deleted,
  ...asked,
})

/** The parameters of the address as the search they mean. */
export function readListQuery({ objectKey: _, filter, ...search }: Static<typeof ListQuery>): Search {
  return { ...search, ...(filter !== undefined && { filter: parsed(filter) as never }) }
}

/** Held against what a body is held against: written as JSON, a parameter can say anything a body can. */
function parsed(filter: string): unknown {
  const value = jsonIn(filter)
  refuseBent(filter, requireStorable(value, 'filter'), 'filter')
  return value
}

function jsonIn(filter: string): unknown {
  try {
    return JSON.parse(filter)
  } catch {
    throw invalid('filter', 'malformed_json', `"filter" must be JSON, not ${quote(filter)}.`)
  }
}
