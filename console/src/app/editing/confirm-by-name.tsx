import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Failed } from '../parts/failed.tsx'

type ConfirmByNameProps = {
  title: string
  name: string
  verb: string
  children: ReactNode
  opened: boolean
  close: () => void
  confirm: { mutate: () => void; isPending: boolean; error: unknown }
}

/** For actions that cannot be undone: nobody types a name by accident. */
export function ConfirmByName({ title, name, verb, children, opened, close, confirm }: ConfirmByNameProps) {
  const [typed, setTyped] = useState('')
  const right = typed.trim() === name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (right) confirm.mutate()
  }
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={submit}>
        <Text size="sm" mb="md">
          {children}
        </Text>
        <TextInput
          label={
            <>
              Type <b>{name}</b> to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {confirm.error ? <Failed error={confirm.error} /> : null}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" disabled={!right} loading={confirm.isPending}>
            {verb}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
