import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../app/api/problem.ts'
import { Failed } from '../../app/parts/failed.tsx'
import type { Kind } from '../kinds/kind.ts'
import { type Board, contentOf, useCreateBoard, useDeleteBoard, useUpdateBoard } from './boards.ts'
import type { View } from './view.ts'

type BoardNameDialogProps = { kind: Kind; view: View; board?: Board; close: () => void; done?: (board: Board) => void }

/** Asks for the name of a new board, or for a new name. */
export function BoardNameDialog({ kind, view, board, close, done }: BoardNameDialogProps) {
  const create = useCreateBoard(kind)
  const update = useUpdateBoard()
  const [name, setName] = useState(board?.name ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setProblem('Enter a name.')
    try {
      const change = { name: name.trim() }
      const saved = board
        ? await update.mutateAsync({ board, change })
        : await create.mutateAsync({ ...contentOf(view, kind), ...change })
      close()
      done?.(saved)
    } catch (error) {
      const { byField, rest } = fieldErrors(error, ['name'])
      setProblem(byField.name ?? rest)
    }
  }
  return (
    <Modal opened onClose={close} title={board ? `Rename ${board.name}` : 'Save as board'}>
      <form onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          description={
            board
              ? undefined
              : 'A board keeps the filter, the columns and the order. Everyone in the organization can use it.'
          }
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          value={name}
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {board ? 'Rename' : 'Save board'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

export function DeleteBoardDialog({ board, close, done }: { board: Board; close: () => void; done: () => void }) {
  const remove = useDeleteBoard()
  const confirmed = () => {
    close()
    done()
  }
  return (
    <Modal opened onClose={close} title={`Delete ${board.name}`}>
      <Text size="sm">The board is deleted for everyone. The objects on it are kept.</Text>
      {remove.error ? <Failed error={remove.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate(board, { onSuccess: confirmed })}>
          Delete board
        </Button>
      </Group>
    </Modal>
  )
}
