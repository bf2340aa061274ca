import { Button, Group, Modal, Text } from '@mantine/core'
import { Failed } from '../parts/failed.tsx'
import { type User, useDisable } from './queries.ts'

export function DisableDialog({ user, close }: { user: User; close: () => void }) {
  const disable = useDisable()
  return (
    <Modal opened onClose={close} title={`Disable ${user.name}`}>
      <Text size="sm">
        They lose access to this organization at once, and so do the applications that act for them. Their work is kept, and you can enable them again.
      </Text>
      {disable.error ? <Failed error={disable.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.9" loading={disable.isPending} onClick={() => disable.mutate(user, { onSuccess: close })}>
          Disable
        </Button>
      </Group>
    </Modal>
  )
}
