import { Readable } from 'node:stream'
import Type from 'typebox'
import { CustomerStatement, PartnerCarrierStatement, StatementQuery } from '../../books/party-statements/model.ts'
import { ofCarriers, ofCustomers, type Side } from '../../books/party-statements/sides.ts'
import { statementCsv, statementOf } from '../../books/party-statements/statement.ts'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import { type Answer, ok } from '../../platform/http/answers/answers.ts'
import { preferredOf, unacceptable } from '../../platform/http/answers/media.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { findOne } from '../../records/v1/read.ts'
import { carrierResource, customerResource, type Resource } from '../../records/v1/resources.ts'

const offers = ['application/json', 'text/csv'] as const

/** What customers owe, and what carriers are owed. */
export async function partyStatements(app: App): Promise<void> {
  app.addSchema(CustomerStatement)
  app.addSchema(PartnerCarrierStatement)
  statementRoute(app, {
    resource: customerResource,
    side: ofCustomers,
    scope: 'invoices',
    what: 'what a customer owes',
  })
  statementRoute(app, { resource: carrierResource, side: ofCarriers, scope: 'bills', what: 'what a carrier is owed' })
}

type Described = { resource: Resource; side: Side; scope: 'invoices' | 'bills'; what: string }

function statementRoute(app: App, { resource, side, scope, what }: Described): void {
  const { many, param, label, example, kind, schema } = resource
  const { noun } = side.documents
  app.get(
    `/${many}/:${param}/statement`,
    {
      config: { scope: kind.scope, alsoScopes: [scope], costs: 'search', offers },
      schema: {
        tags: [kind.plural],
        ...neverNotModified,
        operationId: `get${schema}Statement`,
        summary: `The statement of a ${label}`,
        description: `Says ${what}: every open ${noun} with what is paid and due and how long it is overdue, the credits that are not used up, the payments that have something left, and the sums in each currency. As JSON, or as CSV with \`Accept: text/csv\`. The token needs the scope \`${scope}\` too.`,
        params: referenceParam(param, label, example, `${kind.prefix}-1`),
        querystring: StatementQuery,
        response: answers({
          200: {
            description: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
            content: {
              'application/json': { schema: Type.Object({ statement: Type.Ref(`${schema}Statement`) }) },
              'text/csv': {
                schema: Type.String({
                  description: `RFC 4180, UTF-8, with a header; a record for each ${noun}, and for each credit and payment on account with negative amounts.`,
                  examples: [
                    'type,number,reference_number,date,due_date,currency_id,total_amount,amount_paid,amount_due,days_overdue\r\n',
                  ],
                }),
              },
            },
          } as never,
        }),
      },
    },
    async ({ ctx, params, query, headers: { accept } }): Promise<Answer> => {
      const type = preferredOf(accept, offers)
      if (!type) throw unacceptable(accept, offers)
      const reference = referenceIn((params as Record<string, string>)[param] as string, param, 'any')
      const party = JSON.parse((await findOne(ctx, resource, reference)).json) as { id: string; name: string }
      const statement = await statementOf(ctx, side, party, query)
      if (type === 'application/json') return ok(`{"statement":${statement}}`)
      const headers = {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="statement-${new Date().toISOString().slice(0, 10)}.csv"`,
      }
      return { status: 200, headers, body: null, stream: Readable.from([await statementCsv(ctx, side, statement)]) }
    },
  )
}
