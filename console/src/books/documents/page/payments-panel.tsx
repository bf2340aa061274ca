import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { ConfirmDialog } from '../../../app/editing/confirm-dialog.tsx'
import { IconArrowBackUp } from '../../../app/icons/icons.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { When } from '../../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../../app/table/data-table.tsx'
import { RowAction } from '../../../app/table/row-action.tsx'
import { bills } from '../../bills/kind.ts'
import { carrierCredits, customerCredits } from '../../credits/kind.ts'
import { invoices } from '../../invoices/kind.ts'
import { type DocumentPayment, paymentsOfQuery, useEndApplied } from '../../payments/queries.ts'
import { type PaymentStatus, paymentStatusWords, paymentTones } from '../../payments/states.ts'
import type { Document } from '../document.ts'
import { type DocumentKind, nameIn } from '../kind.ts'
import { type Method, methodWords } from '../methods.ts'
import { DocumentLink } from '../shown/document-link.tsx'
import { NumberLink } from '../shown/shown.tsx'

/** What has settled the document, and what did before it was taken back. */
export function PaymentsPanel({ kind, document }: { kind: DocumentKind; document: Document }) {
  const { data, error, refetch } = useQuery(paymentsOfQuery(kind, document.id))
  const [ending, setEnding] = useState<DocumentPayment | null>(null)
  const { may } = useMe()
  const columns = useColumns(kind, document)
  const action = useAction(document, setEnding)
  const canTakeBack = may('pay') && data?.payments.some(isApplied)
  if (data?.payments.length === 0) return null
  return (
    <Panel title="Payments">
      {error && <Failed error={error} what="the payments" retry={() => void refetch()} />}
      {!data && !error && <TableSkeleton rows={1} />}
      {data && (
        <DataTable
          label="Payments"
          columns={canTakeBack ? [...columns, action] : columns}
          rows={data.payments}
          keyOf={({ id }) => id}
        />
      )}
      {data && data.total > data.payments.length && (
        <Text size="sm" c="dimmed" mt="xs">
          These are the latest {data.payments.length.toLocaleString()} of {data.total.toLocaleString()}.
        </Text>
      )}
      {ending && <EndApplied applied={ending} kind={kind} document={document} close={() => setEnding(null)} />}
    </Panel>
  )
}

function useColumns(kind: DocumentKind, document: Document): Column<DocumentPayment>[] {
  const money = useMoney()
  const currencyId = document.currency_id
  return [
    {
      label: 'Number',
      show: (payment) => {
        const { payment_id, number } = payment
        if (payment_id) return <NumberLink to={`/payments/${payment_id}`}>{number ?? 'Payment'}</NumberLink>
        const other = otherSideOf(payment, kind, document)
        return other ? <DocumentLink {...other} /> : '–'
      },
    },
    { label: 'Paid on', show: ({ paid_at, created_at }) => <When at={paid_at ?? created_at} /> },
    {
      label: 'Method',
      show: ({ method, credit_id, is_write_off }) =>
        credit_id ? (is_write_off ? 'Write-off' : 'Credit') : method ? methodWords[method as Method] : '–',
    },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'State', show: (payment) => <State {...payment} /> },
    {
      label: 'Amount',
      end: true,
      show: ({ amount, ended_at }) => (ended_at ? <del>{money(amount, currencyId)}</del> : money(amount, currencyId)),
    },
  ]
}

function useAction({ currency_id }: Document, end: (applied: DocumentPayment) => void): Column<DocumentPayment> {
  const money = useMoney()
  return {
    label: 'Actions',
    end: true,
    show: (payment) =>
      isApplied(payment) && (
        <RowAction
          icon={IconArrowBackUp}
          label="Take back"
          of={money(payment.amount, currency_id)}
          onClick={() => end(payment)}
        />
      ),
  }
}

function isApplied({ credit_id, ended_at }: DocumentPayment): boolean {
  return credit_id !== null && ended_at === null
}

/** On a bill or an invoice the credit that is applied to it; on a credit what it is applied to. */
function otherSideOf(
  { credit_id, bill_id, invoice_id }: DocumentPayment,
  kind: DocumentKind,
  document: Document,
): { kind: DocumentKind; id: string } | null {
  if (credit_id && credit_id !== document.id)
    return { kind: kind.party === 'carrier' ? carrierCredits : customerCredits, id: credit_id }
  if (bill_id) return { kind: bills, id: bill_id }
  return invoice_id ? { kind: invoices, id: invoice_id } : null
}

type EndAppliedProps = { applied: DocumentPayment; kind: DocumentKind; document: Document; close: () => void }

function EndApplied({ applied, kind, document, close }: EndAppliedProps) {
  const money = useMoney()
  const owing = applied.bill_id ? bills : invoices
  const [credit, owes] =
    kind.resource === 'credits' ? [nameIn(kind, document), `the ${owing.one}`] : ['the credit', nameIn(kind, document)]
  const amount = money(applied.amount, document.currency_id)
  return (
    <ConfirmDialog action="Take back" name={amount} change={useEndApplied(applied)} close={close}>
      {applied.is_write_off
        ? `${amount} was written off. That much is left to pay again, and the credit of the write-off is voided.`
        : `${amount} of ${credit} is not applied to ${owes} any more. That much is left to pay again, and the credit has it left to apply.`}
    </ConfirmDialog>
  )
}

function State({ status, ended_at }: DocumentPayment) {
  if (ended_at && status !== 'voided') return <StateBadge words="Taken back" tone="stopped" />
  const known = status as PaymentStatus | null
  return known ? (
    <StateBadge words={paymentStatusWords[known]} tone={paymentTones[known]} />
  ) : (
    <StateBadge words="Applied" tone="done" />
  )
}
