import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BillQuestions } from '../../../integrations/partners/bill-questions.tsx'
import { CarrierInvoiceLink } from '../../../payables/inbox/carrier-invoice-link.tsx'
import { ApprovalPanel } from '../../approvals/approval-panel.tsx'
import { DocumentPage } from '../../documents/page/document-page.tsx'
import { NumberedLink } from '../../documents/shown/numbered-link.tsx'
import { CarrierAndPayee } from '../../documents/shown/parties.tsx'
import { StatementNumber } from '../../documents/shown/statement-number.tsx'
import type { Bill, BillItem } from '../bill.ts'
import { bills } from '../kind.ts'
import { DuplicatesPanel } from './duplicates-panel.tsx'

export function DetailPage() {
  return (
    <DocumentPage
      kind={bills}
      lead={(bill, items) => <Lead bill={bill} items={items as readonly BillItem[]} />}
      notice={(bill) => (
        <>
          <ApprovalPanel bill={bill} />
          <DuplicatesPanel bill={bill} />
          <BillQuestions bill={bill} />
        </>
      )}
    />
  )
}

/** The payee, and links to what the bill belongs to. */
function Lead({ bill, items }: { bill: Bill; items: readonly BillItem[] }) {
  const manifests = [
    ...new Set([...items.map(({ manifest_id }) => manifest_id), bill.master_trip_id].filter((id) => id !== null)),
  ]
  return (
    <>
      <CarrierAndPayee document={bill} />
      {manifests.map((id) => (
        <NumberedLink key={id} label="Manifest" objectKey="manifest" id={id} />
      ))}
      <CarrierInvoiceLink bill={bill} as="text" />
      {bill.consolidated_bill_id && (
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => <Link to={`/statements/${bill.consolidated_bill_id}`} {...props} />}
        >
          On <StatementNumber id={bill.consolidated_bill_id} />
        </Anchor>
      )}
    </>
  )
}
