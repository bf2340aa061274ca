import { findStatement } from '../../../books/consolidated-bills/actions.ts'
import * as statements from '../../../books/consolidated-bills/paths.ts'
import { pascal, withArticle } from '../../../books/documents/model/fields/shape.ts'
import type { Kind } from '../../../books/documents/model/kind/kind.ts'
import { pathsOf, readOne } from '../../../books/documents/routes/paths.ts'
import { ofCarriers } from '../../../books/party-statements/sides.ts'
import type { Context } from '../../../platform/context.ts'
import { referenceParam } from '../../../platform/core/schema/schema.ts'
import type { Paper } from '../../../platform/drawing/paper.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { findFields } from '../../../records/v1/read.ts'
import { carrierResource, manifestResource, orderResource, type Resource } from '../../../records/v1/resources.ts'
import { documentPaper, parseAnswer } from '../documents.ts'
import { billOfLadingPaper, rateConfirmationPaper } from '../freight.ts'
import { consolidatedBillPaper } from '../statements.ts'
import { paperRoute, referenceOf } from './paper-route.ts'
import { paymentPaper } from './payment-routes.ts'
import { customerStatement, statementPaper } from './statement-routes.ts'

/** Records as PDF files, and those that are mailed by themselves. */
export const papers =
  (kinds: readonly Kind[]) =>
  async (app: App): Promise<void> => {
    for (const kind of kinds) {
      const { one, config, tags, params } = pathsOf(kind)
      paperRoute(
        app,
        { path: one, config, tags, params, name: pascal(kind.noun), what: withArticle(kind.noun) },
        async ({ ctx, params }) => documentPaper(ctx, kind, parseAnswer(kind, (await readOne(ctx, kind, params)).json)),
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
