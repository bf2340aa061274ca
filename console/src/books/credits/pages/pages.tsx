import { ImportDocuments } from '../../documents/import/import-documents.tsx'
import type { DocumentKind } from '../../documents/kind.ts'
import { DocumentsPage } from '../../documents/list/documents-page.tsx'
import { DocumentPage } from '../../documents/page/document-page.tsx'
import { NewDocument } from '../../documents/page/new-document.tsx'
import { parties } from '../../documents/party.ts'
import { NumberedLink } from '../../documents/shown/numbered-link.tsx'
import { PartyLink } from '../../documents/shown/parties.tsx'
import type { Credit, CreditItem } from '../fields.ts'
import { ApplyButton } from './apply-dialog.tsx'

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
