import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { IconDownload, IconRefresh, IconRepeat } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { NumberLink } from '../../books/documents/shown/shown.tsx'
import {
  type Connection,
  resultsQuery,
  type Sync,
  type SyncResult,
  syncsQuery,
  useDownloadFile,
  useRetrySync,
  useStartSync,
} from './queries.ts'
import { countsText } from './values.ts'
import { outcomeTones, outcomeWords, syncTones, syncWords } from './words.ts'

/** Starts syncs, and shows what came of the last ones. */
export function SyncsPanel({ connection }: { connection: Connection }) {
  const { may } = useMe()
  const start = useStartSync(connection)
  const [shown, setShown] = useState<string | null>(null)
  const { data, error, refetch } = useQuery(syncsQuery(connection.id))
  const canSync = may('enter') && (connection.status === 'connected' || connection.status === 'error')
  const sync = data?.find(({ id }) => id === shown)
  return (
    <Panel
      title="Syncs"
      lead="Takes what is new or has changed across, payments too, and brings payments made there back."
      actions={
        canSync && (
          <Button
            size="xs"
            leftSection={<IconRefresh size={15} aria-hidden />}
            loading={start.isPending}
            onClick={() => start.mutate(undefined)}
          >
            Sync now
          </Button>
        )
      }
    >
      {start.error ? <Failed error={start.error} /> : null}
      {error ? <Failed error={error} what="the syncs" retry={() => void refetch()} /> : null}
      {!data && !error && <TableSkeleton />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was synced yet.
        </Text>
      )}
      {data && data.length > 0 && (
        <DataTable
          label="Syncs"
          columns={columnsOf(connection, may('enter'), setShown)}
          rows={data}
          keyOf={({ id }) => id}
        />
      )}
      {sync && <Results key={sync.id} connection={connection} sync={sync} />}
    </Panel>
  )
}

const columnsOf = (connection: Connection, mayRetry: boolean, show: (id: string) => void): Column<Sync>[] => [
  { label: 'Started', show: ({ created_at }) => <When at={created_at} /> },
  { label: 'State', show: ({ state }) => <StateBadge words={syncWords[state]} tone={syncTones[state]} /> },
  {
    label: 'What came of it',
    show: (sync) => (
      <>
        {countsText(sync.counts)}
        {sync.error && (
          <Text size="sm" c="var(--mantine-color-error)">
            {sync.error}
          </Text>
        )}
      </>
    ),
  },
  {
    label: 'Actions',
    end: true,
    show: (sync) => <RowActions connection={connection} sync={sync} mayRetry={mayRetry} show={show} />,
  },
]

function RowActions({
  connection,
  sync,
  mayRetry,
  show,
}: {
  connection: Connection
  sync: Sync
  mayRetry: boolean
  show: (id: string) => void
}) {
  const retry = useRetrySync(connection)
  const download = useDownloadFile()
  const { id, state, counts, document_id } = sync
  const canRetry = mayRetry && state !== 'running' && counts.failed + counts.pending > 0
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {document_id && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate(document_id)}
        >
          File
        </Button>
      )}
      {canRetry && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRepeat size={15} aria-hidden />}
          loading={retry.isPending}
          onClick={() => retry.mutate(id)}
        >
          Try again
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={() => show(id)}>
        Results
      </Button>
    </Group>
  )
}

const places = { bill: '/bills', invoice: '/invoices', payment: '/payments' } as const

const resultColumns: Column<SyncResult>[] = [
  {
    label: 'Record',
    show: ({ record_type, record_id, number }) =>
      record_id ? (
        <NumberLink to={`${places[record_type]}/${record_id}`}>{number ?? record_type}</NumberLink>
      ) : (
        (number ?? record_type)
      ),
  },
  {
    label: 'What came of it',
    show: ({ outcome }) => <StateBadge words={outcomeWords[outcome]} tone={outcomeTones[outcome]} />,
  },
  { label: 'There', show: ({ remote_id }) => remote_id ?? '–' },
  {
    label: 'Why',
    show: ({ error, outcome }) =>
      error ? (
        <Text size="sm" {...(outcome === 'failed' && { c: 'var(--mantine-color-error)' })}>
          {error}
        </Text>
      ) : (
        '–'
      ),
  },
]

/** The failed ones first, where there are some. */
function Results({ connection, sync }: { connection: Connection; sync: Sync }) {
  const [all, setAll] = useState(sync.counts.failed === 0)
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    resultsQuery(connection.id, sync, all ? null : 'failed', page),
  )
  if (error) return <Failed error={error} what="the results" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { offset, limit, total } = data
  return (
    <>
      <Group justify="space-between" mt="md" mb="xs">
        <Text fw={600} size="sm">
          {all ? 'Results' : 'What failed'}
        </Text>
        {sync.counts.failed > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              setAll(!all)
              setPage(1)
            }}
          >
            {all ? 'Show what failed' : 'Show all'}
          </Button>
        )}
      </Group>
      {data.results.length === 0 ? (
        <Text size="sm" c="dimmed">
          There was nothing to do.
        </Text>
      ) : (
        <DataTable
          label={all ? 'Results' : 'What failed'}
          columns={resultColumns}
          rows={data.results}
          keyOf={({ record_type, record_id, remote_id, number }) =>
            `${record_type} ${record_id} ${remote_id} ${number}`
          }
          paging={{ offset, limit, total, onPage: setPage }}
          waiting={isPlaceholderData}
        />
      )}
    </>
  )
}
