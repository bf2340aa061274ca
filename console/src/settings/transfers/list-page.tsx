import { Group, Progress, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { wordsFor } from '../../app/api/problem.ts'
import { IconArrowsTransferDown, IconDownload, IconFileAlert, IconPlayerStop } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { transfersPath } from '../../app/transfers/paths.ts'
import {
  isUnderWay,
  type Transfer,
  transfersQuery,
  useCancelTransfer,
  useDownload,
} from '../../app/transfers/queries.ts'
import { timeOf } from '../../app/values/dates.ts'
import { useKinds } from '../../records/kinds/queries.ts'

export function ListPage() {
  return (
    <Page
      title="Imports and exports"
      lead="Large files that are imported or exported in the background. They go on when you leave this page, and are deleted some days after their end."
    >
      <Transfers />
    </Page>
  )
}

function Transfers() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...transfersQuery(page),
    placeholderData: keepPreviousData,
  })
  const columns = useColumns()
  if (error) return <Failed error={error} what="the imports and exports" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { transfers, offset, limit, total } = data
  if (transfers.length === 0) {
    return (
      <Notice icon={IconArrowsTransferDown} title="No imports or exports">
        Small files are imported and exported at once. A file with thousands of rows is shown here.
      </Notice>
    )
  }
  const paging = {
    offset,
    limit,
    total,
    onPage: (next: number) => void navigate({ to: transfersPath, search: next > 1 ? { page: next } : {} }),
  }
  return (
    <DataTable
      label="Imports and exports"
      columns={columns}
      rows={transfers}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

const documentWords: Record<string, string> = { bills: 'Bills', invoices: 'Invoices', credits: 'Credits' }

function useColumns(): Column<Transfer>[] {
  const kinds = useKinds()
  const nameOf = ({ direction, dry_run, resource, object_key }: Transfer) => {
    const what =
      documentWords[resource] ?? kinds.find(({ objectKey }) => objectKey === object_key)?.plural ?? object_key
    return `${direction === 'export' ? 'Export' : dry_run ? 'Check' : 'Import'}: ${what}`
  }
  return [
    { label: 'What', show: (transfer) => <Text size="sm">{nameOf(transfer)}</Text> },
    { label: 'State', show: (transfer) => <State transfer={transfer} /> },
    { label: 'Rows', show: (transfer) => <Rows transfer={transfer} name={nameOf(transfer)} /> },
    { label: 'Started by', show: ({ created_by_name }) => created_by_name ?? 'Someone who is gone' },
    { label: 'Started', show: ({ created_at }) => <time dateTime={created_at}>{timeOf(created_at)}</time> },
    { label: 'Actions', show: (transfer) => <Actions transfer={transfer} name={nameOf(transfer)} /> },
  ]
}

const states: Record<Transfer['state'], { words: string; tone: Tone }> = {
  queued: { words: 'Waiting', tone: 'open' },
  running: { words: 'Running', tone: 'moving' },
  done: { words: 'Done', tone: 'done' },
  failed: { words: 'Failed', tone: 'stopped' },
  cancelled: { words: 'Cancelled', tone: 'quiet' },
}

function State({ transfer: { state, failure_message } }: { transfer: Transfer }) {
  return (
    <>
      <StateBadge {...states[state]} />
      {failure_message && (
        <Text size="sm" c="dimmed" maw="24rem">
          {failure_message}
        </Text>
      )}
    </>
  )
}

function Rows({ transfer, name }: { transfer: Transfer; name: string }) {
  const { rows_done, rows_total, counts } = transfer
  const percent = rows_total ? Math.min(100, Math.floor((rows_done / rows_total) * 100)) : 0
  const parts = counts
    ? ([
        [counts.created, 'created'],
        [counts.updated, 'updated'],
        [counts.unchanged, 'unchanged'],
        [counts.failed, 'failed'],
      ] as const)
    : []
  return (
    <>
      {isUnderWay(transfer) && <Progress value={percent} aria-label={`Progress of ${name}`} mb={4} />}
      <Text size="sm">
        {rows_done.toLocaleString()}
        {isUnderWay(transfer) && rows_total !== null && ` of ${rows_total.toLocaleString()}`}
      </Text>
      <Text size="sm" c="dimmed">
        {parts
          .filter(([number]) => number > 0)
          .map(([number, words]) => `${number.toLocaleString()} ${words}`)
          .join(', ')}
      </Text>
    </>
  )
}

function Actions({ transfer, name }: { transfer: Transfer; name: string }) {
  const cancel = useCancelTransfer()
  const download = useDownload()
  const say = (title: string) => (error: unknown) =>
    notifications.show({ title, message: wordsFor(error), color: 'red.9' })
  const get = (file: 'result' | 'failures') =>
    download.mutate({ transfer, file }, { onError: say('Could not download the file') })
  const { id, direction, state, failures_bytes } = transfer
  return (
    <Group gap={4} wrap="nowrap">
      {isUnderWay(transfer) && (
        <RowAction
          icon={IconPlayerStop}
          label="Cancel"
          of={name}
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(id, { onError: say('Could not cancel it') })}
        />
      )}
      {direction === 'export' && state === 'done' && (
        <RowAction
          icon={IconDownload}
          label="Download"
          of={name}
          disabled={download.isPending}
          onClick={() => get('result')}
        />
      )}
      {failures_bytes > 0 && !isUnderWay(transfer) && (
        <RowAction
          icon={IconFileAlert}
          label="Download failed rows"
          of={name}
          disabled={download.isPending}
          onClick={() => get('failures')}
        />
      )}
    </Group>
  )
}
