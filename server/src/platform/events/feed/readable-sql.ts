import { type Statement, sql, when } from '../../db/sql/sql.ts'
import type { ReadableEvents } from './readable.ts'

/** Keeps the events, by `type`, `subject_type` and `json`, that somebody may read; nothing where that is all. */
export function readableOnly(readable: ReadableEvents | undefined): Statement {
  if (!readable) return sql``
  const { shown, hidden, others, byDirection, direction } = readable
  const noun = sql`split_part(type, '.', 1)`
  const may = (name: Statement) =>
    others ? sql`${name} <> all(${hidden}::text[])` : sql`${name} = any(${shown}::text[])`
  return sql`and ${may(noun)} and ${may(sql`subject_type`)} ${when(
    direction,
    sql`and case when ${noun} = any(${byDirection}::text[]) then json::json -> 'data' ->> 'direction' = ${direction} else true end`,
  )}`
}
