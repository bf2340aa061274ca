import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import type { Settings } from '../../../settings.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import type { Context } from '../../context.ts'
import { notFound, Refusal } from '../../core/refusal.ts'
import { Id } from '../../core/schema/schema.ts'
import Type from '../../core/schema/type.ts'
import type { Database } from '../../db/database.ts'
import { type Answer, ok, record } from '../../http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../http/answers/media.ts'
import type { App } from '../../http/edge/app.ts'
import { closedSignal } from '../../http/edge/closed.ts'
import { answers } from '../../http/openapi/openapi.ts'
import {
  type FoundPage,
  findEvent,
  findHead,
  findPage,
  findPageBefore,
  type Head,
  type PageSize,
} from '../feed/feed-store.ts'
import { watchHeads } from '../feed/heads.ts'
import { EventPage, EventSearch, StreamSearch } from '../feed/model.ts'
import { readPosition, writePosition } from '../feed/position.ts'
import { publish } from '../feed/publishing.ts'
import { type Needs, type Readable as ReadableEvents, readableBy } from '../feed/readable.ts'
import { chosenTypes } from '../types.ts'
import { followFeed } from './stream.ts'
import { openStreams } from './streams.ts'

const config = { scope: 'webhooks' } as const
const tags = ['Events']
const eventStream = 'text/event-stream'

const defaultLimit = 50
const mostLimit = 200
/** Of events that few of a filter meet, a page looks at so many positions, and says where to go on. */
const mostPositions = 10_000

type Parts = {
  needs: Needs
  database: Database
  authority: { revocations: Revocations }
  draining: { now: boolean }
  settings: Pick<Settings, 'requestTimeoutMs' | 'eventStreams'>
}

export const events = ({ needs, database, authority, draining, settings }: Parts) => {
  const quietMs = Math.min(15_000, settings.requestTimeoutMs / 2)

  return async (app: App): Promise<void> => {
    // Made for the first stream: a process without any asks nothing.
    let made: { heads: ReturnType<typeof watchHeads>; streams: ReturnType<typeof openStreams> } | undefined
    const following = () => {
      made ??= {
        heads: watchHeads(database.pool),
        streams: openStreams(authority.revocations, draining, settings.eventStreams),
      }
      return made
    }
    app.addHook('onClose', async () => {
      made?.heads.close()
      made?.streams.close()
    })

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

    app.get(
      '/events/stream',
      {
        config: { ...config, offers: [eventStream] },
        exposeHeadRoute: false,
        schema: {
          tags,
          operationId: 'streamEvents',
          summary: 'Follow the change feed',
          description:
            'The feed, of what the caller may read, as Server-Sent Events, from now on or behind `after`, for as long as the connection lasts: `data` is an Event, and `id` its position. To resume, send the last `id` as `Last-Event-ID`, as browsers do by themselves. The stream ends when the access token expires or is revoked, and when the server is stopped; open it again with a good token. Every 15 seconds in which nothing happens a comment is sent.',
          querystring: StreamSearch,
          headers: Type.Object({
            'last-event-id': Type.Optional(
              Type.String({
                maxLength: 100,
                description: 'The `id` of the last event that was received.',
                examples: [writePosition(41)],
              }),
            ),
          }),
          response: answers({
            200: {
              description: 'The events, as they happen.',
              content: {
                [eventStream]: {
                  schema: Type.String({
                    description: 'Server-Sent Events.',
                    examples: [`id: ${writePosition(42)}\ndata: {"type":"bill.paid"}\n\n`],
                  }),
                },
              },
            } as never,
          }),
        },
      },
      async (request, reply): Promise<Answer> => {
        const { ctx, token, query, headers } = request
        if (!preferredOf(headers.accept, [eventStream])) throw unacceptable(headers.accept, [eventStream])
        const types = chosenTypes(query.types)
        const resumed = headers['last-event-id']
        const asked = resumed ? readPosition(resumed, 'Last-Event-ID') : query.after ? readPosition(query.after) : null
        const head = await findHead(ctx)
        if (asked !== null) requireKept(asked, head)
        const { heads, streams } = following()
        const { signal, leave } = streams.enter(token)
        const closed = closedSignal(reply)
        closed.addEventListener('abort', leave)
        const from = {
          after: asked ?? head.last,
          types,
          readable: readableBy(needs, ctx),
          watch: heads.watch,
          signal: AbortSignal.any([signal, closed]),
          quietMs,
        }
        const stream = Readable.from(followFeed(ctx, from), { highWaterMark: 1 })
        const sent = { 'content-type': `${eventStream}; charset=utf-8`, 'x-accel-buffering': 'no' }
        return { status: 200, headers: sent, body: null, stream, plain: true }
      },
    )

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
}

async function pageOf(
  ctx: Context,
  search: Static<typeof EventSearch>,
  readable: ReadableEvents | undefined,
): Promise<string> {
  const { limit = defaultLimit, types, subject_type, subject_id, request_id } = search
  const after = search.after ? readPosition(search.after) : null
  const before = search.before ? readPosition(search.before, 'before') : null
  const newestFirst = search.newest_first === true || before !== null
  const filter = { types: chosenTypes(types), subject_type, subject_id, request_id, readable }
  // The events of one record and of one request are found by indexes of their own, however far apart they are.
  const page = {
    limit: Math.min(limit, mostLimit),
    most: (subject_type && subject_id) || request_id ? 2 ** 52 : mostPositions,
  }
  const read = () =>
    newestFirst ? findPageBefore(ctx, { after, before }, page, filter) : findPage(ctx, after, page, filter)
  let found = await read()
  // Whoever wrote something and reads the feed then finds it there, without waiting for the background.
  if (found.behind && (newestFirst ? before === null : found.count < page.limit)) {
    await publish(ctx.org, (work) => ctx.transaction(({ run }) => work(run)))
    found = await read()
  }
  const head = { last: found.last ?? 0, keptFrom: found.keptFrom }
  for (const asked of [after, before]) if (asked !== null) requireKept(asked, head)
  return newestFirst
    ? textBefore(found, head, { after: after ?? head.keptFrom, before: before ?? head.last + 1, ...page })
    : textAfter(found, head, after, page)
}

function textAfter(found: FoundPage, head: Head, after: number | null, page: PageSize): string {
  const next = nextAfter(found, head, after ?? head.keptFrom, page)
  return `{"events":[${found.list}],"next_after":"${writePosition(next)}","has_more":${next < head.last}}`
}

function textBefore(
  { list, count, end }: FoundPage,
  { last }: Head,
  { after, before, limit, most }: { after: number; before: number } & PageSize,
): string {
  const next = count === limit && end !== null ? end : Math.max(before - most, after + 1)
  const hasMore = next > after + 1
  const nextBefore = hasMore ? `"${writePosition(next)}"` : 'null'
  return `{"events":[${list}],"next_after":"${writePosition(last)}","next_before":${nextBefore},"has_more":${hasMore}}`
}

/** A full page ends with its last event, another with the last position that was looked at. */
function nextAfter({ count, end }: FoundPage, { last }: Head, after: number, { limit, most }: PageSize): number {
  return count === limit && end !== null ? end : Math.min(after + most, last)
}

function requireKept(after: number, { last, keptFrom }: Head): void {
  const because =
    after < keptFrom
      ? 'is from before the time for which events are kept'
      : after > last
        ? 'is not in this feed, as after the restore of a backup'
        : undefined
  if (!because) return
  throw new Refusal(
    'gone',
    'position_expired',
    `The position ${because}. Read the records that you need anew, and begin again with a request without a position.`,
  )
}
