import type { Context } from '../../context.ts'
import type { Page } from '../../core/pages.ts'
import { type Statement, sliceOf, sql } from '../../db/sql.ts'
import { findPlace } from '../../db/tallies.ts'
import { objectTallies } from '../index/tallies-sql.ts'
import type { Key } from './index-scan-sql.ts'
import { ofKind } from './kind-sql.ts'
import type { Selection } from './selection-sql.ts'

/** Up to this offset the rows in front are passed one by one, which costs less than finding out where they end. */
const shallow = 200

type Time = 'created_at' | 'updated_at'

/** Whether the tallies know where a page begins: a whole kind, or some of its states, in the order of one of its times. */
export function isDeep({ place }: Key, { tallied }: Selection, { offset }: Page): boolean {
  return tallied !== undefined && offset > shallow && timeOf(place) !== undefined
}

/** One page far behind the first: whole months, days and hours are passed by their counts, and the rows of the last hour, or second, one by one. */
export function deepPage(ctx: Context, objectKey: string, { place, descending }: Key, { tallied }: Selection, { offset, limit }: Page): Statement {
  const time = timeOf(place) as Time
  const labels = tallied?.statuses && [...new Set(tallied.statuses)]
  const found = findPlace(
    { org: sql`${ctx.org}::uuid`, tally: objectTallies(objectKey)[time], labels: labels && sql`${labels}`, descending },
    sql`${offset}::bigint`,
  )
  // Ids begin with the moment of their making, so the order of creation is theirs, and its edge the first id of that moment.
  const [value, edge] = time === 'created_at' ? [sql`o.id`, sql`(select ${firstIdAt(sql`edge`)} from edge)`] : [sql`o.updated_at`, sql`(select edge from edge)`]
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
  return place.column === 'created' || place.column === 'id' ? 'created_at' : place.column === 'updated_at' ? 'updated_at' : undefined
}

function firstIdAt(time: Statement): Statement {
  return sql`rpad(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`
}
