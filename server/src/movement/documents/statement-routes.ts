import { Readable } from 'node:stream'
import { CustomerStatement, StatementQuery } from '../../billing/customer-statements/model.ts'
import { statementCsv, statementOf } from '../../billing/customer-statements/statement.ts'
import { referenceParam } from '../../core/schema.ts'
import Type from '../../core/type.ts'
import { type Answer, ok } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { preferredOf, unacceptable } from '../../http/media.ts'
import { answers, neverNotModified } from '../../http/openapi.ts'
import { referenceIn } from '../../http/params.ts'
import { findOne } from '../../objects/v1/read.ts'
import { customerResource } from '../../objects/v1/resources.ts'

const { param, label, example, kind } = customerResource
const offers = ['application/json', 'text/csv'] as const

/** What customers owe. */
export async function customerStatements(app: App): Promise<void> {
  app.addSchema(CustomerStatement)

  app.get(
    `/customers/:${param}/statement`,
    {
      config: { scope: kind.scope, alsoScopes: ['invoices'], costs: 'search', offers },
      schema: {
        tags: ['Customers'],
        ...neverNotModified,
        operationId: 'getCustomerStatement',
        summary: 'The statement of a customer',
        description:
          'Says what a customer owes: every open invoice with what is paid and due and how long it is overdue, the credits that are not used up, and the sums in each currency. As JSON, or as CSV with `Accept: text/csv`. The token needs the scope `invoices` too.',
        params: referenceParam(param, label, example, `${kind.prefix}-1`),
        querystring: StatementQuery,
        response: answers({
          200: {
            description: 'What the customer owes.',
            content: {
              'application/json': { schema: Type.Object({ statement: Type.Ref('CustomerStatement') }) },
              'text/csv': {
                schema: Type.String({
                  description: 'RFC 4180, UTF-8, with a header; a record for each invoice, and for each credit with negative amounts.',
                  examples: ['type,number,reference_number,date,due_date,currency_id,total_amount,amount_paid,amount_due,days_overdue\r\n'],
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
      const customer = JSON.parse((await findOne(ctx, customerResource, reference)).json) as { id: string; name: string }
      const statement = await statementOf(ctx, customer, query)
      if (type === 'application/json') return ok(`{"statement":${statement}}`)
      const headers = {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="statement-${new Date().toISOString().slice(0, 10)}.csv"`,
      }
      return { status: 200, headers, body: null, stream: Readable.from([statementCsv(statement)]) }
    },
  )
}
