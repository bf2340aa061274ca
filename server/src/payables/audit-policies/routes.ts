import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, Id, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createPolicy, removePolicy, updatePolicy } from './actions.ts'
import { AuditPolicy, AuditPolicyEdit, AuditPolicySearch, NewAuditPolicy, Replay, Replayed } from './model.ts'
import { replay } from './replay.ts'
import { findPolicy, listPolicies } from './store.ts'

const config = { scope: 'bills' } as const
const writing = { scope: 'bills', right: 'administer' } as const
const tags = ['Audit policies']
const all = '/audit_policies'
const one = `${all}/:auditPolicyID`
const params = Type.Object({ auditPolicyID: Id('The audit policy.') })
const One = Type.Object({ audit_policy: Type.Ref('AuditPolicy') })

export async function auditPolicies(app: App): Promise<void> {
  app.addSchema(AuditPolicy)
  app.addSchema(Replayed)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchAuditPolicies',
        summary: 'Search audit policies',
        description: 'Lists the audit policies of the organization, newest first, with the exact total.',
        querystring: AuditPolicySearch,
        response: answers({ 200: envelopeOf('audit_policies', Type.Ref('AuditPolicy')) }),
      },
    },
    async ({ ctx, query }) => ok(await listPolicies(ctx, query)),
  )

  app.post(
    all,
    {
      config: writing,
      schema: {
        tags,
        operationId: 'createAuditPolicy',
        summary: 'Create an audit policy',
        description:
          'Makes an audit policy for a carrier, for a type of lines, for both, or for all. There is one of each: a second is a 409. It needs the right to administer.',
        body: NewAuditPolicy,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createPolicy(ctx, body)
      return created(record('audit_policy', made), `/api/v1${all}/${id}`)
    },
  )

  app.post(
    `${all}/replay`,
    {
      config: { ...config, access: 'read' },
      schema: {
        tags,
        operationId: 'replayAuditPolicy',
        summary: 'Try an audit policy on the past',
        description:
          'Answers what a policy would have done to the carrier invoices received in the last days: what would have been paid by itself, what would have been held for a person, and how much too much it would have caught, next to the same under the policies that there are. It is computed from the comparisons that the audits kept, and changes nothing.',
        body: Replay,
        response: answers({ 200: Type.Object({ replay: Type.Ref('AuditReplay') }) }),
      },
    },
    async ({ ctx, body }) => ok(JSON.stringify({ replay: await replay(ctx, body as Replay) })),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getAuditPolicy',
        summary: 'Get an audit policy',
        description: 'Answers one audit policy.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { auditPolicyID: id } }) => {
      const found = await findPolicy(ctx, id)
      if (!found) throw notFound('audit policy', id)
      return record('audit_policy', found)
    },
  )

  app.put(
    one,
    {
      config: writing,
      preValidation: unwrap('audit_policy'),
      schema: {
        tags,
        operationId: 'updateAuditPolicy',
        summary: 'Update an audit policy',
        description:
          'Only the fields that are sent apply; null clears. Invoices that were audited stay as they are until they are audited again.',
        params,
        body: AuditPolicyEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(AuditPolicyEdit, request.body)
      return record(
        'audit_policy',
        await updatePolicy(request.ctx, request.params.auditPolicyID, input, expectedIn(request)),
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
        operationId: 'deleteAuditPolicy',
        summary: 'Delete an audit policy',
        description: 'Deletes the audit policy; a wider one counts in its place.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removePolicy(request.ctx, request.params.auditPolicyID, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'AuditPolicy', one: 'an audit policy', note: deletedToo },
    recordIn({ ctx, params }) {
      const { auditPolicyID: id } = params as { auditPolicyID: string }
      return {
        type: 'audit_policy',
        id,
        isThere: async () => Boolean(await findPolicy(ctx, id)),
        unknown: () => notFound('audit policy', id),
      }
    },
  })
}
