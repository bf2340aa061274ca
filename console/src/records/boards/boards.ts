import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { type Filter, isFilter } from '../kinds/filter.ts'
import type { Fields, Kind } from '../kinds/kind.ts'
import { columnsOf, type View } from './view.ts'

export type Board = Schemas['Board']

const path = ({ id: boardId }: Board) => ({ params: { path: { boardId } } })

const changed = { touches: ['boards'], evenIfRefused: true }

export const boardsQuery = (objectKey: string) =>
  queryOptions({
    queryKey: ['boards', objectKey],
    queryFn: () =>
      everyRow('boards', async (paging) => {
        const { boards, nextAfter } = await answered(
          lading.GET('/api/v2/platformModel/boards', { params: { query: { objectKey, ...paging } } }),
        )
        return { boards, next_after: nextAfter }
      }),
  })

/** The view of a board, as in the address of the list. */
export function viewOf({ id, filter, columns, sort }: Board): View {
  return {
    board: id,
    ...(columns.length > 0 && { columns: columns.join(',') }),
    ...(isFilter(filter) && { filter: filter as Filter }),
    ...(sort && { sort }),
  }
}

/** The current view, as a board keeps it. The search text is not part of it. */
export function contentOf(view: View, kind: Kind) {
  return {
    filter: (view.filter ?? null) as Fields | null,
    columns: ['fullId', ...columnsOf(view, kind).filter((column) => column !== 'fullId')],
    sort: view.sort ?? null,
  }
}

export function isShown(board: Board, view: View, kind: Kind): boolean {
  return JSON.stringify(contentOf(view, kind)) === JSON.stringify(contentOf(viewOf(board), kind))
}

type Content = ReturnType<typeof contentOf>

export function useCreateBoard({ objectKey }: Kind) {
  return useChange(
    (board: Content & { name: string }) =>
      answered(lading.POST('/api/v2/platformModel/boards', { body: { objectKey, ...board } })),
    changed,
  )
}

export function useUpdateBoard() {
  return useChange(
    ({ board, change }: { board: Board; change: Partial<Content & { name: string }> }) =>
      answered(
        lading.PUT('/api/v2/platformModel/boards/{boardId}', {
          ...path(board),
          ...ifUnchanged(board.version),
          body: change,
        }),
      ),
    changed,
  )
}

export function useDeleteBoard() {
  return useChange(
    (board: Board) =>
      answered(
        lading.DELETE('/api/v2/platformModel/boards/{boardId}', { ...path(board), ...ifUnchanged(board.version) }),
      ),
    changed,
  )
}
