import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fact } from '../../app/parts/fact.tsx'
import type { Bill } from '../../books/bills/bill.ts'
import { invoicePath } from '../carrier-invoices/paths.ts'
import { invoiceOfBillQuery } from '../carrier-invoices/queries.ts'

/** A link to the carrier's invoice that a bill was made of. Nothing for a bill that was made otherwise. */
export function CarrierInvoiceLink({ bill, as }: { bill: Bill; as: 'text' | 'fact' }) {
  const { data: invoice } = useQuery({ ...invoiceOfBillQuery(bill.id), enabled: bill.status_id !== 'draft' })
  if (!invoice) return null
  const link = (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={invoicePath(invoice.id)} {...props} />}>
      {invoice.invoice_number}
    </Anchor>
  )
  return as === 'fact' ? <Fact label="Carrier invoice">{link}</Fact> : <span>Carrier invoice {link}</span>
}
