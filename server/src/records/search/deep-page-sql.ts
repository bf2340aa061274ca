import type { Context } from '../../platform/context.ts'
import type { Slice } from '../../platform/core/schema/pages.ts'
import { findPlace } from '../../platform/db/counts/tallies.ts'
import { type Statement, sliceOf, sql } from '../../platform/db/sql/sql.ts'
import { objectTallies } from '../index/tallies-sql.ts'
import { ofKind } from './conditions/kind-sql.ts'
import type { Selection } from './selection-sql.ts'
import type { Key } from './sort.ts'

/** Up to this offset the rows before a page are skipped one by one, which costs less than finding its place in the tallies. */
const shallow = 200

type Time = 'created_at' | 'updated_at'

/** Whether the tallies know where a page begins: that of a whole kind, or of some statuses, in the order of one of its times. */
export function isDeep({ place }: Key, { tallied }: Selection, { offset }: Slice): boolean {
  return tallied !== undefined && offset > shallow && timeOf(place) !== undefined
}

/** A page far behind the first: whole months, days and hours are skipped by their counts, and only the rows of the last hour, or second, one by one. */
export function deepPage(
  ctx: Context,
  objectKey: string,
  { place, descending }: Key,
  { tallied }: Selection,
  { offset, limit }: Slice,
): Statement {
  const time = timeOf(place) as Time
  const labels = tallied?.statuses && [...new Set(tallied.statuses)]
  const found = findPlace(
    { org: sql`${ctx.org}::uuid`, tally: objectTallies(objectKey)[time], labels: labels && sql`${labels}`, descending },
    sql`${offset}::bigint`,
  )
  // Ids begin with the time of creation, so they have its order, and the edge is the first id of that time.
  const [value, edge] =
    time === 'created_at'
      ? [sql`o.id`, sql`(select ${firstIdAt(sql`edge`)} from edge)`]
      : [sql`o.updated_at`, sql`(select edge from edge)`]
  const rest = sql`(select rest from edge)`
  const range = descending ? sql`${value} < ${edge}` : sql`${value} >= ${edge}`
  const rows = sql`objects o where ${ofKind({ org: ctx.org, objectKey })} and ${range}`
  const order = descending ? sql`value desc, id desc` : sql`value asc, id asc`
  const each = labels
    ? sql`select found.* from unnest(${labels}::text[]) as wanted(status) cross join lateral (
        select o.id, ${value} as value from ${rows} and o.status = wanted.status order by ${order} limit ${rest} + ${limit}) as found`
    : sql`select o.id, ${value} as value from ${rows}`
  return sql`
    select id, row_number() over (order by ${order}) as place from (
      with edge as materialized (${found}) select id, value from (${each}) as each order by ${order} ${sliceOf({ offset: 0, limit })} offset ${rest}) as page`
}

function timeOf(place: Key['place']): Time | undefined {
  if (place.in !== 'column') return undefined
  return place.column === 'created' || place.column === 'id'
    ? 'created_at'
    : place.column === 'updated_at'
      ? 'updated_at'
      : undefined
}

function firstIdAt(time: Statement): Statement {
  return sql`rpad(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`
}
