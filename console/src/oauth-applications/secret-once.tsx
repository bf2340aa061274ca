import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Copyable } from '../parts/copyable.tsx'

type SecretOnceProps = { secret: { client_id: string; client_secret: string }; done: () => void }

/** Shows the secret, once. It closes only after the person confirms that they stored it. */
export function SecretOnce({ secret: { client_id, client_secret }, done }: SecretOnceProps) {
  const [stored, setStored] = useState(false)
  useEffect(() => {
    if (stored) return
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [stored])
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false} title="Client secret" size="lg">
      <Alert variant="default" icon={<IconKey aria-hidden />} mb="md">
        The secret is shown only this once, because Lading keeps only a hash of it. Store it in a safe place.
      </Alert>
      <Stack gap="md">
        <div>
          <Text size="sm" fw={600} mb={4}>
            Client id
          </Text>
          <Copyable text={client_id} label="the client id" />
        </div>
        <div>
          <Text size="sm" fw={600} mb={4}>
            Client secret
          </Text>
          <Copyable text={client_secret} label="the client secret" />
        </div>
        <Checkbox label="I have stored the secret" checked={stored} onChange={(event) => setStored(event.currentTarget.checked)} />
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button disabled={!stored} onClick={done}>
          Done
        </Button>
      </Group>
    </Modal>
  )
}
