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

/** The day of a point in time in a time zone, in the form of a date input. */
export function typedDayOf(date: string | null | undefined, timeZone: string): string {
  return date ? dayIn(date, timeZone) : ''
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

/** Today in a time zone, and the last of the seven days that begin with it. */
export function sevenDaysIn(timeZone: string, now = new Date()): [string, string] {
  return [todayIn(timeZone, now), todayIn(timeZone, new Date(now.getTime() + 6 * 86_400_000))]
}

/** The point in time for a day that a person enters: noon in the time zone whose day it is. */
export function momentOn(day: string, timeZone: string): string {
  return momentTyped(`${day}T12:00`, timeZone) as string
}

type DockTimeOptions = { locale?: string; withYear?: boolean }

/** A point in time by the clock of a place, with the name of its time zone: `Nov 16, 08:00 MST`. */
export function dockTimeOf(
  moment: string,
  timeZone: string,
  { locale, withYear = false }: DockTimeOptions = {},
): string {
  const at = new Date(moment)
  const clock = {
    ...(withYear && { year: 'numeric' as const }),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  } as const
  return `${new Intl.DateTimeFormat(locale, clock).format(at)} ${zoneNameAt(timeZone, at)}`
}

/** From one time to another by the clock of a place; the day is said once where it is the same. */
export function dockSpanOf(from: string | null, until: string | null, timeZone: string): string {
  if (!from || !until)
    return from ? `from ${dockTimeOf(from, timeZone)}` : until ? `until ${dockTimeOf(until, timeZone)}` : ''
  if (from === until) return dockTimeOf(from, timeZone)
  if (todayIn(timeZone, new Date(from)) !== todayIn(timeZone, new Date(until)))
    return `${dockTimeOf(from, timeZone)} to ${dockTimeOf(until, timeZone)}`
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone }).format(new Date(from))
  return `${day}, ${clock.format(new Date(from))} to ${clock.format(new Date(until))} ${zoneNameAt(timeZone, new Date(until))}`
}

/** What people at the place call a time zone, such as MST or BST: each name is known only in the English of its own place. */
export function zoneNameAt(timeZone: string, at = new Date()): string {
  const names = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ'].map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
        .formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
  )
  return names.find((name) => !/^(?:GMT|UTC)[+-]/.test(name)) ?? (names[0] as string)
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A point in time as a datetime-local input has it, by the clock of a place; with seconds only if they are not zero. */
export function typedTimeIn(moment: string, timeZone: string): string {
  const at = new Date(moment)
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() + offsetAt(at, timeZone)).toISOString()
  return local.slice(0, local.slice(17, 19) === '00' ? 16 : 19)
}

/** A point in time as every spreadsheet reads it, by the clock of a place: the head of the column names that. */
export function sheetTimeOf(moment: string, timeZone: string): string {
  const text = typedTimeIn(moment, timeZone).replace('T', ' ')
  return text.length === 16 ? `${text}:00` : text
}

/** The head of a column of such times. */
export function sheetHeadOf(label: string, timeZone: string): string {
  return `${label} (${timeZone.replaceAll('_', ' ')})`
}

/** The point in time that was typed by the clock of a place; null of what is none. An hour that is skipped in spring is read as the one before it. */
export function momentTyped(typed: string, timeZone: string): string | null {
  const local = Date.parse(`${typed.length === 16 ? `${typed}:00` : typed}Z`)
  if (Number.isNaN(local)) return null
  const guess = local - offsetAt(new Date(local), timeZone)
  return new Date(local - offsetAt(new Date(guess), timeZone)).toISOString()
}

/** How far the clock of a place is ahead of UTC, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  const form = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    timeZone,
  } as const
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', form).formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000
}
