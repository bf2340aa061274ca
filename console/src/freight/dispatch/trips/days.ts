import { durationOf } from '../../movement/stop.ts'

export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const short = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** `Position of 08:12, 14 min ago`; with the day where that was not today. */
export function positionOf(at: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(at)) / 60_000))
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  const ago =
    minutes < 1
      ? 'just now'
      : minutes < 24 * 60
        ? `${durationOf(minutes)} ago`
        : `${Math.floor(minutes / (24 * 60))} d ago`
  return `Position of ${isToday ? clock.format(new Date(at)) : shortTimeOf(at)}, ${ago}`
}

/** Without the year: for trips of these days. */
export function shortTimeOf(moment: string): string {
  return short.format(new Date(moment))
}
