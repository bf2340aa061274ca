import type { Context } from '../../platform/context.ts'
import type { KeyType } from '../../platform/core/schema/cursors.ts'
import { keyOf } from '../../platform/db/sql/keyset.ts'
import { join, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import type { Column } from './conditions/column-conditions-sql.ts'
import type { External } from './conditions/external-sql.ts'
import type { OtherPlace, Place } from './conditions/fields.ts'
import type { Key } from './sort.ts'

type Values = Extract<Place, { in: 'values' }>

/** A sort key in SQL: the value, and where it is read unless from the object `o` itself. With `repeats`, many objects may have the same value. */
export type Term = {
  value: Statement
  type: KeyType
  descending: boolean
  repeats: boolean
  /** Some objects have no value; they come last in either direction. */
  nullable: boolean
  /** The value as JSON, where that is not the value itself. */
  shown?: Statement
  /** A value that no index has in order is joined to the objects with these ids, some of which may have none: read for all objects, or for each. */
  join?: { all: (id: Statement) => Statement; each: (id: Statement) => Statement }
  /** A value that an index of `object_values` has in order: the rows of the kind, and those of one object. */
  values?: { row: Statement; all: Statement; of: (id: Statement) => Statement }
}

const rows = [sql`v1`, sql`v2`, sql`v3`]

export function termsOf(ctx: Context, objectKey: string, keys: readonly Key[]): Term[] {
  return keys.map((key, index) => termOf(ctx, objectKey, key, index))
}

function termOf({ org }: Context, objectKey: string, { place, descending }: Key, index: number): Term {
  const type = typeOf(place)
  if (place.in === 'number') return { value: sql`o.number`, type, descending, repeats: false, nullable: false }
  if (place.in === 'column')
    return {
      value: columns[place.column],
      type,
      descending,
      repeats: repeating.has(place.column),
      nullable: place.column === 'external_id',
    }
  const row = rows[index] as Statement
  if (place.in !== 'values' || place.defaultValue !== undefined)
    return { ...joinedTerm(org, objectKey, place, row), type, descending, repeats: false, nullable: true }
  const value =
    place.column === 'text_value'
      ? sql`${row}.text_value`
      : place.column === 'number_value'
        ? sql`${row}.number_value`
        : sql`${row}.flag_value`
  const field = sql`${row}.org_id = ${org} and ${row}.field = ${place.path} ${when(place.many, sql`and ${row}.position = 0`)} and ${value} is not null`
  // All are read by the index of the value, which begins with the kind; those of one object by the primary key, which has no kind.
  return {
    value,
    type,
    descending,
    repeats: true,
    nullable: true,
    values: {
      row,
      all: sql`${field} and ${row}.object_key = ${objectKey}`,
      of: (id) => sql`${row}.object_id = ${id} and ${field}`,
    },
  }
}

/** What a cursor holds of a key. */
export function typeOf(place: Key['place']): KeyType {
  switch (place.in) {
    case 'number':
      return 'integer'
    case 'column':
      return columnTypes[place.column]
    case 'values':
      return place.column === 'text_value' ? 'text' : place.column === 'number_value' ? 'number' : 'flag'
    case 'external':
      return place.field.valueType === 'uuid' ? 'id' : place.field.valueType
    case 'other':
      return 'any'
  }
}

const columnTypes: Record<Column['column'], KeyType> = {
  id: 'id',
  created: 'id',
  created_at: 'time',
  updated_at: 'time',
  deleted_at: 'time',
  created_by: 'id',
  updated_by: 'id',
  status: 'text',
  source: 'text',
  version: 'integer',
  name: 'text',
  external_id: 'text',
  full_id: 'text',
  object_key: 'text',
  org_id: 'id',
}

/**
 * A value that no index has in order: one of any type, one that most objects do not have because it is the default, or one from another table. Few
 * objects have such a value, so all of these are read and joined; if few objects are in question, those are looked up one by one.
 */
function joinedTerm(
  org: string,
  objectKey: string,
  place: Values | External | OtherPlace,
  row: Statement,
): Pick<Term, 'value' | 'shown' | 'join'> {
  if (place.in === 'external') {
    const { all, of } = place.field
    return {
      value: sql`${row}.value`,
      join: {
        all: (id) => sql`left join (${all(org)}) as ${row} on ${row}.object_id = ${id}`,
        each: (id) => sql`left join lateral (${of(org, id)} offset 0) as ${row} on true`,
      },
    }
  }
  const own = sql`${row}.org_id = ${org} and ${row}.object_key = ${objectKey} and ${row}.field = ${place.path} and ${row}.position = 0`
  const on = (kept: Statement) => ({
    all: (id: Statement) => sql`left join object_values ${row} on ${own} and ${kept} and ${row}.object_id = ${id}`,
    each: (id: Statement) =>
      sql`left join lateral (select ${row}.* from object_values ${row} where ${own} and ${row}.object_id = ${id} offset 0) as ${row} on true`,
  })
  if (place.in === 'other') {
    const kept = sql`(${row}.number_value is not null or ${row}.text_value is not null or ${row}.flag_value is not null)`
    const parts = sql`(${row}.number_value, ${row}.text_value, ${row}.flag_value)`
    const ifAny = (value: Statement) => sql`case when ${row}.object_id is not null then ${value} end`
    return { value: ifAny(sql`row ${parts}`), shown: ifAny(sql`json_build_array ${parts}`), join: on(kept) }
  }
  return place.column === 'flag_value'
    ? {
        value: sql`coalesce(${row}.flag_value, ${String(place.defaultValue)}::text::boolean)`,
        join: on(sql`${row}.flag_value is not null`),
      }
    : {
        value: sql`coalesce(${row}.text_value, ${place.defaultValue}::text) collate "C"`,
        join: on(sql`${row}.text_value is not null`),
      }
}

export const columns: Record<Column['column'], Statement> = {
  id: sql`o.id`,
  created: sql`o.id`,
  created_at: sql`o.created_at`,
  updated_at: sql`o.updated_at`,
  deleted_at: sql`o.deleted_at`,
  created_by: sql`o.created_by`,
  updated_by: sql`o.updated_by`,
  status: sql`o.status`,
  source: sql`o.source`,
  version: sql`o.version`,
  name: sql`o.name collate "C"`,
  external_id: sql`o.external_id collate "C"`,
  full_id: sql`o.full_id collate "C"`,
  object_key: sql`o.object_key collate "C"`,
  org_id: sql`o.org_id`,
}

/** Columns with an index, of which many objects may have the same value. */
const repeating = new Set<Column['column']>(['status', 'source', 'created_by', 'updated_by', 'version'])

export function orderBy(terms: readonly Term[], id: Statement, descending: boolean): Statement {
  const each = terms.map(({ value, descending, nullable }) =>
    nullable
      ? descending
        ? sql`${value} desc nulls last`
        : sql`${value} asc nulls last`
      : descending
        ? sql`${value} desc`
        : sql`${value} asc`,
  )
  return join([...each, descending ? sql`${id} desc` : sql`${id} asc`], sql`, `)
}

/** The values of an object in the order of the terms, and its id, as the JSON text that cursors are made of. */
export function keyOfObject({ org }: Context, terms: readonly Term[], id: Statement): Statement {
  const keys = [
    ...terms.map(({ value, shown = value, type }) => ({ value: shown, type })),
    { value: sql`o.id`, type: 'id' as const },
  ]
  return sql`(select ${keyOf({ keys })} from objects o ${joined(terms, sql`o.id`, 'each')} where o.org_id = ${org} and o.id = ${id})`
}

/** Joins the values of the terms; objects without a value stay. */
export function joined(terms: readonly Term[], id = sql`o.id`, way: 'all' | 'each' = 'all'): Statement {
  return join(
    terms.flatMap(({ values, join }) =>
      values ? [sql`left join object_values ${values.row} on ${values.of(id)}`] : join ? [join[way](id)] : [],
    ),
    sql` `,
  )
}
