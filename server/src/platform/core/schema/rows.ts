import Type from 'typebox'
import { type Detail, Refusal } from '../refusal.ts'
import { named } from './names.ts'
import { Id, nullable } from './schema.ts'

/** What came of one row of many. With a refusal nothing came of it. */
export type Outcome = {
  status: 'created' | 'updated' | 'unchanged' | 'failed'
  id: string | null
  external_id: string | null
  revision: number | null
  ignored: readonly string[]
  /** The ids of records that are probably the same. */
  duplicates?: readonly string[]
  /** Of a row that is only tried: the rows before it that are probably the same, whose records do not exist. */
  duplicateRows?: readonly number[]
  refusal?: Refusal
}

/** `best_effort` keeps the rows that are right; with `all_or_nothing` one that is wrong keeps them all out. */
export const modes = ['all_or_nothing', 'best_effort'] as const
export type Mode = (typeof modes)[number]

/** As many as one transaction should hold locks for. */
export const mostRows = 500

export type Counts = { created: number; updated: number; unchanged: number; failed: number }

export function countsOf(outcomes: readonly Pick<Outcome, 'status'>[]): Counts {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  for (const { status } of outcomes) counts[status] += 1
  return counts
}

export function failed(refusal: Refusal): Outcome {
  return { status: 'failed', id: null, external_id: null, revision: null, ignored: [], refusal }
}

/** Runs one row's part; a refusal is the row's alone, anything else is everyone's. */
export function outcomeOr<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export type RowError = { error_code: string; error_message: string; details: readonly Detail[] }

/** The same words as in an answer that refuses the whole request. */
export function errorOf({ code, message, details }: Refusal): RowError {
  return { error_code: code, error_message: message, details }
}

export const RowError = Type.Object(
  {
    error_code: Type.String({ description: 'What went wrong, for programs.', examples: ['unknown_currency'] }),
    error_message: Type.String({
      description: 'What went wrong and what to do, for people.',
      examples: ['"xyz" is not the lower-case code of an ISO 4217 currency, such as "usd".'],
    }),
    details: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The field of the row, or the column.', examples: ['currency_id'] }),
        code: Type.String({ examples: ['unknown_currency'] }),
        message: Type.String({
          examples: ['"xyz" is not the lower-case code of an ISO 4217 currency, such as "usd".'],
        }),
        allowed: Type.Optional(Type.Array(Type.String(), { examples: [['usd']] })),
      }),
    ),
  },
  { $id: 'RowError', description: 'Why a row failed.' },
)

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

export const counts = {
  created: count('How many rows made a record.', 1),
  updated: count('How many changed one.', 0),
  unchanged: count('How many found everything as they say.', 0),
  failed: count('How many failed.', 0),
}

/** The parameter of an import that keeps nothing. */
export const importDryRun = Type.Optional(
  named(
    'ImportDryRun',
    Type.Boolean({
      default: false,
      description: 'With true, nothing is kept, and the report says what would be.',
      examples: [true],
    }),
  ),
)

export const rowFields = {
  id: nullable(
    Type.String({
      format: 'uuid',
      description: 'The record; null where there is none.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
  ),
  external_id: nullable(Type.String({ description: 'The external id of the row.', examples: ['TMS-88213'] })),
  revision: nullable(
    Type.Integer({ description: 'The revision of the record; null where there is none.', examples: [1] }),
  ),
  ignored_fields: Type.Array(Type.String(), { description: 'What of the row was not its to set.', examples: [[]] }),
  possible_duplicates: Type.Optional(
    Type.Array(Id('A record.'), {
      description: 'The records that are probably the same; left out where there are none.',
      examples: [[]],
    }),
  ),
  possible_duplicate_rows: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'Where nothing is kept: the rows before it that are probably the same, by their index, or in an import by their line; left out where there are none.',
      examples: [[]],
    }),
  ),
  error: Type.Optional(Type.Ref('RowError')),
}
