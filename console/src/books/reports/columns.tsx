import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Day } from '../../app/parts/when.tsx'
import type { Column } from '../../app/table/data-table.tsx'
import { bucketLabels, buckets } from './buckets.ts'
import type { Report, ReportName, Row } from './queries.ts'

type Money = (amount: number, currencyId: string | null) => string

const text = (value: Row[string] | undefined) => (value === null || value === undefined ? '–' : String(value))

function partyLink(objectKey: string, id: Row[string] | undefined, name: Row[string] | undefined): ReactNode {
  if (!id) return 'None'
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={`/objects/${objectKey}/${id}`} {...props} />}>
      {text(name)}
    </Anchor>
  )
}

/** The columns of a report, as people read them. */
export function columnsOf(name: ReportName, report: Report, money: Money): Column<Row>[] {
  const home = report.home_currency_id
  const own =
    (field: string): Column<Row>['show'] =>
    (row) =>
      row[field] === null ? '–' : money(Number(row[field]), row.currency_id as string | null)
  const inHome =
    (field: string): Column<Row>['show'] =>
    (row) =>
      row[field] === null ? '–' : money(Number(row[field]), home)
  const homeLabel = (label: string) => (home ? `${label}, ${home.toUpperCase()}` : label)
  switch (name) {
    case 'payables_aging':
    case 'receivables_aging':
      return [
        {
          label: name === 'payables_aging' ? 'Carrier' : 'Customer',
          show: (row) => partyLink(name === 'payables_aging' ? 'partner' : 'customer', row.party_id, row.party_name),
        },
        { label: 'Currency', show: ({ currency_id }) => text(currency_id).toUpperCase() },
        ...buckets.map((bucket) => ({ label: bucketLabels[bucket], end: true, show: own(bucket) })),
        { label: 'Total', end: true, show: (row) => <b>{own('total_amount')(row)}</b> },
        { label: 'Paid on account', end: true, show: own('unapplied_amount') },
      ]
    case 'spend':
      return [
        { label: 'Month', show: ({ month }) => text(month) },
        { label: 'Carrier', show: (row) => partyLink('partner', row.party_id, row.party_name) },
        { label: 'Type', show: ({ type_name }) => text(type_name) },
        { label: 'Documents', end: true, show: ({ documents }) => Number(documents).toLocaleString() },
        { label: 'Amount', end: true, show: own('amount') },
        { label: homeLabel('Home amount'), end: true, show: inHome('home_amount') },
        { label: 'Without a rate', end: true, show: ({ missing_rate }) => Number(missing_rate).toLocaleString() },
      ]
    case 'accruals':
      return [
        {
          label: 'Delivered',
          show: ({ object_key, object_id, full_id }) => (
            <Anchor
              size="sm"
              fw={600}
              renderRoot={(props) => <Link to={`/objects/${object_key}/${object_id}`} {...props} />}
            >
              {text(full_id)}
            </Anchor>
          ),
        },
        { label: 'Missing', show: ({ side }) => (side === 'payable' ? 'The bill of the carrier' : 'An invoice') },
        {
          label: 'Carrier or customer',
          show: ({ side, party_id, party_name }) =>
            partyLink(side === 'payable' ? 'partner' : 'customer', party_id, party_name),
        },
        { label: 'Delivered on', show: ({ delivered_at }) => <Day at={delivered_at as string} /> },
        { label: 'Expected', end: true, show: own('amount') },
        { label: homeLabel('In home currency'), end: true, show: inHome('home_amount') },
      ]
    case 'margin':
      return [
        {
          label: 'Order',
          show: ({ order_id, full_id }) => (
            <Anchor size="sm" fw={600} renderRoot={(props) => <Link to={`/objects/order/${order_id}`} {...props} />}>
              {text(full_id)}
            </Anchor>
          ),
        },
        { label: 'Customer', show: (row) => partyLink('customer', row.customer_id, row.customer_name) },
        { label: 'Date', show: ({ date }) => <Day at={date as string} /> },
        { label: homeLabel('Charged'), end: true, show: inHome('home_charged_amount') },
        { label: homeLabel('Written off'), end: true, show: inHome('home_written_off_amount') },
        { label: homeLabel('Costs'), end: true, show: inHome('home_cost_amount') },
        {
          label: homeLabel('Margin'),
          end: true,
          show: (row) => <Margin row={row} amount={inHome('home_margin_amount')(row)} />,
        },
        {
          label: 'Percent',
          end: true,
          show: ({ margin_percent }) =>
            margin_percent === null ? '–' : `${Number(margin_percent).toLocaleString()} %`,
        },
        {
          label: 'Not known',
          show: ({ missing }) =>
            ((missing as readonly string[]) ?? []).map((one) => missingWords[one] ?? one).join(', ') || '–',
        },
      ]
  }
}

const missingWords: Record<string, string> = {
  home_currency: 'home currency',
  charges: 'charges',
  exchange_rate_of_charges: 'exchange rate of the charges',
  manifest: 'manifest',
  costs_or_their_exchange_rate: 'costs or their exchange rate',
}

function Margin({ row, amount }: { row: Row; amount: ReactNode }) {
  const isLoss = typeof row.home_margin_amount === 'number' && row.home_margin_amount < 0
  return (
    <Text span size="sm" fw={600} {...(isLoss && { c: 'var(--mantine-color-error)' })}>
      {amount}
    </Text>
  )
}
