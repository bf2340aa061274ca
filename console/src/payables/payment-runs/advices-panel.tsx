import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../app/api/currencies.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { PayeeLink } from '../payees/links.tsx'
import { type Advice, advicesQuery, type PaymentRun } from './queries.ts'

/** What each payee was paid in all, and where its advice goes. */
export function AdvicesPanel({ run }: { run: PaymentRun }) {
  const money = useMoney()
  const { data, error, refetch } = useQuery(advicesQuery(run.id))
  const columns: Column<Advice>[] = [
    { label: 'Payee', show: ({ payee_id }) => <PayeeLink id={payee_id} /> },
    { label: 'Goes to', show: ({ remittance_email }) => remittance_email ?? 'No e-mail address: it is not mailed' },
    { label: 'Payments', show: ({ payments }) => payments.map(({ number }) => number).join(', ') },
    { label: 'Bills', end: true, show: ({ payments }) => payments.flatMap(({ bills }) => bills).length },
    { label: 'Paid', end: true, show: ({ total_amount, currency_id }) => money(total_amount, currency_id) },
  ]
  return (
    <Panel
      title="Remittance advices"
      lead="They tell each payee what it was paid for. Those of one payment can be downloaded as a PDF on the page of the payment."
    >
      {error ? (
        <Failed error={error} what="the advices" retry={() => void refetch()} />
      ) : data ? (
        <DataTable label="Remittance advices" columns={columns} rows={data} keyOf={({ payee_id }) => payee_id} />
      ) : (
        <TableSkeleton />
      )}
    </Panel>
  )
}
