import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsFor } from '../../app/api/problem.ts'
import { IconChevronDown, IconLayoutList } from '../../app/icons/icons.ts'
import type { Kind } from '../kinds/kind.ts'
import { BoardNameDialog, DeleteBoardDialog } from './board-dialogs.tsx'
import { type Board, boardsQuery, contentOf, isShown, useUpdateBoard, viewOf } from './boards.ts'
import type { View } from './view.ts'

type BoardsMenuProps = { kind: Kind; view: View; open: (view: View) => void }

/** The saved boards: open one, save the current view as one, rename or delete the open one. */
export function BoardsMenu({ kind, view, open }: BoardsMenuProps) {
  const { data: boards = [] } = useQuery(boardsQuery(kind.objectKey))
  const [dialog, setDialog] = useState<'save' | 'rename' | 'delete' | null>(null)
  const update = useUpdateBoard()
  const board = boards.find(({ id }) => id === view.board)
  const close = () => setDialog(null)
  const save = (board: Board) =>
    update.mutate(
      { board, change: contentOf(view, kind) },
      {
        onSuccess: () => notifications.show({ message: `The board ${board.name} was saved.` }),
        onError: (error) =>
          notifications.show({ title: 'Could not save the board', message: wordsFor(error), color: 'red.9' }),
      },
    )
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconLayoutList size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            loading={update.isPending}
            maw="100%"
          >
            {board ? board.name : 'Boards'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={() => open({})}>All {kind.plural.toLowerCase()}</Menu.Item>
          {boards.length > 0 && <Menu.Label>Boards</Menu.Label>}
          {boards.map((board) => (
            <Menu.Item
              key={board.id}
              onClick={() => open(viewOf(board))}
              {...(board.id === view.board && { fw: 600, 'aria-current': true })}
            >
              {board.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {board && !isShown(board, view, kind) && (
            <Menu.Item onClick={() => save(board)}>Save changes to {board.name}</Menu.Item>
          )}
          <Menu.Item onClick={() => setDialog('save')}>Save as board …</Menu.Item>
          {board && <Menu.Item onClick={() => setDialog('rename')}>Rename …</Menu.Item>}
          {board && <Menu.Item onClick={() => setDialog('delete')}>Delete …</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && (
        <BoardNameDialog kind={kind} view={view} close={close} done={({ id }) => open({ ...view, board: id })} />
      )}
      {dialog === 'rename' && board && <BoardNameDialog kind={kind} view={view} board={board} close={close} />}
      {dialog === 'delete' && board && <DeleteBoardDialog board={board} close={close} done={() => open({})} />}
    </>
  )
}
