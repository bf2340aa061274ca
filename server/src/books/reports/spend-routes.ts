import Type from 'typebox'
import { Moment } from '../../platform/core/schema/schema.ts'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { reportedBills } from './documents-sql.ts'
import { asOf, bareDate, currencies, spanIn } from './filters.ts'
import { columnsOf, inBothForms, inCsv, mostRows, offers, refused, reportAnswer, requireFew } from './reading.ts'
import { spendOf } from './schemas.ts'
import { type Group, groups, readSpend } from './spend-store.ts'

export function spendRoute(app: App): void {
  const Report = spendOf(reportedBills.party)
  app.get(
    '/reports/spend',
    {
      config: { scope: 'bills', costs: 'search', offers },
      schema: {
        tags: ['Reports'],
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
