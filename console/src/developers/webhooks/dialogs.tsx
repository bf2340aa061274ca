import { useNavigate } from '@tanstack/react-router'
import { RotateSecret } from '../../app/copying/rotate-secret.tsx'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { webhooksPath } from '../paths.ts'
import { useDeleteWebhook, useRotateSecret, useSwitchWebhook, type Webhook } from './queries.ts'
import { nameOf } from './words.tsx'

type DialogProps = { webhook: Webhook; close: () => void }

export function DisableDialog({ webhook, close }: DialogProps) {
  return (
    <ConfirmDialog action="Disable" name={nameOf(webhook)} close={close} change={useSwitchWebhook(webhook, false)}>
      Nothing more is sent to it. What happens until you enable it again is not sent later by itself; you can replay it.
    </ConfirmDialog>
  )
}

export function EnableDialog({ webhook, close }: DialogProps) {
  return (
    <ConfirmDialog
      action="Enable"
      name={nameOf(webhook)}
      close={close}
      change={useSwitchWebhook(webhook, true)}
      isDanger={false}
    >
      It is sent what happens from now on. To send what happened while it was disabled, replay that time afterwards.
    </ConfirmDialog>
  )
}

export function DeleteDialog({ webhook, close }: DialogProps) {
  const navigate = useNavigate()
  const remove = useDeleteWebhook(webhook, () => navigate({ to: webhooksPath }))
  return (
    <ConfirmDialog action="Delete" name={nameOf(webhook)} close={close} change={remove}>
      Nothing more is sent to it, and its deliveries are deleted with it. This cannot be undone.
    </ConfirmDialog>
  )
}

export function RotateDialog({ webhook, close, done }: DialogProps & { done: (secret: string | null) => void }) {
  return (
    <RotateSecret
      atOnce="If somebody else may know the old secret. Your program refuses deliveries until it has the new one; they are sent again."
      rotate={useRotateSecret(webhook)}
      done={({ secret }) => done(secret)}
      close={close}
    >
      Deliveries to {nameOf(webhook)} are signed with a new secret. Until the time that you choose they are signed with
      the old one as well.
    </RotateSecret>
  )
}
