import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { writeCursor } from './cursors.ts'
import { named } from './names.ts'
import type { NextName } from './pages.ts'

/** The same, or null: an absent value is null on the wire, and null in a body clears. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as T & { type?: string; enum?: readonly unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    ...(type && { type: [type, 'null'] }),
    ...(values && { enum: [...values, null] }),
  })
}

export const Id = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })
export const Time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000Z'] })
/** A day of the calendar, without a time. */
export const Day = (description: string, example = '2026-11-15') =>
  Type.String({ format: 'date', description, examples: [example] })
/** A moment in every form that is read: a date-time, one without an offset, which is in UTC, or a bare date. The OpenAPI document lists the forms. */
export const Moment = (description: string, example = '2026-11-01T00:00:00Z') =>
  Type.String({ format: 'moment', description, examples: [example] })
export const Text = (description: string, example: string, { minLength = 1, maxLength = 255 } = {}) =>
  Type.String({ minLength, maxLength, description, examples: [example] })

/** The body of what takes no words. */
export const EmptyBody = named('EmptyBody', Type.Object({}))

/** What a body may carry and only the server sets, so that a record can be sent back as it was read. */
export const ignoredInBodies = Type.Unknown({ description: 'Ignored, and named in X-Ignored-Fields.' })

/** The body of an update: what can be set of a record, and the rest of it, which is ignored. */
export function wholeEdit<E extends TObject>(record: TObject, edit: E): E {
  const rest = Object.keys(record.properties).filter((name) => !Object.hasOwn(edit.properties, name))
  const { examples } = edit as { examples?: unknown }
  const properties = {
    ...edit.properties,
    ...Object.fromEntries(rest.map((name) => [name, Type.Optional(ignoredInBodies)])),
  }
  return Type.Object(properties, examples ? { examples } : {}) as unknown as E
}

/** What of such a body applies, and the names of what is ignored. */
export function separateIgnored<B extends object>(edit: TObject, body: B): { input: B; ignored: string[] } {
  const isSet = (name: string) => !isIgnored(edit.properties[name])
  const entries = Object.entries(body)
  return {
    input: Object.fromEntries(entries.filter(([name]) => isSet(name))) as B,
    ignored: entries.map(([name]) => name).filter((name) => !isSet(name)),
  }
}

function isIgnored(schema: TSchema | undefined): boolean {
  return (
    (schema as { description?: string } | undefined)?.description ===
    (ignoredInBodies as { description?: string }).description
  )
}

const after = Type.String({
  maxLength: 8000,
  description:
    'The cursor that the page before was answered with: the answer begins with the record behind it, whatever was written meanwhile. Keep the sort and the filters, and send no `offset`.',
})

/** `offset`, `limit` and `after`, the same on every search. */
export const paging = {
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'How many records to skip.',
      examples: [0],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 20,
      description:
        'How many records to answer: 20 unless said, at most 200 (a larger one is clamped), 0 for the total alone.',
      examples: [20],
    }),
  ),
  after: Type.Optional(after),
}

const changedAt = (description: string) =>
  Type.Optional(Moment(`${description} Inclusive; a bare date means the whole day.`))

/** When the records were changed last, the same on every list of what can change. What was deleted is not on any list: it is in the feed of events. */
export const changedBetween = {
  update_start_at: changedAt('Changed at or after.'),
  updated_start_at: changedAt('The same as update_start_at.'),
  updated_end_at: changedAt('Changed at or before.'),
}

/** The same in a body, where a client may send the null that the last page was answered with: that begins anew. */
export const pagingInBody = { ...paging, after: Type.Optional(nullable(after)) }

const exampleCursor = writeCursor('', '["2026-11-15T09:30:00.000+00:00","01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15"]')

/** Makes the schema of a page around a named list. */
export function envelopeOf<T extends TSchema>(name: string, item: T, nextName: NextName = 'next_after'): TObject {
  return Type.Object({
    [name]: Type.Array(item),
    offset: Type.Integer({ description: 'The offset used.', examples: [0] }),
    limit: Type.Integer({ description: 'The limit used.', examples: [20] }),
    total: Type.Integer({ description: 'The exact count of all that match.', examples: [57] }),
    [nextName]: nullable(
      Type.String({
        description: 'The cursor of the next page, for `after`; null when nothing follows, and with a limit of 0.',
        examples: [exampleCursor],
      }),
    ),
  })
}

/**
 * The path parameter that names a record. Its form is checked by `referenceIn`, so that a wrong one can say what is right. The example is the external
 * id of a record of the demo, where there is one, so that it works there as it is.
 */
export function referenceParam<const N extends string>(name: N, what: string, externalId?: string, number?: string) {
  const numbered = number === undefined ? '' : `, its number such as \`${number}\``
  const description = `The ${what}: its id${numbered}, or its external id written as \`ext:<external_id>\` or \`external_id:<external_id>\` (percent-encoded).`
  const example = externalId === undefined ? '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15' : `ext:${externalId}`
  return Type.Object({ [name]: Type.String({ description, examples: [example] }) } as Record<
    N,
    ReturnType<typeof Type.String>
  >)
}
