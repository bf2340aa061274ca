import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failed } from './failed.tsx'

type DeleteDialogProps = {
  name: string
  children: ReactNode
  close: () => void
  remove: { mutate: (input: undefined, options: { onSuccess: () => void }) => void; isPending: boolean; error: unknown }
}

/** Asks once; if the server refuses, its message is shown here. */
export function DeleteDialog({ name, children, close, remove }: DeleteDialogProps) {
  return (
    <Modal opened onClose={close} title={`Delete ${name}`}>
      <Text size="sm" mb="md">
        {children}
      </Text>
      {remove.error ? <Failed error={remove.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate(undefined, { onSuccess: close })}>
          Delete
        </Button>
      </Group>
    </Modal>
  )
}
