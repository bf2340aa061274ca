import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { IconKey } from '../icons/icons.ts'
import { Copyable } from './copyable.tsx'

type SecretOnceProps = {
  title: string
  /** Why it is shown only once, and what to do with it. */
  children: ReactNode
  /** The secret, and what is needed with it. */
  texts: readonly { label: string; text: string }[]
  done: () => void
}

/** Shows a secret, once. It closes only after the person confirms that they stored it. */
export function SecretOnce({ title, children, texts, done }: SecretOnceProps) {
  const [stored, setStored] = useState(false)
  useEffect(() => {
    if (stored) return
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [stored])
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
      size="lg"
    >
      <Alert variant="default" icon={<IconKey aria-hidden />} mb="md">
        {children}
      </Alert>
      <Stack gap="md">
        {texts.map(({ label, text }) => (
          <div key={label}>
            <Text size="sm" fw={600} mb={4}>
              {label}
            </Text>
            <Copyable text={text} label={`the ${label.toLowerCase()}`} />
          </div>
        ))}
        <Checkbox
          label="I have stored the secret"
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button disabled={!stored} onClick={done}>
          Done
        </Button>
      </Group>
    </Modal>
  )
}
