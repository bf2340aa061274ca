import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failed } from '../parts/failed.tsx'

type Change = {
  mutate: (input: undefined, options: { onSuccess: () => void }) => void
  isPending: boolean
  error: unknown
}
type ConfirmDialogProps = {
  /** What is done, as the button says it. */
  action: string
  name: string
  /** What follows from it. */
  children: ReactNode
  change: Change
  close: () => void
  /** Something is lost by it. */
  isDanger?: boolean
}

/** Asks once; if the server refuses, its message is shown here. */
export function ConfirmDialog({ action, name, children, change, close, isDanger = true }: ConfirmDialogProps) {
  return (
    <Modal opened onClose={close} title={`${action} ${name}`}>
      <Text size="sm" mb="md">
        {children}
      </Text>
      {change.error ? <Failed error={change.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          {...(isDanger && { color: 'red.9' })}
          loading={change.isPending}
          onClick={() => change.mutate(undefined, { onSuccess: close })}
        >
          {action}
        </Button>
      </Group>
    </Modal>
  )
}
