import { invalid } from '../../../../platform/core/refusal.ts'
import { toWire } from '../../../../platform/core/values/dates.ts'
import { advance, type Lifecycle, type RequestedMove } from '../fields/lifecycle.ts'
import { normalDate } from '../fields/normal.ts'

/** What an update makes of a document or a statement, and which fields of the input were ignored. */
export type EditResult<T> = {
  next: T
  previous: Partial<T>
  ignored: string[]
  moved: boolean
  contentChanged: boolean
}

type Terms<T> = {
  now: Date
  noun: string
  /** A change of a field that is no content, such as an e-mail address, after sending needs no second sending. */
  isContent: (field: string) => boolean
  /** What saving a draft adds, or a refusal where something is missing. */
  completed: (record: T) => Partial<T>
}

/** The half of an update that documents and statements share: from the changed content to the new state. */
export function conclude<T extends Lifecycle>(
  current: T,
  changed: T,
  sent: RequestedMove,
  { now, noun, isContent, completed }: Terms<T>,
): EditResult<T> {
  const contentChanged = differences(current, changed).some(isContent)
  const asked = { ...sent, ...timesIn(sent) }
  const next = { ...changed, ...advance(current, asked, { contentChanged, now: toWire(now), noun }) }
  if (current.status_id === 'draft' && next.status_id !== 'draft') Object.assign(next, completed(next))
  return {
    next,
    previous: Object.fromEntries(
      differences(current, next).map((field) => [field, current[field as keyof T]]),
    ) as Partial<T>,
    ignored: (['sent_at', 'paid_at'] as const).filter(
      (field) => asked[field] !== undefined && asked[field] !== next[field],
    ),
    moved: current.status_id !== next.status_id,
    contentChanged,
  }
}

/** Pay terms count whole days of 24 hours: times are UTC, which knows no summer time. */
export function dueAfter(date: string, days: number, field: string): string {
  const due = new Date(Date.parse(date) + days * 86_400_000)
  if (due.getUTCFullYear() > 9999)
    throw invalid(
      field,
      'date_too_late',
      `${days} days after ${date} is beyond the year 9999; set an earlier "${field}".`,
    )
  return toWire(due)
}

function timesIn({ sent_at, paid_at }: RequestedMove): Pick<RequestedMove, 'sent_at' | 'paid_at'> {
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
