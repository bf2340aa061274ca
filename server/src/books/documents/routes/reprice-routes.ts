import { revised } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { repriceDocument } from '../writing/reprice.ts'
import { pathsOf } from './paths.ts'

export function repriceRoute(app: App, kind: Kind): void {
  const { noun, schemas } = kind
  const { one, config, tags, params, referenceIn } = pathsOf(kind)

  app.post(
    `${one}/reprice`,
    {
      config,
      schema: {
        tags,
        operationId: `reprice${pascal(noun)}`,
        summary: `Reprice ${withArticle(noun)}`,
        description: `Gives the ${noun} the exchange rate that is known for its date now, and what it comes to in the home currency. Without one it is a 409. What was paid at a rate keeps it. Where it was paid before it had one, its payments get what they gained or lost over it, with the event \`payment.repriced\`.`,
        params,
        response: answers({ 200: schemas.Found }),
      },
    },
    async (request) =>
      revised(await repriceDocument(request.ctx, kind, referenceIn(request.params), expectedIn(request))),
  )
}
