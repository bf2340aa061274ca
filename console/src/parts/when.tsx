import { calendarDayOf, dayOf, timeOf } from './dates.ts'

type WhenProps = { at: string | null | undefined; never?: string }

/** A moment as a day, with its time for whoever points at it. */
export function When({ at, never = '–' }: WhenProps) {
  return at ? (
    <time dateTime={at} title={timeOf(at)}>
      {dayOf(at)}
    </time>
  ) : (
    never
  )
}

/** A day of the calendar, which has no time. */
export function Day({ at, never = '–' }: WhenProps) {
  return at ? <time dateTime={at.slice(0, 10)}>{calendarDayOf(at)}</time> : never
}
