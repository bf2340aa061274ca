import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Failed } from '../../app/parts/failed.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'

type ApproveManyProps<R> = {
  /** What is approved, for the title. */
  what: string
  count: number
  /** What will happen, before it does. */
  about: ReactNode
  run: { approve: (note: string) => void; isPending: boolean; error: Error | null }
  /** What came of each, once it is done. */
  results: readonly R[] | undefined
  columns: Column<R>[]
  keyOf: (result: R) => string
  close: () => void
}

/** Asks before many are approved, and then says what came of each, those that were refused first. */
export function ApproveMany<R extends { problem: string | null }>({
  what,
  count,
  about,
  run,
  results,
  columns,
  keyOf,
  close,
}: ApproveManyProps<R>) {
  const [note, setNote] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.approve(note.trim())
  }
  const done = results?.filter(({ problem }) => !problem).length
  return (
    <Modal opened onClose={close} title={results ? `Approve: ${done} of ${count} done` : `Approve ${what}`} size="xl">
      {results ? (
        <>
          <DataTable
            label="Results"
            columns={columns}
            rows={results.toSorted((a, b) => Number(!a.problem) - Number(!b.problem))}
            keyOf={keyOf}
          />
          <Group justify="flex-end" mt="md">
            <Button onClick={close} data-autofocus>
              Close
            </Button>
          </Group>
        </>
      ) : (
        <form onSubmit={submit} noValidate>
          <Text size="sm" mb="sm">
            {about}
          </Text>
          <Textarea
            label="Note"
            autosize
            minRows={2}
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {run.error ? <Failed error={run.error} /> : null}
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={run.isPending} data-autofocus>
              Approve {count}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}
