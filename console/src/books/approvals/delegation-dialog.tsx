import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { Select } from '../../app/inputs/select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { today } from '../../app/values/dates.ts'
import { approversQuery, useDelegate } from './queries.ts'

type Problems = { to?: string; starts?: string; ends?: string }

/** Lets somebody approve in the place of the person who is signed in, from one day to another. An admin can do so for others. */
export function DelegationDialog({ close }: { close: () => void }) {
  const { user, isAdmin } = useMe()
  const { data: approvers, error, refetch } = useQuery(approversQuery)
  const [from, setFrom] = useState<string | null>(user?.id ?? null)
  const [to, setTo] = useState<string | null>(null)
  const [starts, setStarts] = useState(today())
  const [ends, setEnds] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const run = useDelegate()
  const choices = (approvers ?? [])
    .map(({ id, name }) => ({ value: id, label: name }))
    .sort((a, b) => a.label.localeCompare(b.label))
  const others = choices.filter(({ value }) => value !== from)
  const isAlone = approvers !== undefined && others.length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemsOf({ to, starts, ends })
    setProblems(wrong)
    if (Object.keys(wrong).length > 0 || !from || !to) return
    const whose = from === user?.id ? {} : { from_user_id: from }
    const onSuccess = () => {
      close()
      notifications.show({ message: 'The approvals were delegated.' })
    }
    const since = starts === today() ? {} : { starts_at: inDay(starts, '00:00:00') }
    run.mutate({ ...whose, to_user_id: to, ...since, ends_at: inDay(ends, '23:59:59.999') }, { onSuccess })
  }
  return (
    <Modal opened onClose={close} title={isAdmin ? 'New delegation' : 'Delegate your approvals'}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">
            The other person then approves the bills that wait for {from === user?.id ? 'you' : 'this person'}. The
            history of each bill names both. It ends by itself after the last day, and can be ended before.
          </Text>
          {error && <Failed error={error} what="the people who may approve" retry={() => void refetch()} />}
          {isAdmin && <Select label="Approvals of" choices={choices} value={from} onChange={setFrom} />}
          {isAlone ? (
            <Text size="sm">
              There is nobody else whose role allows to approve. An admin can change the roles under People.
            </Text>
          ) : (
            <Select label="Given by" choices={others} value={to} onChange={setTo} error={problems.to} data-autofocus />
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput
              type="date"
              label="From"
              value={starts}
              onChange={(event) => setStarts(event.currentTarget.value)}
              error={problems.starts}
            />
            <TextInput
              type="date"
              label="Until the end of"
              min={starts}
              value={ends}
              onChange={(event) => setEnds(event.currentTarget.value)}
              error={problems.ends}
            />
          </SimpleGrid>
          {run.error ? <Failed error={run.error} /> : null}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending} disabled={isAlone}>
            Delegate
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** A time of a day where the person is. */
function inDay(day: string, time: string): string {
  return new Date(`${day}T${time}`).toISOString()
}

function problemsOf({ to, starts, ends }: { to: string | null; starts: string; ends: string }): Problems {
  return {
    ...(!to && { to: 'Choose a person.' }),
    ...(!starts && { starts: 'Enter the first day.' }),
    ...(!ends && { ends: 'Enter the last day.' }),
    ...(starts && ends && ends < starts && { ends: 'The last day is before the first.' }),
  }
}
