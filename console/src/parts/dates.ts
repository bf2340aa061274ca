const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const second = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The date of a point in time, in the language and time zone of the browser. */
export function dayOf(moment: string): string {
  return day.format(new Date(moment))
}

export function timeOf(moment: string): string {
  return time.format(new Date(moment))
}

/** With seconds: for logs. */
export function exactTimeOf(moment: string): string {
  return second.format(new Date(moment))
}

/**
 * A calendar day, such as a due date: the same in every time zone. The API keeps it as midnight UTC, which west of Greenwich is still the day before.
 */
export function calendarDayOf(date: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}

/** The same in the form of a date input. */
export function typedDayOf(date: string | null | undefined): string {
  return date ? date.slice(0, 10) : ''
}

/** Today, in the time zone of the browser. */
export function today(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(now.getFullYear()).padStart(4, '0')}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** The day of a point in time in a time zone; one that is midnight UTC is a calendar day, the same everywhere. */
export function dayIn(moment: string, timeZone: string): string {
  const at = new Date(moment)
  const isDay = at.getTime() % 86_400_000 === 0
  return isDay ? at.toISOString().slice(0, 10) : todayIn(timeZone, at)
}

/** Today in a time zone. */
export function todayIn(timeZone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

/** The point in time for a day that a person enters: local noon, which is the same day in nearly all time zones. */
export function momentOn(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString()
}
