import { Alert, Button, Group, Modal, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { fieldErrors } from '../../app/api/problem.ts'
import { useUnsaved } from '../../app/editing/unsaved.tsx'
import { type Role, useInvite } from './queries.ts'
import { roleNames, roleWords } from './roles.ts'

type Way = 'link' | 'password'
type Invitation = { email: string; name: string; role: Role; way: Way; password: string }

const leastCharacters = 10

export function InviteDialog({ close, done }: { close: () => void; done: (link: string | null) => void }) {
  const invite = useInvite()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<Invitation>({
    initialValues: { email: '', name: '', role: 'member', way: 'link', password: '' },
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      email: (email) => (email.includes('@') ? null : 'Enter an e-mail address.'),
      password: (password, { way }) =>
        way === 'link' || password.length >= leastCharacters ? null : `Enter at least ${leastCharacters} characters.`,
    },
  })
  const { close: leave, question } = useUnsaved(() => form.isDirty())
  const cancel = () => leave(close)
  const submit = form.onSubmit(async ({ name, email, role, way, password }) => {
    setProblem(null)
    try {
      const person = { name: name.trim(), email: email.trim(), role, ...(way === 'password' && { password }) }
      done((await invite.mutateAsync(person)).invitation_url)
    } catch (error) {
      const { byField, rest } = fieldErrors(error, ['name', 'email', 'role', 'password'])
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
          <TextInput
            label="Name"
            required
            maxLength={200}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label="E-mail address"
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <Radio.Group
            label="Role"
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role as Role)}
          >
            <Stack gap="xs" mt="xs">
              {roleNames.map((role) => (
                <Radio
                  key={role}
                  value={role}
                  label={roleWords[role].label}
                  description={roleWords[role].description}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Radio.Group
            label="How they get in"
            value={form.values.way}
            onChange={(way) => form.setFieldValue('way', way as Way)}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="link"
                label="By a link"
                description="It is mailed to them; where no mail is set up it is shown to you instead. There they choose a password."
              />
              <Radio
                value="password"
                label="With a first password"
                description="Only where no mail is set up. You choose a password and tell them. It works once, in this organization: when they sign in with it, they are asked to choose their own."
              />
            </Stack>
          </Radio.Group>
          {form.values.way === 'password' && (
            <PasswordInput
              label="First password"
              required
              maxLength={1024}
              autoComplete="off"
              {...form.getInputProps('password')}
            />
          )}
          <Text size="sm" c="dimmed">
            Nothing changes for an account that they already have: they can use it here, or choose a new password. They
            can accept within 7 days.
          </Text>
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
