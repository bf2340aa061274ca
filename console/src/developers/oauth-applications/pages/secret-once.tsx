import { SecretOnce as Secret } from '../../../app/copying/secret-once.tsx'

type SecretOnceProps = { secret: { client_id: string; client_secret: string }; done: () => void }

export function SecretOnce({ secret: { client_id, client_secret }, done }: SecretOnceProps) {
  const texts = [
    { label: 'Client id', text: client_id },
    { label: 'Client secret', text: client_secret },
  ]
  return (
    <Secret title="Client secret" texts={texts} done={done}>
      The secret is shown only this once, because Lading keeps only a hash of it. Store it in a safe place.
    </Secret>
  )
}
