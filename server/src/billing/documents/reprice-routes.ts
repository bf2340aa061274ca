import { revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { expectedIn } from '../../http/conditional.ts'
import { answers } from '../../http/openapi.ts'
import type { Kind } from './model/kind.ts'
import { aOr, pascal } from './model/shape.ts'
import { pathsOf } from './paths.ts'
import { repriceDocument } from './reprice.ts'

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
        summary: `Reprice ${aOr(noun)}`,
        description: `Gives the ${noun} the exchange rate that is known for its date now, and what it comes to in the home currency. Without one it is a 409. What was paid at a rate keeps it. Where it was paid before it had one, its payments get what they gained or lost over it, with the event \`payment.repriced\`.`,
        params,
        response: answers({ 200: schemas.Found }),
      },
    },
    async (request) =>
      revised(await repriceDocument(request.ctx, kind, referenceIn(request.params), expectedIn(request))),
  )
}
