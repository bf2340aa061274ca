import Type from 'typebox'
import { notFound } from '../../core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../../core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../events/history/history-route.ts'
import { created, noContent, ok, record } from '../../http/answers/answers.ts'
import { expectedIn } from '../../http/answers/conditional.ts'
import type { App } from '../../http/edge/app.ts'
import { naming, unwrap } from '../../http/input/whole-bodies.ts'
import { answers } from '../../http/openapi/openapi.ts'
import { createRule, removeRule, updateRule } from './actions.ts'
import { DocumentRule, DocumentRuleEdit, DocumentRuleSearch, NewDocumentRule } from './model.ts'
import { findRule, listRules } from './store.ts'

const reading = { scope: 'bills' } as const
const writing = { scope: 'users', right: 'administer' } as const
const tags = ['Document rules']
const all = '/document_rules'
const one = `${all}/:documentRuleID`
const params = Type.Object({ documentRuleID: Id('The rule.') })
const One = Type.Object({ document_rule: Type.Ref('DocumentRule') })

export async function documentRules(app: App): Promise<void> {
  app.addSchema(DocumentRule)

  app.get(
    all,
    {
      config: reading,
      schema: {
        tags,
        operationId: 'searchDocumentRules',
        summary: 'Search document rules',
        description:
          'Lists the rules that say which documents must be there before bills are approved or paid, newest first, with the exact total.',
        querystring: DocumentRuleSearch,
        response: answers({ 200: envelopeOf('document_rules', Type.Ref('DocumentRule')) }),
      },
    },
    async ({ ctx, query }) => ok(await listRules(ctx, query)),
  )

  app.post(
    all,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'createDocumentRule',
        summary: 'Create a document rule',
        description:
          'Makes a rule: from now on bills that lack one of the documents are refused the step with 409 `documents_missing`, however it is asked for. It needs the role admin.',
        body: NewDocumentRule,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createRule(ctx, body)
      return created(record('document_rule', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getDocumentRule',
        summary: 'Get a document rule',
        description: 'Answers one rule.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { documentRuleID } }) => {
      const found = await findRule(ctx, documentRuleID)
      if (!found) throw notFound('document rule', documentRuleID)
      return record('document_rule', found)
    },
  )

  app.put(
    one,
    {
      config: writing,
      preValidation: unwrap('document_rule'),
      schema: {
        tags,
        operationId: 'updateDocumentRule',
        summary: 'Update a document rule',
        description:
          'Only the fields that are sent apply; `document_types` are replaced as a whole. It needs the role admin.',
        params,
        body: DocumentRuleEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(DocumentRuleEdit, request.body)
      return record(
        'document_rule',
        await updateRule(request.ctx, request.params.documentRuleID, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    one,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'deleteDocumentRule',
        summary: 'Delete a document rule',
        description:
          'Deletes the rule. What was refused because of it can be done from then on. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeRule(request.ctx, request.params.documentRuleID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: one, config: reading, tags, params, name: 'DocumentRule', one: 'a document rule', note: deletedToo },
    recordIn({ ctx, params }) {
      const { documentRuleID: id } = params as { documentRuleID: string }
      return {
        type: 'document_rule',
        id,
        isThere: async () => Boolean(await findRule(ctx, id)),
        unknown: () => notFound('document rule', id),
      }
    },
  })
}
