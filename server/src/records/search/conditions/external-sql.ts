import { join, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { containsPattern } from '../../index/text.ts'
import { comparisons } from './column-conditions-sql.ts'
import type { Test } from './condition.ts'
import type { Place } from './fields.ts'

export type External = Extract<Place, { in: 'external' }>

/** The ids of the objects whose external field meets a condition; an id can come more than once. */
export function externalIds(org: string, { field }: External, condition: Test): Statement {
  return sql`select x.object_id as id from (${field.all(org)}) as x where ${meets(field, condition)}`
}

/** Whether the external field of the object `o` meets a condition. */
export function externalMeets(org: string, { field }: External, condition: Test): Statement {
  return sql`exists (select from (${field.of(org, sql`o.id`)}) as x where ${meets(field, condition)} offset 0)`
}

function meets({ valueType }: External['field'], condition: Test): Statement {
  switch (condition.is) {
    case 'among':
      return condition.values.length === 1
        ? sql`x.value = ${condition.values[0]}::${types[valueType]}`
        : sql`x.value = any (${condition.values}::${types[valueType]}[])`
    case 'between':
      return join(
        condition.bounds.map(({ op, value }) => sql`x.value ${comparisons[op]} ${value}::${types[valueType]}`),
        sql` and `,
      )
    case 'startsWith':
      return sql`starts_with(x.text, ${condition.text})`
    case 'contains':
      return sql`lower(x.text) like ${containsPattern(condition.text)}`
    default:
      return sql`x.value is not null`
  }
}

const types = { uuid: sql`uuid`, text: sql`text`, integer: sql`int` }
