import { useNavigate } from '@tanstack/react-router'
import { ConfirmByName } from '../parts/confirm-by-name.tsx'
import type { Application } from './application.ts'
import { useDeleteApplication } from './queries.ts'

export function DeleteDialog({ application, close }: { application: Application; close: () => void }) {
  const navigate = useNavigate()
  const remove = useDeleteApplication(application, () => navigate({ to: '/settings/api/oauth-applications' }))
  return (
    <ConfirmByName opened close={close} title="Delete the application" name={application.name} verb="Delete it" confirm={remove}>
      Every token it was given is dead at once, and its client id and secret are gone for good. Programs that use them stop working.
    </ConfirmByName>
  )
}
