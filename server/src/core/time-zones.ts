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
  const names = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ'].map((locale) => nameIn(locale, moment, timeZone))
  return names.find((name) => !/^(?:GMT|UTC)[+-]/.test(name)) ?? (names[0] as string)
}

function nameIn(locale: string, moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(moment)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}
