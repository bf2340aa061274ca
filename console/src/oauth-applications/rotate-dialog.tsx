import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Failed } from '../parts/failed.tsx'
import type { Application } from './application.ts'
import { useRotateSecret } from './queries.ts'

const hour = 3600
const overlaps = [
  { seconds: 0, label: 'Immediately', means: 'If somebody else may know the old secret. The application gets no tokens until it has the new one.' },
  { seconds: hour, label: 'After 1 hour', means: '' },
  { seconds: 24 * hour, label: 'After 24 hours', means: '' },
  { seconds: 7 * 24 * hour, label: 'After 7 days', means: '' },
]

type RotateDialogProps = { application: Application; close: () => void; done: (secret: string | null) => void }

export function RotateDialog({ application, close, done }: RotateDialogProps) {
  const [overlap, setOverlap] = useState(24 * hour)
  const rotate = useRotateSecret(application)
  const submit = () => rotate.mutate(overlap, { onSuccess: ({ client_secret }) => done(client_secret) })
  return (
    <Modal opened onClose={close} title="Rotate the secret">
      <Text size="sm" mb="md">
        {application.name} gets a new secret. The old secret works until the time that you choose. Existing tokens stay valid.
      </Text>
      <Radio.Group label="When does the old secret stop working?" value={String(overlap)} onChange={(next) => setOverlap(Number(next))}>
        <Stack gap="xs" mt="xs">
          {overlaps.map(({ seconds, label, means }) => (
            <Radio key={seconds} value={String(seconds)} label={label} description={means || undefined} />
          ))}
        </Stack>
      </Radio.Group>
      {rotate.error ? <Failed error={rotate.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={submit} loading={rotate.isPending}>
          Create new secret
        </Button>
      </Group>
    </Modal>
  )
}
