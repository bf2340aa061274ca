import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../api/currencies.ts'
import { type Column, DataTable, TableSkeleton } from '../../parts/data-table.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Panel } from '../../parts/panel.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { When } from '../../parts/when.tsx'
import { type DocumentPayment, paymentsOfQuery } from '../../payments/queries.ts'
import { type PaymentStatus, paymentStatusWords, paymentTones } from '../../payments/states.ts'
import { type Method, methodWords } from '../methods.ts'
import type { Document } from './document.ts'
import type { DocumentKind } from './kind.ts'
import { NumberLink } from './shown.tsx'

/** What has settled the document, and what did before it was taken back. */
export function PaymentsPanel({ kind, document }: { kind: DocumentKind; document: Document }) {
  const { data, error, refetch } = useQuery(paymentsOfQuery(kind, document.id))
  const columns = useColumns(document.currency_id)
  if (data?.payments.length === 0) return null
  return (
    <Panel title="Payments">
      {error && <Failed error={error} what="the payments" retry={() => void refetch()} />}
      {!data && !error && <TableSkeleton rows={1} />}
      {data && <DataTable label="Payments" columns={columns} rows={data.payments} keyOf={({ id }) => id} />}
      {data && data.total > data.payments.length && (
        <Text size="sm" c="dimmed" mt="xs">
          These are the latest {data.payments.length.toLocaleString()} of {data.total.toLocaleString()}.
        </Text>
      )}
    </Panel>
  )
}

function useColumns(currencyId: string | null): Column<DocumentPayment>[] {
  const money = useMoney()
  return [
    {
      label: 'Number',
      show: ({ payment_id, credit_id, number }) =>
        payment_id ? <NumberLink to={`/payments/${payment_id}`}>{number ?? 'Payment'}</NumberLink> : credit_id ? (number ?? 'A credit') : '–',
    },
    { label: 'Paid on', show: ({ paid_at, created_at }) => <When at={paid_at ?? created_at} /> },
    { label: 'Method', show: ({ method, credit_id }) => (credit_id ? 'Credit' : method ? methodWords[method as Method] : '–') },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'State', show: (payment) => <State {...payment} /> },
    { label: 'Amount', end: true, show: ({ amount, ended_at }) => (ended_at ? <del>{money(amount, currencyId)}</del> : money(amount, currencyId)) },
  ]
}

function State({ status, ended_at }: DocumentPayment) {
  if (ended_at && status !== 'voided') return <StateBadge words="Taken back" tone="stopped" />
  const known = status as PaymentStatus | null
  return known ? <StateBadge words={paymentStatusWords[known]} tone={paymentTones[known]} /> : <StateBadge words="Applied" tone="done" />
}
