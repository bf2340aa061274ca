import { useOrganizationZone } from '../api/organization.ts'
import { calendarDayOf, dayIn, dayOf, dockSpanOf, dockTimeOf, exactTimeOf, timeOf } from '../values/dates.ts'

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

/** A day of the books: a calendar day is the same everywhere, and a point in time is of the day on which it falls where the organization is. */
export function Day({ at, never = '–' }: WhenProps) {
  const zone = useOrganizationZone()
  if (!at) return never
  const day = dayIn(at, zone)
  return <time dateTime={day}>{calendarDayOf(day)}</time>
}

/** A point in time to the second: for logs. */
export function Moment({ at, never = '–' }: WhenProps) {
  return at ? <time dateTime={at}>{exactTimeOf(at)}</time> : never
}

/** A point in time by the clock at a dock, with the viewer's own in a tooltip. */
export function DockTime({ at, zone, withYear = false }: { at: string; zone: string; withYear?: boolean }) {
  return (
    <time dateTime={at} title={`Your time: ${timeOf(at)}`}>
      {dockTimeOf(at, zone, { withYear })}
    </time>
  )
}

/** From when until when, in the same way. */
export function DockSpan({ from, until, zone }: { from: string | null; until: string | null; zone: string }) {
  if (!from && !until) return '–'
  const own = [from && `from ${timeOf(from)}`, until && `until ${timeOf(until)}`].filter(Boolean).join(' ')
  return <span title={`Your time: ${own}`}>{dockSpanOf(from, until, zone)}</span>
}
