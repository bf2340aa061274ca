import type { TObject } from 'typebox'
import type { Scope } from '../../platform/access/scopes.ts'
import { Moment } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import { tooManyToReport } from '../../platform/core/tables/lots.ts'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { readAccruals } from './accruals-store.ts'
import { readAging } from './aging-store.ts'
import { type Owed, reportedBills, reportedInvoices, type Span } from './documents-sql.ts'
import { readMargin } from './margin-store.ts'
import { decimalColumns, offers, reportAnswer } from './reading.ts'
import { Accruals, agingOf, Margin, Summary, spendOf } from './schemas.ts'
import { type Group, groups, readSpend } from './spend-store.ts'
import { readSummary } from './summaries.ts'

const tags = ['Reports']
/** A report of more rows is asked for in parts. */
const mostRows = 50_000

const inCsv =
  'With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated.'
const refused = `More than ${mostRows} rows are refused with 413: ask for fewer.`

const asOf = Type.Optional(
  Moment(
    'The figures as they stood then, by what was recorded up to that moment; now unless said. A bare date means the end of that day in the time zone of the organization.',
    '2026-10-31',
  ),
)
const currencies = Type.Optional(
  Type.Array(Type.String({ maxLength: 3 }), {
    maxItems: 200,
    description: 'Keeps these currencies.',
    examples: [['usd']],
  }),
)

const bareDate = 'a bare date means that whole day in the time zone of the organization.'

type Filters = { as_of?: string; currency_ids?: string[]; [parties: string]: unknown }

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

type Aging = { name: string; summary: string; kind: Owed; parties: string; scope: Scope }

function agingRoute(app: App, { name, summary, kind, parties, scope }: Aging): void {
  const Report = agingOf(kind.party)
  app.get(
    `/reports/${name}`,
    {
      config: { scope, costs: 'search', offers },
      schema: {
        tags,
        operationId: `get${pascal(name)}Report`,
        summary,
        description: `Answers what is left to pay of the ${kind.plural} that are saved, sent or edited, by party and currency, and by how long ago it was due: days are counted from the due date to the day of \`as_of\`. \`unapplied_amount\` is money on account: what was paid and settles nothing. Amounts in the home currency use the rate that each ${kind.noun} and payment keeps. ${inCsv}`,
        querystring: Type.Object({
          as_of: asOf,
          [parties]: idList('Keeps what concerns these parties.'),
          currency_ids: currencies,
        }),
        response: inBothForms(Report),
      },
    },
    async ({ ctx, query, headers: { accept } }) => {
      const { as_of, currency_ids, [parties]: ids } = query as Filters
      const json = await readAging(ctx, kind, {
        asOf: asOfIn(as_of),
        parties: ids as string[] | undefined,
        currencies: currency_ids,
      })
      return reportAnswer(ctx, accept, json, { name, columns: columnsOf(Report) })
    },
  )
}

function spendRoute(app: App): void {
  const Report = spendOf(reportedBills.party)
  app.get(
    '/reports/spend',
    {
      config: { scope: 'bills', costs: 'search', offers },
      schema: {
        tags,
        operationId: 'getSpendReport',
        summary: 'What was spent',
        description: `Answers what the bills come to before tax, by the month of their date in the time zone of the organization, carrier and type of line, and by currency. What carriers have credited is taken off, by the date of the credit. Drafts and what was voided do not count; a document without lines counts as one line without a type. What has no exchange rate is not in the amounts in the home currency, and counted in \`missing_rate\`. ${inCsv} ${refused}`,
        querystring: Type.Object({
          as_of: asOf,
          start_at: Type.Optional(Moment(`Bills dated at or after; ${bareDate}`, '2026-01-01')),
          end_at: Type.Optional(Moment(`Bills dated at or before; ${bareDate}`, '2026-12-31')),
          group_by: Type.Optional(
            Type.Array(Type.Enum(groups), {
              minItems: 1,
              maxItems: 3,
              description: 'What the rows are apart by; all three unless said.',
              examples: [['month', 'party']],
            }),
          ),
          partner_carrier_ids: idList('Keeps the bills of these carriers.'),
          currency_ids: currencies,
        }),
        response: inBothForms(Report),
      },
    },
    async ({ ctx, query, headers: { accept } }) => {
      const { as_of, start_at, end_at, group_by, partner_carrier_ids, currency_ids } = query
      const json = await readSpend(ctx, reportedBills, {
        asOf: asOfIn(as_of),
        ...spanIn({ start_at, end_at }),
        groups: group_by === undefined ? groups : groups.filter((group) => (group_by as Group[]).includes(group)),
        parties: partner_carrier_ids,
        currencies: currency_ids,
        most: mostRows,
      })
      return reportAnswer(ctx, accept, requireFew(json), { name: 'spend', columns: columnsOf(Report) })
    },
  )
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

function marginRoute(app: App): void {
  app.get(
    '/reports/margin',
    {
      config: { scope: 'invoices', alsoScopes: ['bills', 'manifests', 'orders'], costs: 'search', offers },
      schema: {
        tags,
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

function spanIn({ start_at, end_at }: { start_at: string | undefined; end_at: string | undefined }): Span {
  return { from: asOfIn(start_at, 'start_at'), to: asOfIn(end_at, 'end_at') }
}

/** The text of a report that has no more rows than are answered at once. */
function requireFew(json: string): string {
  if (json.length > mostRows && (JSON.parse(json) as { rows: unknown[] }).rows.length > mostRows)
    throw tooManyToReport(mostRows)
  return json
}

function columnsOf(Report: TObject): string[] {
  const { items } = Report.properties.rows as unknown as { items: TObject }
  return Object.keys(items.properties).filter((name) => name !== 'party_id')
}

function inBothForms(Report: TObject): Record<number, unknown> {
  const csv = Type.String({
    description: 'The rows; RFC 4180, UTF-8, with a header.',
    examples: [`${[...columnsOf(Report), ...decimalColumns(columnsOf(Report)).map(({ name }) => name)].join(',')}\r\n`],
  })
  return answers({
    200: {
      description: 'The report.',
      content: { 'application/json': { schema: Report }, 'text/csv': { schema: csv } },
    } as never,
  })
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
