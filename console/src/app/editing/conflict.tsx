import { Alert, Button, Group, Modal, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Problem } from '../api/problem.ts'
import { IconAlertTriangle } from '../icons/icons.ts'
import { Failed } from '../parts/failed.tsx'
import { changesIn, type EditSession } from './use-editing.ts'

export type ConflictDialogProps<Values> = {
  editing: EditSession<Values>
  what: string
  labels: Record<keyof Values & string, string>
  show: (field: keyof Values & string, values: Values) => ReactNode
}

/** Somebody else changed the record: shows their changes and the typed values, with two ways to continue. */
export function ConflictDialog<Values extends Record<string, unknown>>({
  editing,
  what,
  labels,
  show,
}: ConflictDialogProps<Values>) {
  const { conflict, form, resolve, dismiss } = editing
  if (!conflict) return null
  const theirs = Object.keys(changesIn(conflict.before, conflict.now.values)) as (keyof Values & string)[]
  const typed = form.getValues()
  const mine = changesIn(conflict.before, typed)
  return (
    <Modal opened onClose={dismiss} title={`Somebody else changed this ${what}`} size="lg">
      <Text size="sm" mb="md">
        It was changed after you started editing. Your changes are not saved yet, and they are not lost: you can load
        the new version and keep your changes.
      </Text>
      {theirs.length > 0 ? (
        <Table.ScrollContainer minWidth={0}>
          <Table mb="md" fz="sm" layout="fixed" style={{ overflowWrap: 'anywhere' }}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>New version</Table.Th>
                <Table.Th>Your change</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {theirs.map((field) => (
                <Table.Tr key={field} style={{ verticalAlign: 'top' }}>
                  <Table.Td>{labels[field]}</Table.Td>
                  <Table.Td>{show(field, conflict.now.values)}</Table.Td>
                  <Table.Td>{field in mine ? show(field, typed) : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <Text size="sm" mb="md" c="dimmed">
          The fields of this form are the same in both versions; something else was changed.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => resolve(false)}>
          Discard my changes
        </Button>
        <Button onClick={() => resolve(true)} data-autofocus>
          Keep my changes
        </Button>
      </Group>
    </Modal>
  )
}

/** In a dialog: why the action failed, with a button to load the new version if somebody else changed the record. */
export function Refused({ error, what, load }: { error: unknown; what: string; load: () => void }) {
  if (!error) return null
  if (!(error instanceof Problem && error.status === 412)) return <Failed error={error} />
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      title={`Somebody else changed this ${what}`}
      mt="md"
    >
      <Text size="sm">Nothing was done. Load the new version and check it; what you typed is kept.</Text>
      <Button mt="sm" size="xs" onClick={load}>
        Load the new version
      </Button>
    </Alert>
  )
}
