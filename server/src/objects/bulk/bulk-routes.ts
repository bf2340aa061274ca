import Type from 'typebox'
import { type Mode, modes } from '../../core/rows.ts'
import { nullable } from '../../core/schema.ts'
import { type Answer, ok } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { requireScope } from '../../http/authenticate.ts'
import { bulkBody, rowsApart } from '../../http/bulk.ts'
import { refusalInV2 } from '../../http/errors.ts'
import { answers } from '../../http/openapi.ts'
import { kindScopes, scopeOf } from '../kinds/built-in.ts'
import { type Outcome, writeObjects } from './actions.ts'
import { BulkRow } from './rows.ts'

const statuses = ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const

const detail = Type.Object({
  field: Type.String({ description: 'The field of the row.', examples: ['json.name'] }),
  code: Type.String({ examples: ['required'] }),
  message: Type.String({ examples: ['"json.name" is required.'] }),
  allowed: Type.Optional(Type.Array(Type.String(), { examples: [['active', 'inactive']] })),
})

export const objectCounts = Object.fromEntries(
  statuses.map((status) => [status, Type.Integer({ minimum: 0, description: `How many rows are ${status}.`, examples: [status === 'created' ? 1 : 0] })]),
)

/** What is said of every row, whether it came in a request or in a file. */
export const objectRow = {
  objectKey: nullable(Type.String({ description: 'The kind of the object.', examples: ['customer'] })),
  id: nullable(Type.String({ format: 'uuid', description: 'The object; null where there is none.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })),
  fullId: nullable(Type.String({ description: 'The number that people read.', examples: ['CUST-1'] })),
  externalId: nullable(Type.String({ description: 'The id it has elsewhere.', examples: ['ERP-1001'] })),
  version: nullable(Type.Integer({ description: 'The version of the object now; of one that was deleted, its last.', examples: [1] })),
  errors: Type.Array(detail, { description: 'What was sent and is not the client’s to set; it was ignored.', examples: [[]] }),
  error: Type.Optional(
    Type.Object(
      {
        statusCode: Type.Integer({ description: 'The status that the row alone would have been answered with.', examples: [400] }),
        error: Type.String({ examples: ['Bad Request'] }),
        message: Type.Union([Type.String(), Type.Array(Type.String())], { examples: ['"json.name" is required.'] }),
        code: Type.String({ description: 'What went wrong, for programs.', examples: ['required'] }),
        details: Type.Array(detail),
      },
      { description: 'Why a row failed.' },
    ),
  ),
}

const Results = Type.Object({
  applied: Type.Boolean({ description: 'Whether anything was kept: false only where `all_or_nothing` met a row that failed.', examples: [true] }),
  mode: Type.Enum(modes, { examples: ['best_effort'] }),
  counts: Type.Object(objectCounts, { description: 'How many of each; what they would have been where nothing was kept.' }),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0, description: 'Which row, from 0.', examples: [0] }),
      status: Type.Enum(statuses, { description: 'What came of it, or would have.', examples: ['created'] }),
      ...objectRow,
    }),
    { description: 'One for each row, in their order.' },
  ),
})

export async function bulkObjects(app: App): Promise<void> {
  app.decorateRequest('rows')

  app.post(
    '/objects/bulk',
    {
      config: { scope: kindScopes },
      preValidation: rowsApart('objects'),
      schema: {
        tags: ['Objects'],
        operationId: 'bulkObjects',
        summary: 'Create, change and delete many objects',
        description:
          'Up to 500 rows of any kinds, in one transaction. A row with an `id` changes that object; one whose `externalId` an object of its kind has changes that one, as PATCH does; any other creates one. `op: "delete"` deletes, after everything else: what only rows of the same request refer to can go with them. A reference can be `ext:` and an external id, also one that a row before brings, or a `fullId`. A row that fails is named in the results and leaves nothing; with `all_or_nothing` it keeps the others out as well. The answer is 200 in either case. The token needs the scope of each row’s kind; a row without it fails alone.',
        body: bulkBody('objects', BulkRow),
        response: answers({ 200: Results }),
      },
    },
    async (request) => {
      const { mode = 'best_effort' } = request.body as { mode?: Mode }
      const permit = (kind: string) => requireScope(request, scopeOf(kind))
      const { outcomes, applied } = await writeObjects(request.ctx, request.rows, { mode, permit, reach: permit })
      return answerOf(outcomes, { mode, applied })
    },
  )
}

function answerOf(outcomes: readonly Outcome[], { mode, applied }: { mode: Mode; applied: boolean }): Answer {
  const results = outcomes.map((outcome, index) => ({ index, status: outcome.status, ...objectResult(outcome) }))
  return ok(JSON.stringify({ applied, mode, counts: countsIn(outcomes), results }))
}

export function countsIn(outcomes: readonly Pick<Outcome, 'status'>[]): Record<Outcome['status'], number> {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
  for (const { status } of outcomes) counts[status] += 1
  return counts
}

export function objectResult({ objectKey, id, fullId, externalId, version, ignored, refusal }: Outcome): object {
  return { objectKey, id, fullId, externalId, version, errors: ignored, ...(refusal && { error: refusalInV2(refusal) }) }
}
