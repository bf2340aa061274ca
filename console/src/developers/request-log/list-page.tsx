import { Anchor, Button, Code, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { IconRefresh, IconTerminal2 } from '../../app/icons/icons.ts'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { requestLogPath } from '../paths.ts'
import { Filters } from './filters.tsx'
import { type Entry, requestLogQuery } from './queries.ts'
import type { LogSearch } from './search.ts'
import { DryRun, Status } from './status.tsx'
import { applicationWords } from './words.ts'

export function ListPage() {
  return (
    <ForAdmins>
      <Log />
    </ForAdmins>
  )
}

function Log() {
  const search = useSearch({ strict: false }) as LogSearch
  const navigate = useNavigate()
  const go = (next: LogSearch) => void navigate({ to: requestLogPath, search: next })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...requestLogQuery(search),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Request log"
      lead="What programs and people asked of the API in the last days, and what they were answered, the newest first. What this console asks for is shown where it is chosen as the application."
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Refresh
        </Button>
      }
    >
      <Filters search={search} change={(make) => void navigate({ to: requestLogPath, search: make as never })} />
      {error ? (
        <Failed error={error} what="the request log" retry={() => void refetch()} />
      ) : !data ? (
        <TableSkeleton />
      ) : null}
      {!error && data && <Entries page={data} search={search} go={go} isWaiting={isPlaceholderData} />}
    </Page>
  )
}

type EntriesProps = {
  page: { request_log: readonly Entry[]; offset: number; limit: number; total: number }
  search: LogSearch
  go: (next: LogSearch) => void
  isWaiting: boolean
}

function Entries({ page: { request_log, offset, limit, total }, search, go, isWaiting }: EntriesProps) {
  if (request_log.length === 0) {
    return (
      <Notice icon={IconTerminal2} title="Nothing found">
        No request matches the filters above.
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={request_log}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isWaiting}
    />
  )
}

const columns: Column<Entry>[] = [
  { label: 'When', show: ({ occurred_at }) => <Moment at={occurred_at} /> },
  { label: 'Request', show: (entry) => <Request entry={entry} /> },
  {
    label: 'Status',
    show: ({ status, dry_run, error_code, error_message }) => (
      <>
        <Status status={status} /> {dry_run && <DryRun />}
        {error_code && (
          <Text size="xs" c="dimmed" maw={240} lineClamp={2} title={error_message ?? ''}>
            {error_code}
            {error_message && `: ${error_message}`}
          </Text>
        )}
      </>
    ),
  },
  {
    label: 'Took',
    end: true,
    show: ({ duration_ms }) => (duration_ms === null ? '–' : `${duration_ms.toLocaleString()} ms`),
  },
  { label: 'Application', show: (entry) => applicationWords(entry) },
  { label: 'User', show: ({ user }) => (user ? (user.name ?? user.email ?? 'A user who is gone') : '–') },
]

function Request({ entry: { id, method, path, query, not_kept } }: { entry: Entry }) {
  if (not_kept !== null)
    return `${not_kept.toLocaleString()} more requests of this minute were not kept, because there were too many.`
  return (
    <Anchor
      size="sm"
      style={{ overflowWrap: 'anywhere' }}
      renderRoot={(props) => <Link to={`${requestLogPath}/${id}`} {...rowLink} {...props} />}
    >
      <Code>{method}</Code> {path}
      {query && (
        <Text span size="sm" c="dimmed">
          ?{query.length > 60 ? `${query.slice(0, 60)}…` : query}
        </Text>
      )}
    </Anchor>
  )
}
