import type { Reference } from '../../core/ids.ts'
import { notFound } from '../../core/refusal.ts'
import { envelopeOf } from '../../core/schema.ts'
import Type from '../../core/type.ts'
import { deletedToo, historyRoute, recordedBy } from '../../events/history-route.ts'
import { ok, revised } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { answers } from '../../http/openapi.ts'
import { ConsolidatedBill } from './model.ts'
import { config, params, path, response, statementIn, tags } from './paths.ts'
import { ConsolidatedBillSearch, findConsolidatedBill, listConsolidatedBills } from './store.ts'

/** Reading statements; what changes them changes their bills too, and is in `settling/routes.ts`. */
export async function consolidatedBills(app: App): Promise<void> {
  app.addSchema(ConsolidatedBill)

  app.get(
    '/consolidated_bills',
    {
      config,
      schema: {
        tags,
        operationId: 'searchConsolidatedBills',
        summary: 'Search consolidated bills',
        description: 'Finds the statements that match every filter given, newest first, with the exact total.',
        querystring: ConsolidatedBillSearch,
        response: answers({ 200: envelopeOf('consolidated_bills', Type.Ref('ConsolidatedBill')) }),
      },
    },
    async ({ ctx, query }) => ok(await listConsolidatedBills(ctx, query)),
  )

  app.get(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'getConsolidatedBill',
        summary: 'Get a consolidated bill',
        description: 'Answers the statement with its bills and their lines.',
        params,
        response,
      },
    },
    async ({ ctx, params }) => {
      const found = await findConsolidatedBill(ctx, statementIn(params))
      if (!found) throw notFound('consolidated bill', params.consolidatedBillID)
      return revised(found)
    },
  )

  historyRoute(app, {
    ...{ path, config, tags, params, name: 'ConsolidatedBill', one: 'a consolidated bill', note: deletedToo },
    recordIn({ ctx, params }) {
      const { consolidatedBillID: sent } = params as { consolidatedBillID: string }
      const find = async (reference: Reference) => {
        const found = await findConsolidatedBill(ctx, reference)
        return found && JSON.parse(found.json).consolidated_bill.id
      }
      return recordedBy(statementIn({ consolidatedBillID: sent }), {
        type: 'consolidated_bill',
        what: 'consolidated bill',
        sent,
        find,
      })
    },
  })
}
