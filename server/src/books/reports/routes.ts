import Type from 'typebox'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { readAccruals } from './accruals-store.ts'
import { agingRoute } from './aging-routes.ts'
import { reportedBills, reportedInvoices } from './documents-sql.ts'
import { asOf } from './filters.ts'
import { marginRoute } from './margin-routes.ts'
import { columnsOf, inBothForms, inCsv, mostRows, offers, refused, reportAnswer, requireFew } from './reading.ts'
import { Accruals, Summary } from './schemas.ts'
import { spendRoute } from './spend-routes.ts'
import { readSummary } from './summaries.ts'

const tags = ['Reports']

/** What is owed and what was spent. Each report is JSON, or CSV by `Accept`. */
export async function reports(app: App): Promise<void> {
  agingRoute(app, {
    name: 'payables_aging',
    summary: 'What is owed to carriers, by age',
    kind: reportedBills,
    parties: 'partner_carrier_ids',
    scope: 'bills',
  })
  agingRoute(app, {
    name: 'receivables_aging',
    summary: 'What customers owe, by age',
    kind: reportedInvoices,
    parties: 'customer_ids',
    scope: 'invoices',
  })
  spendRoute(app)
  accrualsRoute(app)
  marginRoute(app)
  summaryRoute(app)
}

function accrualsRoute(app: App): void {
  app.get(
    '/reports/accruals',
    {
      config: { scope: 'bills', alsoScopes: ['invoices', 'manifests', 'orders'], costs: 'search', offers },
      schema: {
        tags,
        operationId: 'getAccrualsReport',
        summary: 'What was delivered and is not billed',
        description: `Lists the manifests that are completed and that no bill pays for, and the orders that are delivered and on no invoice. Drafts and voided documents do not count. ${inCsv} ${refused}`,
        querystring: Type.Object({ as_of: asOf }),
        response: inBothForms(Accruals),
      },
    },
    async ({ ctx, query, headers: { accept } }) => {
      const json = await readAccruals(ctx, { asOf: asOfIn(query.as_of), most: mostRows })
      return reportAnswer(ctx, accept, requireFew(json), { name: 'accruals', columns: columnsOf(Accruals) })
    },
  )
}

function summaryRoute(app: App): void {
  app.get(
    '/reports/summary',
    {
      config: { scope: ['bills', 'invoices'] },
      schema: {
        tags,
        operationId: 'getSummary',
        summary: 'What is to be done',
        description:
          'Answers what is due and overdue, drafts to finish, what was delivered and is not billed, and what comes in and goes out week by week. It is kept and put together again in the background after changes, so that reading it costs no more than reading a record; `computed_at` says when.',
        response: answers({ 200: Summary }),
        ...neverNotModified,
      },
    },
    async ({ ctx, token: { scopes } }) => {
      const [payables, receivables] = [scopes.has('bills'), scopes.has('invoices')]
      const accruals = payables && receivables && scopes.has('manifests') && scopes.has('orders')
      return ok(await readSummary(ctx, { payables, receivables, accruals }))
    },
  )
}
