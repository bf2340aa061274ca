import { Anchor, Group, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { type Bill, nameOf } from '../../books/bills/bill.ts'
import { bills } from '../../books/bills/kind.ts'
import { PaymentButton } from '../../books/documents/selection/payment-button.tsx'
import { StatusBadge } from '../../books/documents/shown/status.tsx'
import type { CarrierInvoice, Decision } from '../carrier-invoices/invoice.ts'
import { invoicePath } from '../carrier-invoices/paths.ts'
import { InvoiceActions } from '../carrier-invoices/record/invoice-actions.tsx'
import { InvoiceRecord } from '../carrier-invoices/record/invoice-record.tsx'
import type { Row } from '../carrier-invoices/rows.ts'
import { amountsOf, badgeOf } from '../carrier-invoices/states.ts'
import { BillRecord } from './bill-record.tsx'

/** The record next to the list of the inbox. */
export function RecordPane({ row, decide }: { row: Row; decide: (decision: Decision) => void }) {
  return row.invoice ? <InvoicePane invoice={row.invoice} decide={decide} /> : <BillPane bill={row.bill} />
}

function InvoicePane({ invoice, decide }: { invoice: CarrierInvoice; decide: (decision: Decision) => void }) {
  const navigate = useNavigate()
  const money = useMoney()
  const { id, invoice_number } = invoice
  return (
    <section aria-label={`Carrier invoice ${invoice_number}`}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Group gap="sm">
          <Title order={2} fz="lg">
            <Anchor inherit renderRoot={(props) => <Link to={invoicePath(id)} {...props} />}>
              {invoice_number}
            </Anchor>
          </Title>
          <StateBadge {...badgeOf(invoice)} />
          <b>{amountsOf(invoice, money)}</b>
        </Group>
        <Group gap="xs">
          <InvoiceActions
            invoice={invoice}
            decide={decide}
            edit={() => void navigate({ to: invoicePath(id), search: { edit: true } })}
            leave={async () => {}}
          />
        </Group>
      </Group>
      <InvoiceRecord invoice={invoice} />
    </section>
  )
}

function BillPane({ bill }: { bill: Bill }) {
  const { may } = useMe()
  const money = useMoney()
  const name = nameOf(bill)
  return (
    <section aria-label={`Bill ${name}`}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Group gap="sm">
          <Title order={2} fz="lg">
            <Anchor inherit renderRoot={(props) => <Link to={`/bills/${bill.id}`} {...props} />}>
              {name}
            </Anchor>
          </Title>
          <StatusBadge status={bill.status_id} isVoided={bill.voided_at !== null} />
          <b>{money(bill.total_amount, bill.currency_id)}</b>
        </Group>
        {may('pay') && bill.approval_status !== 'pending' && <PaymentButton kind={bills} documents={[bill]} />}
      </Group>
      <BillRecord bill={bill} />
    </section>
  )
}
