import { Button, Group } from '@mantine/core'
import { IconCalendarDue, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { type Column, DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { type TermSearch, termQueryOf } from '../parts/term-in-address.ts'
import { When } from '../parts/when.tsx'
import { PayTermDialog } from './pay-term-dialog.tsx'
import { type PayTerm, payTermsQuery, useDeletePayTerm } from './queries.ts'

type Open = { edit: PayTerm | null } | { remove: PayTerm } | null

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
      {open && 'remove' in open && <Remove term={open.remove} close={() => setOpen(null)} />}
    </Page>
  )
}

function List({ search, go, open }: { search: TermSearch; go: (next: TermSearch) => void; open: (next: Open) => void }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...payTermsQuery(termQueryOf(search)), placeholderData: keepPreviousData })
  if (error) return <Failed error={error} what="the pay terms" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { pay_terms, offset, limit, total } = data
  if (pay_terms.length === 0) {
    return (
      <Notice icon={IconCalendarDue} title={search.q ? 'No pay terms found' : 'No pay terms yet'}>
        {search.q ? 'No pay term has this text in its name.' : 'The due date of a bill is calculated from its pay term.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return <DataTable label="Pay terms" columns={columnsOf(open)} rows={pay_terms} keyOf={({ id }) => id} paging={paging} waiting={isPlaceholderData} />
}

function columnsOf(open: (next: Open) => void): Column<PayTerm>[] {
  return [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Days', end: true, show: ({ number_of_days }) => number_of_days },
    {
      label: 'In other systems',
      show: ({ connector_mappings }) =>
        Object.values(connector_mappings)
          .map(({ connector_id, vendor_pay_term_id }) => `${connector_id}: ${vendor_pay_term_id}`)
          .join(', ') || '–',
    },
    { label: 'Changed', show: ({ updated_at }) => <When at={updated_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (term) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RowAction icon={IconPencil} label="Edit" of={term.name} onClick={() => open({ edit: term })} />
          <RowAction icon={IconTrash} label="Delete" of={term.name} onClick={() => open({ remove: term })} />
        </Group>
      ),
    },
  ]
}

function Remove({ term, close }: { term: PayTerm; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={term.name} close={close} change={useDeletePayTerm(term)}>
      It can no longer be chosen. A pay term that bills or statements use cannot be deleted.
    </ConfirmDialog>
  )
}
