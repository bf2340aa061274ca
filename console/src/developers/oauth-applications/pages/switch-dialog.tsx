import { ConfirmDialog } from '../../../app/editing/confirm-dialog.tsx'
import type { Application } from '../application.ts'
import { useDisableApplication, useEnableApplication } from '../queries.ts'

type SwitchDialogProps = { application: Application; close: () => void }

export function DisableDialog({ application, close }: SwitchDialogProps) {
  return (
    <ConfirmDialog action="Disable" name={application.name} close={close} change={useDisableApplication(application)}>
      Its access tokens stop working at once, it gets no new ones, and nobody can sign in through it. Its settings are
      kept, and you can enable it again.
    </ConfirmDialog>
  )
}

export function EnableDialog({ application, close }: SwitchDialogProps) {
  return (
    <ConfirmDialog
      action="Enable"
      name={application.name}
      close={close}
      change={useEnableApplication(application)}
      isDanger={false}
    >
      Its secret and its refresh tokens work again, and people can sign in through it. If somebody else may know the
      secret, rotate it first.
    </ConfirmDialog>
  )
}
