import { announcements } from '../core/announcements.ts'

/** An organization has events that were committed in this process, and have no place in the feed yet. */
export const recorded = announcements<[org: string]>()

/** The feed of an organization has grown, up to this position, by so many events. */
export const published = announcements<[org: string, lastPosition: number, count: number]>()
