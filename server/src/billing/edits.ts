import { parseDate, toWire } from '../core/dates.ts'
import { invalid, quote } from '../core/refusal.ts'
import { type Asked, advance, type Lifecycle } from './lifecycle.ts'

/** What an update makes of a bill or a statement, and what it did not take. */
export type Edited<T> = { next: T; previous: Partial<T>; ignored: string[]; moved: boolean; contentChanged: boolean }

/** Bookkeeping around a record rather than the record: a change of these after sending needs no second sending. */
const besideContent = new Set<string>(['qb_external_id', 'qb_error_msg', 'qb_exported_at', 'send_to_email', 'cc_to_email'])

type Terms<T> = { now: Date; what: string; completed: (record: T) => Partial<T> }

/** The half of an update that bills and statements share: from what its content became to where it stands. */
export function conclude<T extends Lifecycle>(current: T, changed: T, sent: Asked, { now, what, completed }: Terms<T>): Edited<T> {
  const contentChanged = differences(current, changed).some((field) => !besideContent.has(field))
  const asked = { ...sent, ...stampsIn(sent) }
  const next = { ...changed, ...advance(current, asked, { contentChanged, now: toWire(now), what }) }
  if (current.status_id === 'draft' && next.status_id !== 'draft') Object.assign(next, completed(next))
  return {
    next,
    previous: Object.fromEntries(differences(current, next).map((field) => [field, current[field as keyof T]])) as Partial<T>,
    ignored: (['sent_at', 'paid_at'] as const).filter((field) => asked[field] !== undefined && asked[field] !== next[field]),
    moved: current.status_id !== next.status_id,
    contentChanged,
  }
}

/** Pay terms count whole days of 24 hours: times are UTC, which knows no summer time. */
export function dueAfter(date: string, days: number): string {
  const due = new Date(Date.parse(date) + days * 86_400_000)
  if (due.getUTCFullYear() > 9999)
    throw invalid('bill_date', 'date_too_late', `${days} days after ${date} is beyond the year 9999; set an earlier "bill_date".`)
  return toWire(due)
}

/** A date as it is kept. A bare date as the end of a period means the last moment of that day. */
export function normalDate(sent: string | null | undefined, field: string, edge: 'start' | 'end' = 'start'): string | null {
  if (sent === null || sent === undefined) return null
  const time = parseDate(sent, edge)
  if (!time) throw invalid(field, 'bad_date_time', `"${field}" must be an ISO 8601 date-time, not ${quote(sent)}.`)
  return toWire(time)
}

/** UUIDs are kept in lower case, so the same one in capitals is no change. */
export function normalId(sent: string | null): string | null {
  return sent?.toLowerCase() ?? null
}

function stampsIn({ sent_at, paid_at }: Asked): Pick<Asked, 'sent_at' | 'paid_at'> {
  return {
    ...(sent_at !== undefined && { sent_at: normalDate(sent_at, 'sent_at') }),
    ...(paid_at !== undefined && { paid_at: normalDate(paid_at, 'paid_at') }),
  }
}

function differences(before: object, after: object): string[] {
  const was = before as Record<string, unknown>
  return Object.entries(after)
    .filter(([field, value]) => was[field] !== value && JSON.stringify(was[field]) !== JSON.stringify(value))
    .map(([field]) => field)
}
