import { Anchor, Button, Group, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { IconBuildingBank, IconPlus } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { SearchField } from '../../app/table/search-field.tsx'
import { PartyName } from '../../books/documents/shown/parties.tsx'
import { PayeeLink } from './links.tsx'
import { type Payee, payeesQuery } from './queries.ts'
import { type PayeesSearch, payeesPath } from './routes.ts'
import { destinationOf, PayeeState } from './words.tsx'

const choices = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'carriers', label: 'Carriers' },
  { value: 'factors', label: 'Factoring' },
]

export function ListPage() {
  const search = useSearch({ strict: false }) as PayeesSearch
  const navigate = useNavigate()
  const { may } = useMe()
  const go = ({ q, show, page }: PayeesSearch) =>
    void navigate({ to: payeesPath, search: { ...(q && { q }), ...(show && { show }), ...(page && { page }) } })
  const { page: _, show: __, ...unfiltered } = search
  const filter = (next: string) =>
    go({ ...unfiltered, ...(next !== 'all' && { show: next as NonNullable<PayeesSearch['show']> }) })
  return (
    <Page
      title="Payees"
      lead="Where the money of each carrier goes. A change of it waits until a second person has approved it, and payments wait meanwhile."
      actions={may('enter') && <NewButton />}
    >
      <Group align="flex-start" gap="sm">
        <SearchField
          label="Search by name"
          value={search.q ?? ''}
          change={(q) => go({ ...(q && { q }), ...(search.show && { show: search.show }) })}
        />
        <SegmentedControl
          aria-label="Which payees"
          mb="md"
          maw="100%"
          data={choices}
          value={search.show ?? 'all'}
          onChange={filter}
        />
      </Group>
      <List search={search} go={go} />
    </Page>
  )
}

function NewButton() {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/payees/new" {...props} />}
    >
      New payee
    </Button>
  )
}

function List({ search, go }: { search: PayeesSearch; go: (next: PayeesSearch) => void }) {
  const { may } = useMe()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...payeesQuery(search),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the payees" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { payees, offset, limit, total } = data
  if (payees.length === 0) {
    const isFiltered = Boolean(search.q || search.show)
    return (
      <Notice
        icon={IconBuildingBank}
        title={isFiltered ? 'No payees found' : 'No payees yet'}
        action={!isFiltered && may('enter') && <NewButton />}
      >
        {isFiltered
          ? search.show === 'waiting' && !search.q
            ? 'No change waits for approval.'
            : 'No payee matches the search.'
          : 'A payee says how a carrier is paid and with which bank details. Payment runs pay carriers that have one.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Payees"
      columns={columns}
      rows={payees}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
      sticky
    />
  )
}

const columns: Column<Payee>[] = [
  {
    label: 'Payee',
    show: ({ id, name }) => (
      <Anchor fw={600} size="sm" renderRoot={(props) => <Link to={`/payees/${id}`} {...rowLink} {...props} />}>
        {name}
      </Anchor>
    ),
  },
  {
    label: 'Carrier',
    show: ({ partner_carrier_id: id }) => (id === null ? 'Factoring company' : <PartyName party="carrier" id={id} />),
  },
  {
    label: 'Paid by',
    show: (payee) => (payee.factor_payee_id ? <PayeeLink id={payee.factor_payee_id} /> : destinationOf(payee)),
  },
  { label: 'Remittance advices', show: ({ remittance_email }) => remittance_email ?? '–' },
  { label: 'State', show: (payee) => <PayeeState payee={payee} /> },
]
