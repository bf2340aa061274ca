import { Alert, Button, Group, Modal, Table, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Problem } from '../api/problem.ts'
import { Failed } from '../parts/failed.tsx'
import { changesIn, type Editing } from './use-editing.ts'

export type ConflictDialogProps<Values> = {
  editing: Editing<Values>
  what: string
  labels: Record<keyof Values & string, string>
  show: (field: keyof Values & string, values: Values) => ReactNode
}

/** Somebody else was faster: what they changed, what was typed here, and two ways on. */
export function ConflictDialog<Values extends Record<string, unknown>>({ editing, what, labels, show }: ConflictDialogProps<Values>) {
  const { conflict, form, resolve, dismiss } = editing
  if (!conflict) return null
  const theirs = Object.keys(changesIn(conflict.before, conflict.now.values)) as (keyof Values & string)[]
  const mine = changesIn(conflict.before, form.values)
  return (
    <Modal opened onClose={dismiss} title={`Somebody else changed this ${what}`} size="lg">
      <Text size="sm" mb="md">
        It was changed after you began. Nothing of yours is saved yet, and nothing is lost: load the new one, and go on with what you typed on top of it.
      </Text>
      {theirs.length > 0 ? (
        <Table.ScrollContainer minWidth={0}>
          <Table mb="md" fz="sm" layout="fixed" style={{ overflowWrap: 'anywhere' }}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Now</Table.Th>
                <Table.Th>You typed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {theirs.map((field) => (
                <Table.Tr key={field} style={{ verticalAlign: 'top' }}>
                  <Table.Td>{labels[field]}</Table.Td>
                  <Table.Td>{show(field, conflict.now.values)}</Table.Td>
                  <Table.Td>{field in mine ? show(field, form.values) : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <Text size="sm" mb="md" c="dimmed">
          None of the fields here differ: something else about it does.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => resolve(false)}>
          Load it, drop mine
        </Button>
        <Button onClick={() => resolve(true)} data-autofocus>
          Load it, keep what I typed
        </Button>
      </Group>
    </Modal>
  )
}

/** In a dialog that does one thing: why it was not done, with a way to the new one where somebody else was faster. */
export function Refused({ error, what, load }: { error: unknown; what: string; load: () => void }) {
  if (!error) return null
  if (!(error instanceof Problem && error.status === 412)) return <Failed error={error} />
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} role="alert" title={`Somebody else changed this ${what}`} mt="md">
      <Text size="sm">Nothing was done. Load the new one and look again; what you typed stays.</Text>
      <Button mt="sm" size="xs" onClick={load}>
        Load the new one
      </Button>
    </Alert>
  )
}
