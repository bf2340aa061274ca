import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { momentOn, today } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { Select } from '../parts/select.tsx'
import { peopleNamesQuery } from '../people/queries.ts'
import { useDelegate } from './queries.ts'

/** Lets somebody approve in the place of somebody else, from one day to another. */
export function DelegationDialog({ close }: { close: () => void }) {
  const { data: people = [] } = useQuery(peopleNamesQuery)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const [starts, setStarts] = useState(today())
  const [ends, setEnds] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const run = useDelegate()
  const choices = people
    .filter(({ role, disabled_at }) => !disabled_at && ['admin', 'member', 'approver'].includes(role))
    .map(({ id, name }) => ({ value: id, label: name }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!from || !to || !starts || !ends) return setMissing('Choose both people, and both days.')
    setMissing(null)
    run.mutate({ from_user_id: from, to_user_id: to, starts_at: momentOn(starts), ends_at: ends }, { onSuccess: close })
  }
  return (
    <Modal opened onClose={close} title="New delegation">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Select label="Approvals of" choices={choices} value={from} onChange={setFrom} data-autofocus />
          <Select label="Given by" choices={choices.filter(({ value }) => value !== from)} value={to} onChange={setTo} error={missing} />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput type="date" label="From" value={starts} onChange={(event) => setStarts(event.currentTarget.value)} />
            <TextInput type="date" label="Until" value={ends} onChange={(event) => setEnds(event.currentTarget.value)} />
          </SimpleGrid>
          {run.error ? <Failed error={run.error} /> : null}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending}>
            Delegate
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
