import { Anchor, SimpleGrid, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useMoney } from '../app/api/currencies.ts'
import { Panel } from '../app/parts/panel.tsx'
import { calendarDayOf } from '../app/values/dates.ts'
import { bucketLabels, buckets } from '../books/reports/buckets.ts'
import type { Side, Summary, Week } from './summary.ts'

// The charts are larger than all other pages together, so they come after the page.
const AgingChart = lazy(async () => ({ default: (await import('../books/reports/aging-chart.tsx')).AgingChart }))
const CashChart = lazy(async () => ({ default: (await import('./cash-chart.tsx')).CashChart }))

/** How the money stands, in the home currency: open on both sides by age, and what came in and went out week by week. */
export function MoneyPanels({
  summary: { home_currency_id: home, payables, receivables, weeks },
}: {
  summary: Summary
}) {
  if (!home) {
    return (
      <Panel title="Open by age, and cash by week">
        <Text size="sm">
          Choose a home currency on the page of the{' '}
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/settings/organization" {...props} />}>
            organization
          </Anchor>
          , and all amounts are summed up in it.
        </Text>
      </Panel>
    )
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={{ base: 0, md: 'md' }}>
        {payables && <Aging side={payables} home={home} title="You owe, by age" to="/reports/payables-aging" />}
        {receivables && (
          <Aging side={receivables} home={home} title="Customers owe, by age" to="/reports/receivables-aging" />
        )}
      </SimpleGrid>
      {weeks && <Cash weeks={weeks} home={home} />}
    </>
  )
}

function Aging({ side, home, title, to }: { side: Side; home: string; title: string; to: string }) {
  const money = useMoney()
  const label = `${title}, in ${home.toUpperCase()}`
  const rows: [string, number | undefined][] = [
    ...buckets.map((bucket) => [bucketLabels[bucket], side.home[bucket]] as [string, number]),
    ['Total', side.home.total_amount],
  ]
  const { missing_rate = 0 } = side.home
  return (
    <Panel title={label} actions={<Further to={to}>By party</Further>}>
      <Suspense fallback={<div style={{ height: 180 }} />}>
        <AgingChart sums={side.home} currencyId={home} label={label} />
      </Suspense>
      <Figures
        label={label}
        head={['Due', 'Open']}
        rows={rows.map(([name, amount]) => [name, money(amount ?? 0, home)])}
        boldLast
      />
      {missing_rate > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {missing_rate.toLocaleString()} without an exchange rate are not included.
        </Text>
      )}
    </Panel>
  )
}

function Cash({ weeks, home }: { weeks: readonly Week[]; home: string }) {
  const money = useMoney()
  const label = `Cash in and out by week, in ${home.toUpperCase()}`
  return (
    <Panel title={label} actions={<Further to="/payments">Payments</Further>}>
      <Suspense fallback={<div style={{ height: 220 }} />}>
        <CashChart weeks={weeks} currencyId={home} label={label} />
      </Suspense>
      <details style={{ marginTop: 8 }}>
        <summary style={{ cursor: 'pointer', fontSize: 14 }}>Figures</summary>
        <Figures
          label={label}
          head={['Week of', 'In', 'Out', 'Due in', 'Due out']}
          rows={weeks.map((week) => [
            calendarDayOf(week.week_starts_on),
            ...[week.in_amount, week.out_amount, week.expected_in_amount, week.expected_out_amount].map((amount) =>
              money(amount, home),
            ),
          ])}
        />
      </details>
    </Panel>
  )
}

type FiguresProps = { label: string; head: readonly string[]; rows: readonly (readonly string[])[]; boldLast?: boolean }

/** The table behind a chart. */
function Figures({ label, head, rows, boldLast = false }: FiguresProps) {
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table mt="xs" fz="sm" verticalSpacing={2} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name, index) => (
              <Table.Th key={name} ta={index === 0 ? 'left' : 'right'}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name = '', ...cells], at) => (
            <Table.Tr key={name} fw={boldLast && at === rows.length - 1 ? 650 : 400}>
              <Table.Td>{name}</Table.Td>
              {cells.map((cell, index) => (
                <Table.Td
                  key={head[index + 1]}
                  ta="right"
                  style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
                >
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Further({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={to} {...props} />}>
      {children}
    </Anchor>
  )
}
