import { Anchor, Button, Group, Paper, Select, SimpleGrid, TextInput } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMoney } from '../api/currencies.ts'
import { CarrierName, CarrierSelect } from '../billing/carriers.tsx'
import { StateTabs } from '../billing/state-tabs.tsx'
import { DueDate, StatusBadge, statusWords } from '../billing/status.tsx'
import { type Column, DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Period } from './period.tsx'
import { type Statement, statementsQuery, useTotals } from './queries.ts'
import { isFiltered, type StatementSearch, type TabKey, tabs, types } from './search.ts'

const tabWords: Record<TabKey, string> = { all: 'All', ...statusWords }

export function ListPage() {
  const search = useSearch({ strict: false }) as StatementSearch
  const navigate = useNavigate()
  const totals = useTotals(search)
  const go = (next: StatementSearch) => void navigate({ to: '/statements', search: next })
  return (
    <Page title="Statements" lead="Bills of one payee in one currency, gathered to be sent and paid together." actions={<NewButton />}>
      <StateTabs
        to="/statements"
        tabs={tabs.map((key) => ({ key, label: tabWords[key], total: totals[key] }))}
        current={search.state ?? 'all'}
        searchOf={(key) => said({ ...search, page: null, state: key === 'all' ? null : key })}
      />
      <Filters search={search} change={(next) => go(said({ ...search, page: null, ...next }))} />
      <Statements search={search} go={go} />
    </Page>
  )
}

function said(search: { [key in keyof StatementSearch]?: string | number | null | undefined }): StatementSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as StatementSearch
}

function Filters({ search, change }: { search: StatementSearch; change: (next: Partial<Record<keyof StatementSearch, string | null>>) => void }) {
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        <CarrierSelect label="Payee" placeholder="Any" value={search.carrier ?? null} onChange={(carrier) => change({ carrier })} />
        <Select
          label="Kind"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear kind' }}
          data={Object.entries(types).map(([value, label]) => ({ value, label }))}
          value={search.type ?? null}
          onChange={(type) => change({ type })}
        />
        <Group grow gap="xs" wrap="nowrap">
          <TextInput
            type="date"
            label="Period from"
            value={search.period_from ?? ''}
            onChange={(event) => change({ period_from: event.currentTarget.value })}
          />
          <TextInput type="date" label="Period to" value={search.period_to ?? ''} onChange={(event) => change({ period_to: event.currentTarget.value })} />
        </Group>
      </SimpleGrid>
    </Paper>
  )
}

function Statements({ search, go }: { search: StatementSearch; go: (next: StatementSearch) => void }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(statementsQuery(search))
  const columns = useColumns()
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { consolidated_bills, offset, limit, total } = data
  if (consolidated_bills.length === 0) return <Nothing search={search} />
  return (
    <DataTable
      label="Statements"
      columns={columns}
      rows={consolidated_bills}
      keyOf={({ id }) => id}
      waiting={isPlaceholderData}
      paging={{ offset, limit, total, onPage: (page) => go(said({ ...search, page: page > 1 ? page : null })) }}
    />
  )
}

function useColumns(): Column<Statement>[] {
  const money = useMoney()
  return [
    {
      label: 'Number',
      show: ({ id, number }) => (
        <Anchor fw={600} size="sm" style={{ whiteSpace: 'nowrap' }} renderRoot={(props) => <Link to={`/statements/${id}`} {...props} />}>
          {number ?? 'Draft'}
        </Anchor>
      ),
    },
    { label: 'Payee', show: ({ remit_to, partner_carrier_id }) => remit_to?.company_name ?? <CarrierName id={partner_carrier_id} /> },
    { label: 'Period', show: (statement) => <Period {...statement} /> },
    { label: 'Bills', end: true, show: ({ bill_count }) => bill_count.toLocaleString() },
    { label: 'Due', show: (statement) => <DueDate {...statement} /> },
    { label: 'State', show: ({ status_id }) => <StatusBadge status={status_id} /> },
    { label: 'Total', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
  ]
}

function Nothing({ search }: { search: StatementSearch }) {
  if (isFiltered(search) || search.page) {
    return (
      <Notice icon={IconStack2} title="No statements like that" action={<Button renderRoot={(props) => <Link to="/statements" {...props} />}>Show all</Button>}>
        None matches the state and the filters above.
      </Notice>
    )
  }
  return (
    <Notice icon={IconStack2} title="No statements yet" action={<NewButton />}>
      Gather what a payee is owed for a period, or bills that you choose, and send and pay them in one step.
    </Notice>
  )
}

function NewButton() {
  return (
    <Button leftSection={<IconPlus size={18} aria-hidden />} renderRoot={(props) => <Link to="/statements/new" {...props} />}>
      New statement
    </Button>
  )
}
