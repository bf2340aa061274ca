import { useNavigate } from '@tanstack/react-router'
import { ConfirmByName } from '../../../app/editing/confirm-by-name.tsx'
import type { Application } from '../application.ts'
import { useDeleteApplication } from '../queries.ts'

export function DeleteDialog({ application, close }: { application: Application; close: () => void }) {
  const navigate = useNavigate()
  const remove = useDeleteApplication(application, () => navigate({ to: '/settings/api/oauth-applications' }))
  return (
    <ConfirmByName
      opened
      close={close}
      title="Delete the application"
      name={application.name}
      verb="Delete"
      confirm={remove}
    >
      Its client id, its secret and all its tokens stop working at once, and so do the programs that use them. This
      cannot be undone.
    </ConfirmByName>
  )
}
