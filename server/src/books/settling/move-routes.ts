import Type from 'typebox'
import { type Context, transaction } from '../../platform/context.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { type Answer, revised, withFields } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { type MailInput, MailResult } from '../../platform/mail/model.ts'
import { config, Found, params, path, response, statementIn, tags } from '../consolidated-bills/paths.ts'
import { Amount } from '../documents/model/fields/amount.ts'
import type { Move, MoveInput } from '../documents/model/fields/lifecycle.ts'
import { moveBodies, rightOfMove, voidBody } from '../documents/model/move-bodies.ts'
import { moveConsolidatedBill, voidConsolidatedBill } from './statements.ts'

const sent = answers({ 200: Type.Object({ ...Found.properties, ...MailResult.properties }) })
const all = moveBodies('One bill was disputed')
const whole = Amount(
  'What is due of all its bills, as a check: a statement is paid whole, and any other amount is refused.',
  185000,
)
const bodies = {
  ...all,
  pay: Type.Object(
    { amount: Type.Optional(whole), ...all.pay.properties },
    { examples: [{ method: 'check', reference_number: 'CHK-2041' }] },
  ),
}
const moves: Record<Move, { summary: string; description: string }> = {
  save: { summary: 'Save a statement', description: 'Moves a draft to `saved`. It needs a bill, and gets its number.' },
  send: {
    summary: 'Send a statement',
    description:
      'Moves what is saved or edited to `sent`, and its bills with it, and mails it as a PDF to the addresses in `to`, or else to those in its `send_to_email`. Without either nothing is mailed, and `not_mailed_because` says so. It changes its bills, so it needs the scope `bills` as well.',
  },
  pay: {
    summary: 'Pay a statement',
    description:
      'Moves what is saved, sent or edited to `paid`, and all its bills with it, so it needs the scope `bills` as well. It is paid whole: an `amount` that is not what is due is a 400. Of a paid one, only the request that has paid it is taken again, and changes nothing; any other is a 409 `already_paid`.',
  },
  reopen: {
    summary: 'Reopen a statement',
    description:
      'Moves what is paid to `edited`, and its bills with it. It needs a reason, and the scope `bills` as well.',
  },
}

/** Mails a statement that was sent, in the transaction in which it was. */
export type StatementMailer = (ctx: Context, sent: WireRecord, input: MailInput) => Promise<MailResult>

export function voidRoute(app: App): void {
  app.post(
    `${path}/void`,
    {
      config,
      schema: {
        tags,
        operationId: 'voidConsolidatedBill',
        summary: 'Void a statement',
        description:
          'Takes the statement out of the books for good. It keeps its number and its content, with `bill_ids` and the sums as they are, and has `voided_at` and `void_reason`; searches leave it out unless `include_voided=true`. Its bills stay, free for another statement. It is a 409 while the statement is paid, and for a draft that was never saved, which is deleted instead. Nothing of a voided statement can change any more.',
        params,
        body: voidBody('Gathered the wrong bills'),
        response,
      },
    },
    async (request) =>
      revised(
        await voidConsolidatedBill(request.ctx, statementIn(request.params), request.body.reason, expectedIn(request)),
      ),
  )
}

export function moveRoutes(app: App, sending: StatementMailer): void {
  for (const [move, { summary, description }] of Object.entries(moves) as [Move, (typeof moves)[Move]][]) {
    app.post(
      `${path}/${move}`,
      {
        config: { ...config, ...rightOfMove(move), ...(move !== 'save' && { alsoScopes: ['bills'] as const }) },
        schema: {
          tags,
          operationId: `${move}ConsolidatedBill`,
          summary,
          description,
          params,
          body: optional(bodies[move]),
          response: move === 'send' ? sent : response,
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
            const moved = await moveConsolidatedBill(ctx, statementIn(request.params), move, input, expectedIn(request))
            if (move !== 'send') return moved
            return { ...moved, json: withFields(moved.json, await sending(ctx, moved, request.body as MailInput)) }
          }),
        )
      },
    )
  }
}
