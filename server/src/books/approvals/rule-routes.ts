import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { ApprovalRuleEdit, ApprovalRuleSearch, NewApprovalRule } from './rules/model.ts'
import { findRule, listRules } from './rules/rules-store.ts'
import { createRule, removeRule, updateRule } from './rules.ts'

export function ruleRoutes(app: App): void {
  const config = { scope: 'bills', rightToWrite: 'administer' } as const
  const tags = ['Approvals']
  const path = '/approval_rules/:approvalRuleID'
  const params = Type.Object({ approvalRuleID: Id('The rule.') })
  const One = Type.Object({ approval_rule: Type.Ref('ApprovalRule') })

  app.get(
    '/approval_rules',
    {
      config,
      schema: {
        tags,
        operationId: 'searchApprovalRules',
        summary: 'List approval rules',
        description: 'Lists the rules that say who has to approve which bills, newest first.',
        querystring: ApprovalRuleSearch,
        response: answers({ 200: envelopeOf('approval_rules', Type.Ref('ApprovalRule')) }),
      },
    },
    async ({ ctx, query }) => ok(await listRules(ctx, query)),
  )

  app.post(
    '/approval_rules',
    {
      config,
      schema: {
        tags,
        operationId: 'createApprovalRule',
        summary: 'Create an approval rule',
        description:
          'Makes a rule. It counts while `approvals` of the organization is `on`, also for the open bills that are there. It needs the role admin.',
        body: NewApprovalRule,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createRule(ctx, body as NewApprovalRule)
      return created(record('approval_rule', made), `/api/v1/approval_rules/${id}`)
    },
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getApprovalRule',
        summary: 'Get an approval rule',
        description: 'Answers one approval rule.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { approvalRuleID } }) => {
      const found = await findRule(ctx, approvalRuleID)
      if (!found) throw notFound('approval rule', approvalRuleID)
      return record('approval_rule', found)
    },
  )

  app.put(
    path,
    {
      config,
      preValidation: unwrap('approval_rule'),
      schema: {
        tags,
        operationId: 'updateApprovalRule',
        summary: 'Update an approval rule',
        description:
          'Only the fields that are sent apply; null clears. Open bills are looked at again. It needs the role admin.',
        params,
        body: ApprovalRuleEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(ApprovalRuleEdit, request.body)
      return record(
        'approval_rule',
        await updateRule(request.ctx, request.params.approvalRuleID, input as ApprovalRuleEdit, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteApprovalRule',
        summary: 'Delete an approval rule',
        description: 'Deletes the rule. Open bills are looked at again. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeRule(request.ctx, request.params.approvalRuleID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'ApprovalRule', one: 'an approval rule', note: deletedToo },
    recordIn({ ctx, params }) {
      const { approvalRuleID: id } = params as { approvalRuleID: string }
      return {
        type: 'approval_rule',
        id,
        isThere: async () => Boolean(await findRule(ctx, id)),
        unknown: () => notFound('approval rule', id),
      }
    },
  })
}
