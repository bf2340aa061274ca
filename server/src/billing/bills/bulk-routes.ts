import type { Mode } from '../../core/rows.ts'
import type { App } from '../../http/app.ts'
import { BulkResults, bulkAnswer, bulkBody, rowsApart } from '../../http/bulk.ts'
import { answers } from '../../http/openapi.ts'
import { upsertBills } from './bulk.ts'
import { BillRow } from './upsert-model.ts'

export async function bulkBills(app: App): Promise<void> {
  app.decorateRequest('rows')

  app.post(
    '/bills/bulk',
    {
      config: { scope: 'bills' },
      preValidation: rowsApart('bills'),
      schema: {
        tags: ['Bills'],
        operationId: 'bulkBills',
        summary: 'Create or update many bills',
        description:
          'Up to 500 rows in one transaction. A row whose `external_id` a bill has updates that bill, as PUT does; any other creates one, as POST does. A row may say where the bill stands (`status_id`, with `sent_at` and `paid_at`): it is moved there by the moves that lead there. A row that fails is named in the results and leaves nothing; with `all_or_nothing` it keeps the others out as well. The answer is 200 in either case.',
        body: bulkBody('bills', BillRow),
        response: answers({ 200: BulkResults }),
      },
    },
    async ({ ctx, body, rows }) => {
      const { mode = 'best_effort' } = body as { mode?: Mode }
      const { outcomes, applied } = await upsertBills(ctx, rows, { mode })
      return bulkAnswer(outcomes, { mode, applied })
    },
  )
}
