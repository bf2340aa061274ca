import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound, Refusal } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import type { ChangeTime } from '../../platform/db/sql/changed.ts'
import { record } from '../../platform/events/record.ts'
import { requireDefinition } from '../definitions/read.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Filter } from '../search/conditions/condition.ts'
import { requireSearch, type Search, searchObjects } from '../search/search.ts'
import { type Board, type BoardEdit, edit, type NewBoard, type View, viewOf } from './model.ts'
import { deleteBoard, findBoard, insertBoard, lockBoard, saveBoard } from './store.ts'

/** Whose kinds the caller may see, and what other parts of the program add to kinds. */
export type BoardOptions = {
  /** Called with every kind that is read: throws if the caller may not. */
  permit: (objectKey: string) => void
  extensions: readonly Extension[]
}

export function createBoard(
  ctx: Context,
  input: NewBoard,
  options: BoardOptions,
): Promise<WireRecord & { id: string }> {
  const view = viewOf(input)
  options.permit(input.objectKey)
  return transaction(ctx, async (ctx) => {
    await requireFitting(ctx, input.objectKey, view, options)
    const id = newId()
    await insertBoard(ctx, id, input.objectKey, view)
    const created = await readBack(ctx, id)
    await recordEvent(ctx, 'created', id, created)
    return { ...created, id }
  })
}

export function updateBoard(
  ctx: Context,
  id: string,
  input: BoardEdit,
  expected: ExpectedRevision,
  options: BoardOptions,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const board = await lock(ctx, id, expected, options)
    const { next, previous } = edit(board, input)
    if (Object.keys(previous).length === 0) return readBack(ctx, id)
    await requireFitting(ctx, board.objectKey, next, options)
    await saveBoard(ctx, id, next)
    const updated = await readBack(ctx, id)
    await recordEvent(ctx, 'updated', id, updated, previous)
    return updated
  })
}

export function removeBoard(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  options: BoardOptions,
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const board = await lock(ctx, id, expected, options)
    await deleteBoard(ctx, id)
    await recordEvent(ctx, 'deleted', id, { revision: board.version, json: JSON.stringify(board) })
  })
}

/** The objects that a board shows now, as a search with its filter, columns and order would. */
export async function runBoard(
  ctx: Context,
  board: Board,
  asked: Pick<Search, 'q' | 'sort' | 'offset' | 'limit' | 'after'> & ChangeTime,
  options: BoardOptions,
): Promise<string> {
  const { filter, columns, sort } = searchOf(board)
  try {
    return await searchObjects(
      ctx,
      board.objectKey,
      { filter, paths: columns, ...asked, sort: asked.sort ?? sort },
      options,
    )
  } catch (error) {
    if (
      asked.sort !== undefined ||
      !(error instanceof Refusal) ||
      error.kind !== 'invalid' ||
      error.details[0]?.field === 'after'
    )
      throw error
    throw conflict(
      'board_does_not_fit',
      `The definition of the kind ${board.objectKey} has changed since this board was made: ${error.message}`,
      error.details,
    )
  }
}

/** Refuses a view that its search would refuse. */
async function requireFitting(
  ctx: Context,
  objectKey: string,
  view: View,
  { permit, extensions }: BoardOptions,
): Promise<void> {
  const { filter, columns, sort } = searchOf(view)
  const define = (key: string) => {
    permit(key)
    return requireDefinition(ctx, key)
  }
  await requireSearch(ctx, objectKey, { filter, paths: columns, sort }, define, extensions).catch((error) => {
    throw error instanceof Refusal ? inColumns(error) : error
  })
}

/** What a search calls `paths`, a board calls `columns`. */
function inColumns({ kind, code, message, details }: Refusal): Refusal {
  const renamed = details.map((detail) =>
    detail.field === 'paths'
      ? { ...detail, field: 'columns', message: detail.message.replace('"paths"', '"columns"') }
      : detail,
  )
  return new Refusal(kind, code, message.replace('"paths"', '"columns"'), { details: renamed })
}

function searchOf({ filter, columns, sort }: Pick<View, 'filter' | 'columns' | 'sort'>) {
  return {
    filter: (filter ?? undefined) as Filter | undefined,
    columns: columns.length > 0 ? columns : undefined,
    sort: sort ?? undefined,
  }
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision, { permit }: BoardOptions): Promise<Board> {
  const board = await lockBoard(ctx, id)
  if (!board) throw notFound('board', id)
  permit(board.objectKey)
  requireExpected(expected, board.version)
  return board
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findBoard(ctx, id)
  if (!found) throw new Error(`board ${id} is gone within its own transaction`)
  return { revision: found.revision, json: found.json }
}

async function recordEvent(
  ctx: Context,
  verb: string,
  id: string,
  { revision, json }: WireRecord,
  previous?: Record<string, unknown>,
): Promise<void> {
  await record(ctx, {
    type: `board.${verb}`,
    subject: { type: 'board', id },
    revision,
    data: json,
    ...(previous && { previous }),
  })
}
