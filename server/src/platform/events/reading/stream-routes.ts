import { Readable } from 'node:stream'
import Type from 'typebox'
import type { Settings } from '../../../settings.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import type { Database } from '../../db/database.ts'
import type { Answer } from '../../http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../http/answers/media.ts'
import type { App } from '../../http/edge/app.ts'
import { closedSignal } from '../../http/edge/closed.ts'
import { answers } from '../../http/openapi/openapi.ts'
import { findHead } from '../feed/feed-store.ts'
import { watchHeads } from '../feed/heads.ts'
import { StreamSearch } from '../feed/model.ts'
import { readPosition, writePosition } from '../feed/position.ts'
import { type Needs, readableBy } from '../feed/readable.ts'
import { chosenTypes } from '../types.ts'
import { requireKept } from './page.ts'
import { followFeed } from './stream.ts'
import { openStreams } from './streams.ts'

const config = { scope: 'webhooks' } as const
const eventStream = 'text/event-stream'

export type Parts = {
  needs: Needs
  database: Database
  authority: { revocations: Revocations }
  draining: { now: boolean }
  settings: Pick<Settings, 'requestTimeoutMs' | 'eventStreams'>
}

/** The feed as it grows, for as long as the connection lasts. */
export function streamRoute(app: App, { needs, database, authority, draining, settings }: Parts): void {
  const quietMs = Math.min(15_000, settings.requestTimeoutMs / 2)
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
    '/events/stream',
    {
      config: { ...config, offers: [eventStream] },
      exposeHeadRoute: false,
      schema: {
        tags: ['Events'],
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
      reply.raw.once('close', leave)
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
}
