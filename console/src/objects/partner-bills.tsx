import { Anchor, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMoney } from '../api/currencies.ts'
import { latestQuery, totalsQuery } from '../billing/documents/queries.ts'
import { bills } from '../bills/kind.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Fact } from '../parts/fact.tsx'
import { Failed } from '../parts/failed.tsx'
import { sumOf } from '../parts/money.ts'
import { Panel } from '../parts/panel.tsx'
import { billColumns } from '../statements/bill-columns.ts'
import type { PlatformObject } from './kind.ts'

/** The bills of a carrier: what is open in each currency, how much of it is overdue, and the latest bills. */
export function PartnerBills({ partner }: { partner: PlatformObject }) {
  const { data, error, refetch } = useQuery(latestQuery(bills, { partner_carrier_ids: [partner.id] }))
  return (
    <Panel
      title="Bills"
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          renderRoot={(props) => <Link to="/bills/new" search={{ carrier: partner.id }} {...props} />}
        >
          New bill for this carrier
        </Button>
      }
    >
      <Balance partner={partner} />
      {error && <Failed error={error} what="the bills" retry={() => void refetch()} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          No bills yet.
        </Text>
      )}
      {data && data.total > 0 && <DataTable label="Bills" columns={billColumns} rows={data.rows} keyOf={({ id }) => id} />}
      {data && data.total > data.rows.length && (
        <Anchor size="sm" mt="xs" display="inline-block" renderRoot={(props) => <Link to="/bills" search={{ carrier: partner.id }} {...props} />}>
          All {data.total.toLocaleString()} bills
        </Anchor>
      )}
    </Panel>
  )
}

const open = ['saved', 'sent', 'edited']

function Balance({ partner }: { partner: PlatformObject }) {
  const money = useMoney()
  const filters = { partner_carrier_ids: [partner.id] }
  const { data: totals, error, refetch } = useQuery(totalsQuery(bills, { ...filters, status_ids: open }))
  const { data: overdue = [] } = useQuery(totalsQuery(bills, { ...filters, overdue: true }))
  if (error) return <Failed error={error} what="the balance" retry={() => void refetch()} />
  if (!totals) return null
  const sum = (some: typeof totals, currency: string | null) => {
    const own = some.filter(({ currency_id }) => currency_id === currency)
    return { amount: sumOf(own.map(({ total_amount }) => total_amount)), count: own.reduce((all, { count }) => all + count, 0) }
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
                {all.count.toLocaleString()} {all.count === 1 ? 'bill' : 'bills'}
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
