import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { RefObject } from 'react'

/** Asks before unsaved changes are lost. Saving may lead to another page; then it does not ask. */
export function UnsavedDialog({ unsaved, leaving }: { unsaved: boolean; leaving: RefObject<boolean> }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => !leaving.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved && !leaving.current,
    disabled: !unsaved,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Text size="sm">Your changes are not saved. If you leave this page, they are lost.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Stay on this page
        </Button>
        <Button color="red.9" onClick={() => proceed?.()}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  )
}
