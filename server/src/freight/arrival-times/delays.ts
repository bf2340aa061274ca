/** What is to be done about a delay: whether it is announced, and which delay counts as announced from then on. */
export type Announcement = { announce: boolean; announced: number | null }

/**
 * A delay is announced once when it goes beyond the limit, and again when it has grown by another limit. It is over when it has fallen to half the limit, so that
 * one that swings around the limit is not announced with every position; after that it can be announced anew.
 */
export function announcementOf(delay: number | null, announced: number | null, limit: number): Announcement {
  const minutes = delay ?? 0
  if (announced === null)
    return minutes > limit ? { announce: true, announced: minutes } : { announce: false, announced: null }
  if (minutes <= limit / 2) return { announce: false, announced: null }
  return minutes >= announced + limit ? { announce: true, announced: minutes } : { announce: false, announced }
}
