import { announcements } from '../core/announcements.ts'

/** There is a mail to be sent in this organization. */
export const mailQueued = announcements<[org: string]>()
