import Type from 'typebox'
import { envelopeOf, nullable, paging } from '../../core/schema.ts'
import { ok } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { answers } from '../../http/openapi.ts'
import { listHistory } from './history-store.ts'
import type { Kind } from './model/kind.ts'
import { aOr, pascal } from './model/shape.ts'
import { idIn, pathsOf } from './paths.ts'

const EventWithName = Type.Intersect([
  Type.Ref('Event'),
  Type.Object({
    actor_name: nullable(Type.String({ description: 'What the user or the application is called; null where it is gone.', examples: ['Dana Whitfield'] })),
  }),
])

export function historyRoute(app: App, kind: Kind): void {
  const { noun } = kind
  const { one, config, tags, params } = pathsOf(kind)

  app.get(
    `${one}/history`,
    {
      config,
      schema: {
        tags,
        operationId: `get${pascal(noun)}History`,
        summary: `The history of ${aOr(noun)}`,
        description: 'Lists every change, newest first: what it was, when, by whom, and what was before.',
        params,
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('events', EventWithName) }),
      },
    },
    async ({ ctx, params, query }) => ok(await listHistory(ctx, kind, await idIn(ctx, kind, params), query)),
  )
}
