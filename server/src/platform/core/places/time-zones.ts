/** Names that were found to be right: a formatter is made to find that out, which is slow for a list of many stops. */
const known = new Set<string>()

/**
 * The name of a time zone as the IANA database writes it; null of what is none. By its name only: PostgreSQL reads an offset such as +05:00 with the
 * opposite sign.
 */
export function normalTimeZone(sent: string): string | null {
  if (known.has(sent)) return sent
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(sent)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: sent }).resolvedOptions()
    known.add(timeZone)
    return timeZone
  } catch {
    return null
  }
}

/** What people call a time zone at a moment, such as MST or BST; `GMT-3` where it has no such name. Each is known only in the English of its own place. */
export function zoneNameAt(moment: Date, timeZone: string): string {
  for (const locale of ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ']) {
    const name = nameIn(locale, moment, timeZone)
    if (!/^(?:GMT|UTC)[+-]/.test(name)) return name
  }
  return nameIn('en-US', moment, timeZone)
}

function nameIn(locale: string, moment: Date, timeZone: string): string {
  const parts = formatterOf(locale, { timeZone, timeZoneName: 'short' }).formatToParts(moment)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

const formatters = new Map<string, Intl.DateTimeFormat>()
/** Those of all time zones at once would take a hundred megabytes. */
const mostFormatters = 600

/** Making a formatter takes many times as long as using it, and a board shows the times of hundreds of stops. */
export function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = formatters.get(key)
  if (known) return known
  const [oldest] = formatters.keys()
  if (oldest !== undefined && formatters.size >= mostFormatters) formatters.delete(oldest)
  const made = new Intl.DateTimeFormat(locale, options)
  formatters.set(key, made)
  return made
}
