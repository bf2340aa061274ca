import { Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconHistory, IconPencil, IconPlus, IconTags, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { SearchField } from '../../app/table/search-field.tsx'
import { type TermSearch, termQueryOf } from '../../app/table/term-in-address.ts'
import { BillItemTypeDialog, labels } from './bill-item-type-dialog.tsx'
import { type BillItemType, billItemTypesQuery, historyQuery, useDeleteBillItemType } from './queries.ts'

type Open = { edit: BillItemType | null } | { remove: BillItemType } | { history: BillItemType } | null

export function ListPage() {
  const search = useSearch({ strict: false }) as TermSearch
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const go = (next: TermSearch) => void navigate({ to: '/settings/bill-item-types', search: next })
  const newButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
      New type
    </Button>
  )
  return (
    <Page
      title="Bill item types"
      lead="The types of lines on bills, such as line haul or fuel, with their ids in the accounting package."
      actions={newButton}
    >
      <SearchField label="Search by name, class or id" value={search.q ?? ''} change={(q) => go(q ? { q } : {})} />
      <List search={search} go={go} open={setOpen} />
      {open && 'edit' in open && <BillItemTypeDialog type={open.edit} close={() => setOpen(null)} />}
      {open && 'history' in open && <History type={open.history} close={() => setOpen(null)} />}
      {open && 'remove' in open && <Remove type={open.remove} close={() => setOpen(null)} />}
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
    ...billItemTypesQuery(termQueryOf(search)),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the bill item types" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { bill_item_types, offset, limit, total } = data
  if (bill_item_types.length === 0) {
    return (
      <Notice icon={IconTags} title={search.q ? 'No bill item types found' : 'No bill item types yet'}>
        {search.q ? 'No type has this text in its name, class or ids.' : 'A type says what a line of a bill is for.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Bill item types"
      columns={columnsOf(open)}
      rows={bill_item_types}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

function columnsOf(open: (next: Open) => void): Column<BillItemType>[] {
  return [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Class', show: ({ class: kind }) => kind ?? '–' },
    { label: 'External id', show: ({ external_id }) => external_id ?? '–' },
    { label: 'Id in accounting', show: ({ qb_external_id }) => qb_external_id ?? '–' },
    { label: 'Changed', show: ({ updated_at }) => <When at={updated_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (type) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RowAction icon={IconPencil} label="Edit" of={type.name} onClick={() => open({ edit: type })} />
          <RowAction icon={IconHistory} label="History" of={type.name} onClick={() => open({ history: type })} />
          <RowAction icon={IconTrash} label="Delete" of={type.name} onClick={() => open({ remove: type })} />
        </Group>
      ),
    },
  ]
}

function History({ type, close }: { type: BillItemType; close: () => void }) {
  return (
    <HistoryDialog
      name={type.name}
      close={close}
      query={(limit) => historyQuery(type.id, limit)}
      changesOf={(event) => <FieldChanges event={event} labels={labels} />}
    />
  )
}

function Remove({ type, close }: { type: BillItemType; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={type.name} close={close} change={useDeleteBillItemType(type)}>
      It can no longer be chosen. A type that lines of bills use cannot be deleted.
    </ConfirmDialog>
  )
}
