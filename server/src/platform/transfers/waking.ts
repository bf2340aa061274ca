import { announcements } from '../core/announcements.ts'

/** A transfer was queued in this process. */
export const transferQueued = announcements<[]>()
