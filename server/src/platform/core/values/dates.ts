const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+ -]\d{2}:\d{2})?$/

/** With many digits of a second. */
const longest = 64

const first = Date.parse('0001-01-01T00:00:00.000Z')
const last = Date.parse('9999-12-31T23:59:59.999Z')

/** RFC 3339, in UTC, with milliseconds: the one form in which times leave the service. */
export function toWire(time: Date): string {
  return time.toISOString()
}

/**
 * Reads a date-time, or a bare date. Without an offset a time is in UTC. A bare date means its first instant, or, as the end of an inclusive
 * range, its last millisecond. Returns null for what is no date, such as the 30th of February.
 */
export function parseDate(text: string, edge: 'start' | 'end' = 'start'): Date | null {
  if (text.length > longest) return null
  const day = dateOnly.exec(text)
  if (day) return isRealDay(day) ? new Date(`${text}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`) : null
  const full = dateTime.exec(text)
  if (!full || !isRealDay(full)) return null
  const [, year, month, date, hour, minute, second, fraction = '', offset = 'Z'] = full
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  // A plus sign that a client did not percent-encode arrives as a space.
  const zone = offset.toUpperCase().replace(' ', '+')
  const time = new Date(
    `${year}-${month}-${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`,
  )
  // An offset can carry a time out of the years that four digits can write.
  return time.getTime() >= first && time.getTime() <= last ? time : null
}

/** Whether a text is a day of the calendar, written as 2026-11-15. */
export function isDay(text: string): boolean {
  return dateOnly.test(text) && parseDate(text) !== null
}

/** The day so many days after one, or before it; null beyond the years that four digits can write. */
export function dayAfter(day: string, days = 1): string | null {
  const time = new Date(Date.parse(`${day}T00:00:00.000Z`) + days * 86_400_000)
  return time.getTime() >= first && time.getTime() <= last ? time.toISOString().slice(0, 10) : null
}

/** Whether a text says which moment it means by itself, wherever it is read. */
export function hasOffset(text: string): boolean {
  return /\d(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text)
}

/** Whether PostgreSQL reads this time as it was sent: it takes no offset of 16 hours or more, no long fraction, and no space for the plus sign. */
export function isForDatabase(text: string): boolean {
  return parseDate(text) !== null && !/ \d{2}:\d{2}$|[+-](?:1[6-9]|2\d):|\.\d{10}/.test(text)
}

function isRealDay([, year, month, day]: RegExpExecArray): boolean {
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return Number(year) > 0 && time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day)
}
