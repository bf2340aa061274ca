const hour = 3600
const day = 24 * hour

/**
 * How long each is good, in seconds. A refresh token ends when it is not used for long, and at the latest with its grant. The console leaves one
 * behind whenever its page is loaded anew, and gets the next without asking anyone, so its own live for a working day.
 */
export const lifetimes = {
  accessToken: hour,
  code: 60,
  refreshIdle: 14 * day,
  consoleIdle: 12 * hour,
  refreshMost: 90 * day,
  /** Of a session that is not used; how long any lives is a setting. */
  sessionIdle: 14 * day,
  interaction: hour,
}

/** What is left to a session that somebody signed in to at `loginTs`. */
export function sessionSeconds({ sessionDays }: { sessionDays: number }, loginTs = Date.now() / 1000): number {
  return Math.max(1, Math.floor(Math.min(lifetimes.sessionIdle, loginTs + sessionDays * day - Date.now() / 1000)))
}
