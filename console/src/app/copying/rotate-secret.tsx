import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Failed } from '../parts/failed.tsx'

const hour = 3600
const later = [
  { seconds: hour, label: 'After 1 hour' },
  { seconds: 24 * hour, label: 'After 24 hours' },
  { seconds: 7 * 24 * hour, label: 'After 7 days' },
]

type RotateSecretProps<Answer> = {
  /** What happens. */
  children: ReactNode
  /** What happens where the old secret ends at once. */
  atOnce: string
  rotate: {
    mutate: (overlapSeconds: number, options: { onSuccess: (answer: Answer) => void }) => void
    isPending: boolean
    error: unknown
  }
  done: (answer: Answer) => void
  close: () => void
}

/** Asks how long the old secret is to work next to the new one. */
export function RotateSecret<Answer>({ children, atOnce, rotate, done, close }: RotateSecretProps<Answer>) {
  const [overlap, setOverlap] = useState(24 * hour)
  return (
    <Modal opened onClose={close} title="Rotate the secret">
      <Text size="sm" mb="md">
        {children}
      </Text>
      <Radio.Group
        label="When does the old secret stop working?"
        value={String(overlap)}
        onChange={(next) => setOverlap(Number(next))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="0" label="Immediately" description={atOnce} />
          {later.map(({ seconds, label }) => (
            <Radio key={seconds} value={String(seconds)} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {rotate.error ? <Failed error={rotate.error} /> : null}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={() => rotate.mutate(overlap, { onSuccess: done })} loading={rotate.isPending}>
          Create new secret
        </Button>
      </Group>
    </Modal>
  )
}
