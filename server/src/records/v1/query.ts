import Type, { type TProperties, type TSchema } from 'typebox'
import { invalid } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { Moment, paging } from '../../platform/core/schema/schema.ts'
import type { Field } from '../kinds/kind.ts'
import type { Filter, Op } from '../search/conditions/condition.ts'
import type { Search } from '../search/search.ts'
import type { Column, Names } from './names.ts'

/** The parameters of a search. */
export type Query = Record<string, unknown> & {
  q?: string
  search_term?: string
  sort?: string[]
  deleted?: 'only'
  offset?: number
  limit?: number
  after?: string
}

/** A parameter that is a condition on one field. */
type Parameter = { name: string; schema: TSchema; field: string; op: Op }

const at = (description: string) => Moment(`${description} Inclusive; a bare date means the whole day.`)
const texts = (description: string, example: string) =>
  Type.Array(Type.String({ maxLength: 255 }), { maxItems: 500, description, examples: [[example]] })
const uuids = (description: string) =>
  Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: 500,
    description,
    examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
  })

const times: readonly Parameter[] = [
  { name: 'created_start_at', schema: at('Created at or after.'), field: 'createdAt', op: 'gte' },
  { name: 'created_end_at', schema: at('Created at or before.'), field: 'createdAt', op: 'lte' },
  { name: 'update_start_at', schema: at('Changed at or after.'), field: 'updatedAt', op: 'gte' },
  { name: 'updated_start_at', schema: at('The same as update_start_at.'), field: 'updatedAt', op: 'gte' },
  { name: 'updated_end_at', schema: at('Changed at or before.'), field: 'updatedAt', op: 'lte' },
]

export type SearchedKind = Names & { labels: string; kind: { statuses: readonly string[]; prefix: string } }

const known = new WeakMap<SearchedKind, readonly Parameter[]>()

function parametersOf(resource: SearchedKind): readonly Parameter[] {
  const found = known.get(resource) ?? conditionsOf(resource)
  known.set(resource, found)
  return found
}

/** What a resource can be searched by: what every object has, references, and fields with fixed options. */
function conditionsOf({ columns, labels, kind }: SearchedKind): Parameter[] {
  return [
    { name: 'ids', schema: uuids(`Keeps the ${labels} with these ids.`), field: 'id', op: 'in' },
    {
      name: 'external_ids',
      schema: texts(`Keeps the ${labels} with these external ids, whole.`, 'ERP-1001'),
      field: 'externalId',
      op: 'in',
    },
    {
      name: 'number',
      schema: texts(`Keeps the ${labels} with these in \`full_id\`.`, `${kind.prefix}-1`),
      field: 'fullId',
      op: 'in',
    },
    {
      name: 'status_ids',
      schema: texts(`Keeps the ${labels} in one of these states.`, kind.statuses[0] as string),
      field: 'status',
      op: 'in',
    },
    ...columns.flatMap(({ key, name, field }): Parameter[] => {
      const several = name.replace(/(?<=_id)$/, 's')
      if (isReference(field))
        return [
          {
            name: several,
            schema: named(namedFilter(several), uuids(`Keeps those with one of these in \`${name}\`.`)),
            field: key,
            op: 'in',
          },
        ]
      const example = field.options?.[0] ?? (field.format === 'currency' ? 'usd' : undefined)
      const parameter = field.format === 'currency' ? several : name
      return example === undefined
        ? []
        : [
            {
              name: parameter,
              schema: named(namedFilter(parameter), texts(`Keeps those with one of these in \`${name}\`.`, example)),
              field: key,
              op: 'in',
            },
          ]
    }),
    ...times,
  ]
}

