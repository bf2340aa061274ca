import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Refused } from '../../app/editing/conflict.tsx'

type MoveDialogProps = {
  title: string
  /** What is done, as the button says it. */
  label: string
  isDanger: boolean
  error: unknown
  isPending: boolean
  /** Reads the run again, where somebody else has changed it. */
  load: () => void
  confirm: () => void
  close: () => void
  /** What follows from it. */
  children: ReactNode
}

/** Asks before something is done with a run, and says why the server refused it. */
export function MoveDialog({
  title,
  label,
  isDanger,
  error,
  isPending,
  load,
  confirm,
  close,
  children,
}: MoveDialogProps) {
  return (
    <Modal opened onClose={close} title={title}>
      <Text size="sm" mb="md">
        {children}
      </Text>
      <Refused error={error} what="payment run" load={load} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button {...(isDanger ? { color: 'red.9' } : { 'data-autofocus': true })} loading={isPending} onClick={confirm}>
          {label}
        </Button>
      </Group>
    </Modal>
  )
}
