import type { Mode } from '../../../platform/core/schema/rows.ts'
import { BulkResults, bulkAnswer, bulkBody, rowsApart } from '../../../platform/http/answers/bulk.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { upsertDocuments } from '../writing/bulk.ts'
import { pathsOf } from './paths.ts'

export function bulkRoute(app: App, kind: Kind): void {
  const { noun, plural, schemas } = kind
  const { all, config, tags } = pathsOf(kind)
  app.decorateRequest('rows')

  app.post(
    `${all}/bulk`,
    {
      config: { ...config, costs: 'bulk' },
      preValidation: rowsApart(plural),
      schema: {
        tags,
        operationId: `bulk${pascal(plural)}`,
        summary: `Create or update many ${plural}`,
        description: `Takes up to 500 rows in one transaction. A row whose \`external_id\` ${withArticle(noun)} has updates that ${noun}, as PUT does; any other creates one, as POST does. A row may say where the ${noun} stands (\`status_id\`, with \`sent_at\` and \`paid_at\`): it is moved there by the moves that lead there. A row that fails is named in the results and leaves nothing; with \`all_or_nothing\` it keeps the others out as well. The answer is 200 in either case.`,
        body: bulkBody(plural, schemas.Row),
        response: answers({ 200: BulkResults }),
      },
    },
    async ({ ctx, body, rows }) => {
      const { mode = 'best_effort' } = body as { mode?: Mode }
      const { outcomes, applied } = await upsertDocuments(ctx, kind, rows, { mode })
      return bulkAnswer(outcomes, { mode, applied })
    },
  )
}
