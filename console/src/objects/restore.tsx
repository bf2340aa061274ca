import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { wordsFor } from '../api/problem.ts'
import type { Kind } from './kind.ts'
import { useRestoreObject } from './queries.ts'

/** Brings an object back and shows it; or says why it cannot come. Works on after the page that asked is gone. */
export function useRestore(kind: Kind, id: string) {
  const navigate = useNavigate()
  const { mutateAsync, isPending } = useRestoreObject(id)
  const restore = async () => {
    try {
      const { fullId } = await mutateAsync(undefined)
      notifications.clean()
      notifications.show({ message: `${fullId} is back.` })
      await navigate({ to: `/objects/${kind.objectKey}/${id}` })
    } catch (error) {
      notifications.show({ title: 'Not restored', message: wordsFor(error), color: 'red.9' })
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
