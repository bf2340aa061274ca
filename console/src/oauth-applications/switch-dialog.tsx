import { Button, Group, Modal, Text } from '@mantine/core'
import { Failed } from '../parts/failed.tsx'
import type { Application } from './application.ts'
import { useDisableApplication, useEnableApplication } from './queries.ts'

type SwitchDialogProps = { application: Application; close: () => void }

export function DisableDialog({ application, close }: SwitchDialogProps) {
  const disable = useDisableApplication(application)
  return (
    <Modal opened onClose={close} title={`Disable ${application.name}`}>
      <Text size="sm">
        Its access tokens stop working at once, it gets no new ones, and nobody can sign in through it. Its settings are kept, and you can enable it again.
      </Text>
      {disable.error ? <Failed error={disable.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.9" loading={disable.isPending} onClick={() => disable.mutate(undefined, { onSuccess: close })}>
          Disable
        </Button>
      </Group>
    </Modal>
  )
}

export function EnableDialog({ application, close }: SwitchDialogProps) {
  const enable = useEnableApplication(application)
  return (
    <Modal opened onClose={close} title={`Enable ${application.name}`}>
      <Text size="sm">
        Its secret and its refresh tokens work again, and people can sign in through it. If somebody else may know the secret, rotate it first.
      </Text>
      {enable.error ? <Failed error={enable.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button loading={enable.isPending} onClick={() => enable.mutate(undefined, { onSuccess: close })}>
          Enable
        </Button>
      </Group>
    </Modal>
  )
}
