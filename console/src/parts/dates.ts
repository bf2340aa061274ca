const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment, in the language and the zone of the person who looks. */
export function dayOf(moment: string): string {
  return day.format(new Date(moment))
}

export function timeOf(moment: string): string {
  return time.format(new Date(moment))
}

/**
 * A day of the calendar, such as the one a bill is due: the same for everybody, wherever they look from. The API keeps its first moment in UTC,
 * which west of Greenwich is still the day before.
 */
export function calendarDayOf(date: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}

/** The same as a date field has it. */
export function typedDayOf(date: string | null | undefined): string {
  return date ? date.slice(0, 10) : ''
}

/** Today, where the person is. */
export function today(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(now.getFullYear()).padStart(4, '0')}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** A day that a person names for something that happened: noon there, which is that day for nearly everyone who looks. */
export function momentOn(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString()
}
