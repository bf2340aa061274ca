import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { ok, revised } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { ConsolidatedBill } from './model.ts'
import { config, params, path, response, statementIn, tags } from './paths.ts'
import { ConsolidatedBillSearch, findConsolidatedBill, listConsolidatedBills } from './store.ts'

/** Reading statements; what changes them changes their bills too, and is in `books/settling`. */
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
