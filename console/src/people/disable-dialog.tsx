import { Button, Group, Modal, Text } from '@mantine/core'
import { Failed } from '../parts/failed.tsx'
import { type User, useDisable } from './queries.ts'

export function DisableDialog({ user, close }: { user: User; close: () => void }) {
  const disable = useDisable()
  return (
    <Modal opened onClose={close} title={`Disable ${user.name}`}>
      <Text size="sm">
        They are shut out of this organization at once, with every application that acts for them. What they did stays, and they can be enabled again.
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
