import Type from 'typebox'
import { notFound } from '../../../platform/core/refusal.ts'
import { envelopeOf, Id } from '../../../platform/core/schema/schema.ts'
import { historyRoute } from '../../../platform/events/history/history-route.ts'
import { ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { emptyBody } from '../../../platform/http/input/json-body.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { base, config, tags } from '../paths.ts'
import { answerQuestion, closeQuestion } from './actions.ts'
import { BillQuestion, BillQuestionSearch, Message } from './model.ts'
import { findQuestion, listQuestions } from './store.ts'

const all = `${base}/questions`
const one = `${all}/:questionID`
const params = Type.Object({ questionID: Id('The thread.') })
const One = Type.Object({ question: Type.Ref('BillQuestion') })

export const billQuestions = (portal: string) => async (app: App) => {
  app.addSchema(BillQuestion)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchBillQuestions',
        summary: 'Search questions of carriers',
        description:
          'Lists what carriers ask about their bills, one thread for each bill and carrier, newest first, with the exact total.',
        querystring: BillQuestionSearch,
        response: answers({ 200: envelopeOf('questions', Type.Ref('BillQuestion')) }),
      },
    },
    async ({ ctx, query }) => ok(await listQuestions(ctx, query)),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getBillQuestion',
        summary: 'Get a question of a carrier',
        description: 'Answers the thread with all of its messages.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { questionID } }) => {
      const found = await findQuestion(ctx, questionID)
      if (!found) throw notFound('question', questionID)
      return record('question', found)
    },
  )

  app.post(
    `${one}/answer`,
    {
      config,
      schema: {
        tags,
        operationId: 'answerBillQuestion',
        summary: 'Answer a carrier',
        description:
          'Adds a message that the carrier reads at its bill in the partner portal. The carrier’s people get a mail, or else the carrier’s own address.',
        params,
        body: Message,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { ctx, params, body } = request
      return record(
        'question',
        await answerQuestion(ctx, params.questionID.toLowerCase(), body.text, expectedIn(request), portal),
      )
    },
  )

  app.post(
    `${one}/close`,
    {
      config,
      schema: {
        tags,
        operationId: 'closeBillQuestion',
        summary: 'Close a question',
        description: 'Says that nothing is left to answer. A later message of the carrier opens it again.',
        params,
        body: emptyBody,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'question',
        await closeQuestion(request.ctx, request.params.questionID.toLowerCase(), expectedIn(request)),
      ),
  )

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'BillQuestion', one: 'a question' },
    recordIn({ ctx, params }) {
      const { questionID: id } = params as { questionID: string }
      return {
        type: 'bill_question',
        id,
        isThere: async () => Boolean(await findQuestion(ctx, id)),
        unknown: () => notFound('question', id),
      }
    },
  })
}
