import Type, { type TSchema } from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'
import { ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody, optional } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { auditInvoice, decideInvoice, matchInvoice } from './actions.ts'
import { proposalsFor } from './audit.ts'
import { Proposal } from './matching.ts'
import { config, invoiceIn, One, one, params, readInvoice, tags } from './paths.ts'
import { type Decision, Noted, ShortPay } from './received/model.ts'

const decisions: Record<Decision, { operationId: string; summary: string; description: string; body: TSchema }> = {
  accept: {
    operationId: 'acceptCarrierInvoice',
    summary: 'Accept a carrier invoice',
    description: 'Accepts an exception as it is: its total is approved. Approving then makes the bill.',
    body: Noted,
  },
  short_pay: {
    operationId: 'shortPayCarrierInvoice',
    summary: 'Pay a carrier invoice short',
    description:
      'Approves less than an exception asks for: `amount`, or what was agreed. Approving then makes the bill, with what is deducted as a line of its own.',
    body: ShortPay,
  },
  dispute: {
    operationId: 'disputeCarrierInvoice',
    summary: 'Dispute a carrier invoice',
    description: 'Notes that an exception is disputed with the carrier. It stays an exception.',
    body: Noted,
  },
  reject: {
    operationId: 'rejectCarrierInvoice',
    summary: 'Reject a carrier invoice',
    description: 'Rejects a carrier invoice that is not billed: nothing of it is paid.',
    body: Noted,
  },
  approve: {
    operationId: 'approveCarrierInvoice',
    summary: 'Approve a carrier invoice',
    description:
      'Makes the bill of a carrier invoice that was audited without findings, or whose findings were decided about: a saved bill with its lines, or the draft that was made from its manifest, completed. Once: then the invoice is `billed`. Where a bill pays for one of its manifests by now, which the audit did not find, it is a 409 `already_billed`.',
    body: optional(Type.Object({ note: Type.Optional(Noted.properties.note) })),
  },
}

/** What is done with a carrier invoice after it has come: matched, audited, decided about. */
export async function carrierInvoiceDecisions(app: App): Promise<void> {
  app.addSchema(Proposal)

  app.get(
    `${one}/proposals`,
    {
      config,
      schema: {
        tags,
        operationId: 'listCarrierInvoiceProposals',
        summary: 'The manifests that a carrier invoice may be for',
        description:
          'Lists the manifests that the invoice may be for, the likeliest first, with the reasons: it names them by reference number, external id or full id, the carrier drove them, the amounts and the dates are close. An audit matches by itself where one is beyond doubt.',
        params,
        response: answers({ 200: Type.Object({ proposals: Type.Array(Type.Ref('MatchProposal')) }) }),
      },
    },
    async ({ ctx, params }) => {
      const { json } = await readInvoice(ctx, params)
      return ok(JSON.stringify({ proposals: await proposalsFor(ctx, JSON.parse(json)) }))
    },
  )

  app.post(
    `${one}/match`,
    {
      config,
      schema: {
        tags,
        operationId: 'matchCarrierInvoice',
        summary: 'Match a carrier invoice',
        description:
          'Says which manifests the invoice is for; an empty list takes the match back. What was found before is cleared: audit it again.',
        params,
        body: Type.Object(
          { manifest_ids: Type.Array(Id('A manifest.'), { maxItems: 100, description: 'The manifests.' }) },
          { examples: [{ manifest_ids: [] }] },
        ),
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'carrier_invoice',
        await matchInvoice(request.ctx, invoiceIn(request.params), request.body.manifest_ids, expectedIn(request)),
      ),
  )

  app.post(
    `${one}/audit`,
    {
      config,
      schema: {
        tags,
        operationId: 'auditCarrierInvoice',
        summary: 'Audit a carrier invoice',
        description:
          'Matches the invoice where one manifest is beyond doubt, holds each line against what was agreed under the tolerances, and notes the findings: with some it is an `exception`, without it is `matched`, and `billed` where the policy approves by itself.',
        params,
        body: emptyBody,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record('carrier_invoice', await auditInvoice(request.ctx, invoiceIn(request.params), expectedIn(request))),
  )

  for (const [decision, { body, ...texts }] of Object.entries(decisions) as [
    Decision,
    (typeof decisions)[Decision],
  ][]) {
    app.post(
      `${one}/${decision}`,
      {
        config: { ...config, right: 'approve' },
        schema: { tags, ...texts, params, body, response: answers({ 200: One }) },
      },
      async (request) =>
        record(
          'carrier_invoice',
          await decideInvoice(
            request.ctx,
            invoiceIn(request.params),
            decision,
            (request.body ?? {}) as object,
            expectedIn(request),
          ),
        ),
    )
  }
}
