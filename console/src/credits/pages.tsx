import { DocumentPage } from '../billing/documents/document-page.tsx'
import { DocumentsPage } from '../billing/documents/documents-page.tsx'
import { ImportDocuments } from '../billing/documents/import/import-documents.tsx'
import type { DocumentKind } from '../billing/documents/kind.ts'
import { NewDocument } from '../billing/documents/new-document.tsx'
import { PartyLink } from '../billing/parties.tsx'
import { parties } from '../billing/party.ts'
import { ApplyButton } from './apply-dialog.tsx'
import type { Credit } from './fields.ts'

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
      lead={(credit) => {
        const id = credit[parties[kind.party].field]
        return id ? (
          <span>
            {parties[kind.party].label} <PartyLink party={kind.party} id={id} inText />
          </span>
        ) : (
          `No ${kind.party} yet`
        )
      }}
      actions={(credit) => <ApplyButton kind={kind} credit={credit} />}
    />
  )
}
