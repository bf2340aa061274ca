import { named } from '../../../platform/core/schema/names.ts'
import { created, revised } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { voidBody } from '../model/move-bodies.ts'
import type { OriginHooks } from '../writing/origins.ts'
import { correctDocument, voidDocument } from '../writing/voiding.ts'
import { pathsOf } from './paths.ts'

/** What has a number never disappears: it is voided, or corrected by another one. */
export function voidingRoutes(app: App, kind: Kind, following: OriginHooks): void {
  const { noun, plural, schemas } = kind
  const { all, one, config, tags, params, referenceIn } = pathsOf(kind)
  const body = named('VoidDocument', voidBody('Entered twice'))

  app.post(
    `${one}/void`,
    {
      config,
      schema: {
        tags,
        operationId: `void${pascal(noun)}`,
        summary: `Void ${withArticle(noun)}`,
        description: `Takes the ${noun} out of the books for good. It keeps its number and its content, and has \`voided_at\` and \`void_reason\`; searches, totals and exports leave it out unless \`include_voided=true\`. It is a 409 while payments stand, while it is on a statement, and for a draft, which is deleted instead. Nothing of a voided ${noun} can change any more.${following.notes.ofVoiding}`,
        params,
        body,
        response: answers({ 200: schemas.Found }),
      },
    },
    async (request) =>
      revised(
        await voidDocument(
          request.ctx,
          kind,
          referenceIn(request.params),
          request.body.reason,
          expectedIn(request),
          following,
        ),
      ),
  )

  app.post(
    `${one}/correct`,
    {
      config,
      schema: {
        tags,
        operationId: `correct${pascal(noun)}`,
        summary: `Correct ${withArticle(noun)}`,
        description: `Voids the ${noun} and makes a draft with the same content and lines in its place, in one step. The answer is the draft; the event of its creation names the voided one as \`corrects_id\`. The \`external_id\` and what an accounting system has noted stay with the voided one. It is refused where voiding would be.${following.notes.ofCorrecting} To list the voided ${plural}, search with \`include_voided=true\`.`,
        params,
        body,
        response: answers({ 201: schemas.Found }),
      },
    },
    async (request) => {
      const corrected = await correctDocument(
        request.ctx,
        kind,
        referenceIn(request.params),
        request.body.reason,
        expectedIn(request),
        following,
      )
      const { id, ignored: _, ...made } = corrected
      return created(revised(made), `/api/v1${all}/${id}`)
    },
  )
}
