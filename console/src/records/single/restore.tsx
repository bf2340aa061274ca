import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { wordsFor } from '../../app/api/problem.ts'
import type { Kind } from '../kinds/kind.ts'
import { useRestoreObject } from '../kinds/queries.ts'

/** Restores an object and opens its page, or shows why it cannot be restored. It also works after the page that started it was left. */
export function useRestore(kind: Kind, id: string) {
  const navigate = useNavigate()
  const { mutateAsync, isPending } = useRestoreObject(id)
  const restore = async () => {
    try {
      const { fullId } = await mutateAsync(undefined)
      notifications.clean()
      notifications.show({ message: `${fullId} was restored.` })
      await navigate({ to: `/objects/${kind.objectKey}/${id}` })
    } catch (error) {
      notifications.show({ title: 'Could not restore the object', message: wordsFor(error), color: 'red.9' })
    }
  }
  return { restore, isPending }
}

export function RestoreButton({ kind, id }: { kind: Kind; id: string }) {
  const { restore, isPending } = useRestore(kind, id)
  return (
    <Button variant="default" loading={isPending} onClick={() => void restore()}>
      Restore
    </Button>
  )
}
