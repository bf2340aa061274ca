import { Anchor, Button, Group, Paper, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconFileInvoice, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { wordsFor } from '../api/problem.ts'
import { StateTabs } from '../billing/state-tabs.tsx'
import { DueDate, StatusBadge, statusWords } from '../billing/status.tsx'
import { type Column, DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { today } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { sumOf } from '../parts/money.ts'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Day } from '../parts/when.tsx'
import { type Bill, nameOf, payeeOf } from './bill.ts'
import { Filters } from './filters.tsx'
import { billsQuery, useExport, useTotals } from './queries.ts'
import { type BillSearch, isFiltered, type TabKey, tabs } from './search.ts'

const tabWords: Record<TabKey, string> = { all: 'All', ...statusWords, overdue: 'Overdue' }

export function ListPage() {
  const search = useSearch({ strict: false }) as BillSearch
  const navigate = useNavigate()
  const totals = useTotals(search)
  const go = (next: BillSearch) => void navigate({ to: '/bills', search: next })
  const change = (next: Partial<Record<keyof BillSearch, string | null>>) => go(said({ ...search, page: null, ...next }))
  return (
    <Page
      title="Bills"
      lead="What carriers and partners are owed, from the first draft to the payment."
      actions={
        <>
          <ExportButton search={search} />
          <NewButton />
        </>
      }
    >
      <StateTabs
        to="/bills"
        tabs={tabs.map((key) => ({ key, label: tabWords[key], total: totals[key] }))}
        current={search.state ?? 'all'}
        searchOf={(key) => said({ ...search, page: null, state: key === 'all' ? null : key })}
      />
      <Filters search={search} change={change} clear={() => go(said({ state: search.state, sort: search.sort }))} />
      <Bills search={search} go={go} />
    </Page>
  )
}

/** Only what says something stands in the address. */
function said(search: { [key in keyof BillSearch]?: string | number | null | undefined }): BillSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as BillSearch
}

function Bills({ search, go }: { search: BillSearch; go: (next: BillSearch) => void }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(billsQuery(search))
  const [chosen, setChosen] = useState<ReadonlyMap<string, Bill>>(new Map())
  const columns = useColumns()
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={8} />
  const { bills, offset, limit, total } = data
  if (bills.length === 0) return <Nothing search={search} total={total} />
  return (
    <>
      {chosen.size > 0 && <Chosen bills={[...chosen].map(([id, bill]) => bills.find((fresh) => fresh.id === id) ?? bill)} clear={() => setChosen(new Map())} />}
      <DataTable
        label="Bills"
        columns={columns}
        rows={bills}
        keyOf={({ id }) => id}
        waiting={isPlaceholderData}
        paging={{ offset, limit, total, onPage: (page) => go(said({ ...search, page: page > 1 ? page : null })) }}
        sorting={{ sort: search.sort ?? '-created_at', onSort: (sort) => go(said({ ...search, page: null, sort })) }}
        choosing={{ chosen, onChoose: setChosen, nameOf }}
      />
    </>
  )
}

function useColumns(): Column<Bill>[] {
  const money = useMoney()
  return [
    {
      label: 'Number',
      sort: 'number',
      show: (bill) => (
        <Anchor fw={600} size="sm" style={{ whiteSpace: 'nowrap' }} renderRoot={(props) => <Link to={`/bills/${bill.id}`} {...props} />}>
          {bill.number ?? 'Draft'}
        </Anchor>
      ),
    },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'Payee', show: (bill) => payeeOf(bill) ?? '–' },
    { label: 'Bill date', sort: 'bill_date', show: ({ bill_date }) => <Day at={bill_date} /> },
    { label: 'Due', sort: 'due_date', show: (bill) => <DueDate {...bill} /> },
    { label: 'State', show: ({ status_id }) => <StatusBadge status={status_id} /> },
    { label: 'Total', sort: 'total_amount', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
  ]
}

/** What was chosen, also on other pages of the list, with its sum in every currency. */
function Chosen({ bills, clear }: { bills: readonly Bill[]; clear: () => void }) {
  const money = useMoney()
  const byCurrency = Map.groupBy(
    bills.filter(({ currency_id }) => currency_id),
    ({ currency_id }) => currency_id as string,
  )
  const sums = [...byCurrency].map(([currency, some]) => money(sumOf(some.map(({ total_amount }) => total_amount)), currency))
  return (
    <Paper withBorder p="sm" mb="md" component="section" aria-label="Chosen bills">
      <Group justify="space-between">
        <Text size="sm" aria-live="polite">
          <b>{bills.length} chosen</b>
          {sums.length > 0 && ` · ${sums.join(' + ')}`}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={clear}>
            Choose none
          </Button>
          <Button
            size="xs"
            leftSection={<IconStack2 size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/statements/new" search={{ bills: bills.map(({ id }) => id).join(',') }} {...props} />}
          >
            Put on a statement
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

function Nothing({ search, total }: { search: BillSearch; total: number }) {
  if (total > 0) {
    return (
      <Notice icon={IconFileInvoice} title="This page is past the end" action={<ToFirstPage search={search} />}>
        The list has become shorter: {total} in all.
      </Notice>
    )
  }
  if (isFiltered(search) || search.state) {
    return (
      <Notice icon={IconFileInvoice} title="No bills like that">
        None matches the state and the filters above. A reference number has to be whole; capitals do not matter.
      </Notice>
    )
  }
  return (
    <Notice icon={IconFileInvoice} title="No bills yet" action={<NewButton />}>
      A bill says what a carrier is owed, line by line. Enter the first one, or let a program bring them by the API.
    </Notice>
  )
}

function ToFirstPage({ search: { page: _, ...rest } }: { search: BillSearch }) {
  return <Button renderRoot={(props) => <Link to="/bills" search={rest} {...props} />}>To the first page</Button>
}

function ExportButton({ search }: { search: BillSearch }) {
  const download = useExport()
  const run = () =>
    download.mutate(search, {
      onSuccess: (file) => saveFile(file, `bills-${today()}.csv`),
      onError: (error) => notifications.show({ title: 'Not exported', message: wordsFor(error), color: 'red.9' }),
    })
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={run} loading={download.isPending}>
      Export CSV
    </Button>
  )
}

function NewButton() {
  return (
    <Button leftSection={<IconPlus size={18} aria-hidden />} renderRoot={(props) => <Link to="/bills/new" {...props} />}>
      New bill
    </Button>
  )
}
