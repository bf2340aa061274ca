import { announcements } from '../../core/announcements.ts'

/** Deliveries were made by request: there is something to be sent to a webhook, or, without one, to be looked for in the organization. */
export const deliveriesMade = announcements<[org: string, webhook: string | null]>()