export function querySchema(resource: SearchedKind) {
  const sorts = sortable(resource.columns).flatMap(({ name }) => [name, `-${name}`])
  const properties: TProperties = {
    search_term: Type.String({
      maxLength: 255,
      description:
        'Keeps those that contain this in their name, full_id or external_id; upper and lower case are the same.',
      examples: ['harbor'],
    }),
    q: named(
      'WithWords',
      Type.String({
        maxLength: 1000,
        description: 'Words, each of which must begin a word in any of the text fields.',
        examples: ['harb oak'],
      }),
    ),
    ...Object.fromEntries(parametersOf(resource).map(({ name, schema }) => [name, schema])),
    sort: Type.Array(Type.Enum(sorts), {
      maxItems: 3,
      description:
        'The order, by up to three fields, each with - in front for descending; -created_at by default. Equal ones are ordered by id, those without a value come last.',
      examples: [['-created_at']],
    }),
    deleted: Type.Enum(['only'], {
      description:
        'Finds the deleted ones instead, last deleted first by default, each with its `deleted_at`; by `ids`, `external_ids`, `status_ids` and times alone.',
      examples: ['only'],
    }),
  }
  return Type.Object({
    ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])),
    ...paging,
  })
}

/** The search in the object model that a query means, and the parameters that its conditions come from. */
export function searchOf(
  resource: SearchedKind,
  { q, search_term, sort, deleted, offset, limit, after, ...query }: Query,
): { search: Search; parameters: string[] } {
  const given = parametersOf(resource).filter(({ name }) => query[name] !== undefined)
  if (deleted)
    refuseBeyondDeleted({
      q,
      search_term,
      ...Object.fromEntries(given.filter(({ field }) => !ofDeleted.has(field)).map(({ name }) => [name, true])),
    })
  const parts: Filter[] = given.map(({ name, field, op }) => ({ field, op, value: query[name] }))
  const terms = ['name', 'fullId', 'externalId'].map((field): Filter => ({ field, op: 'contains', value: search_term }))
  const and = search_term === undefined ? parts : [...parts, { or: terms }]
  const search = {
    q,
    offset,
    limit,
    after,
    deleted,
    sort: orderOf(resource.columns, sort ?? []),
    ...(and.length > 0 && { filter: and.length === 1 ? and[0] : { and } }),
  }
  return { search, parameters: given.map(({ name }) => name) }
}

/** What a deleted object can still be found by. */
const ofDeleted = new Set(['id', 'externalId', 'status', 'createdAt', 'updatedAt'])

function refuseBeyondDeleted(asked: Record<string, unknown>): void {
  const name = Object.keys(asked).find((name) => asked[name] !== undefined)
  if (name === undefined) return
  throw invalid(
    name,
    'not_for_deleted',
    `"${name}" does not find what is deleted; ids, external_ids, status_ids and the times do.`,
  )
}

function orderOf(columns: readonly Column[], sorts: readonly string[]): string | undefined {
  const keys = sorts.map((sort) => {
    const name = sort.replace(/^-/, '')
    const key = columns.find((column) => column.name === name)?.key as string
    return sort.startsWith('-') ? `-${key}` : key
  })
  return keys.length > 0 ? keys.join(',') : undefined
}

const sortableTypes = new Set(['text', 'number', 'integer', 'money', 'date', 'date-time', 'email', 'select', 'boolean'])
const unsortable = new Set([
  'mapMarkers',
  'orgId',
  'billId',
  'billStatusId',
  'billNumber',
  'invoiceId',
  'invoiceStatusId',
  'invoiceNumber',
  'boardId',
  'etaDelayNotifyEnabled',
  'etaDelayNotifyLabel',
])

function sortable(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ field, key }) => sortableTypes.has(field.type) && !unsortable.has(key))
}

function isReference({ type, items }: Field): boolean {
  return type === 'reference' || Boolean(items && 'type' in items && items.type === 'reference')
}

/** `WithCurrencyIds` of `currency_ids`: in the OpenAPI document other searches have filters of the same name, with other words. */
function namedFilter(parameter: string): string {
  return `With_${parameter}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
