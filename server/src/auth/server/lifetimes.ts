const hour = 3600
const day = 24 * hour

/**
 * How long things live, in seconds. A refresh token dies when it is not used for long, and at the latest with its grant. The console leaves one
 * behind whenever its page is loaded anew, and gets the next without asking anyone, so its own live for a working day.
 */
export const lifetimes = {
  accessToken: hour,
  code: 60,
  refreshIdle: 14 * day,
  consoleIdle: 12 * hour,
  refreshMost: 90 * day,
  session: 14 * day,
  interaction: hour,
}
