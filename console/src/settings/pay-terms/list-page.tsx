import { Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges, textOf } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconCalendarDue, IconHistory, IconPencil, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { SearchField } from '../../app/table/search-field.tsx'
import { type TermSearch, termQueryOf } from '../../app/table/term-in-address.ts'
import { labels, PayTermDialog } from './pay-term-dialog.tsx'
import { historyQuery, type Mappings, type PayTerm, payTermsQuery, useDeletePayTerm } from './queries.ts'

type Open = { edit: PayTerm | null } | { remove: PayTerm } | { history: PayTerm } | null

export function ListPage() {
  const search = useSearch({ strict: false }) as TermSearch
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const go = (next: TermSearch) => void navigate({ to: '/settings/pay-terms', search: next })
  const newButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
      New pay term
    </Button>
  )
  return (
    <Page title="Pay terms" lead="The number of days after the bill date when a bill is due." actions={newButton}>
      <SearchField label="Search by name" value={search.q ?? ''} change={(q) => go(q ? { q } : {})} />
      <List search={search} go={go} open={setOpen} />
      {open && 'edit' in open && <PayTermDialog term={open.edit} close={() => setOpen(null)} />}
      {open && 'history' in open && <History term={open.history} close={() => setOpen(null)} />}
      {open && 'remove' in open && <Remove term={open.remove} close={() => setOpen(null)} />}
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
    ...payTermsQuery(termQueryOf(search)),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the pay terms" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { pay_terms, offset, limit, total } = data
  if (pay_terms.length === 0) {
    return (
      <Notice icon={IconCalendarDue} title={search.q ? 'No pay terms found' : 'No pay terms yet'}>
        {search.q
          ? 'No pay term has this text in its name.'
          : 'The due date of a bill is calculated from its pay term.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Pay terms"
      columns={columnsOf(open)}
      rows={pay_terms}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

function columnsOf(open: (next: Open) => void): Column<PayTerm>[] {
  return [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Days', end: true, show: ({ number_of_days }) => number_of_days },
    {
      label: 'In other systems',
      show: ({ connector_mappings }) => inOtherSystems(connector_mappings),
    },
    { label: 'Changed', show: ({ updated_at }) => <When at={updated_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (term) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RowAction icon={IconPencil} label="Edit" of={term.name} onClick={() => open({ edit: term })} />
          <RowAction icon={IconHistory} label="History" of={term.name} onClick={() => open({ history: term })} />
          <RowAction icon={IconTrash} label="Delete" of={term.name} onClick={() => open({ remove: term })} />
        </Group>
      ),
    },
  ]
}

function History({ term, close }: { term: PayTerm; close: () => void }) {
  return (
    <HistoryDialog
      name={term.name}
      close={close}
      query={(limit) => historyQuery(term.id, limit)}
      changesOf={(event) => <FieldChanges event={event} labels={labels} show={shownInHistory} />}
    />
  )
}

/** The ids in other systems as the list shows them. */
function shownInHistory(value: unknown, field: string) {
  return field === 'connector_mappings' ? inOtherSystems(value as Mappings) : textOf(value)
}

function inOtherSystems(mappings: Mappings): string {
  return (
    Object.values(mappings)
      .map(({ connector_id, vendor_pay_term_id }) => `${connector_id}: ${vendor_pay_term_id}`)
      .join(', ') || '–'
  )
}

function Remove({ term, close }: { term: PayTerm; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={term.name} close={close} change={useDeletePayTerm(term)}>
      It can no longer be chosen. A pay term that bills or statements use cannot be deleted.
    </ConfirmDialog>
  )
}
