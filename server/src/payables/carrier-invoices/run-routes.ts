import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { Id, nullable, Time } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { all, config, tags } from './paths.ts'
import { startRun } from './runs.ts'
import { findRun } from './runs-store.ts'

const runs = '/audit_runs'

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description, examples: [12] }))

const AuditRun = Type.Object(
  {
    id: Id('The run.'),
    state: Type.Enum(['running', 'done', 'failed'], { description: 'How far it is.', examples: ['running'] }),
    partner_carrier_ids: nullable(
      Type.Array(Id('A carrier.'), { description: 'The carriers whose invoices it audits; null for all.' }),
    ),
    invoices_done: Type.Integer({ minimum: 0, description: 'How many invoices it has audited.', examples: [1200] }),
    counts: Type.Object(
      {
        matched: count('How many are without findings and wait for approval.'),
        exception: count('How many have findings.'),
        received: count('How many no manifest was found for.'),
        billed: count('How many were approved by themselves.'),
      },
      { description: 'What came of them.' },
    ),
    error: nullable(
      Type.String({
        description: 'Why it failed.',
        examples: ['Something went wrong on our side while invoices were audited. It is in the log.'],
      }),
    ),
    created_at: Time('When it was asked for.'),
    finished_at: nullable(Time('When it ended.')),
  },
  { $id: 'AuditRun', description: 'A batch of audits that is worked off in the background.' },
)

const One = Type.Object({ audit_run: Type.Ref('AuditRun') })

export async function auditRuns(app: App): Promise<void> {
  app.addSchema(AuditRun)

  app.post(
    `${all}/audit`,
    {
      config,
      schema: {
        tags,
        operationId: 'startCarrierInvoiceAudit',
        summary: 'Audit all carrier invoices in the background',
        description:
          'Matches and audits every carrier invoice that is received, matched or an exception, disputed ones left out, as the audit of one does. It answers at once; `GET /audit_runs/{auditRunID}` says how far it is. After a crash of the server it goes on where it was.',
        body: optional(
          Type.Object({
            partner_carrier_ids: Type.Optional(
              Type.Array(Id('A carrier.'), { maxItems: 200, description: 'Only the invoices of these carriers.' }),
            ),
          }),
        ),
        response: answers({ 202: One }),
      },
    },
    async ({ ctx, body }) => {
      const run = await startRun(ctx, body?.partner_carrier_ids ?? null)
      return {
        ...ok(`{"audit_run":${run}}`),
        status: 202,
        headers: { location: `/api/v1${runs}/${JSON.parse(run).id}` },
      }
    },
  )

  app.get(
    `${runs}/:auditRunID`,
    {
      config,
      schema: {
        tags,
        operationId: 'getCarrierInvoiceAudit',
        ...neverNotModified,
        summary: 'Get a batch of audits',
        description: 'Answers how far a batch of audits is, and what came of its invoices.',
        params: Type.Object({ auditRunID: Id('The run.') }),
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { auditRunID: id } }) => {
      const run = await findRun(ctx, id)
      if (!run) throw notFound('batch of audits', id)
      return ok(`{"audit_run":${run}}`)
    },
  )
}
