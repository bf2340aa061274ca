import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { nullable } from '../../platform/core/schema/schema.ts'
import { refusalInV2 } from '../../platform/http/edge/errors.ts'
import type { Outcome } from './actions.ts'

export const statuses = ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const

const detail = named(
  'RowDetailV2',
  Type.Object({
    field: Type.String({ description: 'The field of the row.', examples: ['json.name'] }),
    code: Type.String({ examples: ['required'] }),
    message: Type.String({ examples: ['"json.name" is required.'] }),
    allowed: Type.Optional(Type.Array(Type.String(), { examples: [['active', 'inactive']] })),
  }),
)

export const objectCounts = Object.fromEntries(
  statuses.map((status) => [
    status,
    Type.Integer({ minimum: 0, description: `How many rows are ${status}.`, examples: [status === 'created' ? 1 : 0] }),
  ]),
)

/** The result of a row, in a bulk request or in a file. */
export const objectRow = {
  objectKey: nullable(Type.String({ description: 'The kind of the object.', examples: ['customer'] })),
  id: nullable(
    Type.String({
      format: 'uuid',
      description: 'The object; null where there is none.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
  ),
  fullId: nullable(Type.String({ description: 'The number that people read.', examples: ['CUST-1'] })),
  externalId: nullable(Type.String({ description: 'The id it has elsewhere.', examples: ['ERP-1001'] })),
  version: nullable(
    Type.Integer({ description: 'The version of the object now; of one that was deleted, its last.', examples: [1] }),
  ),
  errors: Type.Array(detail, {
    description: 'What was sent and is not the client’s to set; it was ignored.',
    examples: [[]],
  }),
  error: Type.Optional(
    named(
      'RowErrorV2',
      Type.Object(
        {
          statusCode: Type.Integer({
            description: 'The status that the row alone would have been answered with.',
            examples: [400],
          }),
          error: Type.String({ examples: ['Bad Request'] }),
          message: Type.Union([Type.String(), Type.Array(Type.String())], { examples: ['"json.name" is required.'] }),
          code: Type.String({ description: 'What went wrong, for programs.', examples: ['required'] }),
          details: Type.Array(detail),
        },
        { description: 'Why a row failed.' },
      ),
    ),
  ),
}

export function countsIn(outcomes: readonly Pick<Outcome, 'status'>[]): Record<Outcome['status'], number> {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
  for (const { status } of outcomes) counts[status] += 1
  return counts
}

export function objectResult({ objectKey, id, fullId, externalId, version, ignored, refusal }: Outcome): object {
  return {
    objectKey,
    id,
    fullId,
    externalId,
    version,
    errors: ignored,
    ...(refusal && { error: refusalInV2(refusal) }),
  }
}
