import type { Paths, Schemas } from '@lading/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { EventSearch } from './search.ts'

export type Event = Schemas['Event']

const all = ['events']
const size = 50

/** The newest first, page by page. Read again when the list is opened: whoever opens it wants to see what happened until now. */
export const eventsQuery = ({ types, subject_type, subject_id, request_id }: EventSearch) =>
  infiniteQueryOptions({
    queryKey: [...all, 'list', types, subject_type, subject_id, request_id],
    staleTime: 0,
    // The stream brings what is new.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      answered(
        lading.GET('/api/v1/events', {
          params: {
            query: {
              newest_first: true,
              limit: size,
              ...(types && { types }),
              ...(subject_type && { subject_type }),
              ...(subject_id && { subject_id }),
              ...(request_id && { request_id }),
              ...(pageParam && { before: pageParam }),
            },
          },
        }),
      ),
    getNextPageParam: ({ next_before }) => next_before,
  })

const worthShowing = ['bill.*', 'invoice.*', 'credit.*', 'payment.*', 'consolidated_bill.*', 'order.*', 'manifest.*']

const recent = { requests: 8, pages: 4 }
type EventsQuery = NonNullable<Paths['/api/v1/events']['get']['parameters']['query']>

/** The events of the latest requests. One that changed many records fills whole pages, so no more than a few are read. */
export const recentEventsQuery = queryOptions({
  queryKey: [...all, 'recent'],
  queryFn: async () => {
    const found: Event[] = []
    let before: string | null = null
    for (let page = 0; page < recent.pages; page++) {
      const query: EventsQuery = {
        newest_first: true,
        limit: 40,
        types: worthShowing,
        ...(before !== null && { before }),
      }
      const { events, next_before } = await answered(lading.GET('/api/v1/events', { params: { query } }))
      found.push(...events)
      before = next_before ?? null
      // The last request of a page may go on in the next.
      if (before === null || new Set(found.map(({ id, request_id }) => request_id ?? id)).size > recent.requests) break
    }
    return found
  },
})

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/events/{eventID}', { params: { path: { eventID: id } } }))).event,
    // What was recorded stays as it is.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The first events that a request made. */
export const requestEventsQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...all, 'of request', requestId],
    queryFn: () => answered(lading.GET('/api/v1/events', { params: { query: { request_id: requestId, limit: 10 } } })),
  })

/** The stream of what happens behind a position. */
export function openStream(
  { after, types }: { after: string; types: string[] | undefined },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const params = { header: { 'last-event-id': after }, query: { ...(types && { types }) } }
  return answered(
    lading.GET('/api/v1/events/stream', {
      params,
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
      signal,
    }) as never,
  ) as Promise<ReadableStream<Uint8Array>>
}
