import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { findStatement } from '../../books/consolidated-bills/actions.ts'
import * as statements from '../../books/consolidated-bills/paths.ts'
import { aOr, pascal } from '../../books/documents/model/fields/shape.ts'
import type { Kind } from '../../books/documents/model/kind/kind.ts'
import { pathsOf, readOne } from '../../books/documents/routes/paths.ts'
import { StatementQuery } from '../../books/party-statements/model.ts'
import { ofCarriers, ofCustomers, type Side } from '../../books/party-statements/sides.ts'
import { statementOf } from '../../books/party-statements/statement.ts'
import { readPayment } from '../../books/payments/ledger/locks.ts'
import type { Direction } from '../../books/payments/ledger/model.ts'
import { scopeOf } from '../../books/payments/payables.ts'
import type { Context } from '../../platform/context.ts'
import { transaction } from '../../platform/context.ts'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import { fileNameOf, type Paper } from '../../platform/drawing/paper.ts'
import { renderPaper } from '../../platform/drawing/render.ts'
import { type Answer, ok, withFields } from '../../platform/http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { closedSignal } from '../../platform/http/edge/closed.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { readMail } from '../../platform/mail/actions.ts'
import { MailBody, Mailed, type MailInput, mailedTo } from '../../platform/mail/model.ts'
import { findFields, findOne } from '../../records/v1/read.ts'
import {
  carrierResource,
  customerResource,
  manifestResource,
  orderResource,
  type Resource,
} from '../../records/v1/resources.ts'
import { answered, documentPaper } from './documents.ts'
import { billOfLadingPaper, rateConfirmationPaper } from './freight.ts'
import { remittancePaper } from './remittance.ts'
import { mailPayment, mailStatement } from './sending.ts'
import { consolidatedBillPaper, partyStatementPaper } from './statements.ts'

const offers = ['application/pdf'] as const
const body = optional(
  Type.Object(MailBody, { examples: [{ to: ['ap@cascade.example'], message: 'Our payment is on its way.' }] }),
)
const mailed = answers({ 202: Type.Object({ mail: Type.Ref('Mail'), ...Mailed.properties }) })

/** Records as PDF files, and those that are mailed by themselves. */
export const papers =
  (kinds: readonly Kind[]) =>
  async (app: App): Promise<void> => {
    for (const kind of kinds) {
      const { one, config, tags, params } = pathsOf(kind)
      paperRoute(
        app,
        { path: one, config, tags, params, name: pascal(kind.noun), what: aOr(kind.noun) },
        async ({ ctx, params }) => documentPaper(ctx, kind, answered(kind, (await readOne(ctx, kind, params)).json)),
      )
    }
    const ofStatements = {
      path: statements.path,
      config: statements.config,
      tags: statements.tags,
      params: statements.params,
    }
    paperRoute(
      app,
      { ...ofStatements, name: 'ConsolidatedBill', what: 'a consolidated bill' },
      async ({ ctx, params }) =>
        consolidatedBillPaper(
          ctx,
          (await findStatement(ctx, statements.statementIn(params as { consolidatedBillID: string }))).json,
        ),
    )
    objectPaper(app, manifestResource, 'the rate confirmation of a manifest', rateConfirmationPaper)
    objectPaper(app, orderResource, 'the bill of lading of an order', billOfLadingPaper)
    paymentPaper(app)
    statementPaper(app, carrierResource, ofCarriers, 'bills')
    customerStatement(app)
  }

/** Where a record is, and what its paper is called in the description. */
type Place = {
  path: string
  config: FastifyContextConfig
  tags: string[]
  params: TObject
  name: string
  what: string
  querystring?: TObject
}

function paperRoute(
  app: App,
  { path, config, tags, params, name, what, querystring }: Place,
  paperOf: (request: FastifyRequest) => Promise<Paper>,
): void {
  app.get(
    `${path}/pdf`,
    {
      config: { ...config, offers, costs: 'paper' },
      schema: {
        tags,
        operationId: `get${name}Pdf`,
        summary: `${what.charAt(0).toUpperCase()}${what.slice(1)} as a PDF`,
        description: `Answers ${what} as a PDF file with the name, the address and the logo of the organization. The same file is answered without \`/pdf\` to who sends \`Accept: application/pdf\`.`,
        params,
        ...(querystring && { querystring }),
        response: answers({
          200: {
            description: 'The file.',
            content: {
              'application/pdf': {
                schema: Type.String({ format: 'binary', description: 'A PDF file.', examples: ['%PDF-1.3'] }),
              },
            },
          } as never,
        }),
      },
    },
    async (request, reply): Promise<Answer> => {
      const { accept } = request.headers
      if (!preferredOf(accept, offers)) throw unacceptable(accept, offers)
      const paper = await paperOf(request as FastifyRequest)
      return fileAnswer(paper, await renderPaper(request.ctx.org, paper, { signal: closedSignal(reply) }))
    },
  )
}

