import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { IconBox, IconPlus, IconSearch } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rememberedSize, rememberSize } from '../../app/table/page-size.ts'
import { BoardsMenu } from '../boards/boards-menu.tsx'
import { columnsOf, defaultSortOf, pathsOf, type View } from '../boards/view.ts'
import { useFreightZones } from '../form/freight-times.ts'
import { useMoney } from '../kinds/amounts.ts'
import type { Kind } from '../kinds/kind.ts'
import { KindPage } from '../kinds/kind-page.tsx'
import { objectsQuery, type Search } from '../kinds/queries.ts'
import { columnsFor } from './columns.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterButton } from './filter-button.tsx'
import { FilterSummary } from './filter-summary.tsx'
import { SortMenu } from './sort-menu.tsx'

export function ListPage() {
  return <KindPage>{(kind) => <List key={kind.objectKey} kind={kind} />}</KindPage>
}

function List({ kind }: { kind: Kind }) {
  const { objectKey, plural, description } = kind
  const view = useSearch({ strict: false }) as View
  const navigate = useNavigate()
  const show = (next: View, replace = false) =>
    void navigate({ to: `/objects/${objectKey}`, search: withoutEmpty(next), replace })
  /** A changed search starts at the first page again. */
  const change = (part: Partial<Record<keyof View, View[keyof View] | undefined>>) =>
    show({ ...view, page: undefined, ...part } as View)
  const chosen = columnsOf(view, kind)
  const { q, filter, sort } = view
  const search: Search = {
    objectKey,
    ...(q && { q }),
    ...(filter && { filter }),
    sort: sort ?? defaultSortOf(kind),
    paths: pathsOf(chosen, kind),
  }
  const onSize = (size: number) => {
    rememberSize(size)
    change({ size })
  }
  return (
    <Page
      title={plural}
      lead={description}
      actions={
        <>
          <ExportButton kind={kind} search={search} chosen={chosen} />
          <NewButton kind={kind} />
        </>
      }
    >
      <Group gap="xs" mb="sm">
        <SearchBox
          key={view.board ?? ''}
          q={q ?? ''}
          label={`Search ${plural.toLowerCase()}`}
          onSearch={(words) => change({ q: words || undefined })}
        />
        <BoardsMenu kind={kind} view={view} open={show} />
        <FilterButton kind={kind} filter={filter} onFilter={(next) => change({ filter: next })} />
        <SortMenu kind={kind} sort={sort} onSort={(next) => change({ sort: next })} />
        <ColumnsMenu
          kind={kind}
          chosen={chosen}
          isDefault={!view.columns}
          onChoose={(columns) => show({ ...view, columns: columns?.join(',') } as View)}
        />
      </Group>
      <FilterSummary kind={kind} filter={filter} onFilter={(next) => change({ filter: next })} />
      <Objects
        kind={kind}
        search={search}
        chosen={chosen}
        page={view.page ?? 1}
        size={view.size ?? rememberedSize()}
        onPage={(page) => show({ ...view, page })}
        onSize={onSize}
        clear={() => show({})}
      />
    </Page>
  )
}

type ObjectsProps = {
  kind: Kind
  search: Search
  chosen: readonly string[]
  page: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
  clear: () => void
}

function Objects({ kind, search, chosen, page, size, onPage, onSize, clear }: ObjectsProps) {
  const moneyIn = useMoney(kind)
  const zonesIn = useFreightZones(kind)
  const { data, error, refetch } = useQuery({ ...objectsQuery(search, page, size), placeholderData: keepPreviousData })
  if (error) return <Failed error={error} what={`the ${kind.plural.toLowerCase()}`} retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={8} />
  const { objects, offset, limit, total } = data
  if (total === 0)
    return search.q || search.filter ? <NothingFound kind={kind} clear={clear} /> : <NoneYet kind={kind} />
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {total.toLocaleString()} {(total === 1 ? kind.name : kind.plural).toLowerCase()}
      </Text>
      <DataTable
        sticky
        label={kind.plural}
        columns={columnsFor(kind, chosen, moneyIn, zonesIn)}
        rows={objects}
        keyOf={({ id }) => id}
        paging={{ offset, limit, total, onPage, onSize }}
      />
    </>
  )
}

function NothingFound({ kind, clear }: { kind: Kind; clear: () => void }) {
  const action = (
    <Button variant="default" onClick={clear}>
      Show all {kind.plural.toLowerCase()}
    </Button>
  )
  return (
    <Notice icon={IconSearch} title={`No ${kind.plural.toLowerCase()} found`} action={action}>
      Nothing matches the search text and the filter.
    </Notice>
  )
}

function NoneYet({ kind }: { kind: Kind }) {
  return (
    <Notice icon={IconBox} title={`No ${kind.plural.toLowerCase()} yet`} action={<NewButton kind={kind} />}>
      {kind.description || 'Create the first one here, or import objects with the API.'}
    </Notice>
  )
}

function NewButton({ kind: { objectKey, name } }: { kind: Kind }) {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to={`/objects/${objectKey}/new`} {...props} />}
    >
      New {name.toLowerCase()}
    </Button>
  )
}

/** Searches while the person types, and follows the address when it changes otherwise, as with the back button. */
function SearchBox({ q, label, onSearch }: { q: string; label: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const search = useDebouncedCallback(onSearch, 250)
  useEffect(() => setTyped((typed) => (typed.trim() === q ? typed : q)), [q])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      flex="1 1 14rem"
      value={typed}
      // Applied after a link was followed, it would lead back from there.
      onBlur={() => search.flush()}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value.trim())
      }}
    />
  )
}

/** Without empty values, which would appear in the address as "undefined". */
function withoutEmpty(view: View): View {
  return Object.fromEntries(
    Object.entries(view).filter(
      ([key, value]) => value !== undefined && value !== '' && !(key === 'page' && value === 1),
    ),
  ) as View
}
