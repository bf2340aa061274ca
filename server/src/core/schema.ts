import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { writeCursor } from './cursors.ts'
import type { NextName } from './pages.ts'

/** The same, or null: an absent value is null on the wire, and null in a body clears. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as T & { type?: string; enum?: readonly unknown[] }
  return Type.Unsafe<Static<T> | null>({ ...rest, ...(type && { type: [type, 'null'] }), ...(values && { enum: [...values, null] }) })
}

export const Id = (description: string) => Type.String({ format: 'uuid', description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })
export const Time = (description: string) => Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] })
export const Text = (description: string, example: string, { minLength = 1, maxLength = 255 } = {}) =>
  Type.String({ minLength, maxLength, description, examples: [example] })

const after = Type.String({
  maxLength: 8000,
  description:
    'The cursor that the page before was answered with: the answer begins with the record behind it, whatever was written meanwhile. Keep the sort and the filters, and send no `offset`.',
})

/** `offset`, `limit` and `after`, the same on every search. */
export const paging = {
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'How many records to skip.', examples: [0] })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 20,
      description: 'How many records to answer: 20 unless said, at most 200 (a larger one is clamped), 0 for the total alone.',
      examples: [20],
    }),
  ),
  after: Type.Optional(after),
}

/** The same in a body, where a client may send the null that the last page was answered with: that begins anew. */
export const pagingInBody = { ...paging, after: Type.Optional(nullable(after)) }

const exampleCursor = writeCursor('', '["2026-11-15T09:30:00.000+00:00","01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15"]')

/** The pagination envelope around a named list. */
export function envelopeOf<T extends TSchema>(name: string, item: T, nextName: NextName = 'next_after'): TObject {
  return Type.Object({
    [name]: Type.Array(item),
    offset: Type.Integer({ description: 'The offset used.', examples: [0] }),
    limit: Type.Integer({ description: 'The limit used.', examples: [20] }),
    total: Type.Integer({ description: 'The exact count of all that match.', examples: [57] }),
    [nextName]: nullable(
      Type.String({ description: 'The cursor of the next page, for `after`; null when nothing follows, and with a limit of 0.', examples: [exampleCursor] }),
    ),
  })
}

/** The path parameter that names a record. Its form is checked by `referenceIn`, so that a wrong one can say what is right. */
export function referenceParam<const N extends string>(name: N, what: string) {
  const description = `The ${what}: its id, or its external id written as \`ext:<external_id>\` or \`external_id:<external_id>\` (percent-encoded).`
  return Type.Object({ [name]: Type.String({ description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }) } as Record<N, ReturnType<typeof Type.String>>)
}