function fileAnswer(paper: Paper, content: Buffer): Answer {
  const name = fileNameOf(paper)
  const headers = {
    'content-type': 'application/pdf',
    'content-length': String(content.length),
    'content-disposition': `inline; filename="${name.replace(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
  return { status: 200, headers, body: null, stream: Readable.from([content]), plain: true }
}

function objectPaper(
  app: App,
  resource: Resource,
  what: string,
  paperOf: (ctx: Context, fields: Record<string, unknown>) => Promise<Paper>,
): void {
  const { many, param, label, example, kind, schema } = resource
  const place = {
    path: `/${many}/:${param}`,
    config: { scope: kind.scope },
    tags: [kind.plural],
    params: referenceParam(param, label, example, `${kind.prefix}-1`),
    name: schema,
    what,
  }
  paperRoute(app, place, async ({ ctx, params }) =>
    paperOf(ctx, await findFields(ctx, resource, referenceOf(params, param, 'any'))),
  )
}

function paymentPaper(app: App): void {
  const path = '/payments/:paymentID'
  const config = { scope: ['bills', 'invoices'] } as const
  const place = {
    path,
    config,
    tags: ['Payments'],
    params: referenceParam('paymentID', 'payment', undefined, 'PAY-000012'),
  }
  const allowed = async (request: Pick<FastifyRequest, 'ctx' | 'token' | 'params'>) => {
    const found = await readPayment(request.ctx, referenceOf(request.params, 'paymentID', 'PAY'))
    requireScope(request, scopeOf[JSON.parse(found.json).direction as Direction])
    return found
  }
  paperRoute(app, { ...place, name: 'Payment', what: 'the remittance advice of a payment' }, async (request) =>
    remittancePaper(request.ctx, (await allowed(request)).json),
  )

  app.post(
    `${path}/send`,
    {
      config: { ...config, right: 'pay' },
      schema: {
        tags: place.tags,
        operationId: 'sendPayment',
        summary: 'Mail the remittance advice of a payment',
        description:
          'Mails what a payment pays for to the addresses in `to`, or else to the `remittance_email` of the carrier’s payee, or else to the address of the carrier or customer. Answers the mail, which is sent in the background.',
        params: place.params,
        body,
        response: mailed,
      },
    },
    async (request): Promise<Answer> => {
      const found = await allowed(request as never)
      return transaction(request.ctx, async (ctx) =>
        mailAnswer(ctx, await mailPayment(ctx, found, request.body as MailInput)),
      )
    },
  )
}

/** The statement of a customer or a carrier; answers where it is. */
function statementPaper(app: App, resource: Resource, side: Side, scope: 'bills' | 'invoices'): Place {
  const { many, param, label, example, kind, schema } = resource
  const place = {
    path: `/${many}/:${param}/statement`,
    config: { scope: kind.scope, alsoScopes: [scope] as const },
    tags: [kind.plural],
    params: referenceParam(param, label, example, `${kind.prefix}-1`),
    name: `${schema}Statement`,
    what: `the statement of a ${label}`,
    querystring: StatementQuery,
  }
  paperRoute(app, place, async ({ ctx, params, query }) =>
    partyStatementPaper(
      ctx,
      side,
      await statementOf(ctx, side, await partyOf(ctx, resource, params), query as StatementQuery),
    ),
  )
  return place
}

async function partyOf(ctx: Context, resource: Resource, params: unknown): Promise<{ id: string; name: string }> {
  return JSON.parse((await findOne(ctx, resource, referenceOf(params, resource.param, 'any'))).json)
}

function customerStatement(app: App): void {
  const { path, config, params, tags } = statementPaper(app, customerResource, ofCustomers, 'invoices')

  app.post(
    `${path}/send`,
    {
      config,
      schema: {
        tags,
        operationId: 'sendCustomerStatement',
        summary: 'Mail the statement of a customer',
        description:
          'Mails what the customer owes to the addresses in `to`, or else to that of the customer. Answers the mail, which is sent in the background. The token needs the scope `invoices` too.',
        params,
        querystring: StatementQuery,
        body,
        response: mailed,
      },
    },
    async (request): Promise<Answer> =>
      transaction(request.ctx, async (ctx) =>
        mailAnswer(
          ctx,
          await mailStatement(
            ctx,
            await partyOf(ctx, customerResource, request.params),
            request.query as StatementQuery,
            request.body as MailInput,
          ),
        ),
      ),
  )
}

async function mailAnswer(ctx: Context, id: string): Promise<Answer> {
  const { json } = await readMail(ctx, id)
  return { ...ok(withFields(`{"mail":${json}}`, mailedTo(JSON.parse(json).to, id))), status: 202 }
}

function referenceOf(params: unknown, param: string, prefix: string) {
  return referenceIn((params as Record<string, string>)[param] as string, param, prefix)
}
