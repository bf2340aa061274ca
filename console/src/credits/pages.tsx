import { DocumentPage } from '../billing/documents/document-page.tsx'
import { DocumentsPage } from '../billing/documents/documents-page.tsx'
import { ImportDocuments } from '../billing/documents/import/import-documents.tsx'
import type { DocumentKind } from '../billing/documents/kind.ts'
import { NewDocument } from '../billing/documents/new-document.tsx'
import { NumberedLink } from '../billing/documents/numbered-link.tsx'
import { PartyLink } from '../billing/parties.tsx'
import { parties } from '../billing/party.ts'
import { ApplyButton } from './apply-dialog.tsx'
import type { Credit, CreditItem } from './fields.ts'

type PageProps = { kind: DocumentKind<Credit> }

export function ListPage({ kind }: PageProps) {
  return <DocumentsPage kind={kind} />
}

export function NewPage({ kind }: PageProps) {
  return <NewDocument kind={kind} />
}

export function ImportPage({ kind }: PageProps) {
  return <ImportDocuments kind={kind} />
}

export function DetailPage({ kind }: PageProps) {
  return (
    <DocumentPage
      kind={kind}
      lead={(credit, items) => <Lead kind={kind} credit={credit} items={items as readonly CreditItem[]} />}
      actions={(credit) => <ApplyButton kind={kind} credit={credit} />}
    />
  )
}

/** Whose credit it is, and links to what it is about. */
function Lead({ kind, credit, items }: PageProps & { credit: Credit; items: readonly CreditItem[] }) {
  const id = credit[parties[kind.party].field]
  const named = (field: 'manifest_id' | 'order_id') => [
    ...new Set(items.map((item) => item[field]).filter((one) => one !== null)),
  ]
  return (
    <>
      {id ? (
        <span>
          {parties[kind.party].label} <PartyLink party={kind.party} id={id} inText />
        </span>
      ) : (
        `No ${kind.party} yet`
      )}
      {named('manifest_id').map((manifest) => (
        <NumberedLink key={manifest} label="Manifest" objectKey="manifest" id={manifest} />
      ))}
      {named('order_id').map((order) => (
        <NumberedLink key={order} label="Order" objectKey="order" id={order} />
      ))}
    </>
  )
}
