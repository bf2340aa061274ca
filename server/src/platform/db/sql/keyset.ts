import type { Cursor, KeyType, KeyValue } from '../../core/schema/cursors.ts'
import type { Page } from '../../core/schema/pages.ts'
import { join, nothing, numberText, type Statement, sliceOf, sql } from './sql.ts'

/** What a search orders by: values that are never null, all in one direction, of which the last is unique. */
export type Order = { readonly keys: readonly { value: Statement; type: KeyType }[]; readonly descending: boolean }

export const newestFirst: Order = {
  keys: [
    { value: sql`created_at`, type: 'time' },
    { value: sql`id`, type: 'id' },
  ],
  descending: true,
}

export const latestIdFirst: Order = { keys: [{ value: sql`id`, type: 'id' }], descending: true }

export function keyTypesOf({ keys }: Order): KeyType[] {
  return keys.map(({ type }) => type)
}

type PageOf = { total: Statement; json?: Statement; rows: Statement; order: Order; page: Page }

/**
 * A page as `total`, `list` and `next`. `rows` are `from … where …`, with the `json` of each record. A cursor is compared with the row as a whole, so an
 * index in this order is read from there on, and a page costs the same however deep it is.
 */
export function pageStatement({ total, json = sql`json`, rows, order, page }: PageOf): Statement {
  const direction = order.descending ? sql`desc` : sql`asc`
  const values = order.keys.map(({ value }) => value)
  const by = join(
    values.map((value) => sql`${value} ${direction}`),
    comma,
  )
  return sql`
    select ${total} as total, listed.list, listed.next from (
      select ${listAndNext(page.limit, sql`page.json`, sql`page.key`)} from (
        select json, key, row_number() over () as place from (
          select ${json} as json, ${keyOf(order)} as key ${rows}${beyond(order, page.after)} order by ${by} ${oneMore(page)}) as ordered) as page) as listed`
}

/** The values of a row as the JSON text that cursors are made of. */
export function keyOf({ keys }: Pick<Order, 'keys'>): Statement {
  const values = keys.map(({ value, type }) => (type === 'time' ? sql`wire_time(${value})` : value))
  return sql`json_build_array(${join(values, comma)})::text`
}

/** `and` what comes behind the cursor. */
export function beyond({ keys, descending }: Order, cursor: Cursor | undefined): Statement {
  if (!cursor) return nothing
  const values = join(
    keys.map(({ value }) => value),
    comma,
  )
  const last = join(
    keys.map(({ type }, index) => typed(type, cursor[index] as KeyValue)),
    comma,
  )
  return descending ? sql` and (${values}) < (${last})` : sql` and (${values}) > (${last})`
}

/** `list` and `next` from the rows of `page`, whose `place` counts from 1: one row more than the limit says that others follow. */
export function listAndNext(limit: number, json: Statement, key: Statement): Statement {
  const last = numberText(limit)
  return sql`'[' || coalesce(string_agg(${json}, ',' order by page.place) filter (where page.place <= ${last}), '') || ']' as list,
    case when count(*) > ${last} then (array_agg(${key}) filter (where page.place = ${last}))[1] end as next`
}

/** The rows of a page and one more, by which it is known whether others follow. */
export function oneMore({ offset, limit }: Page): Statement {
  return sliceOf({ offset, limit: limit + 1 })
}

/** A value of a cursor as what it is compared with. */
export function typed(type: KeyType, value: KeyValue): Statement {
  switch (type) {
    case 'time':
      return sql`${value}::timestamptz`
    case 'integer':
      return sql`${value}::bigint`
    case 'number':
      return sql`${value}::float8`
    case 'text':
      return sql`${value}::text`
    case 'id':
      return sql`${value}::uuid`
    case 'flag':
      return sql`${value}::boolean`
    case 'any': {
      const [number, text, flag] = value as readonly KeyValue[]
      return sql`row (${number}::float8, ${text}::text collate "C", ${flag}::boolean)`
    }
  }
}

const comma = sql`, `
