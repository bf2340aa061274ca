import type { Schemas } from '@lading/sdk'

type Event = Schemas['Event']

/** What one request did: the event that says most of it, and how many other records it changed in the same way. */
export type Activity = { event: Event; others: number }

/** One entry for each request, newest first. Events that no request made stand each for themselves. */
export function activityIn(events: readonly Event[]): Activity[] {
  const requests = Map.groupBy(events, ({ id, request_id }) => request_id ?? id)
  return [...requests.values()].map((ofOne) => {
    const event = ofOne.toSorted((one, other) => weightOf(other) - weightOf(one))[0] as Event
    const alike = new Set(ofOne.filter(({ type }) => type === event.type).map(({ subject }) => subject.id))
    return { event, others: alike.size - 1 }
  })
}

/**
 * A statement says more than its bills, a payment more than what it settles, unless it was only recorded with a document; and a change of state more than that
 * something changed. Of events that say as much the newest is taken.
 */
function weightOf({ type, subject, data }: Event): number {
  const verb = type.slice(type.indexOf('.') + 1)
  if (verb === 'updated' || verb === 'status_updated') return 0
  if (subject.type === 'payment') {
    if ((data as { method?: string } | null)?.method === 'recorded') return 1
    return verb === 'created' ? 3 : 4
  }
  return subject.type === 'consolidated_bill' ? 5 : 2
}
