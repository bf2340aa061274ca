import Type from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { nullable } from '../../../platform/core/schema/schema.ts'
import { ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { statuses } from '../model/fields/lifecycle.ts'
import { pascal } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { sumDocuments } from '../store/store.ts'
import { pathsOf } from './paths.ts'

const Totals = named(
  'DocumentTotals',
  Type.Object({
    totals: Type.Array(
      named(
        'DocumentTotal',
        Type.Object({
          status_id: Type.Enum(statuses, { description: 'The state.', examples: ['saved'] }),
          currency_id: nullable(
            Type.String({ description: 'The currency; null for drafts that have none yet.', examples: ['usd'] }),
          ),
          count: Type.Integer({ description: 'How many match.', examples: [12] }),
          total_amount: Type.Integer({
            description: 'The exact sum of their totals, in the minor unit of the currency.',
            examples: [2220000],
          }),
        }),
      ),
      { description: 'One for each state and currency in which there are any.' },
    ),
  }),
)

export function totalsRoute(app: App, kind: Kind): void {
  const { plural, schemas } = kind
  const { all, config, tags } = pathsOf(kind)
  const { offset: _, limit: __, sort: ___, ...filters } = schemas.Search.properties

  app.get(
    `${all}/totals`,
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: `get${pascal(plural)}Totals`,
        summary: `The totals of ${plural}`,
        description: `Counts the ${plural} that match every filter given, and says what they come to, in each state and currency: what a carrier is owed, for example. It reads the ${plural} that match, so it takes longer the more there are.`,
        querystring: Type.Object(filters),
        response: answers({ 200: Totals }),
      },
    },
    async ({ ctx, query }) => ok(await sumDocuments(ctx, kind, query as Search)),
  )
}
