import Type from 'typebox'
import { notFound } from '../../core/refusal.ts'
import { Id } from '../../core/schema/schema.ts'
import { ok, record } from '../../http/answers/answers.ts'
import type { App } from '../../http/edge/app.ts'
import { answers } from '../../http/openapi/openapi.ts'
import { findEvent } from '../feed/feed-store.ts'
import { EventPage, EventSearch } from '../feed/model.ts'
import { readableBy } from '../feed/readable.ts'
import { pageOf } from './page.ts'
import { type Parts, streamRoute } from './stream-routes.ts'

const config = { scope: 'webhooks' } as const
const tags = ['Events']

export const events =
  (parts: Parts) =>
  async (app: App): Promise<void> => {
    const { needs } = parts

    app.get(
      '/events',
      {
        config,
        schema: {
          tags,
          operationId: 'listEvents',
          summary: 'Read the change feed',
          description:
            'Answers what has happened in the organization, the oldest first: to records that the scopes and the role of the caller let them read. Keep `next_after` and send it as `after` the next time: so you see every committed event once, and none is missing, whatever was committed late in between. The events of one record come in the order in which they happened; a deletion is an event. With filters a page may be empty and still have `has_more`. `newest_first` turns the order around, for people who look what happened. A position from before the time for which events are kept is answered 410 `position_expired`: read the records themselves anew, and begin with a request without `after`.',
          querystring: EventSearch,
          response: answers({ 200: EventPage }),
        },
      },
      async ({ ctx, query }) => ok(await pageOf(ctx, query, readableBy(needs, ctx))),
    )

    streamRoute(app, parts)

    app.get(
      '/events/:eventID',
      {
        config,
        schema: {
          tags,
          operationId: 'getEvent',
          summary: 'Get an event',
          description:
            'Answers one event, also one that has left the feed: events stay as the history of their records. One about what the caller may not read is a 404.',
          params: Type.Object({ eventID: Id('The event.') }),
          response: answers({ 200: Type.Object({ event: Type.Ref('Event') }) }),
        },
      },
      async ({ ctx, params: { eventID } }) => {
        const json = await findEvent(ctx, eventID, readableBy(needs, ctx))
        if (!json) throw notFound('event', eventID)
        // What was recorded stays as it is.
        return record('event', { revision: 1, json })
      },
    )
  }
