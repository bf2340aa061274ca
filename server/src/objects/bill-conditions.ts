import { join, type Statement, sql } from '../db/sql.ts'
import { patternOf } from './contains.ts'
import type { Place } from './fields.ts'
import type { Test } from './filter.ts'
import { orders } from './row-conditions.ts'
import type { Scope } from './scope.ts'

type Bill = Extract<Place, { in: 'bill' }>

/** The manifests whose bill meets a condition. */
export function manifestsWith({ org }: Scope, place: Bill, condition: Test): Statement {
  return sql`select m.manifest_id as id from manifest_bills m join bills b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = ${org} and ${billMeets(place, condition)}`
}

function billMeets({ column }: Bill, condition: Test): Statement {
  if (condition.is === 'among') {
    const { values } = condition
    return column === 'id'
      ? sql`b.id = any (${values}::uuid[])`
      : column === 'number'
        ? sql`b.number = any (${values}::int[])`
        : sql`b.status_id = any (${values}::text[])`
  }
  if (condition.is === 'between')
    return join(
      condition.bounds.map(({ op, value }) => sql`b.number ${orders[op]} ${value}::int`),
      sql` and `,
    )
  if (condition.is === 'startsWith') return sql`starts_with(bill_number(b.number), ${condition.text})`
  if (condition.is === 'contains') return sql`lower(bill_number(b.number)) like ${patternOf(condition.text)}`
  return column === 'number' ? sql`b.number is not null` : sql`true`
}
