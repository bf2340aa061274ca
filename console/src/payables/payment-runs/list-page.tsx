import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { IconPlus, IconSend } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Day, When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { NumberLink } from '../../books/documents/shown/shown.tsx'
import { NewDialog } from './new-dialog.tsx'
import { type PaymentRun, runsQuery } from './queries.ts'
import { type RunsSearch, runsPath } from './routes.ts'
import { type RunStatus, runStatusWords, runTones } from './states.ts'

const choices = [
  { value: 'all', label: 'All' },
  ...Object.entries(runStatusWords).map(([value, label]) => ({ value, label })),
]

export function ListPage() {
  const search = useSearch({ strict: false }) as RunsSearch
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const { may } = useMe()
  const go = ({ state, page }: RunsSearch) =>
    void navigate({ to: runsPath, search: { ...(state && { state }), ...(page && { page }) } })
  const newButton = may('pay') && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen(true)}>
      New payment run
    </Button>
  )
  return (
    <Page
      title="Payment runs"
      lead="Pay what is due to many carriers at once: choose, look through, approve, issue, and send the files to the bank."
      actions={newButton}
    >
      <SegmentedControl
        aria-label="State"
        mb="md"
        maw="100%"
        data={choices}
        value={search.state ?? 'all'}
        onChange={(next) => go(next === 'all' ? {} : { state: next as RunStatus })}
      />
      <List search={search} go={go} newButton={newButton} />
      {open && <NewDialog close={() => setOpen(false)} />}
    </Page>
  )
}

function List({
  search,
  go,
  newButton,
}: {
  search: RunsSearch
  go: (next: RunsSearch) => void
  newButton: React.ReactNode
}) {
  const columns = useColumns()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...runsQuery(search),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the payment runs" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { payment_runs, offset, limit, total } = data
  if (payment_runs.length === 0) {
    return (
      <Notice
        icon={IconSend}
        title={search.state ? 'No payment runs found' : 'No payment runs yet'}
        action={!search.state && newButton}
      >
        {search.state
          ? `No payment run is in the state ${runStatusWords[search.state].toLowerCase()}.`
          : 'A payment run pays every bill that is due until a day, to carriers that have a payee.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Payment runs"
      columns={columns}
      rows={payment_runs}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
      sticky
    />
  )
}

function useColumns(): Column<PaymentRun>[] {
  const money = useMoney()
  return [
    { label: 'Number', show: ({ id, number }) => <NumberLink to={`${runsPath}/${id}`}>{number}</NumberLink> },
    { label: 'State', show: ({ status }) => <StateBadge words={runStatusWords[status]} tone={runTones[status]} /> },
    { label: 'Due until', show: ({ due_until }) => <Day at={due_until} /> },
    { label: 'Paid on', show: ({ pay_on }) => <Day at={pay_on} /> },
    { label: 'Created', show: ({ created_at }) => <When at={created_at} /> },
    { label: 'Payments', end: true, show: ({ payment_count }) => payment_count.toLocaleString() },
    { label: 'Bills', end: true, show: ({ bill_count }) => bill_count.toLocaleString() },
    { label: 'Total', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
  ]
}
