import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createPayTerm, removePayTerm, updatePayTerm } from './actions.ts'
import { NewPayTerm, PayTerm, PayTermEdit, PayTermSearch } from './model.ts'
import { findPayTerm, listPayTerms } from './store.ts'

const config = { scope: 'bills' } as const
const tags = ['Pay terms']
const params = Type.Object({ payTermID: Id('The pay term.') })
const One = Type.Object({ pay_term: Type.Ref('PayTerm') })

export async function payTerms(app: App): Promise<void> {
  app.addSchema(PayTerm)

  app.get(
    '/pay_terms',
    {
      config,
      schema: {
        tags,
        operationId: 'searchPayTerms',
        summary: 'Search pay terms',
        description: 'Lists the pay terms of the organization, newest first, with the exact total.',
        querystring: PayTermSearch,
        response: answers({ 200: envelopeOf('pay_terms', Type.Ref('PayTerm')) }),
      },
    },
    async ({ ctx, query }) => ok(await listPayTerms(ctx, query)),
  )

  app.post(
    '/pay_terms',
    {
      config,
      schema: {
        tags,
        operationId: 'createPayTerm',
        summary: 'Create a pay term',
        description: 'Makes a pay term. The key of each connector mapping must equal its `connector_id`.',
        body: NewPayTerm,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createPayTerm(ctx, body)
      return created(record('pay_term', made), `/api/v1/pay_terms/${id}`)
    },
  )

  app.get(
    '/pay_terms/:payTermID',
    {
      config,
      schema: {
        tags,
        operationId: 'getPayTerm',
        summary: 'Get a pay term',
        description: 'Answers the pay term with its connector mappings.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { payTermID } }) => {
      const found = await findPayTerm(ctx, payTermID)
      if (!found) throw notFound('pay term', payTermID)
      return record('pay_term', found)
    },
  )

  app.put(
    '/pay_terms/:payTermID',
    {
      config,
      preValidation: unwrap('pay_term'),
      schema: {
        tags,
        operationId: 'updatePayTerm',
        summary: 'Update a pay term',
        description:
          'Only the fields that are sent apply; `connector_mappings` are replaced as a whole. Bills keep the due dates they have.',
        params,
        body: PayTermEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(PayTermEdit, request.body)
      return record(
        'pay_term',
        await updatePayTerm(request.ctx, request.params.payTermID, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    '/pay_terms/:payTermID',
    {
      config,
      schema: {
        tags,
        operationId: 'deletePayTerm',
        summary: 'Delete a pay term',
        description: 'Deletes the pay term. It is refused with 409 while bills use it.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removePayTerm(request.ctx, request.params.payTermID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: '/pay_terms/:payTermID', config, tags, params, name: 'PayTerm', one: 'a pay term', note: deletedToo },
    recordIn({ ctx, params }) {
      const { payTermID: id } = params as { payTermID: string }
      return {
        type: 'pay_term',
        id,
        isThere: async () => Boolean(await findPayTerm(ctx, id)),
        unknown: () => notFound('pay term', id),
      }
    },
  })
}
