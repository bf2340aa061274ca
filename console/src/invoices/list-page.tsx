import { DocumentsPage } from '../billing/documents/documents-page.tsx'
import { PaymentButton } from '../billing/documents/selection/payment-button.tsx'
import { invoices } from './kind.ts'

export function ListPage() {
  return (
    <DocumentsPage kind={invoices} forSelected={(selected) => <PaymentButton kind={invoices} documents={selected} />} />
  )
}
