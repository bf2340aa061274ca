import Type, { type TSchema } from 'typebox'
import { named } from '../../core/schema/names.ts'
import {
  type Counts,
  counts,
  countsOf,
  errorOf,
  type Mode,
  modes,
  mostRows,
  type Outcome,
  rowFields,
} from '../../core/schema/rows.ts'
import { type Answer, ok } from './answers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The rows of a bulk request, each to be checked on its own. */
    rows: readonly unknown[]
  }
}

/** The body of a bulk request. The schema of a row is documentation here: a wrong row is that row's failure, not the request's. */
export function bulkBody(name: string, row: TSchema) {
  return Type.Object({
    mode: Type.Optional(
      Type.Enum(modes, {
        default: 'best_effort',
        description:
          '`best_effort` keeps the rows that are right; with `all_or_nothing` one wrong row keeps them all out.',
        examples: ['best_effort'],
      }),
    ),
    [name]: Type.Array(row, { maxItems: mostRows, description: `The rows, at most ${mostRows}.` }),
  })
}

/** Takes the rows out of the body before it is checked, so that the check sees how many there are and not what they are. */
export function rowsApart(name: string, most = mostRows) {
  return async (request: { body: unknown; rows: readonly unknown[] }): Promise<void> => {
    const { body } = request
    const rows = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
    // Too many, or no list at all: the check of the body refuses it.
    if (!Array.isArray(rows) || rows.length > most) return
    request.rows = rows
    request.body = { ...(body as object), [name]: [] }
  }
}

export const BulkResults = named(
  'BulkReport',
  Type.Object({
    applied: Type.Boolean({
      description: 'Whether anything was kept: false only where `all_or_nothing` met a row that failed.',
      examples: [true],
    }),
    mode: Type.Enum(modes, { examples: ['best_effort'] }),
    counts: named(
      'RowCounts',
      Type.Object(counts, { description: 'How many of each; what they would have been where nothing was kept.' }),
    ),
    results: Type.Array(
      named(
        'BulkResult',
        Type.Object({
          index: Type.Integer({ minimum: 0, description: 'Which row, from 0.', examples: [0] }),
          status: Type.Enum(['created', 'updated', 'unchanged', 'failed'], {
            description: 'What came of it, or would have.',
            examples: ['created'],
          }),
          ...rowFields,
        }),
      ),
      { description: 'One for each row, in their order.' },
    ),
  }),
)

/** One answer for both modes: which rows did what. It is 200 also where rows failed; `applied` and `counts.failed` say so. */
export function bulkAnswer(outcomes: readonly Outcome[], { mode, applied }: { mode: Mode; applied: boolean }): Answer {
  const results = outcomes.map((outcome, index) => ({ index, status: outcome.status, ...resultOf(outcome) }))
  const counted: Counts = countsOf(outcomes)
  return ok(JSON.stringify({ applied, mode, counts: counted, results }))
}

export function resultOf({
  id,
  external_id,
  revision,
  ignored,
  duplicates = [],
  duplicateRows = [],
  refusal,
}: Outcome): object {
  const alike = {
    ...(duplicates.length > 0 && { possible_duplicates: duplicates }),
    ...(duplicateRows.length > 0 && { possible_duplicate_rows: duplicateRows }),
  }
  return { id, external_id, revision, ignored_fields: ignored, ...alike, ...(refusal && { error: errorOf(refusal) }) }
}
