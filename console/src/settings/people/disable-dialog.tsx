import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { type User, useDisable } from './queries.ts'

export function DisableDialog({ user, close }: { user: User; close: () => void }) {
  return (
    <ConfirmDialog action="Disable" name={user.name} close={close} change={useDisable(user)}>
      They lose access to this organization at once, and so do the applications that act for them. Their work is kept,
      and you can enable them again.
    </ConfirmDialog>
  )
}
