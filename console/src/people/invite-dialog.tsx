import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { fieldErrors } from '../api/problem.ts'
import { useUnsaved } from '../editing/unsaved.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type NewPerson, type Role, useInvite } from './queries.ts'

export function InviteDialog({ close, done }: { close: () => void; done: (link: string | null) => void }) {
  const invite = useInvite()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<NewPerson>({
    initialValues: { email: '', name: '', role: 'member' },
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      email: (email) => (email.includes('@') ? null : 'Enter an e-mail address.'),
    },
  })
  const { close: leave, question } = useUnsaved(() => form.isDirty())
  const cancel = () => leave(close)
  const submit = form.onSubmit(async (person) => {
    setProblem(null)
    try {
      done((await invite.mutateAsync({ ...person, name: person.name.trim(), email: person.email.trim() })).invitation_url)
    } catch (error) {
      const { byField, rest } = fieldErrors(error, ['name', 'email', 'role'])
      form.setErrors(byField)
      setProblem(rest)
    }
  })
  return (
    <Modal opened onClose={cancel} title="Invite someone">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {problem && (
            <Alert variant="default" role="alert" title="The invitation was not created">
              {problem}
            </Alert>
          )}
          <TextInput label="Name" required maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
          <TextInput label="E-mail address" type="email" required maxLength={254} autoComplete="off" {...form.getInputProps('email')} />
          <Radio.Group label="Role" value={form.values.role} onChange={(role) => form.setFieldValue('role', role as Role)}>
            <Stack gap="xs" mt="xs">
              <Radio value="member" label="Member" description="Works with bills, statements and objects." />
              <Radio value="admin" label="Admin" description="Also manages people, applications and settings." />
            </Stack>
          </Radio.Group>
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Invite
          </Button>
        </Group>
      </form>
      {question}
    </Modal>
  )
}

/** Lading sends no e-mail: the admin sends the link. */
export function InvitationLink({ url, close }: { url: string; close: () => void }) {
  return (
    <Modal opened onClose={close} title="Send this link to the invited person" size="lg">
      <Text size="sm" mb="md">
        With this link they choose a password, or use the password of their existing account, and join the organization. The link works for 7 days. It is shown
        only once.
      </Text>
      <Copyable text={url} label="the invitation link" />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Done</Button>
      </Group>
    </Modal>
  )
}
