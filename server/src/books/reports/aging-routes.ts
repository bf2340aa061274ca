import Type from 'typebox'
import type { Scope } from '../../platform/access/scopes.ts'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { readAging } from './aging-store.ts'
import type { OwedKind } from './documents-sql.ts'
import { asOf, currencies } from './filters.ts'
import { columnsOf, inBothForms, inCsv, offers, reportAnswer } from './reading.ts'
import { agingOf } from './schemas.ts'

type Filters = { as_of?: string; currency_ids?: string[]; [parties: string]: unknown }

type Aging = { name: string; summary: string; kind: OwedKind; parties: string; scope: Scope }

export function agingRoute(app: App, { name, summary, kind, parties, scope }: Aging): void {
  const Report = agingOf(kind.party)
  app.get(
    `/reports/${name}`,
    {
      config: { scope, costs: 'search', offers },
      schema: {
        tags: ['Reports'],
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

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
