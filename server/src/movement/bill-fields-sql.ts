import { join, type Statement, sql } from '../db/sql.ts'
import { orders } from '../objects/search/column-conditions-sql.ts'
import { patternOf } from '../objects/search/contains-sql.ts'
import type { Place } from '../objects/search/fields.ts'
import type { Test } from '../objects/search/filter.ts'

type Bill = Extract<Place, { in: 'bill' }>

/** The ids of the manifests whose bill meets a condition: from the bills that do to their manifests, so that few of them stay few. */
export function manifestsBilled(org: string, place: Bill, condition: Test): Statement {
  if (place.column === 'id') return sql`select m.manifest_id as id from manifest_bills m where m.org_id = ${org} and ${isBill(condition)}`
  return sql`
    select m.manifest_id as id from bills b cross join lateral (
      select m.manifest_id from manifest_bills m where m.org_id = b.org_id and m.bill_id = b.id offset 0) as m
    where b.org_id = ${org} and ${billMeets(place, condition)}`
}

/** The same of the object `o`. */
export function isBilled(org: string, place: Bill, condition: Test): Statement {
  const bill = sql`select from manifest_bills m join bills b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = ${org} and m.manifest_id = o.id`
  return sql`exists (${bill} and ${place.column === 'id' ? isBill(condition) : billMeets(place, condition)} offset 0)`
}

function isBill(condition: Test): Statement {
  return condition.is === 'among' ? sql`m.bill_id = any (${condition.values}::uuid[])` : sql`true`
}

function billMeets({ column }: Bill, condition: Test): Statement {
  switch (condition.is) {
    case 'among':
      if (column === 'number') return sql`b.number = any (${condition.values}::int[])`
      return condition.values.length === 1 ? sql`b.status_id = ${condition.values[0]}` : sql`b.status_id = any (${condition.values}::text[])`
    case 'between':
      return join(
        condition.bounds.map(({ op, value }) => sql`b.number ${orders[op]} ${value}::int`),
        sql` and `,
      )
    case 'startsWith':
      return sql`starts_with(bill_number(b.number), ${condition.text})`
    case 'contains':
      return sql`lower(bill_number(b.number)) like ${patternOf(condition.text)}`
    default:
      return column === 'number' ? sql`b.number is not null` : sql`true`
  }
}
