import { RotateSecret } from '../../../app/copying/rotate-secret.tsx'
import type { Application } from '../application.ts'
import { useRotateSecret } from '../queries.ts'

type RotateDialogProps = { application: Application; close: () => void; done: (secret: string | null) => void }

export function RotateDialog({ application, close, done }: RotateDialogProps) {
  return (
    <RotateSecret
      atOnce="If somebody else may know the old secret. The application gets no tokens until it has the new one."
      rotate={useRotateSecret(application)}
      done={({ client_secret }) => done(client_secret)}
      close={close}
    >
      {application.name} gets a new secret. The old secret works until the time that you choose. Existing tokens stay
      valid.
    </RotateSecret>
  )
}
