import { Button, Text } from '@mantine/core'
import { IconListCheck } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { type Connection, type Gap, useCheck } from './queries.ts'
import { kindWords } from './words.ts'

const columns: Column<Gap>[] = [
  { label: 'What', show: ({ kind }) => kindWords[kind] },
  { label: 'Name', show: ({ name }) => name },
  { label: 'What to do', show: ({ message, needed }) => (needed ? message : `${message} Not needed.`) },
  { label: 'Documents', end: true, show: ({ document_count }) => document_count.toLocaleString() },
]

/** What a sync now would miss. */
export function CheckPanel({ connection }: { connection: Connection }) {
  const check = useCheck(connection)
  const { data } = check
  return (
    <Panel
      title="Check"
      lead="Lists what is not mapped before anything is sent."
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconListCheck size={15} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Check now
        </Button>
      }
    >
      {check.error ? <Failed error={check.error} /> : null}
      {data && (
        <Text size="sm" mb={data.missing.length > 0 ? 'sm' : 0} role="status">
          {data.ok ? 'Nothing that is needed is missing' : 'Something is missing'} for{' '}
          {data.document_count.toLocaleString()}
          {data.has_more ? ' and more' : ''} {data.document_count === 1 ? 'document' : 'documents'}.
        </Text>
      )}
      {data && data.missing.length > 0 && (
        <DataTable
          label="What is missing"
          columns={columns}
          rows={data.missing}
          keyOf={({ kind, record_id, name }) => `${kind} ${record_id} ${name}`}
        />
      )}
    </Panel>
  )
}
