import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { fieldErrors } from '../../app/api/problem.ts'
import { PartySelect } from '../../books/documents/shown/parties.tsx'
import { InvitationLink } from '../../settings/people/invitation-link.tsx'
import { useInvitePartner } from './queries.ts'

/** Invites somebody of a carrier. The link is mailed, and shown once. */
export function InvitePartner({ close }: { close: () => void }) {
  const invite = useInvitePartner()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({
    initialValues: { name: '', email: '', partner_carrier_id: null as string | null },
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      email: (email) => (email.includes('@') ? null : 'Enter an e-mail address.'),
      partner_carrier_id: (id) => (id ? null : 'Choose the carrier.'),
    },
  })
  const submit = form.onSubmit(async ({ name, email, partner_carrier_id }) => {
    setProblem(null)
    try {
      await invite.mutateAsync({
        name: name.trim(),
        email: email.trim(),
        partner_carrier_id: partner_carrier_id as string,
      })
    } catch (error) {
      const { byField, rest } = fieldErrors(error, ['name', 'email', 'partner_carrier_id'])
      form.setErrors(byField)
      setProblem(rest)
    }
  })
  return (
    <Modal opened onClose={close} title="Invite somebody of a carrier" size="lg">
      {invite.data ? (
        <InvitationLink
          url={invite.data.invitation_url ?? null}
          next="With it they choose a password. After that they sign in at /portal."
          close={close}
        />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <PartySelect
              party="carrier"
              required
              value={form.values.partner_carrier_id}
              {...form.getInputProps('partner_carrier_id')}
            />
            <TextInput label="Name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
            <TextInput
              label="E-mail address"
              type="email"
              required
              maxLength={254}
              autoComplete="off"
              {...form.getInputProps('email')}
            />
            {problem && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {problem}
              </Text>
            )}
          </Stack>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={form.submitting}>
              Invite
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}
