import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../api/currencies.ts'
import { NumberLink } from '../billing/documents/shown.tsx'
import { methodWords } from '../billing/methods.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { Panel } from '../parts/panel.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { When } from '../parts/when.tsx'
import { type Payment, paymentQuery, refundsQuery } from './queries.ts'
import { paymentStatusWords, paymentTones } from './states.ts'

/** What was paid back of a payment. */
export function RefundsPanel({ payment }: { payment: Payment }) {
  const money = useMoney()
  const { data, error, refetch } = useQuery(refundsQuery(payment.id))
  const columns: Column<Payment>[] = [
    {
      label: 'Payment',
      show: ({ id, number }) => <NumberLink to={`/payments/${id}`}>{number ?? 'Payment'}</NumberLink>,
    },
    {
      label: 'State',
      show: ({ status }) => <StateBadge words={paymentStatusWords[status]} tone={paymentTones[status]} />,
    },
    { label: 'Method', show: ({ method }) => methodWords[method] },
    { label: 'Paid on', show: ({ paid_at }) => <When at={paid_at} /> },
    { label: 'Amount', end: true, show: ({ amount, currency_id }) => money(amount, currency_id) },
  ]
  return (
    <Panel title="Paid back">
      {error && <Failed error={error} what="what was paid back" retry={() => void refetch()} />}
      {data && <DataTable label="Paid back" columns={columns} rows={data} keyOf={({ id }) => id} />}
    </Panel>
  )
}

/** A payment by its number. */
export function PaymentLink({ id }: { id: string }) {
  const { data } = useQuery(paymentQuery(id))
  return <NumberLink to={`/payments/${id}`}>{data?.number ?? 'another payment'}</NumberLink>
}
