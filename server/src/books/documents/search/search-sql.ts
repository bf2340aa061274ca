import type { KeyType } from '../../../platform/core/schema/cursors.ts'
import { numbersIn } from '../../../platform/core/schema/numbers.ts'
import { parseDate } from '../../../platform/core/values/dates.ts'
import { join, named, nothing, type Statement, sql, when } from '../../../platform/db/sql/sql.ts'
import { type Field, type Filter, isNullable, type SqlType } from '../model/fields/fields.ts'
import type { Status } from '../model/fields/lifecycle.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import { hasWords } from './texts-sql.ts'

/** The filters of every kind of document, and those of a kind's own fields by their names. */
export type Search = {
  status_ids?: readonly Status[]
  ids?: readonly string[]
  number?: readonly string[]
  created_start_at?: string
  created_end_at?: string
  update_start_at?: string
  updated_start_at?: string
  updated_end_at?: string
  unpaid?: boolean
  overdue?: boolean
  missing_rate?: boolean
  include_voided?: boolean
  search_term?: string
  sort?: string
  offset?: number
  limit?: number
  after?: string
  [filter: string]: unknown
}

/** Every filter that is given, and nothing else: what the planner sees is what was asked. The row is called `b`. */
export function filterOf(kind: Kind, org: string, search: Search): Statement {
  const { status_ids, unpaid, overdue, missing_rate, search_term } = search
  const conditions = [
    when(status_ids, sql`b.status_id = any(${status_ids}::text[])`),
    when(search.ids, sql`b.id = any(${search.ids}::uuid[])`),
    when(search.number, sql`b.number = any(${numbersIn(search.number, kind.numberPrefix.toUpperCase())}::int[])`),
    range(created, search.created_start_at, search.created_end_at),
    range(updated, search.update_start_at, search.updated_end_at),
    range(updated, search.updated_start_at, undefined),
    // Follows from the line before the last, and lets a page begin with the documents that were there by then.
    range(created, undefined, search.updated_end_at),
    when(unpaid === true, sql`b.status_id <> 'paid'`),
    when(unpaid === false, sql`b.status_id = 'paid'`),
    when(search.include_voided !== true, sql`b.voided_at is null`),
    when(overdue === true, overdueIn(org)),
    when(overdue === false, sql`not coalesce(${overdueIn(org)}, false)`),
    // As the condition of its index has it.
    when(missing_rate === true, sql`b.exchange_rate is null and b.status_id <> 'draft' and b.voided_at is null`),
    when(missing_rate === false, sql`b.exchange_rate is not null`),
    search_term?.trim() ? hasWords(kind, org, search_term) : nothing,
    ...ownConditions(kind).map((condition) => condition(org, search)),
  ]
  return join([sql`b.org_id = ${org}`, ...conditions.filter((condition) => condition !== nothing)], and)
}

const and = sql` and `
const created = sql`b.created_at`
const updated = sql`b.updated_at`

/** By the day where the organization is, as the reports have it. What is overdue was due before now, by which an index finds it. */
function overdueIn(org: string): Statement {
  const own = sql`from organizations z where z.org_id = ${org}`
  return sql`(b.status_id in ('saved', 'sent', 'edited') and b.due_date <= statement_timestamp()
    and day_of(b.due_date, (select z.time_zone ${own})) < (select (statement_timestamp() at time zone z.time_zone)::date ${own}))`
}

type Condition = (org: string, search: Search) => Statement

/** The filters of a kind's own fields, and those of its description. */
const ownConditions = onceFor(({ fields, filters }): Condition[] => [
  ...Object.entries(filters).map(
    ([name, { condition }]): Condition =>
      (org, search) =>
        search[name] === undefined ? nothing : condition(org, search[name]),
  ),
  ...Object.entries(fields).flatMap(([name, field]) => (field.filter ? conditionsOf(name, field, field.filter) : [])),
])

function conditionsOf(name: string, { column: type }: Field, filter: Filter): Condition[] {
  const column = sql`b.${named(filter.by === 'text' ? filter.column : name)}`
  switch (filter.by) {
    case 'times':
      return [
        (_, search) =>
          range(column, search[filter.start] as string | undefined, search[filter.end] as string | undefined),
        (_, search) => isSet(column, filter.isSet && (search[filter.isSet.name] as boolean | undefined)),
      ]
    case 'any':
      return [(_, search) => anyOf(column, type === 'uuid', search[filter.name] as string[] | undefined)]
    case 'text':
      return [(_, search) => when(search[filter.name], sql`${column} = lower(${search[filter.name]})`)]
    case 'amounts':
      return [
        (_, search) => when(search[filter.least], sql`${column} >= ${search[filter.least]}`),
        (_, search) => when(search[filter.most], sql`${column} <= ${search[filter.most]}`),
      ]
  }
}

function isSet(column: Statement, wanted: boolean | undefined): Statement {
  return wanted === undefined ? nothing : wanted ? sql`${column} is not null` : sql`${column} is null`
}

function anyOf(column: Statement, areIds: boolean, wanted: readonly string[] | undefined): Statement {
  if (wanted === undefined) return nothing
  return areIds
    ? sql`${column} = any(${wanted}::uuid[])`
    : sql`${column} = any(${wanted.map((code) => code.toLowerCase())}::text[])`
}

function range(column: Statement, start: string | undefined, end: string | undefined): Statement {
  const from = start === undefined ? undefined : parseDate(start, 'start')
  const to = end === undefined ? undefined : parseDate(end, 'end')
  if (from && to) return sql`${column} >= ${from} and ${column} <= ${to}`
  return from ? sql`${column} >= ${from}` : when(to, sql`${column} <= ${to}`)
}

export type Sort = { name: string; column: Statement; type: KeyType; nullable: boolean; descending: boolean }

export const newest = '-created_at'

export function sortOf(kind: Kind, sort = newest): Sort {
  return sorts(kind).get(sort) as Sort
}

const sorts = onceFor(({ fields }) => {
  const sortable = Object.entries(fields).filter(([, { isSortable }]) => isSortable)
  const directions = sortable.flatMap(([name, field]): [string, Sort][] => {
    const sort = {
      name,
      column: sql`b.${named(name)}`,
      type: keyTypes[field.column as SqlType] as KeyType,
      nullable: isNullable(field),
    }
    return [
      [name, { ...sort, descending: false }],
      [`-${name}`, { ...sort, descending: true }],
    ]
  })
  return new Map(directions)
})

const keyTypes: Partial<Record<SqlType, KeyType>> = {
  timestamptz: 'time',
  int: 'integer',
  bigint: 'integer',
  text: 'text',
  uuid: 'id',
  boolean: 'flag',
}
