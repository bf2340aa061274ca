import { calendarDayOf, dayOf, exactTimeOf, timeOf } from './dates.ts'

type WhenProps = { at: string | null | undefined; never?: string }

/** A point in time as a date, with the time in a tooltip. */
export function When({ at, never = '–' }: WhenProps) {
  return at ? (
    <time dateTime={at} title={timeOf(at)}>
      {dayOf(at)}
    </time>
  ) : (
    never
  )
}

/** A calendar day, which has no time. */
export function Day({ at, never = '–' }: WhenProps) {
  return at ? <time dateTime={at.slice(0, 10)}>{calendarDayOf(at)}</time> : never
}

/** A point in time to the second: for logs. */
export function Moment({ at, never = '–' }: WhenProps) {
  return at ? <time dateTime={at}>{exactTimeOf(at)}</time> : never
}
