import { type Answer, revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { expectedIn } from '../../http/conditional.ts'
import { bodyIsOptional } from '../../http/json-body.ts'
import { answers } from '../../http/openapi.ts'
import { moveDocument } from './actions.ts'
import type { Kind } from './model/kind.ts'
import type { Move, MoveInput } from './model/lifecycle.ts'
import { moveBodies } from './model/move-bodies.ts'
import { aOr, capital, pascal } from './model/shape.ts'
import { pathsOf } from './paths.ts'

const descriptions: Record<Move, string> = {
  save: 'draft → saved: it needs a currency and gets its number, and a due date from its pay term where none was set.',
  send: 'saved or edited → sent, stamped with `sent_at`.',
  pay: 'saved, sent or edited → paid, stamped with `paid_at`.',
  reopen: 'paid → edited, with a reason; `paid_at` is cleared.',
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
        preValidation: bodyIsOptional,
        schema: {
          tags,
          operationId: `${move}${pascal(noun)}`,
          summary: `${capital(move)} ${aOr(noun)}`,
          description,
          params,
          body: bodies[move],
          response: answers({ 200: schemas.Found }),
        },
      },
      async (request): Promise<Answer> =>
        revised(await moveDocument(request.ctx, kind, referenceIn(request.params), move, request.body as MoveInput, expectedIn(request))),
    )
  }
}
