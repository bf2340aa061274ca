import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { named } from '../core/schema/names.ts'
import { changedBetween, Id, nullable, paging, Time } from '../core/schema/schema.ts'

export const directions = ['import', 'export'] as const
export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** A file that is still arriving is no transfer yet: nobody sees it in this state. */
export const states = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type State = (typeof states)[number]

/** `snake_case` in v1, `camelCase` in v2. */
export type Naming = (name: string) => string

export const asTheyAre: Naming = (name) => name
export const inCamelCase: Naming = (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })
const text = (description: string, example: string) => Type.String({ description, examples: [example] })

const direction = Type.Enum(directions, {
  description: 'Whether it brings records in or takes them out.',
  examples: ['import'],
})
const state = Type.Enum(states, {
  description:
    '`queued` until its first lot, `running` until its last; then `done`, `failed` with an error, or `cancelled`.',
  examples: ['running'],
})

const counts = named(
  'TransferCounts',
  Type.Object({
    created: count('How many rows made a record; of a dry run, how many would.', 3000),
    updated: count('How many changed one.', 400),
    unchanged: count('How many found everything as they say.', 90),
    failed: count('How many failed.', 10),
  }),
)

const fields = {
  id: Id('The transfer.'),
  direction,
  resource: text('What is transferred: `bills`, or `objects`.', 'bills'),
  object_key: nullable(text('The kind of the objects; null of anything else.', 'customer')),
  format: Type.Enum(formats, { description: 'The form of the file.', examples: ['csv'] }),
  dry_run: Type.Boolean({ description: 'Whether it only says what would be.', examples: [false] }),
  state,
  rows_total: nullable(
    count(
      'How many rows there are: of the file, or found when the export was asked for. Null where it is not known yet.',
      10_000,
    ),
  ),
  rows_done: count('How many of them are done.', 3500),
  counts: Type.Union([counts, Type.Null()], { description: 'What came of the rows of an import; null of an export.' }),
  unknown_columns: Type.Array(Type.String(), {
    description: 'Columns of the file that mean nothing here; they are ignored.',
    examples: [[]],
  }),
  ignored_columns: Type.Array(Type.String(), {
    description: 'Columns of the file that only the server sets; they are ignored.',
    examples: [['revision']],
  }),
  file_bytes: nullable(count('The size of the file that was sent; null of an export.', 1_250_000)),
  result_bytes: count('The size of the result so far.', 480_000),
  failures_bytes: count('The size of the file of rows that failed so far; 0 where none has.', 2100),
  failure_code: nullable(text('Why it failed, for programs; null unless it did.', 'unknown_object_key')),
  failure_message: nullable(
    text(
      'Why it failed, for people; null unless it did.',
      'There is no kind of object "inspection" in this organization.',
    ),
  ),
  created_by: Id('The user or the application that asked for it.'),
  created_by_name: nullable(text('What they are called; null where they are gone.', 'Dana Whitfield')),
  created_at: Time('When it was asked for.'),
  started_at: nullable(Time('When its first lot was worked off.')),
  ended_at: nullable(Time('When it ended.')),
  expires_at: nullable(Time('When it and its files are deleted.')),
  revision: Type.Integer({ minimum: 1, description: 'Rises with every lot; also the ETag.', examples: [36] }),
}

/** The record in the names of a version of the API. */
export function transferSchema(id: string, naming: Naming): TObject {
  return Type.Object(renamed(fields, naming), {
    $id: id,
    description: 'An import or an export that is worked off in the background, lot by lot.',
  })
}

export const TransferSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(state, {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['queued', 'running']],
    }),
  ),
  direction: Type.Optional(direction),
  ...changedBetween,
  ...paging,
})
export type TransferSearch = Static<typeof TransferSearch>

const { status_ids, ...others } = TransferSearch.properties
/** In v2 the filter by state is called as that of objects is. */
export const TransferSearchInV2 = Type.Object({ status: status_ids, ...others })

export function searchIn({
  status,
  ...search
}: TransferSearch & { status?: TransferSearch['status_ids'] }): TransferSearch {
  return status ? { ...search, status_ids: status } : search
}

function renamed(properties: Record<string, TSchema>, naming: Naming): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [naming(name), schema]))
}

/** A transfer as JSON text, in other names. Names inside of it, such as those of `counts`, are the same in both. */
export function renamedJson(json: string, naming: Naming): string {
  if (naming === asTheyAre) return json
  return JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(json)).map(([name, value]) => [naming(name), value])),
  )
}
