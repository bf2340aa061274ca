import Type from 'typebox'
import { Moment } from '../../platform/core/schema/schema.ts'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { asOf, bareDate, spanIn } from './filters.ts'
import { readMargin } from './margin-store.ts'
import { columnsOf, inBothForms, inCsv, mostRows, offers, refused, reportAnswer, requireFew } from './reading.ts'
import { Margin } from './schemas.ts'

export function marginRoute(app: App): void {
  app.get(
    '/reports/margin',
    {
      config: { scope: 'invoices', alsoScopes: ['bills', 'manifests', 'orders'], costs: 'search', offers },
      schema: {
        tags: ['Reports'],
        operationId: 'getMarginReport',
        summary: 'What is earned with each order',
        description: `Answers what was charged for each order that is not cancelled, what the manifests that carry it cost, and what is left, all in the home currency and before tax. Credits are taken off: those of customers from the charge, those of carriers from the cost, by the order or the manifest that their lines name. What is not known is null, and \`missing\` says why. ${inCsv} ${refused}`,
        querystring: Type.Object({
          as_of: asOf,
          start_at: Type.Optional(Moment(`Orders to be delivered at or after; ${bareDate}`, '2026-01-01')),
          end_at: Type.Optional(Moment(`Orders to be delivered at or before; ${bareDate}`, '2026-12-31')),
          customer_ids: idList('Keeps the orders of these customers.'),
          order_ids: idList('Keeps these orders.'),
        }),
        response: inBothForms(Margin),
      },
    },
    async ({ ctx, query, headers: { accept } }) => {
      const { as_of, start_at, end_at, customer_ids, order_ids } = query
      const json = await readMargin(ctx, {
        asOf: asOfIn(as_of),
        ...spanIn({ start_at, end_at }),
        customers: customer_ids,
        orders: order_ids,
        most: mostRows,
      })
      return reportAnswer(ctx, accept, requireFew(json), { name: 'margin', columns: columnsOf(Margin) })
    },
  )
}
