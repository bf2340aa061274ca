import Type from 'typebox'
import type { Context } from '../../../platform/context.ts'
import { transaction } from '../../../platform/context.ts'
import { named } from '../../../platform/core/schema/names.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { type Answer, revised, withFields } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { type MailInput, MailResult } from '../../../platform/mail/model.ts'
import type { Move, MoveInput } from '../model/fields/lifecycle.ts'
import { capitalize, pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { moveBodies, PartOfIt, rightOfMove } from '../model/move-bodies.ts'
import { moveDocument } from '../writing/actions.ts'
import { pathsOf } from './paths.ts'

const descriptions: Record<Move, string> = {
  save: 'Moves a draft to `saved`. It needs a currency, and gets its number, and a due date from its pay term where none was set.',
  send: 'Moves what is saved or edited to `sent`, stamps `sent_at`, and mails it as a PDF to the addresses in `to`, or else to those in its `send_to_email`. Without either nothing is mailed, and `not_mailed_because` says so, unless the organization requires an address: then it is refused. What is sent already is mailed again.',
  pay: 'Moves what is saved, sent or edited to `paid`, and stamps `paid_at`: a payment of what is due is recorded. With an `amount` that much of it is paid, and it becomes `paid` when nothing is due any more. Of what is paid, only the request that has paid it is taken again, and changes nothing; any other is a 409 `already_paid`.',
  reopen:
    'Moves what is paid to `edited`, and clears `paid_at`. It needs a reason. Payments of the method `recorded` are voided with it; any other is a 409 that names it.',
}

/** Without an amount, so that it works on any document. */
const payExamples = {
  examples: [{ paid_at: '2026-11-15T09:30:00.000Z', method: 'check', reference_number: 'CHK-2041' }],
}

/** Mails a document that was sent, in the transaction in which it was. */
export type DocumentMailer = (ctx: Context, kind: Kind, sent: WireRecord, input: MailInput) => Promise<MailResult>

export function moveRoutes(app: App, kind: Kind, sending: DocumentMailer): void {
  const { noun, schemas, wording } = kind
  const { one, config, tags, params, referenceIn } = pathsOf(kind)
  const all = moveBodies(wording.reasonExample)
  const pay = Type.Object({ ...PartOfIt.properties, ...all.pay.properties }, payExamples)
  const bodies = { ...all, pay: named('PayDocument', pay) }

  for (const [move, description] of Object.entries(descriptions) as [Move, string][]) {
    app.post(
      `${one}/${move}`,
      {
        config: { ...config, ...rightOfMove(move) },
        schema: {
          tags,
          operationId: `${move}${pascal(noun)}`,
          summary: `${capitalize(move)} ${withArticle(noun)}`,
          description,
          params,
          body: optional(bodies[move]),
          response: answers({
            200:
              move === 'send' ? Type.Object({ ...schemas.Found.properties, ...MailResult.properties }) : schemas.Found,
          }),
        },
      },
      async (request): Promise<Answer> => {
        const {
          to: _to,
          cc: _cc,
          subject: _subject,
          message: _message,
          ...input
        } = request.body as MoveInput & MailInput
        return revised(
          await transaction(request.ctx, async (ctx) => {
            const moved = await moveDocument(ctx, kind, referenceIn(request.params), move, input, expectedIn(request))
            if (move !== 'send') return moved
            return {
              ...moved,
              json: withFields(moved.json, await sending(ctx, kind, moved, request.body as MailInput)),
            }
          }),
        )
      },
    )
  }
}
