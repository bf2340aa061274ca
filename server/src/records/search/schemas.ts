import Type, { type Static } from 'typebox'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { changedBetween, paging, pagingInBody } from '../../platform/core/schema/schema.ts'
import { refuseInexact } from '../../platform/core/values/json-text.ts'
import { requireStorable } from '../../platform/core/values/storable.ts'
import type { Search } from './search.ts'

export const ObjectKey = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The kind of object.',
  examples: ['customer'],
})

const asked = {
  ...changedBetween,
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
        'Up to three fields to order by, with commas between them, each with - in front for descending; -createdAt by default. Equal ones are ordered by id.',
      examples: ['-creditLimit,name'],
    }),
  ),
}
const deleted = Type.Optional(
  Type.Enum(['only'], {
    description:
      'Finds the deleted objects instead, last deleted first by default, each with its `deletedAt`: by id, name, fullId, externalId, status, source, version, and when and by whom it was made, changed and deleted.',
    examples: ['only'],
  }),
)
const Paths = Type.Array(Type.String({ maxLength: 500 }), {
  maxItems: 100,
  description: 'The fields to answer, through references too: `name`, `customerId.name`. `*` is all of them.',
  examples: [['fullId', 'name']],
})

export const SearchBody = Type.Object(
  {
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
    ...pagingInBody,
  },
  {
    examples: [
      {
        objectKey: 'customer',
        filter: {
          and: [
            { field: 'city', op: 'eq', value: 'Oakland' },
            { field: 'creditLimit', op: 'gte', value: 100000 },
          ],
        },
        paths: ['fullId', 'name', 'city'],
        sort: '-creditLimit,name',
        offset: 0,
        limit: 20,
      },
    ],
  },
)

export const ListQuery = Type.Object({
  objectKey: ObjectKey,
  status: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: 'Keeps the objects in one of these states.',
      examples: [['active']],
    }),
  ),
  externalId: Type.Optional(
    Type.String({ maxLength: 255, description: 'Keeps the object with this external id.', examples: ['ERP-1001'] }),
  ),
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
  ...paging,
})

/** The search that the parameters of a request mean. */
export function readListQuery({ objectKey: _, filter, ...search }: Static<typeof ListQuery>): Search {
  return { ...search, ...(filter !== undefined && { filter: parsed(filter) as never }) }
}

/** Checked as a body is: as JSON a parameter can have anything in it that a body can. */
function parsed(filter: string): unknown {
  const value = jsonIn(filter)
  refuseInexact(filter, requireStorable(value, 'filter'), 'filter')
  return value
}

function jsonIn(filter: string): unknown {
  try {
    return JSON.parse(filter)
  } catch {
    throw invalid('filter', 'malformed_json', `"filter" must be JSON, not ${quote(filter)}.`)
  }
}
