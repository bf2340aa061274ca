import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMoney } from '../api/currencies.ts'
import { DueDate, StatusBadge } from '../billing/status.tsx'
import { type Bill, nameOf } from '../bills/bill.ts'
import type { Column } from '../parts/data-table.tsx'
import { Day } from '../parts/when.tsx'

/** Bills as statements show them. */
export function useBillColumns(): Column<Bill>[] {
  const money = useMoney()
  return [
    {
      label: 'Number',
      show: (bill) => (
        <Anchor fw={600} size="sm" renderRoot={(props) => <Link to={`/bills/${bill.id}`} {...props} />}>
          {nameOf(bill)}
        </Anchor>
      ),
    },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'Bill date', show: ({ bill_date }) => <Day at={bill_date} /> },
    { label: 'Due', show: (bill) => <DueDate {...bill} /> },
    { label: 'State', show: ({ status_id }) => <StatusBadge status={status_id} /> },
    { label: 'Total', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
  ]
}
