import { Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges, textOf } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconHistory, IconPencil, IconPercentage, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { SearchField } from '../../app/table/search-field.tsx'
import { type TermSearch, termQueryOf } from '../../app/table/term-in-address.ts'
import { separatorsOf } from '../../app/values/numbers.ts'
import { type Component, historyQuery, type TaxRate, taxRatesQuery, useDeleteTaxRate } from './queries.ts'
import { taxRatesPath } from './routes.ts'
import { labels, TaxRateDialog } from './tax-rate-dialog.tsx'

type Open = { edit: TaxRate | null } | { remove: TaxRate } | { history: TaxRate } | null

export function ListPage() {
  const search = useSearch({ strict: false }) as TermSearch
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const go = (next: TermSearch) => void navigate({ to: taxRatesPath, search: next })
  const newButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
      New tax rate
    </Button>
  )
  return (
    <Page title="Tax rates" lead="The taxes that lines of bills, invoices and credits can carry." actions={newButton}>
      <SearchField label="Search by name" value={search.q ?? ''} change={(q) => go(q ? { q } : {})} />
      <List search={search} go={go} open={setOpen} />
      {open && 'edit' in open && <TaxRateDialog rate={open.edit} close={() => setOpen(null)} />}
      {open && 'history' in open && <History rate={open.history} close={() => setOpen(null)} />}
      {open && 'remove' in open && <Remove rate={open.remove} close={() => setOpen(null)} />}
    </Page>
  )
}

function List({
  search,
  go,
  open,
}: {
  search: TermSearch
  go: (next: TermSearch) => void
  open: (next: Open) => void
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...taxRatesQuery(termQueryOf(search)),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the tax rates" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { tax_rates, offset, limit, total } = data
  if (tax_rates.length === 0) {
    return (
      <Notice icon={IconPercentage} title={search.q ? 'No tax rates found' : 'No tax rates yet'}>
        {search.q
          ? 'No tax rate has this text in its name.'
          : 'Where lines have a tax rate, the tax of the document is calculated from them.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Tax rates"
      columns={columnsOf(open)}
      rows={tax_rates}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

function columnsOf(open: (next: Open) => void): Column<TaxRate>[] {
  return [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Percent', end: true, show: ({ percent }) => shown(percent) },
    { label: 'Components', show: ({ components }) => inWords(components) },
    {
      label: 'State',
      show: ({ active }) => <StateBadge words={active ? 'Active' : 'Not offered'} tone={active ? 'done' : 'quiet'} />,
    },
    {
      label: 'Actions',
      end: true,
      show: (rate) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RowAction icon={IconPencil} label="Edit" of={rate.name} onClick={() => open({ edit: rate })} />
          <RowAction icon={IconHistory} label="History" of={rate.name} onClick={() => open({ history: rate })} />
          <RowAction icon={IconTrash} label="Delete" of={rate.name} onClick={() => open({ remove: rate })} />
        </Group>
      ),
    },
  ]
}

function History({ rate, close }: { rate: TaxRate; close: () => void }) {
  return (
    <HistoryDialog
      name={rate.name}
      close={close}
      query={(limit) => historyQuery(rate.id, limit)}
      changesOf={(event) => (
        <FieldChanges
          event={event}
          labels={labels}
          show={(value, field) => (field === 'components' ? inWords(value as Component[]) : textOf(value))}
        />
      )}
    />
  )
}

function Remove({ rate, close }: { rate: TaxRate; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={rate.name} close={close} change={useDeleteTaxRate(rate)}>
      It can no longer be chosen. A tax rate that lines have cannot be deleted; edit it so that it is not offered any
      more.
    </ConfirmDialog>
  )
}

function inWords(components: readonly Component[]): string {
  return components.map(({ name, percent }) => `${name} ${shown(percent)}`).join(' + ') || '–'
}

function shown(percent: string): string {
  return `${percent.replace('.', separatorsOf(undefined).decimal)} %`
}
