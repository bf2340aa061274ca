import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../api/problem.ts'
import { Failed } from '../parts/failed.tsx'
import { type Board, contentOf, useCreateBoard, useDeleteBoard, useUpdateBoard } from './boards.ts'
import type { Kind } from './kind.ts'
import type { View } from './view.ts'

type BoardNameDialogProps = { kind: Kind; view: View; board?: Board; close: () => void; done?: (board: Board) => void }

/** A name for the view that is on the screen, or another for a board that is kept. */
export function BoardNameDialog({ kind, view, board, close, done }: BoardNameDialogProps) {
  const create = useCreateBoard(kind)
  const update = useUpdateBoard()
  const [name, setName] = useState(board?.name ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setProblem('Give it a name.')
    try {
      const change = { name: name.trim() }
      const kept = board ? await update.mutateAsync({ board, change }) : await create.mutateAsync({ ...contentOf(view, kind), ...change })
      close()
      done?.(kept)
    } catch (error) {
      const { byField, rest } = fieldErrors(error, ['name'])
      setProblem(byField.name ?? rest)
    }
  }
  return (
    <Modal opened onClose={close} title={board ? `Rename ${board.name}` : 'Save as a board'}>
      <form onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          description={board ? undefined : 'Everyone in the organization finds it among the boards, with this filter, these columns and this order.'}
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
      <Text size="sm">The board goes, for everyone. What it shows stays.</Text>
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
