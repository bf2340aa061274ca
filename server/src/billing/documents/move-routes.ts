import { type Answer, revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { expectedIn } from '../../http/conditional.ts'
import { optional } from '../../http/json-body.ts'
import { answers } from '../../http/openapi.ts'
import { moveDocument } from './actions.ts'
import type { Kind } from './model/kind.ts'
import type { Move, MoveInput } from './model/lifecycle.ts'
import { moveBodies } from './model/move-bodies.ts'
import { aOr, capital, pascal } from './model/shape.ts'
import { pathsOf } from './paths.ts'

const descriptions: Record<Move, string> = {
  save: 'Moves a draft to `saved`. It needs a currency, and gets its number, and a due date from its pay term where none was set.',
  send: 'Moves what is saved or edited to `sent`, and stamps `sent_at`.',
  pay: 'Moves what is saved, sent or edited to `paid`, and stamps `paid_at`.',
  reopen: 'Moves what is paid to `edited`, and clears `paid_at`. It needs a reason.',
}

export function moveRoutes(app: App, kind: Kind): void {
  const { noun, schemas, wording } = kind
  const { one, config, tags, params, referenceIn } = pathsOf(kind)
  const bodies = moveBodies(wording.reasonExample)

  for (const [move, description] of Object.entries(descriptions) as [Move, string][]) {
    app.post(
      `${one}/${move}`,
      {
        config,
        schema: {
          tags,
          operationId: `${move}${pascal(noun)}`,
          summary: `${capital(move)} ${aOr(noun)}`,
          description,
          params,
          body: optional(bodies[move]),
          response: answers({ 200: schemas.Found }),
        },
      },
      async (request): Promise<Answer> =>
        revised(await moveDocument(request.ctx, kind, referenceIn(request.params), move, request.body as MoveInput, expectedIn(request))),
    )
  }
}
