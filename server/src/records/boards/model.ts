import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import { invalid } from '../../platform/core/refusal.ts'
import { Id, nullable, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'

const filter = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'Which objects it shows: a filter as in POST …/objects/search. Null shows all.',
  examples: [{ field: 'city', op: 'eq', value: 'Oakland' }],
})
const columns = Type.Array(Type.String({ maxLength: 500 }), {
  maxItems: 100,
  description:
    'The fields it shows, in order, through references too, as `paths` of a search. None at all shows every field.',
  examples: [['fullId', 'name', 'city']],
})
const sort = nullable(
  Type.String({
    maxLength: 200,
    description: 'The fields it orders by, up to three, as `sort` of a search.',
    examples: ['-creditLimit,name'],
  }),
)
const name = Text('What it is called.', 'Customers in Oakland')
const description = nullable(
  Type.String({ maxLength: 5000, description: 'What it is for.', examples: ['Whom the Oakland dock serves'] }),
)
const objectKey = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The kind of object that it shows.',
  examples: ['customer'],
})

export const Board = Type.Object(
  {
    id: Id('The id of the board, which `boardId` takes.'),
    orgId: Id('The organization.'),
    name,
    description,
    objectKey,
    filter,
    columns,
    sort,
    version: Type.Integer({ description: 'Rises by one with each change.', examples: [1] }),
    createdAt: Time('When it was made.'),
    createdBy: Id('Who made it.'),
    updatedAt: Time('When it last changed.'),
    updatedBy: Id('Who last changed it.'),
  },
  { $id: 'Board', description: 'A saved view of objects of one kind.' },
)
export type Board = Static<typeof Board>

const optional = {
  description: Type.Optional(description),
  filter: Type.Optional(filter),
  columns: Type.Optional(Type.Unsafe<string[] | null>({ ...columns, type: ['array', 'null'] })),
  sort: Type.Optional(sort),
}

export const NewBoard = Type.Object({ name, objectKey, ...optional })
export type NewBoard = Static<typeof NewBoard>

export const BoardEdit = wholeEdit(
  Board,
  Type.Object({ name: Type.Optional(name), objectKey: Type.Optional(objectKey), ...optional }),
)
export type BoardEdit = Static<typeof BoardEdit>

/** The part of a board that people set. */
export type View = Pick<Board, 'name' | 'description' | 'filter' | 'columns' | 'sort'>

const parts = ['name', 'description', 'filter', 'columns', 'sort'] as const

export function viewOf({ name, description = null, filter = null, columns, sort = null }: NewBoard): View {
  return { name, description, filter, columns: columns ?? [], sort }
}

/** Only what is sent applies; null clears. */
export function edit(board: Board, input: BoardEdit): { next: View; previous: Partial<View> } {
  if (input.objectKey !== undefined && input.objectKey !== board.objectKey)
    throw invalid(
      'objectKey',
      'read_only',
      `This board shows the kind ${board.objectKey}, for good. Make another for the kind ${input.objectKey}.`,
    )
  const sent = Object.fromEntries(parts.filter((part) => input[part] !== undefined).map((part) => [part, input[part]]))
  const next = { ...board, ...sent, ...(input.columns === null && { columns: [] }) } as View
  const changed = parts.filter((part) => !isDeepStrictEqual(board[part], next[part]))
  return { next, previous: Object.fromEntries(changed.map((part) => [part, board[part]])) }
}
