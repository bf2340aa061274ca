import { StatementQuery } from '../../../books/party-statements/model.ts'
import { ofCustomers, type Side } from '../../../books/party-statements/sides.ts'
import { statementOf } from '../../../books/party-statements/statement.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { referenceParam } from '../../../platform/core/schema/schema.ts'
import type { Answer } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import type { MailInput } from '../../../platform/mail/model.ts'
import { findOne } from '../../../records/v1/read.ts'
import { customerResource, type Resource } from '../../../records/v1/resources.ts'
import { mailStatement } from '../sending.ts'
import { partyStatementPaper } from '../statements.ts'
import { body, mailAnswer, mailed } from './mailing.ts'
import { type Place, paperRoute, referenceOf } from './paper-route.ts'

/** The statement of a customer or a carrier; answers where it is. */
export function statementPaper(app: App, resource: Resource, side: Side, scope: 'bills' | 'invoices'): Place {
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

export function customerStatement(app: App): void {
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

async function partyOf(ctx: Context, resource: Resource, params: unknown): Promise<{ id: string; name: string }> {
  return JSON.parse((await findOne(ctx, resource, referenceOf(params, resource.param, 'any'))).json)
}
