import { Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../editing/confirm-dialog.tsx'
import { FieldChanges } from '../history/field-changes.tsx'
import { HistoryDialog } from '../history/history-dialog.tsx'
import { IconHistory, IconPencil, IconPlus, IconTrash } from '../icons/icons.ts'
import { Failed } from '../parts/failed.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../table/data-table.tsx'
import { RowAction } from '../table/row-action.tsx'
import { SearchField } from '../table/search-field.tsx'
import { type TermSearch, termQueryOf } from '../table/term-in-address.ts'
import { PlainDialog } from './plain-dialog.tsx'
import type { NamedRow } from './plain-queries.ts'
import type { PlainRecords } from './plain-records.ts'

type Fields = Record<string, unknown>
type Open<Row> = { edit: Row | null } | { remove: Row } | { history: Row } | null
type Of<Row extends NamedRow, Values extends Fields, Content extends object> = {
  records: PlainRecords<Row, Values, Content>
}

export function PlainPage<Row extends NamedRow, Values extends Fields, Content extends object>({
  records,
}: Of<Row, Values, Content>) {
  const { path, words } = records
  const search = useSearch({ strict: false }) as TermSearch
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open<Row>>(null)
  const close = () => setOpen(null)
  const go = (next: TermSearch) => void navigate({ to: path, search: next })
  const newButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
      New {words.short ?? words.one}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} actions={newButton}>
      <SearchField label={words.search} value={search.q ?? ''} change={(q) => go(q ? { q } : {})} />
      <List records={records} search={search} go={go} open={setOpen} />
      {open && 'edit' in open && <PlainDialog records={records} row={open.edit} close={close} />}
      {open && 'history' in open && <History records={records} row={open.history} close={close} />}
      {open && 'remove' in open && <Remove records={records} row={open.remove} close={close} />}
    </Page>
  )
}

function List<Row extends NamedRow, Values extends Fields, Content extends object>({
  records: { queries, words, icon, columns },
  search,
  go,
  open,
}: Of<Row, Values, Content> & {
  search: TermSearch
  go: (next: TermSearch) => void
  open: (next: Open<Row>) => void
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queries.list(termQueryOf(search)),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what={`the ${words.many}`} retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { rows, offset, limit, total } = data
  if (rows.length === 0) {
    return (
      <Notice icon={icon} title={search.q ? `No ${words.many} found` : `No ${words.many} yet`}>
        {search.q ? words.noneFound : words.none}
      </Notice>
    )
  }
  return (
    <DataTable
      label={words.title}
      columns={[...columns, actionsOf(open)]}
      rows={rows}
      keyOf={({ id }) => id}
      paging={{ offset, limit, total, onPage: (page: number) => go({ ...search, page }) }}
      waiting={isPlaceholderData}
    />
  )
}

function actionsOf<Row extends NamedRow>(open: (next: Open<Row>) => void): Column<Row> {
  return {
    label: 'Actions',
    end: true,
    show: (row) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <RowAction icon={IconPencil} label="Edit" of={row.name} onClick={() => open({ edit: row })} />
        <RowAction icon={IconHistory} label="History" of={row.name} onClick={() => open({ history: row })} />
        <RowAction icon={IconTrash} label="Delete" of={row.name} onClick={() => open({ remove: row })} />
      </Group>
    ),
  }
}

type OfOne<Row extends NamedRow, Values extends Fields, Content extends object> = Of<Row, Values, Content> & {
  row: Row
  close: () => void
}

function History<Row extends NamedRow, Values extends Fields, Content extends object>({
  records: { queries, labels, showRecorded },
  row,
  close,
}: OfOne<Row, Values, Content>) {
  return (
    <HistoryDialog
      name={row.name}
      close={close}
      query={(limit) => queries.history(row.id, limit)}
      changesOf={(event) => (
        <FieldChanges event={event} labels={labels} {...(showRecorded && { show: showRecorded })} />
      )}
    />
  )
}

function Remove<Row extends NamedRow, Values extends Fields, Content extends object>({
  records: { queries, words },
  row,
  close,
}: OfOne<Row, Values, Content>) {
  return (
    <ConfirmDialog action="Delete" name={row.name} close={close} change={queries.useDelete(row)}>
      {words.removing}
    </ConfirmDialog>
  )
}
