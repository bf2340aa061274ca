import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../../app/api/currencies.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { When } from '../../../app/parts/when.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { methodWords } from '../../documents/methods.ts'
import { NumberLink } from '../../documents/shown/shown.tsx'
import { type Payment, paymentQuery, refundsQuery } from '../queries.ts'
import { paymentStatusWords, paymentTones } from '../states.ts'

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

/** Shows a payment by its number. */
export function PaymentLink({ id }: { id: string }) {
  const { data } = useQuery(paymentQuery(id))
  return <NumberLink to={`/payments/${id}`}>{data?.number ?? 'another payment'}</NumberLink>
}
