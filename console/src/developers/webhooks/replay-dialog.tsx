import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { fieldErrors } from '../../app/api/problem.ts'
import { NotSaved } from '../../app/editing/not-saved.tsx'
import { TypesField } from '../events/types-field.tsx'
import { useReplay, type Webhook } from './queries.ts'
import { nameOf } from './words.tsx'

type Values = { from: string; to: string; event_types: string[] }

/** Sends what happened in a span of time again. Times are those of the browser's time zone. */
export function ReplayDialog({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const replay = useReplay(webhook)
  const form = useForm<Values>({
    initialValues: { from: typedTime(new Date(Date.now() - hourMs)), to: '', event_types: [] },
    validate: {
      from: (from) => (from === '' ? 'Enter a time.' : null),
      to: (to, { from }) => (to !== '' && to < from ? 'The end must be after the beginning.' : null),
    },
  })
  const submit = form.onSubmit(({ from, to, event_types }) =>
    replay.mutate(
      {
        from: new Date(from).toISOString(),
        ...(to && { to: endOf(to) }),
        ...(event_types.length > 0 && { event_types }),
      },
      {
        onSuccess: () => {
          notifications.show({
            title: 'The replay has begun',
            message: 'The events are sent in the background. They appear among the deliveries.',
          })
          close()
        },
        onError: (error) => form.setErrors(fieldErrors(error, Object.keys(form.values)).byField),
      },
    ),
  )
  return (
    <Modal opened onClose={close} title={`Replay to ${nameOf(webhook)}`}>
      <form onSubmit={submit} noValidate>
        <NotSaved
          title="The replay has not begun"
          problem={replay.error ? fieldErrors(replay.error, Object.keys(form.values)).rest : null}
        />
        <Text size="sm" mb="md">
          Everything that happened in this time is sent again, and what was never sent, too. Each event keeps its id, by
          which your program knows what it has seen.
        </Text>
        <TextInput type="datetime-local" label="From" required mb="sm" data-autofocus {...form.getInputProps('from')} />
        <TextInput
          type="datetime-local"
          label="To"
          description="Empty: until now."
          mb="sm"
          {...form.getInputProps('to')}
        />
        <TypesField
          label="Types"
          description="Empty: all types that the webhook is sent."
          value={form.values.event_types}
          onChange={(types) => form.setFieldValue('event_types', types)}
          error={form.errors.event_types}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={replay.isPending}>
            Replay
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const hourMs = 3_600_000

/** A time as its input has it: local, to the minute. */
function typedTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The whole minute that was entered. */
function endOf(minute: string): string {
  return new Date(new Date(minute).getTime() + 59_999).toISOString()
}
