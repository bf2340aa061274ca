const hour = 3600
const day = 24 * hour

/** How long things live, in seconds. A refresh token dies when it is not used for long, and at the latest with its grant. */
export const lifetimes = { accessToken: hour, code: 60, refreshIdle: 14 * day, refreshMost: 90 * day, session: 14 * day, interaction: hour }
