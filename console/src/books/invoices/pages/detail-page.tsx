import { DocumentPage } from '../../documents/page/document-page.tsx'
import { NumberedLink } from '../../documents/shown/numbered-link.tsx'
import { PartyLink } from '../../documents/shown/parties.tsx'
import type { Invoice, InvoiceItem } from '../fields.ts'
import { invoices } from '../kind.ts'
import { WriteOffButton } from './write-off-button.tsx'

export function DetailPage() {
  return (
    <DocumentPage
      kind={invoices}
      lead={(invoice, items) => <Lead invoice={invoice} items={items as readonly InvoiceItem[]} />}
      actions={(invoice) => <WriteOffButton invoice={invoice} />}
    />
  )
}

/** The customer, and links to the orders that the invoice charges for. */
function Lead({ invoice, items }: { invoice: Invoice; items: readonly InvoiceItem[] }) {
  const orders = [...new Set(items.map(({ order_id }) => order_id).filter((id) => id !== null))]
  return (
    <>
      {invoice.customer_id ? (
        <span>
          Customer <PartyLink party="customer" id={invoice.customer_id} inText />
        </span>
      ) : (
        'No customer yet'
      )}
      {orders.map((id) => (
        <NumberedLink key={id} label="Order" objectKey="order" id={id} />
      ))}
    </>
  )
}
