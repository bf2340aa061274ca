import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { Failed } from '../parts/failed.tsx'
import type { Kind, PlatformObject } from './kind.ts'
import { useDeleteObject } from './queries.ts'
import { useRestore } from './restore.tsx'

export function DeleteDialog({ kind, object, close }: { kind: Kind; object: PlatformObject; close: () => void }) {
  const { name, plural, objectKey } = kind
  const navigate = useNavigate()
  const { restore } = useRestore(kind, object.id)
  const remove = useDeleteObject(object, async () => {
    await navigate({ to: `/objects/${objectKey}` })
    notifications.show({
      message: (
        <Group justify="space-between">
          <span>{object.fullId} is deleted.</span>
          <Button size="xs" variant="default" onClick={() => void restore()}>
            Restore
          </Button>
        </Group>
      ),
      autoClose: 15_000,
    })
  })
  return (
    <Modal opened onClose={close} title={`Delete ${object.fullId}`}>
      <Text size="sm" mb="md">
        {object.name} goes from the {plural.toLowerCase()}. It can be restored, from here right after or from its own address later. A {name.toLowerCase()} that
        others refer to stays.
      </Text>
      {remove.error ? <Failed error={remove.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
          Delete it
        </Button>
      </Group>
    </Modal>
  )
}
