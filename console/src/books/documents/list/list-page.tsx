import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IconStack2 } from '../../../app/icons/icons.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { Notice } from '../../../app/parts/notice.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../../app/table/data-table.tsx'
import { rememberSize } from '../../../app/table/page-size.ts'
import { useSelection } from '../../../app/table/use-selection.ts'
import { isFiltered, type List, type Search, sortOf, withoutEmpty } from '../search.ts'
import { StateTabs } from '../shown/state-tabs.tsx'
import { Filters } from './filters.tsx'

type RowsOnPage<Row> = { rows: readonly Row[]; offset: number; limit: number; total: number }

type DocumentListProps<Row> = {
  list: List
  title: string
  lead: string
  icon: typeof IconStack2
  columns: readonly Column<Row>[]
  /** The exact total under each tab, of the one that is shown only where it was known before; undefined until it is known. */
  totals: Record<string, number | undefined>
  result: UseQueryResult<RowsOnPage<Row>>
  actions: ReactNode
  /** What to say where there is nothing at all yet, and what to do about it. */
  emptyText: string
  newButton: ReactNode
  noMatchText: string
  /** Rows can be selected, and this is shown about those that are. `now` is a newer version of a row that is not on the page, where one is known. */
  selected?: {
    nameOf: (row: Row) => string
    now: (row: Row) => Row
    show: (rows: readonly Row[], keep: (rows: readonly Row[]) => void) => ReactNode
  }
}

/** The list of one kind of document: tabs by state, filters, pages, order; all of it in the address. */
export function DocumentList<Row extends { id: string }>(props: DocumentListProps<Row>) {
  const { list, title, lead, totals, actions, result } = props
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const [all = ''] = Object.keys(list.tabs)
  const current = search.state ?? all
  // While the rows of another tab are still shown, so is their total.
  const listed = result.isPlaceholderData ? undefined : result.data?.total
  const go = (next: Search, replace = false) => void navigate({ to: list.path, search: next, replace })
  return (
    <Page title={title} lead={lead} actions={actions}>
      <StateTabs
        toOf={() => list.path}
        tabs={Object.entries(list.tabs).map(([key, { label }]) => ({
          key,
          label,
          total: (key === current ? listed : undefined) ?? totals[key],
        }))}
        current={current}
        searchOf={(key) => withoutEmpty({ ...search, page: null, state: key === all ? null : key })}
      />
      <Filters
        list={list}
        search={search}
        change={(next, options) => go(withoutEmpty({ ...search, page: null, ...next }), options?.replace)}
        clear={() => go(withoutEmpty({ state: search.state, sort: search.sort, size: search.size }))}
      />
      <Rows {...props} search={search} go={go} />
    </Page>
  )
}

type RowsProps<Row> = DocumentListProps<Row> & { search: Search; go: (next: Search) => void }

function Rows<Row extends { id: string }>({ search, go, ...props }: RowsProps<Row>) {
  const { list, title, columns, result, selected } = props
  const { data, error, refetch, isPlaceholderData } = result
  const [chosen, setChosen] = useSelection<Row>(list.path)
  if (error) return <Failed error={error} what={`the ${title.toLowerCase()}`} retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={8} />
  const { rows, offset, limit, total } = data
  const about =
    selected &&
    chosen.size > 0 &&
    selected.show(
      [...chosen].map(([id, row]) => rows.find((fresh) => fresh.id === id) ?? selected.now(row)),
      (left) => setChosen(new Map(left.map((row) => [row.id, row]))),
    )
  if (rows.length === 0) {
    return (
      <>
        {about}
        <Nothing {...props} search={search} total={total} />
      </>
    )
  }
  const onSize = (size: number) => {
    rememberSize(size)
    go(withoutEmpty({ ...search, page: null, size }))
  }
  return (
    <>
      <DataTable
        sticky
        label={title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        waiting={isPlaceholderData}
        paging={{
          offset,
          limit,
          total,
          onPage: (page) => go(withoutEmpty({ ...search, page: page > 1 ? page : null })),
          onSize,
        }}
        sorting={{
          sort: sortOf(list, search) ?? '',
          onSort: (sort) => go(withoutEmpty({ ...search, page: null, sort })),
        }}
        {...(selected && { choosing: { chosen, onChoose: setChosen, nameOf: selected.nameOf } })}
      />
      {about}
    </>
  )
}

type NothingProps = Pick<
  DocumentListProps<never>,
  'list' | 'icon' | 'title' | 'emptyText' | 'newButton' | 'noMatchText'
> & { search: Search; total: number }

function Nothing({ list, icon, title, emptyText, newButton, noMatchText, search, total }: NothingProps) {
  const many = title.toLowerCase()
  const { page: _, ...firstPage } = search
  if (total > 0) {
    return (
      <Notice
        icon={icon}
        title="This page does not exist"
        action={<LinkButton to={list.path} search={firstPage} label="Go to the first page" />}
      >
        The list is shorter than that: it has {total.toLocaleString()} {many}.
      </Notice>
    )
  }
  if (isFiltered(search) || search.state) {
    return (
      <Notice
        icon={icon}
        title={`No ${many} found`}
        action={<LinkButton to={list.path} search={{}} label={`Show all ${many}`} />}
      >
        {noMatchText}
      </Notice>
    )
  }
  return (
    <Notice icon={icon} title={`No ${many} yet`} action={newButton}>
      {emptyText}
    </Notice>
  )
}

function LinkButton({ to, search, label }: { to: string; search: Search; label: string }) {
  return (
    <Button variant="default" renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      {label}
    </Button>
  )
}
