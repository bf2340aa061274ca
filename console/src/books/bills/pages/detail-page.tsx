import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApprovalPanel } from '../../approvals/approval-panel.tsx'
import { DocumentPage } from '../../documents/page/document-page.tsx'
import { NumberedLink } from '../../documents/shown/numbered-link.tsx'
import { CarrierAndPayee } from '../../documents/shown/parties.tsx'
import { StatementNumber } from '../../documents/shown/statement-number.tsx'
import type { Bill, BillItem } from '../bill.ts'
import { bills } from '../kind.ts'
import { DuplicatesPanel } from './duplicates-panel.tsx'

type DetailPageProps = {
  /** What floors above the books add to the line below the title, and to what is to be known first. */
  links: (bill: Bill) => ReactNode
  notice: (bill: Bill) => ReactNode
}

export function DetailPage({ links, notice }: DetailPageProps) {
  return (
    <DocumentPage
      kind={bills}
      lead={(bill, items) => <Lead bill={bill} items={items as readonly BillItem[]} links={links(bill)} />}
      notice={(bill) => (
        <>
          <ApprovalPanel bill={bill} />
          <DuplicatesPanel bill={bill} />
          {notice(bill)}
        </>
      )}
    />
  )
}

/** The payee, and links to what the bill belongs to. */
function Lead({ bill, items, links }: { bill: Bill; items: readonly BillItem[]; links: ReactNode }) {
  const manifests = [
    ...new Set([...items.map(({ manifest_id }) => manifest_id), bill.master_trip_id].filter((id) => id !== null)),
  ]
  return (
    <>
      <CarrierAndPayee document={bill} />
      {manifests.map((id) => (
        <NumberedLink key={id} label="Manifest" objectKey="manifest" id={id} />
      ))}
      {links}
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
