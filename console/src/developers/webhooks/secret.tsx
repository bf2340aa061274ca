import { Anchor } from '@mantine/core'
import { SecretOnce } from '../../app/copying/secret-once.tsx'

/** The secret with which deliveries are signed. */
export function WebhookSecret({ secret, done }: { secret: string; done: () => void }) {
  return (
    <SecretOnce title="Signing secret" texts={[{ label: 'Signing secret', text: secret }]} done={done}>
      Your program checks with it that a delivery comes from here and was not changed on the way (
      <Anchor inherit href="/docs/webhooks" target="_blank">
        how to do that
      </Anchor>
      ). It is shown only this once: store it in a safe place.
    </SecretOnce>
  )
}
