import { parseDate } from '../../core/values/dates.ts'
import { named, nothing, type Statement, sql, when } from './sql.ts'

/** When the records of a list were changed last, as `changedBetween` of core/schema.ts has it. */
export type ChangeTime = { update_start_at?: string; updated_start_at?: string; updated_end_at?: string }

/**
 * `and` that the record was changed in the time that is asked for. By the table and not by its view, which need not have the time: so it is the same for
 * every list, and an index of the table by the time of change serves it. `id` is that of the row, `at` when it was changed last.
 */
export function andChanged(
  org: string,
  table: string,
  changed: ChangeTime,
  id: Statement = sql`id`,
  at: Statement = sql`changed.updated_at`,
): Statement {
  const within = andWithin(changed, at)
  if (within === nothing) return nothing
  return sql` and ${id} in (select changed.id from ${named(table)} changed where changed.org_id = ${org} ${within})`
}

/** The same of a moment that the statement has: of what never changes, that at which it was made. */
export function andWithin({ update_start_at, updated_start_at, updated_end_at }: ChangeTime, at: Statement): Statement {
  const starts = [update_start_at, updated_start_at].flatMap((text) =>
    text === undefined ? [] : parseDate(text, 'start'),
  )
  const end = updated_end_at === undefined ? undefined : parseDate(updated_end_at, 'end')
  if (starts.length === 0 && end === undefined) return nothing
  const [start, other] = starts
  const since = sql`${when(start, sql`and ${at} >= ${start}`)} ${when(other, sql`and ${at} >= ${other}`)}`
  return sql` ${since} ${when(end, sql`and ${at} <= ${end}`)}`
}
