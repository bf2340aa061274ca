import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import type { Kind, PlatformObject } from '../kinds/kind.ts'
import { useDeleteObject } from '../kinds/queries.ts'
import { useRestore } from './restore.tsx'

export function DeleteObjectDialog({ kind, object, close }: { kind: Kind; object: PlatformObject; close: () => void }) {
  const { name, plural, objectKey } = kind
  const navigate = useNavigate()
  const { restore } = useRestore(kind, object.id)
  const remove = useDeleteObject(object, async () => {
    await navigate({ to: `/objects/${objectKey}` })
    notifications.show({
      message: (
        <Group justify="space-between">
          <span>{object.fullId} was deleted.</span>
          <Button size="xs" variant="default" onClick={() => void restore()}>
            Restore
          </Button>
        </Group>
      ),
      autoClose: 15_000,
    })
  })
  return (
    <ConfirmDialog action="Delete" name={object.fullId} close={close} change={remove}>
      {object.name} is removed from the list of {plural.toLowerCase()}. You can restore it later from the address of its
      page. A {name.toLowerCase()} that other objects refer to cannot be deleted.
    </ConfirmDialog>
  )
}
