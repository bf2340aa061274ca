/** Another day of the calendar. */
export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const short = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

/** Without the year: for trips of these days. */
export function shortTimeOf(moment: string): string {
  return short.format(new Date(moment))
}
