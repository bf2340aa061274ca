import { Anchor, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMoney } from '../../app/api/currencies.ts'
import { IconPlus } from '../../app/icons/icons.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { DataTable } from '../../app/table/data-table.tsx'
import { sumOf } from '../../app/values/money.ts'
import type { PlatformObject } from '../../records/kinds/kind.ts'
import type { Document } from '../documents/document.ts'
import { type DocumentKind, nameIn, pathOf } from '../documents/kind.ts'
import { parties } from '../documents/party.ts'
import { latestQuery, totalsQuery } from '../documents/queries.ts'
import { columnsOf } from '../documents/shown/columns.tsx'
import { StatementButton } from './party-statement.tsx'

type PartyDocumentsProps = { kind: DocumentKind; party: PlatformObject }

/** The bills of a carrier, or the invoices of a customer: what is open in each currency, how much of it is overdue, and the latest ones. */
export function PartyDocuments({ kind, party }: PartyDocumentsProps) {
  const { one, many, title } = kind
  const { field, label } = parties[kind.party]
  // Their party is the same in every row.
  const columns = columnsOf<Document>(kind.list.fields, {
    path: pathOf(kind),
    nameOf: (document) => nameIn(kind, document),
  }).filter(({ name, label }) => name !== field && label !== 'Payee')
  const { data, error, refetch } = useQuery(latestQuery(kind, filtersOf(kind, party)))
  return (
    <Panel
      title={title}
      actions={
        <>
          <StatementButton of={kind.party === 'customer' ? 'customer' : 'carrier'} party={party} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            renderRoot={(props) => <Link to={`${pathOf(kind)}/new`} search={{ [kind.party]: party.id }} {...props} />}
          >
            New {one} for this {label.toLowerCase()}
          </Button>
        </>
      }
    >
      <Balance kind={kind} party={party} />
      {error && <Failed error={error} what={`the ${many}`} retry={() => void refetch()} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          No {many} yet.
        </Text>
      )}
      {data && data.total > 0 && <DataTable label={title} columns={columns} rows={data.rows} keyOf={({ id }) => id} />}
      {data && data.total > data.rows.length && (
        <Anchor
          size="sm"
          mt="xs"
          display="inline-block"
          renderRoot={(props) => <Link to={pathOf(kind)} search={{ [kind.party]: party.id }} {...props} />}
        >
          All {data.total.toLocaleString()} {many}
        </Anchor>
      )}
    </Panel>
  )
}

const open = ['saved', 'sent', 'edited']

function filtersOf(kind: DocumentKind, party: PlatformObject) {
  return { [`${parties[kind.party].field}s`]: [party.id] }
}

function Balance({ kind, party }: PartyDocumentsProps) {
  const money = useMoney()
  const filters = filtersOf(kind, party)
  const { data: totals, error, refetch } = useQuery(totalsQuery(kind, { ...filters, status_ids: open }))
  const { data: overdue = [] } = useQuery(totalsQuery(kind, { ...filters, overdue: true }))
  if (error) return <Failed error={error} what="the balance" retry={() => void refetch()} />
  if (!totals) return null
  const sum = (some: typeof totals, currency: string | null) => {
    const own = some.filter(({ currency_id }) => currency_id === currency)
    return {
      amount: sumOf(own.map(({ total_amount }) => total_amount)),
      count: own.reduce((all, { count }) => all + count, 0),
    }
  }
  const currencies = [...new Set(totals.map(({ currency_id }) => currency_id))]
  if (currencies.length === 0) {
    return (
      <Text size="sm" mb="sm">
        Nothing is open.
      </Text>
    )
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="sm">
      {currencies.map((currency) => {
        const [all, late] = [sum(totals, currency), sum(overdue, currency)]
        return (
          <Fact key={currency} label={`Open balance, ${currency?.toUpperCase()}`}>
            <Group gap={6}>
              <Text fw={650}>{money(all.amount, currency)}</Text>
              <Text size="sm" c="dimmed">
                {all.count.toLocaleString()} {all.count === 1 ? kind.one : kind.many}
              </Text>
              {late.count > 0 && (
                <Text size="sm" c="var(--mantine-color-error)">
                  {money(late.amount, currency)} overdue
                </Text>
              )}
            </Group>
          </Fact>
        )
      })}
    </SimpleGrid>
  )
}
