import { DocumentsPage } from '../../documents/list/documents-page.tsx'
import { PaymentButton } from '../../documents/selection/payment-button.tsx'
import { invoices } from '../kind.ts'

export function ListPage() {
  return (
    <DocumentsPage kind={invoices} forSelected={(selected) => <PaymentButton kind={invoices} documents={selected} />} />
  )
}
