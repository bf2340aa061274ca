import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { RefObject } from 'react'

/** Asks before what was typed is lost. A save that leads to another page by itself goes on unasked. */
export function UnsavedDialog({ unsaved, goesOn }: { unsaved: boolean; goesOn: RefObject<boolean> }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => !goesOn.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved && !goesOn.current,
    disabled: !unsaved,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Text size="sm">What you typed here is not saved, and would be gone.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Stay
        </Button>
        <Button color="red.9" onClick={() => proceed?.()}>
          Leave
        </Button>
      </Group>
    </Modal>
  )
}
