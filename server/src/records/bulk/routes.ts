import Type from 'typebox'
import { kindScopes, scopeOf } from '../../platform/access/kind-scopes.ts'
import { type Mode, modes } from '../../platform/core/schema/rows.ts'
import { type Answer, ok } from '../../platform/http/answers/answers.ts'
import { bulkBody, rowsApart } from '../../platform/http/answers/bulk.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import type { Extension } from '../kinds/extension.ts'
import { type Outcome, writeObjects } from './actions.ts'
import { countsIn, objectCounts, objectResult, objectRow, statuses } from './results.ts'
import { BulkRow } from './rows.ts'

const Results = Type.Object({
  applied: Type.Boolean({
    description: 'Whether anything was kept: false only where `all_or_nothing` met a row that failed.',
    examples: [true],
  }),
  mode: Type.Enum(modes, { examples: ['best_effort'] }),
  counts: Type.Object(objectCounts, {
    description: 'How many of each; what they would have been where nothing was kept.',
  }),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0, description: 'Which row, from 0.', examples: [0] }),
      status: Type.Enum(statuses, { description: 'The result, or what it would have been.', examples: ['created'] }),
      ...objectRow,
    }),
    { description: 'One for each row, in their order.' },
  ),
})

export const bulkObjects = (extensions: readonly Extension[]) => async (app: App) => {
  app.decorateRequest('rows')

  app.post(
    '/objects/bulk',
    {
      config: { scope: kindScopes, costs: 'bulk' },
      preValidation: rowsApart('objects'),
      schema: {
        tags: ['Objects'],
        operationId: 'bulkObjects',
        summary: 'Create, change and delete many objects',
        description:
          'Takes up to 500 rows of any kinds, in one transaction. A row with an `id` changes that object; one whose `externalId` an object of its kind has changes that one, as PATCH does; any other creates one. `op: "delete"` deletes, after everything else; objects that only deleted objects refer to can be deleted with them. A reference can be `ext:` and an external id, also one that an earlier row creates, or a `fullId`. A row that fails is named in the results and writes nothing; with `all_or_nothing` no row is written then. The answer is 200 in either case. The token needs the scope of each row’s kind; a row without it fails alone.',
        body: bulkBody('objects', BulkRow),
        response: answers({ 200: Results }),
      },
    },
    async (request) => {
      const { mode = 'best_effort' } = request.body as { mode?: Mode }
      const permit = (kind: string) => requireScope(request, scopeOf(kind))
      const { outcomes, applied } = await writeObjects(request.ctx, request.rows, {
        extensions,
        mode,
        permit,
        reach: permit,
      })
      return answerOf(outcomes, { mode, applied })
    },
  )
}

function answerOf(outcomes: readonly Outcome[], { mode, applied }: { mode: Mode; applied: boolean }): Answer {
  const results = outcomes.map((outcome, index) => ({ index, status: outcome.status, ...objectResult(outcome) }))
  return ok(JSON.stringify({ applied, mode, counts: countsIn(outcomes), results }))
}
