import { DetailPage } from './books/bills/pages/detail-page.tsx'
import { BillQuestions } from './integrations/partners/bill-questions.tsx'
import { CarrierInvoiceLink } from './payables/inbox/carrier-invoice-link.tsx'

/** The page of a bill with what floors above the books know of it: this file sees all of them, and hands it down. */
export function BillPage() {
  return (
    <DetailPage
      links={(bill) => <CarrierInvoiceLink bill={bill} as="text" />}
      notice={(bill) => <BillQuestions bill={bill} />}
    />
  )
}
