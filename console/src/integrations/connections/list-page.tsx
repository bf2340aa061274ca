import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { IconPlug, IconPlus } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { NumberLink } from '../../books/documents/shown/shown.tsx'
import { type Connection, connectionsQuery, connectorsQuery, useCreateConnection } from './queries.ts'
import { connectionsPath } from './routes.ts'
import { statusTones, statusWords } from './words.ts'

export function ListPage() {
  const [open, setOpen] = useState(false)
  const { isAdmin } = useMe()
  const newButton = isAdmin && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen(true)}>
      New connection
    </Button>
  )
  return (
    <Page
      title="Connections"
      lead={`Bills, invoices and payments go to your accounting system, payments made there come back.${isAdmin ? '' : ' Admins can connect.'}`}
      actions={newButton}
    >
      <List newButton={newButton} />
      {open && <NewDialog close={() => setOpen(false)} />}
    </Page>
  )
}

const columns: Column<Connection>[] = [
  { label: 'Name', show: ({ id, name }) => <NumberLink to={`${connectionsPath}/${id}`}>{name}</NumberLink> },
  { label: 'State', show: ({ status }) => <StateBadge words={statusWords[status]} tone={statusTones[status]} /> },
  { label: 'Company', show: ({ remote_name }) => remote_name ?? '–' },
  { label: 'Last sync', show: ({ last_sync_at }) => (last_sync_at ? <When at={last_sync_at} /> : '–') },
]

function List({ newButton }: { newButton: React.ReactNode }) {
  const { data, error, refetch } = useQuery(connectionsQuery)
  if (error) return <Failed error={error} what="the connections" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  if (data.length === 0)
    return (
      <Notice icon={IconPlug} title="No connections yet" action={newButton}>
        Connect QuickBooks Online or Xero, or have files made that your accounting system reads.
      </Notice>
    )
  return <DataTable label="Connections" columns={columns} rows={data} keyOf={({ id }) => id} />
}

function NewDialog({ close }: { close: () => void }) {
  const { data: connectors = [] } = useQuery(connectorsQuery)
  const { data: connections = [] } = useQuery(connectionsQuery)
  const create = useCreateConnection()
  const navigate = useNavigate()
  const taken = new Set(connections.map(({ connector_id }) => connector_id))
  const start = (connector_id: string) =>
    create.mutate({ connector_id }, { onSuccess: ({ id }) => void navigate({ to: `${connectionsPath}/${id}` }) })
  return (
    <Modal opened onClose={close} title="New connection" size="lg">
      {create.error ? <Failed error={create.error} /> : null}
      <Stack gap="md">
        {connectors.map(({ id, name, description }) => (
          <Group key={id} justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            </div>
            <Button
              variant="default"
              disabled={taken.has(id)}
              loading={create.isPending && create.variables?.connector_id === id}
              onClick={() => start(id)}
              aria-label={`Add ${name}`}
            >
              {taken.has(id) ? 'Added' : 'Add'}
            </Button>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
